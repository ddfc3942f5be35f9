#include "tag/lexicon.h"

#include "core/memory.h"
#include "core/random.h"

#include <stdlib.h>
#include <string.h>

/* How often a form must be seen to be there at all, to have a class, and to have only its own tags;
 * and how often an ending. A head belongs to the class if it has at least one of CLASS_SHARE of the
 * form's words. */
enum { LEAST_SEEN = 2, LEAST_CLASS = 3, LEAST_LIST = 50, LEAST_ENDING = 100, CLASS_SHARE = 25 };

/* Endings that have lists, in characters. */
enum { SHORT_ENDING = 2, LONG_ENDING = 3 };

static uint64_t ending_hash(const dd_form *form, int characters)
{
    return dd_hash_feature((uint64_t)characters, form->suffixes[characters - 1], 0);
}

/* A form or an ending, by its hash, with a tag. Sorted by both, so that equal ones stand together.
 */
typedef struct sight {
    uint64_t hash;
    uint16_t tag;
    bool folded; /* of a form that folding makes this one */
} sight;

typedef struct builder {
    const dd_tagset *tagset;
    sight *sights;
    size_t n_sights;
    uint32_t *tag_counts;  /* [tags] of the form at hand */
    uint32_t *head_counts; /* [heads] */
    bool *open;            /* [tags] whether a form without a list has it */
    dd_vocab classes;      /* heads as text, the most frequent one first */
    dd_vocab lists;        /* tags as bytes */
    dd_buffer name;
    dd_buffer entries; /* dd_slot_entry, the forms first, by hash */
    size_t n_forms;
} builder;

static int by_form(const void *a, const void *b)
{
    const sight *x = a, *y = b;
    if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
    if (x->folded != y->folded) return x->folded - y->folded;
    return (int)x->tag - (int)y->tag;
}

static bool collect(builder *b, dd_sentence *const *sentences, size_t count, uint16_t *const *tags)
{
    size_t words = 0;
    for (size_t s = 0; s < count; s++) words += (size_t)sentences[s]->n;
    b->sights = dd_calloc(2 * words, sizeof *b->sights);
    if (!b->sights) return false;
    for (size_t s = 0; s < count; s++) {
        for (int word = 1; word <= sentences[s]->n; word++) {
            dd_form form;
            uint16_t tag = tags[s][word - 1];
            dd_form_read(&form, dd_cell(sentences[s], word, DD_FORM));
            b->sights[b->n_sights++] = (sight){form.exact, tag, false};
            if (form.folded != form.exact)
                b->sights[b->n_sights++] = (sight){form.folded, tag, true};
        }
    }
    qsort(b->sights, b->n_sights, sizeof *b->sights, by_form);
    return true;
}

/* The class of the form whose tags are counted; -1 if allocation fails. */
static int class_of(builder *b, uint32_t total)
{
    const dd_tagset *set = b->tagset;
    uint32_t best = 0;
    memset(b->head_counts, 0, (size_t)set->heads * sizeof *b->head_counts);
    for (int tag = 0; tag < set->count; tag++)
        b->head_counts[set->tags[tag].head] += b->tag_counts[tag];
    for (uint32_t head = 1; head < (uint32_t)set->heads; head++)
        if (b->head_counts[head] > b->head_counts[best]) best = head;
    b->name.size = 0;
    if (!dd_buffer_printf(&b->name, "%u", best)) return -1;
    for (uint32_t head = 0; head < (uint32_t)set->heads; head++)
        if ((uint64_t)b->head_counts[head] * CLASS_SHARE >= total && b->head_counts[head] &&
            !dd_buffer_printf(&b->name, " %u", head))
            return -1;
    int id = dd_vocab_add(&b->classes, (dd_text){b->name.data, b->name.size});
    return id < 0 ? -1 : id + 1 < UINT16_MAX ? id + 1 : 0;
}

