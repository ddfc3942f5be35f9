#include "core/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

bool dd_grow(void **array, size_t *capacity, size_t need, size_t item)
{
    size_t grown = *capacity < SIZE_MAX / 2 ? *capacity * 2 : SIZE_MAX;
    if (grown < need) grown = need;
    if (grown < 8) grown = 8;
    if (grown > SIZE_MAX / item) grown = need;
    if (grown > SIZE_MAX / item) return false;
    void *moved = realloc(*array, grown * item);
    if (!moved) return false;
    *array = moved;
    *capacity = grown;
    return true;
}

void *dd_calloc(size_t count, size_t item)
{
    return calloc(count ? count : 1, item ? item : 1);
}

void dd_prefer_huge_pages(void *block, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    const uintptr_t huge = (uintptr_t)2 << 20;
    uintptr_t start = ((uintptr_t)block + huge - 1) / huge * huge;
    uintptr_t end = ((uintptr_t)block + bytes) / huge * huge;
    if (block && end > start) madvise((void *)start, end - start, MADV_HUGEPAGE);
#else
    (void)block;
    (void)bytes;
#endif
}

char *dd_copy_text(const char *data, size_t size)
{
    char *copy = size < SIZE_MAX ? malloc(size + 1) : NULL;
    if (!copy) return NULL;
    if (size) memcpy(copy, data, size);
    copy[size] = '\0';
    return copy;
}
