/* cache.h - a cache: keys that were seen before, so that what depends on them need not be computed
 * again
 *
 * The cache assigns places to keys, and reuses places that were not asked for recently: the clock
 * algorithm, which gives each a second chance (Corbató 1968). Keys are compared as a whole. */
#ifndef DODONA_NEURAL_CACHE_H
#define DODONA_NEURAL_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DD_MEMO_KEY = 62 /* numbers, at most */ };

typedef struct dd_cache_entry {
    uint64_t round; /* in which it was last found */
    uint32_t hash;
    int next;      /* in its bucket */
    uint16_t size; /* of the key; 0: cannot be found again */
    bool used;     /* since the hand came by */
    uint16_t key[DD_MEMO_KEY];
} dd_cache_entry;

typedef struct dd_cache {
    size_t most;             /* places, unless one round needs more */
    dd_cache_entry *entries; /* [count] */
    size_t count, entries_capacity;
    int *buckets; /* [n_buckets] first entry, or -1 */
    size_t n_buckets;
    uint64_t round;
    size_t held; /* places found in this round */
    size_t hand;
} dd_cache; /* {0} with most is valid */

void dd_cache_free(dd_cache *cache);
/* Forgets all. */
void dd_cache_clear(dd_cache *cache);
/* A new round: places found in the last one may be taken back. */
void dd_cache_begin(dd_cache *cache);
/* The key's place, which stays its own until the round ends; *fresh: the key was not in the cache.
 * A key of size 0 gets a new place each time. -1: allocation failed. */
int dd_cache_find(dd_cache *cache, const uint16_t *key, size_t size, bool *fresh);

#endif
