#include "neural/cache.h"

#include "core/memory.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { NOBODY = -1 };

void dd_cache_free(dd_cache *cache)
{
    free(cache->entries);
    free(cache->buckets);
    *cache = (dd_cache){.most = cache->most};
}

static void empty_buckets(dd_cache *cache)
{
    for (size_t i = 0; i < cache->n_buckets; i++) cache->buckets[i] = NOBODY;
}

void dd_cache_clear(dd_cache *cache)
{
    empty_buckets(cache);
    cache->count = cache->held = cache->hand = 0;
}

void dd_cache_begin(dd_cache *cache)
{
    cache->round++;
    cache->held = 0;
}

static int *bucket_of(const dd_cache *cache, uint32_t hash)
{
    return &cache->buckets[hash & (cache->n_buckets - 1)];
}

static void link_entry(dd_cache *cache, int place)
{
    dd_cache_entry *entry = &cache->entries[place];
    int *bucket = bucket_of(cache, entry->hash);
    entry->next = *bucket;
    *bucket = place;
}

static void unlink_entry(dd_cache *cache, int place)
{
    int *at = bucket_of(cache, cache->entries[place].hash);
    while (*at != place) at = &cache->entries[*at].next;
    *at = cache->entries[place].next;
}

/* At least as many buckets as entries, a power of two. */
static bool grow_buckets(dd_cache *cache, size_t entries)
{
    size_t count = cache->n_buckets ? cache->n_buckets : 256;
    if (entries <= cache->n_buckets) return true;
    while (count < entries) count *= 2;
    int *made = dd_calloc(count, sizeof *made);
    if (!made) return false;
    free(cache->buckets);
    cache->buckets = made;
    cache->n_buckets = count;
    empty_buckets(cache);
    for (size_t i = 0; i < cache->count; i++)
        if (cache->entries[i].size) link_entry(cache, (int)i);
    return true;
}

static int add_place(dd_cache *cache)
{
    if (cache->count >= INT32_MAX ||
        !DD_RESERVE(&cache->entries, &cache->entries_capacity, cache->count + 1) ||
        !grow_buckets(cache, cache->count + 1))
        return NOBODY;
    cache->entries[cache->count] = (dd_cache_entry){0};
    return (int)cache->count++;
}

/* There is a place that this round does not hold, so that the hand finds one by its second turn. */
static int take_place_back(dd_cache *cache)
{
    for (;;) {
        int place = (int)cache->hand;
        dd_cache_entry *entry = &cache->entries[place];
        cache->hand = (cache->hand + 1) % cache->count;
        if (entry->round == cache->round) continue;
        if (!entry->used) {
            if (entry->size) unlink_entry(cache, place);
            return place;
        }
        entry->used = false;
    }
}

static int hold(dd_cache *cache, int place)
{
    dd_cache_entry *entry = &cache->entries[place];
    entry->used = entry->size > 0;
    if (entry->round != cache->round) cache->held++;
    entry->round = cache->round;
    return place;
}

int dd_cache_find(dd_cache *cache, const uint16_t *key, size_t size, bool *fresh)
{
    uint32_t hash = (uint32_t)XXH3_64bits(key, size * sizeof *key);
    *fresh = false;
    for (int at = size && cache->n_buckets ? *bucket_of(cache, hash) : NOBODY; at != NOBODY;
         at = cache->entries[at].next) {
        const dd_cache_entry *entry = &cache->entries[at];
        if (entry->hash == hash && entry->size == size &&
            memcmp(entry->key, key, size * sizeof *key) == 0)
            return hold(cache, at);
    }
    bool full = cache->count >= cache->most && cache->held < cache->count;
    int place = full ? take_place_back(cache) : add_place(cache);
    if (place == NOBODY) return NOBODY;
    dd_cache_entry *entry = &cache->entries[place];
    entry->hash = hash;
    entry->size = (uint16_t)size;
    entry->round = cache->round - 1;
    memcpy(entry->key, key, size * sizeof *key);
    if (size) link_entry(cache, place);
    *fresh = true;
    return hold(cache, place);
}
