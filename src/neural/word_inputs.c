#include "neural/word_inputs.h"

#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 16 << 20 /* of sums that are kept */, WORDS_TOGETHER = 64 };

void dd_words_start(dd_words *w, const dd_frozen *frozen, dd_runner *runner)
{
    *w = (dd_words){.frozen = frozen, .runner = runner};
    w->cache.most = MOST_BYTES / (dd_words_stride(w) * sizeof *w->sums) + 1;
}

void dd_words_free(dd_words *w)
{
    dd_cache_free(&w->cache);
    free(w->sums);
    free(w->places);
    free(w->fresh);
    free(w->types);
    free(w->type_number);
    free(w->type_sequence);
    dd_steps_free(&w->steps);
    free(w->characters);
    free(w->spelt);
    free(w->inputs);
    free(w->made);
    *w = (dd_words){.frozen = w->frozen, .runner = w->runner, .cache.most = w->cache.most};
}

/* ---- which words are new ------------------------------------------------------------------ */

/* All that is known of a word, as numbers; 0 of them if they are too many or too large. */
static size_t make_key(const dd_codes *codes, const dd_coded *coded, int node, uint16_t *key)
{
    const dd_spellings *spellings = &codes->spellings;
    uint32_t type = coded->types[node], size = 0;
    uint32_t features = coded->first_feature[node + 1] - coded->first_feature[node];
    uint32_t characters = spellings->first[type + 1] - spellings->first[type];
    if (features > DD_MEMO_KEY || characters > DD_MEMO_KEY ||
        2 * DD_INPUT_FEATS + 1 + features + characters > DD_MEMO_KEY)
        return 0;
    for (int i = 0; i < DD_INPUT_FEATS; i++) {
        key[size++] = (uint16_t)(coded->symbols[i][node] & 0xffff);
        key[size++] = (uint16_t)(coded->symbols[i][node] >> 16);
    }
    key[size++] = (uint16_t)features;
    for (uint32_t i = 0; i < features + characters; i++) {
        uint32_t symbol = i < features
                              ? coded->features[coded->first_feature[node] + i]
                              : spellings->characters[spellings->first[type] + i - features];
        if (symbol > UINT16_MAX) return 0;
        key[size++] = (uint16_t)symbol;
    }
    return size;
}

static bool find_word(dd_words *w, const dd_codes *codes, int sentence, int node, size_t row)
{
    uint16_t key[DD_MEMO_KEY];
    bool fresh;
    size_t size = make_key(codes, &codes->sentences[sentence], node, key);
    int place = dd_cache_find(&w->cache, key, size, &fresh);
    if (place < 0) return false;
    w->places[row] = place;
    if (!fresh) return true;
    if (!DD_RESERVE(&w->fresh, &w->fresh_capacity, w->n_fresh + 1)) return false;
    w->fresh[w->n_fresh++] = (dd_fresh_word){place, sentence, node};
    return true;
}

static bool find_words(dd_words *w, const dd_codes *codes, const dd_steps *steps,
                       const int *sequence)
{
    if (!DD_RESERVE(&w->places, &w->places_capacity, dd_steps_rows(steps))) return false;
    dd_cache_begin(&w->cache);
    w->n_fresh = 0;
    for (size_t i = 0; i < codes->count; i++)
        for (int node = 0; node <= codes->sentences[i].n; node++)
            if (!find_word(w, codes, (int)i, node, dd_steps_row(steps, sequence[i], node)))
                return false;
    return DD_RESERVE(&w->sums, &w->sums_capacity, w->cache.count * dd_words_stride(w));
}

/* ---- their characters --------------------------------------------------------------------- */

static bool list_types(dd_words *w, const dd_codes *codes)
{
    size_t all = codes->spellings.count;
    if (!DD_RESERVE(&w->type_number, &w->type_number_capacity, all) ||
        !DD_RESERVE(&w->types, &w->types_capacity, w->n_fresh))
        return false;
    for (size_t i = 0; i < all; i++) w->type_number[i] = -1;
    w->n_types = 0;
    for (size_t i = 0; i < w->n_fresh; i++) {
        uint32_t type = codes->sentences[w->fresh[i].sentence].types[w->fresh[i].node];
        if (w->type_number[type] >= 0) continue;
        w->type_number[type] = (int)w->n_types;
        w->types[w->n_types++] = type;
    }
    return DD_RESERVE(&w->type_sequence, &w->type_sequence_capacity, w->n_types);
}

typedef struct spelling_list {
    const dd_spellings *spellings;
    const uint32_t *types;
} spelling_list;

static int length_of_type(const void *items, int i)
{
    const spelling_list *list = items;
    uint32_t type = list->types[i];
    return (int)(list->spellings->first[type + 1] - list->spellings->first[type]);
}

