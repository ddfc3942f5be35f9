/* slots.h - what is known of forms: a hash table, read in place from a section of a model file
 *
 *     hash -> slot: check, and what the table is for
 *
 * The lower bits of the hash say where to look first, and the upper half is what is compared. */
#ifndef DODONA_TAG_SLOTS_H
#define DODONA_TAG_SLOTS_H

#include "core/sections.h"

typedef struct dd_tag_slot {
    uint32_t check; /* upper half of the hash; 0: free */
    union {
        uint32_t rule; /* of the lemmatizer's exceptions */
        struct {       /* of the tagger's lexicon */
            uint16_t class_id, list;
        };
    };
} dd_tag_slot;

typedef struct dd_tag_slots {
    const dd_tag_slot *slots; /* [count] */
    size_t count;             /* a power of two; at least one is free */
} dd_tag_slots;

/* What becomes a slot. Of those with equal checks in one place the first stays. */
typedef struct dd_slot_entry {
    uint64_t hash;
    dd_tag_slot slot; /* without its check */
} dd_slot_entry;

/* Appends the table of all entries, which the buffer holds. False: allocation failed. */
bool dd_tag_slots_write(const dd_buffer *entries, dd_buffer *section);
/* Takes its block; what the slots say is not checked. */
bool dd_tag_slots_map(dd_tag_slots *slots, dd_cursor *section);

static inline uint32_t dd_slot_check(uint64_t hash)
{
    uint32_t check = (uint32_t)(hash >> 32);
    return check + (check == 0);
}

/* The number of the slot with that hash, or of the free one where it would go. */
static inline size_t dd_slot_of(const dd_tag_slot *slots, size_t count, uint64_t hash)
{
    size_t mask = count - 1, at = (size_t)hash & mask;
    uint32_t check = dd_slot_check(hash);
    while (slots[at].check && slots[at].check != check) at = (at + 1) & mask;
    return at;
}

/* NULL if it is not there. */
static inline const dd_tag_slot *dd_tag_slots_find(const dd_tag_slots *slots, uint64_t hash)
{
    const dd_tag_slot *slot = &slots->slots[dd_slot_of(slots->slots, slots->count, hash)];
    return slot->check ? slot : NULL;
}

#endif
