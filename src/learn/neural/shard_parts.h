/* shard_parts.h - what the two ways through a shard share */
#ifndef DODONA_LEARN_NEURAL_SHARD_PARTS_H
#define DODONA_LEARN_NEURAL_SHARD_PARTS_H

#include "learn/neural/shard.h"

enum { DD_MOST_HIDDEN = 2048, DD_MOST_LABELS = 4096 };

/* Multiplies the rows of each sentence by its mask. */
void dd_shard_mask_rows(const dd_shard *s, dd_real *matrix, const dd_real *masks, size_t width);
void dd_shard_sum_slots(const dd_shard *s, int sentence, const int *nodes, dd_real *sums);
/* Gradients of the products of arcs, times `scale`. */
void dd_shard_back_pairs(dd_shard *s, dd_real scale);
/* Gradients of the labels of known arcs, times `scale`. */
void dd_shard_back_labels(dd_shard *s, const dd_shard_gold *gold, dd_real scale);

static inline uint32_t dd_spelling_length(const dd_spellings *spellings, uint32_t type)
{
    return spellings->first[type + 1] - spellings->first[type];
}

static inline dd_lstm dd_shard_lstm(const dd_shard *s, const dd_lstm_tensors *tensors, bool reverse)
{
    return (dd_lstm){.inputs = (int)tensors->from_input.rows,
                     .width = (int)tensors->from_state.rows,
                     .reverse = reverse,
                     .from_input = s->packed + tensors->from_input.packed,
                     .from_state = s->packed + tensors->from_state.packed,
                     .to_input = s->packed + tensors->from_input.packed_back,
                     .to_state = s->packed + tensors->from_state.packed_back,
                     .bias = s->weights + tensors->bias.at};
}

static inline dd_lstm_gradients dd_shard_lstm_gradients(const dd_shard *s,
                                                        const dd_lstm_tensors *tensors)
{
    return (dd_lstm_gradients){s->gradients + tensors->from_input.at,
                               s->gradients + tensors->from_state.at,
                               s->gradients + tensors->bias.at};
}

/* In lanes, which compilers make vectors of; so is what follows. */
static inline void dd_add_scaled(dd_real *restrict to, const dd_real *restrict from, size_t count,
                                 dd_real factor)
{
    size_t j = 0;
    for (; j + 8 <= count; j += 8)
        for (size_t lane = 0; lane < 8; lane++) to[j + lane] += from[j + lane] * factor;
    for (; j < count; j++) to[j] += from[j] * factor;
}

static inline dd_real dd_dot(const dd_real *a, const dd_real *b, size_t count)
{
    dd_real sums[8] = {0}, sum = 0;
    size_t j = 0;
    for (; j + 8 <= count; j += 8)
        for (size_t lane = 0; lane < 8; lane++) sums[lane] += a[j + lane] * b[j + lane];
    for (; j < count; j++) sum += a[j] * b[j];
    for (size_t lane = 0; lane < 8; lane++) sum += sums[lane];
    return sum;
}

static inline dd_real *dd_shard_layer_masks(const dd_shard *s, int layer)
{
    return s->layer_masks + (size_t)layer * (size_t)s->count * 2 * (size_t)s->network->shape.width;
}

static inline size_t dd_shard_row(const dd_shard *s, int sentence, int node)
{
    return dd_steps_row(&s->steps, s->sequence[sentence], node);
}

/* Where the last state of each direction over a form's characters stands. */
static inline dd_real *dd_shard_last_state(const dd_shard *s, dd_real *spelt, uint32_t type,
                                           int direction)
{
    size_t width = (size_t)s->network->shape.char_width;
    int b = s->type_sequence[type];
    int last = direction ? 0 : s->spelling_steps.lengths[b] - 1;
    return spelt + dd_steps_row(&s->spelling_steps, b, last) * 2 * width +
           (size_t)direction * width;
}

#endif