/* The number of the list of all tags that are counted; -1 if allocation fails. */
static int list_of(builder *b)
{
    b->name.size = 0;
    for (int tag = 0; tag < b->tagset->count; tag++) {
        uint16_t item = (uint16_t)tag;
        if (b->tag_counts[tag] && !dd_buffer_append(&b->name, &item, sizeof item)) return -1;
    }
    int id = dd_vocab_add(&b->lists, (dd_text){b->name.data, b->name.size});
    return id < 0 ? -1 : id + 1 < UINT16_MAX ? id + 1 : 0;
}

static bool note(builder *b, uint64_t hash, uint16_t class_id, uint16_t list)
{
    dd_slot_entry e = {.hash = hash, .slot = {.class_id = class_id, .list = list}};
    return dd_buffer_append(&b->entries, &e, sizeof e);
}

static uint32_t count_tags(builder *b, const sight *from, const sight *to)
{
    memset(b->tag_counts, 0, (size_t)b->tagset->count * sizeof *b->tag_counts);
    for (const sight *s = from; s < to; s++) b->tag_counts[s->tag]++;
    return (uint32_t)(to - from);
}

/* A form as it stands counts alone if it is seen often enough, else with those folded to it. */
static bool add_form(builder *b, const sight *from, const sight *to)
{
    const sight *exact = from;
    while (exact < to && !exact->folded) exact++;
    bool alone = exact - from >= LEAST_CLASS;
    uint32_t total = count_tags(b, from, alone ? exact : to);
    if (total < LEAST_SEEN) {
        for (const sight *s = from; s < to; s++) b->open[s->tag] = true;
        return true;
    }
    int class_id = total >= LEAST_CLASS ? class_of(b, total) : 0;
    int list = alone && total >= LEAST_LIST ? list_of(b) : 0;
    if (class_id < 0 || list < 0) return false;
    for (const sight *s = from; list == 0 && s < to; s++) b->open[s->tag] = true;
    return note(b, from->hash, (uint16_t)class_id, (uint16_t)list);
}

static bool add_forms(builder *b)
{
    const sight *end = b->sights + b->n_sights;
    for (const sight *from = b->sights, *to; from < end; from = to) {
        for (to = from; to < end && to->hash == from->hash;) to++;
        if (!add_form(b, from, to)) return false;
    }
    return true;
}

/* Words whose form has its own list say nothing about other forms. */
static bool has_list(const builder *b, uint64_t hash)
{
    const dd_slot_entry *entries = (const dd_slot_entry *)(const void *)b->entries.data;
    size_t low = 0, high = b->n_forms;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (entries[middle].hash < hash)
            low = middle + 1;
        else
            high = middle;
    }
    return low < b->n_forms && entries[low].hash == hash && entries[low].slot.list > 0;
}

/* Overwrites the sights of forms, which are at least as many. */
static bool collect_endings(builder *b, dd_sentence *const *sentences, size_t count,
                            uint16_t *const *tags)
{
    b->n_forms = b->entries.size / sizeof(dd_slot_entry);
    b->n_sights = 0;
    for (size_t s = 0; s < count; s++) {
        for (int word = 1; word <= sentences[s]->n; word++) {
            dd_form form;
            dd_form_read(&form, dd_cell(sentences[s], word, DD_FORM));
            if (has_list(b, form.exact)) continue;
            for (int size = SHORT_ENDING; size <= LONG_ENDING; size++)
                b->sights[b->n_sights++] =
                    (sight){ending_hash(&form, size), tags[s][word - 1], false};
        }
    }
    qsort(b->sights, b->n_sights, sizeof *b->sights, by_form);
    return true;
}

static bool add_endings(builder *b)
{
    const sight *end = b->sights + b->n_sights;
    for (const sight *from = b->sights, *to; from < end; from = to) {
        for (to = from; to < end && to->hash == from->hash;) to++;
        if (to - from < LEAST_ENDING) continue;
        count_tags(b, from, to);
        int list = list_of(b);
        if (list < 0 || !note(b, from->hash, 0, (uint16_t)list)) return false;
    }
    return true;
}

