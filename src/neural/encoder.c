#include "neural/encoder.h"

#include "core/memory.h"
#include "neural/slots.h"

#include <stdlib.h>

void dd_encoder_start(dd_encoder *e, const dd_frozen *frozen, const dd_kernels *kernels)
{
    *e = (dd_encoder){.frozen = frozen, .runner.kernels = kernels};
    dd_words_start(&e->words, frozen, &e->runner);
}

void dd_encoder_free(dd_encoder *e)
{
    dd_runner_free(&e->runner);
    dd_words_free(&e->words);
    free(e->sequence);
    dd_steps_free(&e->steps);
    free(e->states[0]);
    free(e->states[1]);
    free(e->sums);
    free(e->slots);
    dd_encoder_start(e, e->frozen, e->runner.kernels);
}

static int length_of_sentence(const void *items, int i)
{
    return ((const dd_codes *)items)->sentences[i].n + 1;
}

enum { ROWS_TOGETHER = 64 };

static bool make_slots(dd_encoder *e, const uint8_t *states, size_t rows)
{
    const dd_frozen_matrix *m = &e->frozen->slots;
    const dd_kernels *kernels = e->runner.kernels;
    size_t width = 2 * (size_t)e->frozen->header.width;
    if (!DD_RESERVE(&e->slots, &e->slots_capacity, rows * m->columns) ||
        !DD_RESERVE(&e->sums, &e->sums_capacity, ROWS_TOGETHER * m->columns))
        return false;
    for (size_t from = 0; from < rows; from += ROWS_TOGETHER) {
        size_t count = rows - from < ROWS_TOGETHER ? rows - from : ROWS_TOGETHER;
        kernels->dense(count, m->columns, m->rows, states + from * width, width, m->weights,
                       e->sums, m->columns);
        for (size_t i = 0; i < count; i++)
            kernels->quantise(m->columns, e->sums + i * m->columns, m->factors,
                              e->frozen->slots_bias, e->slots + (from + i) * m->columns);
    }
    return true;
}

/* The states of the last layer; NULL if allocation fails. */
static const uint8_t *run_layers(dd_encoder *e, size_t rows)
{
    const dd_frozen *f = e->frozen;
    size_t width = f->header.width;
    dd_run_input from = {
        .sums = e->words.sums, .places = e->words.places, .stride = dd_words_stride(&e->words)};
    for (uint32_t layer = 0; layer < f->header.layers; layer++) {
        uint8_t **to = &e->states[layer % 2];
        if (!DD_RESERVE(to, &e->states_capacity[layer % 2], rows * 2 * width) ||
            !dd_run_both(&e->runner, f->words[layer], &e->steps, from, *to, width))
            return NULL;
        from = (dd_run_input){.bytes = {*to, 2 * width, 2 * width}};
    }
    return from.bytes.data;
}

bool dd_encoder_run(dd_encoder *e, const dd_codes *codes)
{
    if (codes->count == 0) return true;
    if (!DD_RESERVE(&e->sequence, &e->sequence_capacity, codes->count) ||
        !dd_steps_sort(&e->steps, e->sequence, codes, (int)codes->count, length_of_sentence) ||
        !dd_words_run(&e->words, codes, &e->steps, e->sequence))
        return false;
    size_t rows = dd_steps_rows(&e->steps);
    const uint8_t *states = run_layers(e, rows);
    return states && make_slots(e, states, rows);
}

void dd_encoder_outputs(const dd_encoder *e, int sentence, const int *nodes, int16_t *units,
                        int32_t *scores)
{
    const dd_frozen *f = e->frozen;
    const dd_kernels *kernels = e->runner.kernels;
    const int16_t *rows[DD_MAX_SLOTS + 1] = {f->hidden_bias};
    int n_rows = 1;
    size_t hidden = f->header.hidden;
    for (uint32_t slot = 0; slot < f->header.slots; slot++) {
        const int16_t *row =
            nodes[slot] == DD_NONE ? f->missing : dd_encoder_slots(e, sentence, nodes[slot]);
        rows[n_rows++] = row + slot * hidden;
    }
    kernels->rectify(hidden, rows, n_rows, units);
    kernels->outputs(hidden, units, f->header.outputs, f->moves, f->moves_bias, scores);
}
