#include "heap.h"

#include "cmd.h"
#include "message.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void *found(void *memory)
{
    if (memory) return memory;
    say("out of memory");
    exit(STATUS_PROBLEM);
}

void *heap_zeroed(size_t count, size_t item)
{
    return found(calloc(count ? count : 1, item));
}

char *heap_copy(const char *text, size_t size)
{
    char *copy = found(size < SIZE_MAX ? malloc(size + 1) : NULL);
    if (size > 0) memcpy(copy, text, size);
    copy[size] = '\0';
    return copy;
}

void heap_grow(void **array, size_t *capacity, size_t need, size_t item)
{
    if (need <= *capacity) return;
    size_t grown = *capacity < SIZE_MAX / 2 ? 2 * *capacity : need;
    if (grown < need) grown = need;
    if (grown < 8) grown = 8;
    *array = found(grown <= SIZE_MAX / item ? realloc(*array, grown * item) : NULL);
    *capacity = grown;
}
