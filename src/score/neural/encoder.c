#include "score/neural/encoder.h"

#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

void dd_encoder_free(dd_encoder *e)
{
    free(e->sequence);
    dd_steps_free(&e->steps);
    dd_steps_free(&e->spelling_steps);
    free(e->type_sequence);
    free(e->characters);
    free(e->spelt);
    free(e->inputs);
    free(e->states[0]);
    free(e->states[1]);
    free(e->slots);
    free(e->gathered_input);
    free(e->gathered_state);
    free(e->sums_of_input);
    free(e->sums_of_state);
    free(e->cells);
    *e = (dd_encoder){.frozen = e->frozen, .kernels = e->kernels};
}

/* The longest first, of equal ones the first first. lengths_of(i) must not be negative. */
static bool sort(dd_steps *steps, int *sequence, const void *items, int count,
                 int (*length_of)(const void *items, int i))
{
    int longest = 0, at = 0;
    if (!dd_steps_reserve(steps, count)) return false;
    for (int i = 0; i < count; i++)
        if (length_of(items, i) > longest) longest = length_of(items, i);
    int *places = dd_calloc((size_t)longest + 1, sizeof *places);
    if (!places) return false;
    for (int i = 0; i < count; i++) places[length_of(items, i)]++;
    for (int length = longest; length >= 0; length--) {
        int here = places[length];
        places[length] = at;
        at += here;
    }
    for (int i = 0; i < count; i++) {
        sequence[i] = places[length_of(items, i)]++;
        steps->lengths[sequence[i]] = length_of(items, i);
    }
    free(places);
    return dd_steps_set(steps, count);
}

static int length_of_sentence(const void *items, int i)
{
    return ((const dd_codes *)items)->sentences[i].n + 1;
}

static int length_of_type(const void *items, int i)
{
    const dd_spellings *spellings = &((const dd_codes *)items)->spellings;
    return (int)(spellings->first[i + 1] - spellings->first[i]);
}

/* ---- LSTMs -------------------------------------------------------------------------------- */

/* Rows of bytes. */
typedef struct bytes {
    uint8_t *data;
    size_t stride, width;
} bytes;

static bool reserve_run(dd_encoder *e, const dd_frozen_lstm *lstm, size_t sequences)
{
    return DD_RESERVE(&e->gathered_input, &e->gathered_input_capacity,
                      sequences * lstm->from_input.rows) &&
           DD_RESERVE(&e->gathered_state, &e->gathered_state_capacity,
                      sequences * lstm->from_state.rows) &&
           DD_RESERVE(&e->sums_of_input, &e->sums_of_input_capacity,
                      sequences * lstm->from_input.columns) &&
           DD_RESERVE(&e->sums_of_state, &e->sums_of_state_capacity,
                      sequences * lstm->from_state.columns) &&
           DD_RESERVE(&e->cells, &e->cells_capacity, sequences * lstm->from_state.rows);
}

static void gather(const dd_steps *steps, bool reverse, int step, size_t active, bytes from,
                   uint8_t *to, size_t stride)
{
    for (size_t b = 0; b < active; b++) {
        size_t row = dd_steps_row_in(steps, reverse, (int)b, step);
        memcpy(to + b * stride, from.data + row * from.stride, from.width);
    }
}

/* One direction over a batch. What fills a row of inputs up meets weights of 0. */
static bool run_lstm(dd_encoder *e, const dd_frozen_lstm *lstm, const dd_steps *steps, bool reverse,
                     bytes from, bytes to)
{
    size_t k = lstm->from_input.rows, n = lstm->from_input.columns;
    size_t width = to.width, state_k = lstm->from_state.rows;
    dd_gates_factors factors = {lstm->from_input.factors, lstm->from_state.factors,
                                lstm->first_bias, lstm->bias};
    if (!reserve_run(e, lstm, (size_t)steps->sequences)) return false;
    memset(e->gathered_input, 0, (size_t)steps->sequences * k);
    for (int s = 0; s < steps->steps; s++) {
        size_t active = (size_t)steps->active[s];
        gather(steps, reverse, s, active, from, e->gathered_input, k);
        e->kernels->dense(active, n, k, e->gathered_input, k, lstm->from_input.weights,
                          e->sums_of_input, n);
        if (s > 0) {
            gather(steps, reverse, s - 1, active, to, e->gathered_state, state_k);
            e->kernels->dense(active, n, state_k, e->gathered_state, state_k,
                              lstm->from_state.weights, e->sums_of_state, n);
        }
        for (size_t b = 0; b < active; b++) {
            size_t row = dd_steps_row_in(steps, reverse, (int)b, s);
            dd_gates_row at = {e->sums_of_input + b * n, s > 0 ? e->sums_of_state + b * n : NULL,
                               e->cells + b * state_k, to.data + row * to.stride};
            e->kernels->gates(width, &factors, &at);
        }
    }
    return true;
}

static bool run_both(dd_encoder *e, const dd_frozen_lstm lstm[2], const dd_steps *steps, bytes from,
                     uint8_t *to, size_t width)
{
    return run_lstm(e, &lstm[0], steps, false, from, (bytes){to, 2 * width, width}) &&
           run_lstm(e, &lstm[1], steps, true, from, (bytes){to + width, 2 * width, width});
}

/* ---- words -------------------------------------------------------------------------------- */

