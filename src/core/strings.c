#include "core/strings.h"

#include "core/memory.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void dd_buffer_free(dd_buffer *buffer)
{
    if (!buffer) return;
    free(buffer->data);
    *buffer = (dd_buffer){0};
}

bool dd_buffer_reserve(dd_buffer *buffer, size_t extra)
{
    if (extra > SIZE_MAX - buffer->size) return false;
    return DD_RESERVE(&buffer->data, &buffer->capacity, buffer->size + extra);
}

bool dd_buffer_append(dd_buffer *buffer, const void *data, size_t size)
{
    if (size == 0) return true;
    if (!dd_buffer_reserve(buffer, size)) return false;
    memcpy(buffer->data + buffer->size, data, size);
    buffer->size += size;
    return true;
}

bool dd_buffer_text(dd_buffer *buffer, const char *text)
{
    return dd_buffer_append(buffer, text, strlen(text));
}

bool dd_buffer_printf(dd_buffer *buffer, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int need = vsnprintf(NULL, 0, format, args);
    va_end(args);
    bool ok = need >= 0 && dd_buffer_reserve(buffer, (size_t)need + 1);
    if (ok) {
        vsnprintf(buffer->data + buffer->size, (size_t)need + 1, format, again);
        buffer->size += (size_t)need;
    }
    va_end(again);
    return ok;
}

static bool is_of_number(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '-' || c == '+';
}

/* The program may have set a locale whose decimal point is a comma or has several bytes; files must
 * not depend on it. */
bool dd_buffer_real(dd_buffer *buffer, const char *format, double value)
{
    char text[400]; /* the largest double has 309 digits */
    char *to = text;
    int size = snprintf(text, sizeof text, format, value);
    if (size < 0 || (size_t)size >= sizeof text) return false;
    for (const char *at = text; *at; at++) {
        if (is_of_number(*at))
            *to++ = *at;
        else if (to > text && to[-1] != '.')
            *to++ = '.';
    }
    return dd_buffer_append(buffer, text, (size_t)(to - text));
}
