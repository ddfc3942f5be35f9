/* shard_back.c - the way back through the network: from derivatives to gradients */
#include "neural/shard.h"

#include "transition/config.h"

#include <string.h>

/* The units of some decisions, before and after the activation. */
static void sum_units(dd_shard *s, const dd_decision *decisions, size_t count)
{
    size_t hidden = (size_t)s->network->shape.hidden;
    for (size_t i = 0; i < count; i++)
        dd_shard_sum_slots(s, decisions[i].sentence, decisions[i].nodes, s->sums + i * hidden);
    for (size_t j = 0; j < count * hidden; j++) s->units[j] = dd_leaky(s->sums[j]);
}

/* Through the layer of moves, from derivatives of scores to those of the sums. */
static void back_moves(dd_shard *s, const dd_real *derivatives, size_t count)
{
    const dd_tensor weights = s->network->moves, bias = s->network->moves_bias;
    size_t hidden = weights.columns, outputs = weights.rows;
    dd_multiply(&s->by, outputs, hidden, count, dd_columns_of(derivatives, outputs),
                dd_rows_of(s->units, hidden), s->gradients + weights.at, hidden);
    for (size_t i = 0; i < count; i++)
        dd_add_scaled(s->gradients + bias.at, derivatives + i * outputs, outputs, 1);
    memset(s->d_sums, 0, count * hidden * sizeof *s->d_sums);
    dd_multiply(&s->by, count, hidden, outputs, dd_rows_of(derivatives, outputs),
                dd_rows_of(s->weights + weights.at, hidden), s->d_sums, hidden);
    for (size_t j = 0; j < count * hidden; j++) s->d_sums[j] *= dd_leaky_derivative(s->sums[j]);
}

static void back_slots(dd_shard *s, const dd_decision *decision, const dd_real *d_sums)
{
    const dd_network *network = s->network;
    size_t hidden = (size_t)network->shape.hidden;
    size_t columns = dd_network_slot_columns(&network->shape);
    dd_add_scaled(s->gradients + network->hidden_bias.at, d_sums, hidden, 1);
    for (int slot = 0; slot < network->shape.slots; slot++) {
        size_t at = (size_t)slot * hidden;
        int node = decision->nodes[slot];
        dd_real *to = node == DD_NONE
                          ? s->gradients + network->missing.at + at
                          : s->d_slots + dd_shard_row(s, decision->sentence, node) * columns + at;
        dd_add_scaled(to, d_sums, hidden, 1);
    }
}

/* Several at once, as products of matrices: their derivatives stand one after the other. */
static void back_decisions(dd_shard *s, dd_real scale)
{
    size_t outputs = (size_t)s->network->shape.outputs, hidden = (size_t)s->network->shape.hidden;
    for (size_t j = 0; j < s->n_derivatives; j++) s->derivatives[j] *= scale;
    for (size_t from = 0, count; from < s->n_decisions; from += count) {
        size_t left = s->n_decisions - from;
        count = left < DD_DECISIONS_AT_ONCE ? left : DD_DECISIONS_AT_ONCE;
        sum_units(s, s->decisions + from, count);
        back_moves(s, s->derivatives + from * outputs, count);
        for (size_t i = 0; i < count; i++)
            back_slots(s, &s->decisions[from + i], s->d_sums + i * hidden);
    }
}

static void back_layers(dd_shard *s)
{
    const dd_network *network = s->network;
    size_t width = (size_t)network->shape.width, rows = s->steps.first[s->steps.steps];
    size_t inputs = (size_t)dd_network_inputs(&network->shape);
    for (int l = network->shape.layers - 1; l >= 0; l--) {
        dd_real *d_above = s->d_layers[l % 2],
                *d_below = l ? s->d_layers[(l + 1) % 2] : s->d_inputs;
        dd_shard_mask_rows(s, d_above, dd_shard_layer_masks(s, l), 2 * width);
        memset(d_below, 0, rows * (l ? 2 * width : inputs) * sizeof *d_below);
        dd_layer layer = dd_shard_word_layer(s, l);
        network->shape.encoder->backward(&layer, &s->steps, l ? s->layers[l - 1] : s->inputs,
                                         d_above, s->layer_memory[l], d_below);
    }
    dd_shard_mask_rows(s, s->d_inputs, s->input_masks, inputs);
}

