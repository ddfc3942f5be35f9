#include "neural/run.h"

#include "core/memory.h"
#include "transition/config.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 16 << 20 /* of products that are kept */, ROWS_TOGETHER = 64 };

/* The words' products are those with all matrices that meet inputs: the first layer's. */
static void start_words(dd_words *w, const dd_frozen *frozen)
{
    *w = (dd_words){0};
    for (int i = 0; i < frozen->parts.list.count; i++) {
        const dd_part *part = &frozen->parts.list.all[i];
        if (part->kind != DD_PART_MATRIX || part->met != DD_MET_INPUTS) continue;
        w->matrices[w->n_matrices++] = &frozen->arrays[i].matrix;
        w->stride += frozen->arrays[i].matrix.columns;
    }
    w->cache.most = MOST_BYTES / (w->stride * sizeof *w->sums) + 1;
}

static void free_words(dd_words *w)
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
}

void dd_network_run_start(dd_network_run *r, const dd_frozen *frozen, const dd_kernels *kernels)
{
    *r = (dd_network_run){.frozen = frozen, .kernels = kernels};
    start_words(&r->words, frozen);
}

void dd_network_run_free(dd_network_run *r)
{
    dd_scratch_free(&r->scratch);
    free_words(&r->words);
    free(r->sequence);
    dd_steps_free(&r->steps);
    free(r->states[0]);
    free(r->states[1]);
    free(r->sums);
    free(r->slots);
}