static bool spell(dd_words *w, const dd_codes *codes)
{
    const dd_frozen *f = w->frozen;
    spelling_list list = {&codes->spellings, w->types};
    size_t size = f->header.size[DD_INPUT_CHARS], width = f->header.char_width;
    if (!dd_steps_sort(&w->steps, w->type_sequence, &list, (int)w->n_types, length_of_type))
        return false;
    size_t rows = dd_steps_rows(&w->steps);
    if (!DD_RESERVE(&w->characters, &w->characters_capacity, rows * size) ||
        !DD_RESERVE(&w->spelt, &w->spelt_capacity, rows * 2 * width))
        return false;
    for (size_t i = 0; i < w->n_types; i++) {
        const uint32_t *characters =
            list.spellings->characters + list.spellings->first[w->types[i]];
        for (int at = 0; at < length_of_type(&list, (int)i); at++)
            memcpy(w->characters + dd_steps_row(&w->steps, w->type_sequence[i], at) * size,
                   f->embeddings[DD_INPUT_CHARS] + characters[at] * size, size);
    }
    dd_run_input from = {.bytes = {w->characters, size, size}};
    return dd_run_both(w->runner, f->characters, &w->steps, from, w->spelt, width);
}

/* ---- their sums --------------------------------------------------------------------------- */

/* Sums of features that leave a byte are cut. */
static void add_features(const dd_frozen *f, const dd_coded *coded, int node, uint8_t *to)
{
    size_t size = f->header.size[DD_INPUT_FEATS];
    const uint8_t *embeddings = f->embeddings[DD_INPUT_FEATS];
    for (size_t j = 0; j < size; j++) {
        int sum = DD_STATE_ZERO;
        for (uint32_t i = coded->first_feature[node]; i < coded->first_feature[node + 1]; i++)
            sum += embeddings[coded->features[i] * size + j] - DD_STATE_ZERO;
        to[j] = (uint8_t)(sum < 0 ? 0 : sum > DD_DENSE_BYTE ? DD_DENSE_BYTE : sum);
    }
}

static void embed(const dd_words *w, const dd_coded *coded, int node, uint8_t *to)
{
    const dd_frozen_header *h = &w->frozen->header;
    for (int i = 0; i < DD_INPUT_FEATS; i++) {
        if (!h->vocabulary[i]) continue;
        memcpy(to, w->frozen->embeddings[i] + (size_t)coded->symbols[i][node] * h->size[i],
               h->size[i]);
        to += h->size[i];
    }
    if (h->vocabulary[DD_INPUT_FEATS]) {
        add_features(w->frozen, coded, node, to);
        to += h->size[DD_INPUT_FEATS];
    }
    if (!h->vocabulary[DD_INPUT_CHARS]) return;
    size_t width = h->char_width;
    int sequence = w->type_sequence[w->type_number[coded->types[node]]];
    int last = w->steps.lengths[sequence] - 1;
    memcpy(to, w->spelt + dd_steps_row(&w->steps, sequence, last) * 2 * width, width);
    memcpy(to + width, w->spelt + dd_steps_row(&w->steps, sequence, 0) * 2 * width + width, width);
}

static void make_sums(dd_words *w, const dd_codes *codes, const dd_fresh_word *fresh, size_t count)
{
    size_t k = w->frozen->words[0][0].from_input.rows, n = dd_words_stride(w) / 2;
    memset(w->inputs, 0, count * k);
    for (size_t i = 0; i < count; i++)
        embed(w, &codes->sentences[fresh[i].sentence], fresh[i].node, w->inputs + i * k);
    for (size_t d = 0; d < 2; d++) {
        w->runner->kernels->dense(count, n, k, w->inputs, k,
                                  w->frozen->words[0][d].from_input.weights, w->made, n);
        for (size_t i = 0; i < count; i++)
            memcpy(w->sums + ((size_t)fresh[i].place * 2 + d) * n, w->made + i * n,
                   n * sizeof *w->sums);
    }
}

static bool make_all_sums(dd_words *w, const dd_codes *codes)
{
    size_t k = w->frozen->words[0][0].from_input.rows, n = dd_words_stride(w) / 2;
    if (!list_types(w, codes) || !DD_RESERVE(&w->inputs, &w->inputs_capacity, WORDS_TOGETHER * k) ||
        !DD_RESERVE(&w->made, &w->made_capacity, WORDS_TOGETHER * n) ||
        (w->frozen->header.vocabulary[DD_INPUT_CHARS] && !spell(w, codes)))
        return false;
    for (size_t from = 0; from < w->n_fresh; from += WORDS_TOGETHER) {
        size_t count = w->n_fresh - from < WORDS_TOGETHER ? w->n_fresh - from : WORDS_TOGETHER;
        make_sums(w, codes, w->fresh + from, count);
    }
    return true;
}

bool dd_words_run(dd_words *w, const dd_codes *codes, const dd_steps *steps, const int *sequence)
{
    bool ok = find_words(w, codes, steps, sequence) && (w->n_fresh == 0 || make_all_sums(w, codes));
    if (!ok) dd_cache_clear(&w->cache); /* it has places without sums */
    return ok;
}