static bool spell(dd_encoder *e, const dd_codes *codes)
{
    const dd_frozen *f = e->frozen;
    const dd_spellings *spellings = &codes->spellings;
    size_t size = f->header.size[DD_INPUT_CHARS], width = f->header.char_width;
    if (!DD_RESERVE(&e->type_sequence, &e->type_sequence_capacity, spellings->count) ||
        !sort(&e->spelling_steps, e->type_sequence, codes, (int)spellings->count, length_of_type))
        return false;
    size_t rows = dd_steps_rows(&e->spelling_steps);
    if (!DD_RESERVE(&e->characters, &e->characters_capacity, rows * size) ||
        !DD_RESERVE(&e->spelt, &e->spelt_capacity, rows * 2 * width))
        return false;
    for (uint32_t type = 0; type < spellings->count; type++)
        for (uint32_t at = spellings->first[type]; at < spellings->first[type + 1]; at++) {
            size_t row = dd_steps_row(&e->spelling_steps, e->type_sequence[type],
                                      (int)(at - spellings->first[type]));
            memcpy(e->characters + row * size,
                   f->embeddings[DD_INPUT_CHARS] + spellings->characters[at] * size, size);
        }
    return run_both(e, f->characters, &e->spelling_steps, (bytes){e->characters, size, size},
                    e->spelt, width);
}

/* Sums of features that leave a byte are cut. */
static void add_features(const dd_encoder *e, const dd_coded *coded, int node, uint8_t *to)
{
    size_t size = e->frozen->header.size[DD_INPUT_FEATS];
    const uint8_t *embeddings = e->frozen->embeddings[DD_INPUT_FEATS];
    for (size_t j = 0; j < size; j++) {
        int sum = DD_STATE_ZERO;
        for (uint32_t i = coded->first_feature[node]; i < coded->first_feature[node + 1]; i++)
            sum += embeddings[coded->features[i] * size + j] - DD_STATE_ZERO;
        to[j] = (uint8_t)(sum < 0 ? 0 : sum > 255 ? 255 : sum);
    }
}

static void embed(const dd_encoder *e, const dd_coded *coded, int node, uint8_t *to)
{
    const dd_frozen_header *h = &e->frozen->header;
    for (int i = 0; i < DD_INPUT_FEATS; i++) {
        if (!h->vocabulary[i]) continue;
        memcpy(to, e->frozen->embeddings[i] + (size_t)coded->symbols[i][node] * h->size[i],
               h->size[i]);
        to += h->size[i];
    }
    if (h->vocabulary[DD_INPUT_FEATS]) {
        add_features(e, coded, node, to);
        to += h->size[DD_INPUT_FEATS];
    }
    if (!h->vocabulary[DD_INPUT_CHARS]) return;
    size_t width = h->char_width;
    int type = e->type_sequence[coded->types[node]];
    int last = e->spelling_steps.lengths[type] - 1;
    memcpy(to, e->spelt + dd_steps_row(&e->spelling_steps, type, last) * 2 * width, width);
    memcpy(to + width, e->spelt + dd_steps_row(&e->spelling_steps, type, 0) * 2 * width + width,
           width);
}

enum { ROWS_TOGETHER = 64 };

static bool make_slots(dd_encoder *e, const uint8_t *states, size_t rows)
{
    const dd_frozen_matrix *m = &e->frozen->slots;
    const float *bias = e->frozen->slots_bias;
    size_t width = 2 * (size_t)e->frozen->header.width;
    if (!DD_RESERVE(&e->slots, &e->slots_capacity, rows * m->columns) ||
        !DD_RESERVE(&e->sums_of_input, &e->sums_of_input_capacity, ROWS_TOGETHER * m->columns))
        return false;
    for (size_t from = 0; from < rows; from += ROWS_TOGETHER) {
        size_t count = rows - from < ROWS_TOGETHER ? rows - from : ROWS_TOGETHER;
        e->kernels->dense(count, m->columns, m->rows, states + from * width, width, m->weights,
                          e->sums_of_input, m->columns);
        for (size_t i = 0; i < count; i++)
            e->kernels->shorten(m->columns, e->sums_of_input + i * m->columns, m->factors, bias,
                                e->slots + (from + i) * m->columns);
    }
    return true;
}

bool dd_encoder_run(dd_encoder *e, const dd_codes *codes)
{
    const dd_frozen *f = e->frozen;
    size_t width = f->header.width;
    if (!DD_RESERVE(&e->sequence, &e->sequence_capacity, codes->count) ||
        !sort(&e->steps, e->sequence, codes, (int)codes->count, length_of_sentence))
        return false;
    size_t rows = dd_steps_rows(&e->steps);
    if (!DD_RESERVE(&e->inputs, &e->inputs_capacity, rows * f->inputs) ||
        !DD_RESERVE(&e->states[0], &e->states_capacity[0], rows * 2 * width) ||
        !DD_RESERVE(&e->states[1], &e->states_capacity[1], rows * 2 * width) ||
        (f->header.vocabulary[DD_INPUT_CHARS] && !spell(e, codes)))
        return false;
    for (size_t i = 0; i < codes->count; i++)
        for (int node = 0; node <= codes->sentences[i].n; node++)
            embed(e, &codes->sentences[i], node,
                  e->inputs + dd_steps_row(&e->steps, e->sequence[i], node) * f->inputs);
    bytes from = {e->inputs, f->inputs, f->inputs};
    for (uint32_t layer = 0; layer < f->header.layers; layer++) {
        if (!run_both(e, f->words[layer], &e->steps, from, e->states[layer % 2], width))
            return false;
        from = (bytes){e->states[layer % 2], 2 * width, 2 * width};
    }
    return make_slots(e, from.data, rows);
}
