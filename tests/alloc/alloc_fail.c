#include "alloc_fail.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Counters are atomic: an operation may run threads. */
static atomic_long countdown; /* allocations until the one that fails; 0 and below: none */
static atomic_long blocks;    /* handed out and not freed */
static atomic_bool failed;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void __wrap_free(void *block);

static bool fails_now(void)
{
    if (atomic_fetch_sub(&countdown, 1) != 1) return false;
    atomic_store(&failed, true);
    return true;
}

static void *count(void *block)
{
    if (block) atomic_fetch_add(&blocks, 1);
    return block;
}

void *__wrap_malloc(size_t size)
{
    return fails_now() ? NULL : count(__real_malloc(size));
}

void *__wrap_calloc(size_t number, size_t size)
{
    return fails_now() ? NULL : count(__real_calloc(number, size));
}

void *__wrap_realloc(void *block, size_t size)
{
    if (fails_now()) return NULL;
    if (block) return __real_realloc(block, size);
    return count(__real_malloc(size));
}

void __wrap_free(void *block)
{
    if (block) atomic_fetch_sub(&blocks, 1);
    __real_free(block);
}

int alloc_fail_each(alloc_operation operation, void *user)
{
    for (int turn = 1;; turn++) {
        dd_error error = {.status = DD_OK};
        long before = atomic_load(&blocks);
        atomic_store(&failed, false);
        atomic_store(&countdown, turn);
        dd_status status = operation(user, &error);
        atomic_store(&countdown, 0);
        bool was_failed = atomic_load(&failed);
        if (atomic_load(&blocks) != before)
            fail_msg("allocation %d failing leaks %ld blocks", turn, atomic_load(&blocks) - before);
        assert_int_equal(status, was_failed ? DD_ERROR_MEMORY : DD_OK);
        if (!was_failed) return turn - 1;
        assert_int_equal(error.status, DD_ERROR_MEMORY);
        assert_string_equal(error.message, "out of memory");
    }
}
