#include "text/io.h"

#include <string.h>

dd_status dd_fail_io(dd_error *error, const char *name, int code)
{
    char reason[128];
    /* strerror() may share its buffer between threads. */
    if (strerror_r(code, reason, sizeof reason) != 0) memcpy(reason, "unknown error", 14);
    return dd_fail(error, DD_ERROR_IO, "%.300s: %s", name, reason);
}

bool dd_path_is_standard(const char *path)
{
    return !path || strcmp(path, "-") == 0;
}

bool dd_ends_with(const char *text, const char *end)
{
    size_t size = strlen(text), tail = strlen(end);
    return size >= tail && memcmp(text + size - tail, end, tail) == 0;
}
