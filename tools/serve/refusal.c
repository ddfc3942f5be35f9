#include "serve/refusal.h"

#include <stdarg.h>
#include <stdio.h>

bool refuse(refusal *why, int status, const char *format, ...)
{
    if (why->status != 0) return false;
    va_list args;
    va_start(args, format);
    vsnprintf(why->reason, sizeof why->reason, format, args);
    va_end(args);
    why->status = status;
    return false;
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