/* The layer whose first part that is. */
static bool run_layer(dd_network_run *r, int part, size_t width, const dd_steps *steps,
                      dd_layer_input from, uint8_t *to)
{
    dd_byte_layer layer = {width, &r->frozen->arrays[part], r->kernels, &r->scratch};
    return r->frozen->shape.encoder->run(&layer, steps, from, to);
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
    return DD_RESERVE(&w->sums, &w->sums_capacity, w->cache.count * w->stride);
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

static bool spell(dd_network_run *r, const dd_codes *codes)
{
    const dd_frozen *f = r->frozen;
    dd_words *w = &r->words;
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
    dd_layer_input from = {.bytes = w->characters, .size = size};
    return run_layer(r, f->parts.characters, width, &w->steps, from, w->spelt);
}

/* ---- their products ---------------------------------------------------------------------------
 */

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

static void embed(const dd_network_run *r, const dd_coded *coded, int node, uint8_t *to)
{
    const dd_frozen_header *h = &r->frozen->header;
    const dd_words *w = &r->words;
    for (int i = 0; i < DD_INPUT_FEATS; i++) {
        if (!h->vocabulary[i]) continue;
        memcpy(to, r->frozen->embeddings[i] + (size_t)coded->symbols[i][node] * h->size[i],
               h->size[i]);
        to += h->size[i];
    }
    if (h->vocabulary[DD_INPUT_FEATS]) {
        add_features(r->frozen, coded, node, to);
        to += h->size[DD_INPUT_FEATS];
    }
    if (!h->vocabulary[DD_INPUT_CHARS]) return;
    size_t width = h->char_width;
    int sequence = w->type_sequence[w->type_number[coded->types[node]]];
    int last = w->steps.lengths[sequence] - 1;
    memcpy(to, w->spelt + dd_steps_row(&w->steps, sequence, last) * 2 * width, width);
    memcpy(to + width, w->spelt + dd_steps_row(&w->steps, sequence, 0) * 2 * width + width, width);
}

static void multiply_words(dd_network_run *r, const dd_codes *codes, const dd_fresh_word *fresh,
                           size_t count)
{
    dd_words *w = &r->words;
    size_t k = w->matrices[0]->rows, at = 0;
    memset(w->inputs, 0, count * k);
    for (size_t i = 0; i < count; i++)
        embed(r, &codes->sentences[fresh[i].sentence], fresh[i].node, w->inputs + i * k);
    for (int m = 0; m < w->n_matrices; m++) {
        size_t n = w->matrices[m]->columns;
        r->kernels->dense(count, n, k, w->inputs, k, w->matrices[m]->weights, w->made, n);
        for (size_t i = 0; i < count; i++)
            memcpy(w->sums + (size_t)fresh[i].place * w->stride + at, w->made + i * n,
                   n * sizeof *w->sums);
        at += n;
    }
}

static bool multiply_fresh_words(dd_network_run *r, const dd_codes *codes)
{
    dd_words *w = &r->words;
    size_t k = w->matrices[0]->rows;
    if (!list_types(w, codes) || !DD_RESERVE(&w->inputs, &w->inputs_capacity, ROWS_TOGETHER * k) ||
        !DD_RESERVE(&w->made, &w->made_capacity, ROWS_TOGETHER * w->stride) ||
        (r->frozen->header.vocabulary[DD_INPUT_CHARS] && !spell(r, codes)))
        return false;
    for (size_t from = 0; from < w->n_fresh; from += ROWS_TOGETHER) {
        size_t count = w->n_fresh - from < ROWS_TOGETHER ? w->n_fresh - from : ROWS_TOGETHER;
        multiply_words(r, codes, w->fresh + from, count);
    }
    return true;
}

/* Sets places for the sentences' rows of steps, and products there. */
static bool run_words(dd_network_run *r, const dd_codes *codes)
{
    dd_words *w = &r->words;
    bool ok = find_words(w, codes, &r->steps, r->sequence) &&
              (w->n_fresh == 0 || multiply_fresh_words(r, codes));
    if (!ok) dd_cache_clear(&w->cache); /* it has places without products */
    return ok;
}

/* ---- sentences ---------------------------------------------------------------------------- */

static int length_of_sentence(const void *items, int i)
{
    return ((const dd_codes *)items)->sentences[i].n + 1;
}

/* The states of the last layer; NULL if allocation fails. */
static const uint8_t *run_layers(dd_network_run *r, size_t rows)
{
    size_t width = r->frozen->header.width;
    dd_layer_input from = {
        .sums = r->words.sums, .places = r->words.places, .stride = r->words.stride};
    for (uint32_t layer = 0; layer < r->frozen->header.layers; layer++) {
        uint8_t **to = &r->states[layer % 2];
        if (!DD_RESERVE(to, &r->states_capacity[layer % 2], rows * 2 * width) ||
            !run_layer(r, r->frozen->parts.layers[layer], width, &r->steps, from, *to))
            return NULL;
        from = (dd_layer_input){.bytes = *to, .size = 2 * width};
    }
    return from.bytes;
}

static bool make_slots(dd_network_run *r, const uint8_t *states, size_t rows)
{
    const dd_frozen_matrix *m = &r->frozen->slots;
    size_t width = 2 * (size_t)r->frozen->header.width;
    if (!DD_RESERVE(&r->slots, &r->slots_capacity, rows * m->columns) ||
        !DD_RESERVE(&r->sums, &r->sums_capacity, ROWS_TOGETHER * m->columns))
        return false;
    for (size_t from = 0; from < rows; from += ROWS_TOGETHER) {
        size_t count = rows - from < ROWS_TOGETHER ? rows - from : ROWS_TOGETHER;
        r->kernels->dense(count, m->columns, m->rows, states + from * width, width, m->weights,
                          r->sums, m->columns);
        for (size_t i = 0; i < count; i++)
            r->kernels->quantise(m->columns, r->sums + i * m->columns, m->factors,
                                 r->frozen->slots_bias, r->slots + (from + i) * m->columns);
    }
    return true;
}

bool dd_network_run_encode(dd_network_run *r, const dd_codes *codes)
{
    if (codes->count == 0) return true;
    if (!DD_RESERVE(&r->sequence, &r->sequence_capacity, codes->count) ||
        !dd_steps_sort(&r->steps, r->sequence, codes, (int)codes->count, length_of_sentence) ||
        !run_words(r, codes))
        return false;
    size_t rows = dd_steps_rows(&r->steps);
    const uint8_t *states = run_layers(r, rows);
    return states && make_slots(r, states, rows);
}

void dd_network_run_outputs(const dd_network_run *r, int sentence, const int *nodes, int16_t *units,
                            int32_t *scores)
{
    const dd_frozen *f = r->frozen;
    const int16_t *rows[DD_MAX_SLOTS + 1] = {f->hidden_bias};
    int n_rows = 1;
    size_t hidden = f->header.hidden;
    for (uint32_t slot = 0; slot < f->header.slots; slot++) {
        const int16_t *row =
            nodes[slot] == DD_NONE ? f->missing : dd_network_run_slots(r, sentence, nodes[slot]);
        rows[n_rows++] = row + slot * hidden;
    }
    r->kernels->rectify(hidden, rows, n_rows, units);
    r->kernels->outputs(hidden, units, f->header.outputs, f->moves, f->moves_bias, scores);
}
