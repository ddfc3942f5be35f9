/* The cache of words: what it says it knows was put there under the same key, and no place is taken
 * back in the round that it was found in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/random.h"
#include "neural/cache.h"

enum { KEYS = 200, MOST = 40, PLACES = 400 };

/* Keys of different lengths, some the beginnings of others. */
static size_t make_key(int number, uint16_t *key)
{
    size_t size = 1 + (size_t)number % 5;
    for (size_t i = 0; i < size; i++) key[i] = (uint16_t)(number / 5 + (int)i);
    return size;
}

static void a_round(dd_cache *cache, dd_random *random, int finds, int *owner)
{
    bool held[PLACES] = {false};
    dd_cache_begin(cache);
    for (int i = 0; i < finds; i++) {
        uint16_t key[DD_MEMO_KEY];
        bool fresh;
        int number = (int)dd_random_below(random, KEYS);
        int place = dd_cache_find(cache, key, make_key(number, key), &fresh);
        assert_in_range(place, 0, PLACES - 1);
        assert_true(fresh ? !held[place] : owner[place] == number);
        owner[place] = number;
        held[place] = true;
    }
}

static void places_belong_to_their_keys(void **state)
{
    (void)state;
    dd_cache cache = {.most = MOST};
    dd_random random = {61};
    int owner[PLACES];
    for (int i = 0; i < PLACES; i++) owner[i] = -1;
    for (int round = 0; round < 2000; round++) {
        a_round(&cache, &random, (int)dd_random_below(&random, 30), owner);
        assert_true(cache.count <= MOST);
    }
    a_round(&cache, &random, 150, owner); /* a round that needs more */
    assert_true(cache.count > MOST && cache.count <= 150 + MOST);
    for (int round = 0; round < 200; round++) a_round(&cache, &random, 30, owner);
    dd_cache_free(&cache);
}

static void what_is_used_stays(void **state)
{
    (void)state;
    dd_cache cache = {.most = MOST};
    const uint16_t common = 7;
    int misses = 0;
    for (int round = 0; round < 1000; round++) {
        uint16_t rare[] = {9, (uint16_t)round};
        bool fresh;
        dd_cache_begin(&cache);
        assert_true(dd_cache_find(&cache, &common, 1, &fresh) >= 0);
        misses += fresh;
        assert_true(dd_cache_find(&cache, rare, 2, &fresh) >= 0);
        assert_true(fresh);
    }
    assert_int_equal(misses, 1);
    dd_cache_free(&cache);
}

static void keys_without_numbers_are_never_found_again(void **state)
{
    (void)state;
    dd_cache cache = {.most = MOST};
    const uint16_t nothing = 0;
    bool fresh;
    for (int round = 0; round < 300; round++) {
        dd_cache_begin(&cache);
        int one = dd_cache_find(&cache, &nothing, 0, &fresh);
        assert_true(one >= 0 && fresh);
        int other = dd_cache_find(&cache, &nothing, 0, &fresh);
        assert_true(other >= 0 && fresh && other != one);
    }
    assert_true(cache.count <= MOST);
    dd_cache_free(&cache);
}

static void it_forgets_all_when_told(void **state)
{
    (void)state;
    dd_cache cache = {.most = MOST};
    const uint16_t key = 3;
    bool fresh;
    dd_cache_clear(&cache);
    for (int i = 0; i < 3; i++) {
        dd_cache_begin(&cache);
        assert_int_equal(dd_cache_find(&cache, &key, 1, &fresh), 0);
        assert_true(fresh);
        dd_cache_clear(&cache);
    }
    dd_cache_free(&cache);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_belong_to_their_keys),
        cmocka_unit_test(what_is_used_stays),
        cmocka_unit_test(keys_without_numbers_are_never_found_again),
        cmocka_unit_test(it_forgets_all_when_told),
    };
    return cmocka_run_group_tests_name("cache", tests, NULL, NULL);
}
