#include "serve/refusal.h"

#include "output.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Leaves out what a cut, at the end or by %.40s, left of a UTF-8 character. All that a reason shows
 * of a request is UTF-8, and JSON must be. */
static void keep_characters(char *text)
{
    size_t size = strlen(text), used = 0;
    for (size_t at = 0, step; at < size; at += step ? step : 1) {
        step = output_utf8((const unsigned char *)text + at, size - at);
        memmove(text + used, text + at, step);
        used += step;
    }
    text[used] = '\0';
}

bool refuse(refusal *why, int status, const char *format, ...)
{
    if (why->status != 0) return false;
    va_list args;
    va_start(args, format);
    vsnprintf(why->reason, sizeof why->reason, format, args);
    va_end(args);
    keep_characters(why->reason);
    why->status = status;
    return false;
}

bool refuse_memory(refusal *why)
{
    return refuse(why, 503, "out of memory");
}

static int status_of(dd_status status)
{
    switch (status) {
    case DD_ERROR_FORMAT:
    case DD_ERROR_ARGUMENT: return 400;
    case DD_ERROR_DATA: return 422;
    case DD_ERROR_MEMORY: return 503;
    default: return 500;
    }
}

bool refuse_error(refusal *why, const dd_error *error)
{
    return refuse(why, status_of(error->status), "%s", error->message);
}
