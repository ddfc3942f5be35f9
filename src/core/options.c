#include "core/options.h"

#include "core/status.h"

#include <string.h>

/* No struct will ever be as large; uninitialised memory often holds such sizes. */
enum { TOO_LARGE = 1 << 16 };

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t size_of(const void *options)
{
    size_t size;
    memcpy(&size, options, sizeof size);
    return size;
}

/* Copies all but the size, which stays that of the destination. */
static void copy(void *to, const void *from, size_t size)
{
    size_t head = sizeof size;
    if (size > head) memcpy((char *)to + head, (const char *)from + head, size - head);
}

void dd_options_init(void *options, size_t size, const void *defaults, size_t own_size)
{
    if (size < sizeof size) return;
    memset(options, 0, size);
    memcpy(options, &size, sizeof size);
    copy(options, defaults, smaller(size, own_size));
}

dd_status dd_options_take(void *own, size_t own_size, const void *given, size_t least,
                          const char *what, dd_error *error)
{
    if (!given) return DD_OK;
    size_t size = size_of(given);
    if (size < least || size > TOO_LARGE)
        return dd_fail(error, DD_ERROR_ARGUMENT, "%s not initialised", what);
    copy(own, given, smaller(size, own_size));
    return DD_OK;
}

void dd_options_give(void *given, const void *own, size_t own_size)
{
    if (given) copy(given, own, smaller(size_of(given), own_size));
}
