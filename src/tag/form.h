/* form.h - what tagger and lemmatizer see of a word's FORM: hashes of it and of its ends; and hash
 * tables of what is known of forms
 *
 *     "Re-Elected"  folded "re-elected"   suffixes "d" "ed" "ted" ..   shape "Xx-Xx"
 *
 * Folding makes letters lower case and every digit 0. */
#ifndef DODONA_TAG_FORM_H
#define DODONA_TAG_FORM_H

#include "core/sections.h"

#include <dodona.h>

enum { DD_PREFIXES = 4, DD_SUFFIXES = 6 };

typedef struct dd_form {
    uint64_t exact, folded, shape;
    uint64_t
        prefixes[DD_PREFIXES]; /* of 1, 2, .. characters, folded; 0 where the form is shorter */
    uint64_t suffixes[DD_SUFFIXES];
    uint32_t length;                            /* characters */
    bool upper_first, upper_other, digit, mark; /* mark: neither letter nor digit */
} dd_form;

void dd_form_read(dd_form *form, dd_text text);

/* Cuts the first character off; broken bytes give U+FFFD. */
uint32_t dd_next_character(dd_text *text);

/* ---- tables of forms ---------------------------------------------------------------------- */

/* A hash table is read in place from a section of a model file. The lower bits of the hash give the
 * first slot to look at, and its upper half is what is compared. */

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

/* An entry of a table. Of entries with equal checks in one place the first stays. */
typedef struct dd_slot_entry {
    uint64_t hash;
    dd_tag_slot slot; /* without its check */
} dd_slot_entry;

/* Appends the table of all entries, which the buffer holds. False: allocation failed. */
bool dd_tag_slots_write(const dd_buffer *entries, dd_buffer *section);
/* Takes its block; the contents of the slots are not checked. */
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
