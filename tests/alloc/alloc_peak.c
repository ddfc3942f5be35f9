#include "alloc_peak.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_size_t held, highest, at_start;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void *block);

static void *add(void *block)
{
    if (!block) return NULL;
    size_t now = atomic_fetch_add(&held, malloc_usable_size(block)) + malloc_usable_size(block);
    size_t most = atomic_load(&highest);
    while (now > most && !atomic_compare_exchange_weak(&highest, &most, now)) continue;
    return block;
}

static void take_off(void *block)
{
    if (block) atomic_fetch_sub(&held, malloc_usable_size(block));
}

void *__wrap_malloc(size_t size)
{
    return add(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return add(__real_calloc(count, size));
}

void *__wrap_realloc(void *block, size_t size)
{
    size_t before = block ? malloc_usable_size(block) : 0;
    void *grown = __real_realloc(block, size);
    if (grown) atomic_fetch_sub(&held, before);
    return add(grown);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return add(__real_aligned_alloc(alignment, size));
}

void __wrap_free(void *block)
{
    take_off(block);
    __real_free(block);
}

void alloc_peak_begin(void)
{
    atomic_store(&at_start, atomic_load(&held));
    atomic_store(&highest, atomic_load(&held));
}

size_t alloc_peak(void)
{
    return atomic_load(&highest) - atomic_load(&at_start);
}
