#include "score/neural/memo.h"

#include "core/memory.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { NOBODY = -1 };

void dd_memo_free(dd_memo *memo)
{
    free(memo->entries);
    free(memo->buckets);
    *memo = (dd_memo){.most = memo->most};
}

static void empty_buckets(dd_memo *memo)
{
    for (size_t i = 0; i < memo->n_buckets; i++) memo->buckets[i] = NOBODY;
}

void dd_memo_clear(dd_memo *memo)
{
    empty_buckets(memo);
    memo->count = memo->held = memo->hand = 0;
}

void dd_memo_begin(dd_memo *memo)
{
    memo->round++;
    memo->held = 0;
}

static int *bucket_of(const dd_memo *memo, uint32_t hash)
{
    return &memo->buckets[hash & (memo->n_buckets - 1)];
}

static void link_entry(dd_memo *memo, int place)
{
    dd_memo_entry *entry = &memo->entries[place];
    int *bucket = bucket_of(memo, entry->hash);
    entry->next = *bucket;
    *bucket = place;
}

static void unlink_entry(dd_memo *memo, int place)
{
    int *at = bucket_of(memo, memo->entries[place].hash);
    while (*at != place) at = &memo->entries[*at].next;
    *at = memo->entries[place].next;
}

/* At least as many buckets as entries, a power of two. */
static bool grow_buckets(dd_memo *memo, size_t entries)
{
    size_t count = memo->n_buckets ? memo->n_buckets : 256;
    if (entries <= memo->n_buckets) return true;
    while (count < entries) count *= 2;
    int *made = dd_calloc(count, sizeof *made);
    if (!made) return false;
    free(memo->buckets);
    memo->buckets = made;
    memo->n_buckets = count;
    empty_buckets(memo);
    for (size_t i = 0; i < memo->count; i++)
        if (memo->entries[i].size) link_entry(memo, (int)i);
    return true;
}

static int add_place(dd_memo *memo)
{
    if (memo->count >= INT32_MAX ||
        !DD_RESERVE(&memo->entries, &memo->entries_capacity, memo->count + 1) ||
        !grow_buckets(memo, memo->count + 1))
        return NOBODY;
    memo->entries[memo->count] = (dd_memo_entry){0};
    return (int)memo->count++;
}

/* There is a place that this round does not hold, so that the hand finds one by its second turn. */
static int take_place_back(dd_memo *memo)
{
    for (;;) {
        int place = (int)memo->hand;
        dd_memo_entry *entry = &memo->entries[place];
        memo->hand = (memo->hand + 1) % memo->count;
        if (entry->round == memo->round) continue;
        if (!entry->used) {
            if (entry->size) unlink_entry(memo, place);
            return place;
        }
        entry->used = false;
    }
}

static int hold(dd_memo *memo, int place)
{
    dd_memo_entry *entry = &memo->entries[place];
    entry->used = entry->size > 0;
    if (entry->round != memo->round) memo->held++;
    entry->round = memo->round;
    return place;
}

int dd_memo_find(dd_memo *memo, const uint16_t *key, size_t size, bool *fresh)
{
    uint32_t hash = (uint32_t)XXH3_64bits(key, size * sizeof *key);
    *fresh = false;
    for (int at = size && memo->n_buckets ? *bucket_of(memo, hash) : NOBODY; at != NOBODY;
         at = memo->entries[at].next) {
        const dd_memo_entry *entry = &memo->entries[at];
        if (entry->hash == hash && entry->size == size &&
            memcmp(entry->key, key, size * sizeof *key) == 0)
            return hold(memo, at);
    }
    bool full = memo->count >= memo->most && memo->held < memo->count;
    int place = full ? take_place_back(memo) : add_place(memo);
    if (place == NOBODY) return NOBODY;
    dd_memo_entry *entry = &memo->entries[place];
    entry->hash = hash;
    entry->size = (uint16_t)size;
    entry->round = memo->round - 1;
    memcpy(entry->key, key, size * sizeof *key);
    if (size) link_entry(memo, place);
    *fresh = true;
    return hold(memo, place);
}