static void back_embedding(dd_shard *s, int input, uint32_t symbol, const dd_real *from,
                           dd_real factor)
{
    const dd_tensor *tensor = &s->network->embeddings[input];
    dd_add_scaled(s->gradients + tensor->at + symbol * tensor->columns, from, tensor->columns,
                  factor);
}

static void back_node(dd_shard *s, const dd_coded *coded, int node, const uint8_t *dropped,
                      dd_real factor, const dd_real *from)
{
    const dd_network *network = s->network;
    for (int i = 0; i < DD_INPUT_CHARS; i++) {
        size_t size = network->embeddings[i].columns;
        if (!size) continue;
        if (!dropped[i] && i != DD_INPUT_FEATS && i != DD_INPUT_VECTOR)
            back_embedding(s, i, coded->symbols[i][node], from, factor);
        for (uint32_t f = coded->first_feature[node];
             !dropped[i] && i == DD_INPUT_FEATS && f < coded->first_feature[node + 1]; f++)
            back_embedding(s, i, coded->features[f], from, factor);
        from += size;
    }
    size_t width = (size_t)network->shape.char_width;
    for (int d = 0; network->embeddings[DD_INPUT_CHARS].columns && d < 2; d++)
        if (!dropped[DD_INPUT_CHARS])
            dd_add_scaled(dd_shard_end_state(s, s->d_spelt, coded->types[node], d),
                          from + (size_t)d * width, width, factor);
}

static void back_spelling(dd_shard *s, const dd_spellings *spellings)
{
    size_t size = s->network->embeddings[DD_INPUT_CHARS].columns;
    size_t rows = s->spelling_steps.first[s->spelling_steps.steps];
    memset(s->d_characters, 0, rows * size * sizeof *s->d_characters);
    dd_layer layer = dd_shard_character_layer(s);
    s->network->shape.encoder->backward(&layer, &s->spelling_steps, s->characters, s->d_spelt,
                                        s->character_memory, s->d_characters);
    for (int i = 0; i < s->n_types; i++) {
        uint32_t type = s->shard_types[i];
        const uint32_t *characters = spellings->characters + spellings->first[type];
        for (uint32_t t = 0; t < dd_spelling_length(spellings, type); t++)
            back_embedding(s, DD_INPUT_CHARS, characters[t],
                           s->d_characters +
                               dd_steps_row(&s->spelling_steps, s->type_sequence[type], (int)t) *
                                   size,
                           1);
    }
}

void dd_shard_backward(dd_shard *s, const dd_spellings *spellings, const dd_shard_gold *gold,
                       const dd_dropouts *dropouts, dd_real scale)
{
    const dd_network *network = s->network;
    size_t width = (size_t)network->shape.width, columns = dd_network_slot_columns(&network->shape);
    size_t rows = s->steps.first[s->steps.steps];
    int top = network->shape.layers - 1;
    dd_real *d_top = s->d_layers[top % 2];
    dd_real factor = dropouts ? (dd_real)(1 / (1 - dropouts->input)) : 1;
    memset(s->gradients, 0, network->tensors.size * sizeof *s->gradients);
    memset(s->d_slots, 0, rows * columns * sizeof *s->d_slots);
    back_decisions(s, scale);
    dd_shard_back_pairs(s, scale);
    if (network->shape.labels > 0) dd_shard_back_labels(s, gold, scale);
    dd_multiply(&s->by, 2 * width, columns, rows, dd_columns_of(s->layers[top], 2 * width),
                dd_rows_of(s->d_slots, columns), s->gradients + network->slots.at, columns);
    memset(d_top, 0, rows * 2 * width * sizeof *d_top);
    dd_multiply_packed(&s->by, rows, 2 * width, columns, dd_rows_of(s->d_slots, columns),
                       s->packed + network->slots.packed_back, d_top, 2 * width);
    back_layers(s);
    size_t spelt = s->spelling_steps.first[s->spelling_steps.steps];
    memset(s->d_spelt, 0, spelt * 2 * (size_t)network->shape.char_width * sizeof *s->d_spelt);
    size_t inputs = (size_t)dd_network_inputs(&network->shape);
    for (int b = 0; b < s->count; b++) {
        const dd_coded *coded = s->sentences[s->sentence[b]];
        for (int node = 0; node <= coded->n; node++) {
            size_t row = dd_steps_row(&s->steps, b, node);
            back_node(s, coded, node, s->dropped + row * DD_INPUTS, factor,
                      s->d_inputs + row * inputs);
        }
    }
    if (network->embeddings[DD_INPUT_CHARS].columns) back_spelling(s, spellings);
}
