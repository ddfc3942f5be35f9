#include "tag/form.h"

#include "core/memory.h"
#include "core/random.h"
#include "core/strings.h"
#include "text/utf8.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

/* The alphabet of shapes. */
typedef enum kind { UPPER = 'X', LOWER = 'x', DIGIT = '0', LETTER = 'o', MARK = '.' } kind;

uint32_t dd_next_character(dd_text *text)
{
    uint32_t character = (unsigned char)text->data[0];
    size_t size = 1;
    bool broken;
    if (character >= 0x80) size = dd_char_decode(text->data, text->size, &character, &broken);
    *text = dd_text_skip(*text, size);
    return character;
}

static uint32_t fold_character(uint32_t character)
{
    if (character >= 0x80) return (uint32_t)utf8proc_tolower((utf8proc_int32_t)character);
    if (character >= 'A' && character <= 'Z') return character + ('a' - 'A');
    return character >= '0' && character <= '9' ? '0' : character;
}

static kind kind_of(uint32_t character)
{
    if (character < 0x80) {
        if (character >= 'a' && character <= 'z') return LOWER;
        if (character >= 'A' && character <= 'Z') return UPPER;
        return character >= '0' && character <= '9' ? DIGIT : MARK;
    }
    switch (utf8proc_category((utf8proc_int32_t)character)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LT: return UPPER;
    case UTF8PROC_CATEGORY_LL: return LOWER;
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC: return LETTER;
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO: return DIGIT;
    default: return MARK;
    }
}

typedef struct shape {
    uint64_t hash;
    uint32_t last; /* what stands for the last character */
    int run;       /* how often it stands there */
} shape;

/* A run of the same kind counts as one or two; ASCII marks stand for themselves. */
static void extend_shape(shape *s, kind k, uint32_t character)
{
    uint32_t stands = k == MARK && character < 0x80 ? character : (uint32_t)k;
    s->run = stands == s->last ? s->run + 1 : 1;
    s->last = stands;
    if (s->run <= 2) s->hash = dd_hash_step(s->hash, stands);
}

static void note_kind(dd_form *form, kind k)
{
    if (k == UPPER) *(form->length == 0 ? &form->upper_first : &form->upper_other) = true;
    form->digit |= k == DIGIT;
    form->mark |= k == MARK;
}

static void set_suffixes(dd_form *form, const uint32_t *last)
{
    uint64_t hash = 0;
    for (uint32_t i = 0; i < DD_SUFFIXES && i < form->length; i++) {
        hash = dd_hash_step(hash, last[(form->length - 1 - i) % DD_SUFFIXES]);
        form->suffixes[i] = dd_hash_mix(hash);
    }
}

void dd_form_read(dd_form *form, dd_text text)
{
    uint32_t last[DD_SUFFIXES]; /* folded characters, each at its number modulo DD_SUFFIXES */
    uint64_t exact = 0, folded = 0;
    shape s = {0, 0, 0};
    memset(form, 0, sizeof *form);
    while (text.size > 0) {
        uint32_t character = dd_next_character(&text), fold = fold_character(character);
        kind k = kind_of(character);
        exact = dd_hash_step(exact, character);
        folded = dd_hash_step(folded, fold);
        extend_shape(&s, k, character);
        note_kind(form, k);
        if (form->length < DD_PREFIXES) form->prefixes[form->length] = dd_hash_mix(folded);
        last[form->length % DD_SUFFIXES] = fold;
        form->length++;
    }
    form->exact = dd_hash_mix(exact);
    form->folded = dd_hash_mix(folded);
    form->shape = dd_hash_mix(s.hash);
    set_suffixes(form, last);
}

/* ---- tables of forms ---------------------------------------------------------------------- */

_Static_assert(sizeof(dd_tag_slot) == 8, "the layout of the file has no padding");

bool dd_tag_slots_write(const dd_buffer *entries, dd_buffer *section)
{
    const dd_slot_entry *all = (const dd_slot_entry *)(const void *)entries->data;
    size_t n_entries = entries->size / sizeof *all, count = 2;
    while (count * 3 / 4 <= n_entries) count *= 2;
    dd_tag_slot *slots = dd_calloc(count, sizeof *slots);
    if (!slots) return false;
    for (size_t i = 0; i < n_entries; i++) {
        dd_tag_slot *slot = &slots[dd_slot_of(slots, count, all[i].hash)];
        if (slot->check) continue;
        *slot = all[i].slot;
        slot->check = dd_slot_check(all[i].hash);
    }
    bool ok = dd_block_put(section, DD_ALIGN_NUMBERS, slots, count * sizeof *slots);
    free(slots);
    return ok;
}

bool dd_tag_slots_map(dd_tag_slots *slots, dd_cursor *section)
{
    slots->slots = dd_cursor_block(section, sizeof *slots->slots, &slots->count);
    size_t free_slots = 0; /* at which a search ends */
    for (size_t i = 0; i < slots->count; i++) free_slots += slots->slots[i].check == 0;
    return free_slots > 0 && (slots->count & (slots->count - 1)) == 0;
}
