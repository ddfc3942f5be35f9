#include "segment/segment_examples.h"

#include "core/memory.h"
#include "segment/treebank_text.h"

#include <stdlib.h>
#include <string.h>

/* The fewer sentences a fold takes from its linear segmenter, the more that one is like the one of
 * the whole treebank, which the network meets later. */
enum { FOLDS = 10, BLOCKS = 50, LEAST_SENTENCES = 100 /* for folds */ };
/* How often a symbol must occur in the treebank to be learnt; in the order of dd_unit_inputs. */
static const uint32_t least_seen[DD_UNIT_TABLES] = {2, 4, 1, 4, 3};

void dd_segment_examples_free(dd_segment_examples *l)
{
    free(l->words);
    dd_hash_table_free(&l->known);
    for (int t = 0; t < DD_UNIT_TABLES; t++) free(l->kept[t]);
    dd_unit_text_free(&l->text);
    free(l->room.nodes);
    free(l->gold);
    free(l->spaced);
    free(l->starts);
    dd_codes_free(&l->codes);
}

/* ---- words of the treebank ------------------------------------------------------------------ */

static int compare(const void *a, const void *b)
{
    uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    return (one > other) - (one < other);
}

static bool list_tokens(dd_segment_examples *l, const dd_marked_paragraph *p)
{
    for (int at = 0, start = 0; at < p->chars.count; at++) {
        if (p->chars.classes[at] == DD_CHAR_SPACE) start = at + 1;
        if (p->chars.classes[at] == DD_CHAR_SPACE || !(p->marks[at] & DD_TOKEN_END)) continue;
        int size = at + 1 - start;
        if (size > 1 && size <= DD_LONGEST_LISTED) {
            if (!DD_RESERVE(&l->words, &l->words_capacity, l->n_words + 1)) return false;
            l->words[l->n_words++] = dd_word_hash(&p->chars, start, at + 1);
        }
        start = at + 1;
    }
    return true;
}

/* Only where words are written without spaces. */
static bool list_words(dd_segment_examples *l, const dd_treebank_text *text)
{
    if (!dd_pairs_are_unspaced(l->linear->pairs)) return true;
    for (size_t i = 0; i < text->count; i++)
        if (!list_tokens(l, &text->paragraphs[i])) return false;
    if (l->n_words == 0) return true;
    qsort(l->words, l->n_words, sizeof *l->words, compare);
    uint8_t *often = dd_calloc(l->n_words, 1);
    size_t kept = 0;
    if (!often) return false;
    for (size_t i = 0, next; i < l->n_words; i = next) {
        for (next = i; next < l->n_words && l->words[next] == l->words[i];) next++;
        often[kept] = next - i > l->copies;
        l->words[kept++] = l->words[i];
    }
    l->n_words = kept;
    bool ok = dd_hash_table_set(&l->known, l->words, kept, 1);
    for (size_t at = 0; ok && at < l->known.size; at++)
        if (l->known.values[at]) l->known.values[at] = often[l->known.values[at] - 1] ? 2 : 1;
    free(often);
    return ok;
}

/* ---- windows -------------------------------------------------------------------------------- */

static uint8_t gold_of(const dd_marked_paragraph *p, const dd_unit *unit)
{
    uint8_t mark = p->marks[unit->end - 1];
    if (mark & DD_SENTENCE_END) return DD_UNIT_SENTENCE;
    return mark & DD_TOKEN_END || unit->spaced ? DD_UNIT_TOKEN : DD_UNIT_INSIDE;
}

static bool add_window(dd_segment_examples *l, const dd_marked_paragraph *p, int number)
{
    dd_codes *codes = &l->codes;
    dd_unit_window w = dd_unit_window_at(l->text.count, number);
    size_t nodes = (size_t)(w.behind - w.start) + 2;
    if (!DD_RESERVE(&l->gold, &l->gold_capacity, l->n_gold + nodes) ||
        !DD_RESERVE(&l->spaced, &l->spaced_capacity, l->n_gold + nodes) ||
        !DD_RESERVE(&l->starts, &l->starts_capacity, codes->count + 1))
        return false;
    l->starts[codes->count] = l->n_gold;
    memset(l->gold + l->n_gold, DD_NOT_DECIDED, nodes);
    for (int unit = w.first; unit < w.last && unit + 1 < l->text.count; unit++) {
        size_t at = l->n_gold + (size_t)dd_unit_node(&w, unit);
        l->gold[at] = gold_of(p, &l->text.units[unit]);
        l->spaced[at] = l->text.units[unit].spaced;
    }
    l->n_gold += nodes;
    return dd_codes_add_window(codes, &l->text, &w, &l->room);
}

static bool add_text(dd_segment_examples *l, const dd_treebank_text *text,
                     const dd_segmenter *linear)
{
    for (size_t i = 0; i < text->count; i++) {
        const dd_marked_paragraph *p = &text->paragraphs[i];
        dd_unit_maker maker = {
            .linear = linear, .pairs = l->linear->pairs, .words = &l->known, .marks = p->marks};
        if (!dd_unit_text_make(&l->text, &maker, &p->chars, p->chars.count)) return false;
        for (int w = 0; w < dd_unit_windows(l->text.count); w++)
            if (!add_window(l, p, w)) return false;
    }
    return true;
}

/* Treebanks are often parts of different kinds in a row, so that a fold has blocks from everywhere:
 * a segmenter that has seen no text of a kind would say little of one that has. */