uint16_t dd_lexicon_list(const dd_lexicon *lexicon, const dd_tag_slot *slot, const dd_form *form)
{
    if (slot && slot->list) return slot->list;
    for (int size = LONG_ENDING; size >= SHORT_ENDING; size--) {
        slot = dd_tag_slots_find(&lexicon->forms, ending_hash(form, size));
        if (slot) return slot->list;
    }
    return 0;
}

/* List 0 first. If every form has a list, an unknown one may still have any tag. */
static bool put_lists(builder *b, dd_buffer *section)
{
    dd_buffer starts = {0}, items = {0};
    uint32_t end = 0;
    bool any = false, ok = dd_buffer_append(&starts, &end, sizeof end);
    for (int tag = 0; tag < b->tagset->count; tag++) any |= b->open[tag];
    for (int tag = 0; ok && tag < b->tagset->count; tag++) {
        uint16_t item = (uint16_t)tag;
        if (b->open[tag] || !any) ok = dd_buffer_append(&items, &item, sizeof item);
    }
    for (int list = -1; ok && list < b->lists.count && list < UINT16_MAX; list++) {
        dd_text tags = list < 0 ? (dd_text){"", 0} : dd_vocab_text(&b->lists, list);
        ok = dd_buffer_append(&items, tags.data, tags.size);
        end = (uint32_t)(items.size / sizeof(uint16_t));
        ok = ok && dd_buffer_append(&starts, &end, sizeof end);
    }
    ok = ok && dd_block_put(section, DD_ALIGN_NUMBERS, starts.data, starts.size) &&
         dd_block_put(section, DD_ALIGN_NUMBERS, items.data, items.size);
    dd_buffer_free(&starts);
    dd_buffer_free(&items);
    return ok;
}

static bool make_room(builder *b)
{
    b->tag_counts = dd_calloc((size_t)b->tagset->count, sizeof *b->tag_counts);
    b->head_counts = dd_calloc((size_t)b->tagset->heads, sizeof *b->head_counts);
    b->open = dd_calloc((size_t)b->tagset->count, sizeof *b->open);
    return b->tag_counts && b->head_counts && b->open;
}

dd_status dd_lexicon_write(dd_sentence *const *sentences, size_t count, uint16_t *const *tags,
                           const dd_tagset *tagset, bool endings, dd_buffer *section,
                           dd_error *error)
{
    builder b = {.tagset = tagset};
    bool ok = make_room(&b) && collect(&b, sentences, count, tags) && add_forms(&b) &&
              (!endings || (collect_endings(&b, sentences, count, tags) && add_endings(&b))) &&
              dd_tag_slots_write(&b.entries, section) && put_lists(&b, section);
    free(b.sights);
    dd_buffer_free(&b.entries);
    free(b.tag_counts);
    free(b.head_counts);
    free(b.open);
    dd_vocab_free(&b.classes);
    dd_vocab_free(&b.lists);
    dd_buffer_free(&b.name);
    return ok ? DD_OK : dd_fail_memory(error);
}

bool dd_lexicon_map(dd_lexicon *lexicon, dd_cursor *section, int tags)
{
    size_t n_starts, n_items;
    if (!dd_tag_slots_map(&lexicon->forms, section)) return false;
    lexicon->starts = dd_cursor_block(section, sizeof *lexicon->starts, &n_starts);
    lexicon->items = dd_cursor_block(section, sizeof *lexicon->items, &n_items);
    lexicon->lists = n_starts - 1;
    if (section->failed || n_starts < 2 || !dd_offsets_ascend(lexicon->starts, n_starts, n_items))
        return false;
    for (size_t i = 0; i < lexicon->lists; i++)
        if (lexicon->starts[i] == lexicon->starts[i + 1]) return false; /* no tag to choose */
    for (size_t i = 0; i < n_items; i++)
        if (lexicon->items[i] >= tags) return false;
    for (size_t i = 0; i < lexicon->forms.count; i++)
        if (lexicon->forms.slots[i].list >= lexicon->lists) return false;
    return true;
}
