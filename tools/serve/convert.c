#include "serve/convert.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* A line end becomes two at most, and nothing else grows. */
char *convert_horizontal(dd_text text, size_t *size)
{
    char *out = text.size < SIZE_MAX / 2 ? malloc(2 * text.size + 1) : NULL;
    size_t n = 0;
    if (!out) return NULL;
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        bool at_start = n == 0 || out[n - 1] == '\n';
        if (c == '\n' || is_blank(c)) {
            if (!at_start) out[n++] = '\n';
            bool ended = n < 2 || out[n - 2] == '\n';
            if (c == '\n' && !ended) out[n++] = '\n';
        } else if (i + 1 < text.size && memcmp(text.data + i, "\xC2\xA0", 2) == 0) {
            out[n++] = ' ';
            i++;
        } else {
            out[n++] = c;
        }
    }
    *size = n;
    return out;
}

char *convert_nfc(dd_text text, size_t *size)
{
    utf8proc_uint8_t *out = NULL;
    if (text.size > INT_MAX) return NULL;
    utf8proc_ssize_t made =
        utf8proc_map((const utf8proc_uint8_t *)text.data, (utf8proc_ssize_t)text.size, &out,
                     UTF8PROC_STABLE | UTF8PROC_COMPOSE);
    if (made < 0) return NULL;
    *size = (size_t)made;
    return (char *)out;
}