static size_t fold_of(size_t sentence, size_t count)
{
    return sentence * BLOCKS / count % FOLDS;
}

/* A linear segmenter of what is not in the fold reads the fold. */
static dd_status read_fold(dd_segment_examples *l, dd_sentence *const *fold, size_t in_fold,
                           dd_sentence *const *others, size_t n_others, dd_error *error)
{
    dd_segmenter *linear = NULL;
    dd_buffer section = {0};
    dd_treebank_text text = {0};
    l->part->part++;
    l->part->before += l->part->share;
    dd_status status = dd_segmenter_train(&section, others, n_others, l->options, error);
    if (status == DD_OK)
        status = dd_segmenter_map(&linear, (dd_text){section.data, section.size}, error);
    if (status == DD_OK) status = dd_treebank_text_set(&text, fold, in_fold, error);
    if (status == DD_OK && !add_text(l, &text, linear)) status = dd_fail_memory(error);
    dd_treebank_text_free(&text);
    dd_segmenter_free(linear);
    dd_buffer_free(&section);
    return status;
}

static dd_status add_fold(dd_segment_examples *l, dd_sentence *const *sentences, size_t count,
                          size_t fold, dd_error *error)
{
    dd_sentence **sorted = dd_calloc(count, sizeof *sorted);
    size_t in_fold = 0, others = 0;
    if (!sorted) return dd_fail_memory(error);
    for (size_t i = 0; i < count; i++) in_fold += fold_of(i, count) == fold;
    for (size_t i = 0, inside = 0; i < count; i++)
        sorted[fold_of(i, count) == fold ? inside++ : in_fold + others++] = sentences[i];
    dd_status status = read_fold(l, sorted, in_fold, sorted + in_fold, others, error);
    free(sorted);
    return status;
}

int dd_segment_examples_folds(size_t sentences)
{
    return sentences < LEAST_SENTENCES ? 0 : FOLDS;
}

static dd_status add_all(dd_segment_examples *l, dd_sentence *const *sentences, size_t count,
                         dd_error *error)
{
    dd_treebank_text text;
    dd_status status = dd_treebank_text_set(&text, sentences, count, error);
    l->copies = text.joined_count ? 2 : 1;
    bool ok = status == DD_OK && dd_codes_begin(&l->codes) && list_words(l, &text);
    int folds = dd_segment_examples_folds(count);
    if (status == DD_OK && folds == 0) ok = ok && add_text(l, &text, l->linear);
    dd_treebank_text_free(&text);
    if (status == DD_OK && !ok) return dd_fail_memory(error);
    for (int fold = 0; fold < folds && status == DD_OK; fold++)
        status = add_fold(l, sentences, count, (size_t)fold, error);
    return status;
}

/* ---- symbols -------------------------------------------------------------------------------- */

/* Adds a sequence's hashes for a table; where they are NULL they are only counted. */
static size_t add_hashes(const dd_coded *coded, int table, uint32_t *to)
{
    size_t nodes = (size_t)coded->n + 1;
    bool features = table == DD_UNIT_COLUMNS;
    size_t count = features ? coded->first_feature[nodes] : nodes;
    const uint32_t *from = features ? coded->features : coded->symbols[dd_unit_inputs[table]];
    if (to) memcpy(to, from, count * sizeof *to);
    if (table != DD_UNIT_PAIRS) return count;
    if (to) memcpy(to + count, coded->symbols[DD_UNIT_OTHERWISE], nodes * sizeof *to);
    return count + nodes;
}

/* Keeps those that are seen often enough, in their order; how many. */
static size_t keep_frequent(uint32_t *hashes, size_t count, uint64_t least)
{
    size_t kept = 0;
    qsort(hashes, count, sizeof *hashes, compare);
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i; next < count && hashes[next] == hashes[i];) next++;
        if (next - i >= least && hashes[i] != 0) hashes[kept++] = hashes[i];
    }
    return kept;
}

static bool list_symbols(dd_segment_examples *l, int table)
{
    const dd_codes *codes = &l->codes;
    size_t count = 0, used = 0;
    for (size_t i = 0; i < codes->count; i++)
        count += add_hashes(&codes->sentences[i], table, NULL);
    uint32_t *all = l->kept[table] = dd_calloc(count + 1, sizeof *all);
    if (!all) return false;
    for (size_t i = 0; i < codes->count; i++)
        used += add_hashes(&codes->sentences[i], table, all + used);
    l->n_kept[table] = keep_frequent(all, used, least_seen[table] * l->copies);
    return true;
}

static bool make_symbols(dd_segment_examples *l)
{
    dd_hash_table tables[DD_UNIT_TABLES] = {{0}};
    bool ok = true;
    for (int t = 0; t < DD_UNIT_TABLES && ok; t++)
        ok = list_symbols(l, t) &&
             dd_hash_table_set(&tables[t], l->kept[t], l->n_kept[t], DD_SYMBOL_ROOT + 1);
    if (ok) dd_codes_name_hashes(&l->codes, 0, tables);
    for (int t = 0; t < DD_UNIT_TABLES; t++) dd_hash_table_free(&tables[t]);
    return ok;
}

dd_status dd_segment_examples_set(dd_segment_examples *l, dd_sentence *const *sentences,
                                  size_t count, dd_error *error)
{
    dd_status status = add_all(l, sentences, count, error);
    return status != DD_OK || make_symbols(l) ? status : dd_fail_memory(error);
}
