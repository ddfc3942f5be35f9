#include "neural/shard.h"

#include "core/memory.h"
#include "transition/config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void dd_shard_free(dd_shard *shard)
{
    free(shard->sentences);
    free(shard->sequence);
    free(shard->sentence);
    dd_steps_free(&shard->steps);
    dd_steps_free(&shard->spelling_steps);
    free(shard->shard_types);
    free(shard->type_sequence);
    free(shard->memory);
    free(shard->dropped);
    free(shard->gradients);
    free(shard->decisions);
    free(shard->derivatives);
    free(shard->pairings);
    *shard = (dd_shard){0};
}

/* ---- what is in the shard ----------------------------------------------------------------- */

static int length_of_sentence(const void *items, int i)
{
    return ((const dd_shard *)items)->sentences[i]->n + 1;
}

static bool take_sentences(dd_shard *s, const dd_coded *const *sentences, int count)
{
    size_t need = (size_t)count;
    if (!DD_RESERVE(&s->sentences, &s->sentences_capacity, need) ||
        !DD_RESERVE(&s->sequence, &s->sequence_capacity, need) ||
        !DD_RESERVE(&s->sentence, &s->sentence_capacity, need))
        return false;
    s->count = count;
    for (int i = 0; i < count; i++) s->sentences[i] = sentences[i];
    if (!dd_steps_sort(&s->steps, s->sequence, s, count, length_of_sentence)) return false;
    for (int i = 0; i < count; i++) s->sentence[s->sequence[i]] = i;
    return true;
}

/* The shard's distinct forms; type_sequence of each is 0, of all others -1. */
static bool list_types(dd_shard *s, const dd_spellings *spellings)
{
    size_t before = s->type_sequence_capacity;
    if (!DD_RESERVE(&s->type_sequence, &s->type_sequence_capacity, spellings->count) ||
        !DD_RESERVE(&s->shard_types, &s->types_capacity, spellings->count))
        return false;
    for (size_t i = before; i < s->type_sequence_capacity; i++) s->type_sequence[i] = -1;
    for (int i = 0; i < s->n_types; i++) s->type_sequence[s->shard_types[i]] = -1;
    s->n_types = 0;
    for (int i = 0; i < s->count; i++)
        for (int node = 0; node <= s->sentences[i]->n; node++) {
            uint32_t type = s->sentences[i]->types[node];
            if (s->type_sequence[type] >= 0) continue;
            s->type_sequence[type] = 0;
            s->shard_types[s->n_types++] = type;
        }
    return true;
}

typedef struct type_list {
    const dd_spellings *spellings;
    const uint32_t *types;
} type_list;

static int length_of_type(const void *items, int i)
{
    const type_list *list = items;
    return (int)dd_spelling_length(list->spellings, list->types[i]);
}

/* The longest first. */
static bool take_types(dd_shard *s, const dd_spellings *spellings)
{
    if (!list_types(s, spellings)) return false;
    type_list list = {spellings, s->shard_types};
    int *sequence = dd_calloc((size_t)s->n_types, sizeof *sequence);
    bool ok =
        sequence && dd_steps_sort(&s->spelling_steps, sequence, &list, s->n_types, length_of_type);
    for (int i = 0; ok && i < s->n_types; i++) s->type_sequence[s->shard_types[i]] = sequence[i];
    free(sequence);
    return ok;
}

/* ---- memory ------------------------------------------------------------------------------- */

static dd_real *cut(dd_real **memory, size_t *size, size_t count)
{
    dd_real *made = *memory ? *memory + *size : NULL;
    *size += (count + 15) / 16 * 16;
    return made;
}

/* With memory NULL it only measures. */
static size_t place(dd_shard *s, dd_real *memory)
{
    const dd_network_shape *shape = &s->network->shape;
    size_t size = 0, rows = s->steps.first[s->steps.steps];
    size_t spelt = s->spelling_steps.first[s->spelling_steps.steps];
    size_t inputs = (size_t)dd_network_inputs(shape), width = 2 * (size_t)shape->width;
    size_t columns = dd_network_slot_columns(shape), count = (size_t)s->count;
    size_t character = (size_t)shape->size[DD_INPUT_CHARS],
           char_width = 2 * (size_t)shape->char_width;
    s->characters = cut(&memory, &size, spelt * character);
    s->spelt = cut(&memory, &size, spelt * char_width);
    s->inputs = cut(&memory, &size, rows * inputs);
    for (int l = 0; l < shape->layers; l++) s->layers[l] = cut(&memory, &size, rows * width);
    s->slots = cut(&memory, &size, rows * columns);
    s->input_masks = cut(&memory, &size, count * inputs);
    s->layer_masks = cut(&memory, &size, (size_t)shape->layers * count * width);
    s->character_memory =
        cut(&memory, &size,
            shape->encoder->memory_size((int)character, shape->char_width, spelt, s->n_types));
    for (int l = 0; l < shape->layers; l++)
        s->layer_memory[l] = cut(&memory, &size,
                                 shape->encoder->memory_size(l ? (int)width : (int)inputs,
                                                             shape->width, rows, s->count));
    for (int i = 0; i < 2; i++) s->d_layers[i] = cut(&memory, &size, rows * width);
    s->d_slots = cut(&memory, &size, rows * columns);
    s->label_units = cut(&memory, &size, rows * (size_t)shape->label_hidden);
    s->d_label_units = cut(&memory, &size, rows * (size_t)shape->label_hidden);
    s->label_scores = cut(&memory, &size, rows * (size_t)shape->labels);
    size_t hidden = (size_t)shape->hidden, scored = shape->slots == 1 ? rows : 0;
    s->sums = cut(&memory, &size, DD_DECISIONS_AT_ONCE * hidden);
    s->units = cut(&memory, &size, DD_DECISIONS_AT_ONCE * hidden);
    s->d_sums = cut(&memory, &size, DD_DECISIONS_AT_ONCE * hidden);
    s->node_units = cut(&memory, &size, scored * hidden);
    s->node_scores = cut(&memory, &size, scored * (size_t)shape->outputs);
    s->d_inputs = cut(&memory, &size, rows * inputs);
    s->d_spelt = cut(&memory, &size, spelt * char_width);
    s->d_characters = cut(&memory, &size, spelt * character);
    return size;
}

static bool reserve(dd_shard *s)
{
    size_t rows = s->steps.first[s->steps.steps];
    if (!DD_RESERVE(&s->memory, &s->memory_capacity, place(s, NULL)) ||
        !DD_RESERVE(&s->dropped, &s->dropped_capacity, rows * DD_INPUTS))
        return false;
    if (!s->gradients) s->gradients = dd_calloc(s->network->tensors.size, sizeof *s->gradients);
    place(s, s->memory);
    return s->gradients != NULL;
}

/* ---- dropout ------------------------------------------------------------------------------ */

static void draw_masks(dd_shard *s, dd_real *masks, size_t count, double share)
{
    dd_real kept = (dd_real)(1 / (1 - share));
    for (size_t i = 0; i < count; i++)
        masks[i] = share > 0 && dd_random_unit(&s->random) < share ? 0 : kept;
}

static void draw_all(dd_shard *s, const dd_dropouts *dropouts)
{
    const dd_network_shape *shape = &s->network->shape;
    dd_dropouts none = {0, 0};
    const dd_dropouts *how = dropouts ? dropouts : &none;
    size_t count = (size_t)s->count, rows = s->steps.first[s->steps.steps];
    draw_masks(s, s->input_masks, count * (size_t)dd_network_inputs(shape), how->layer);
    draw_masks(s, s->layer_masks, (size_t)shape->layers * count * 2 * (size_t)shape->width,
               how->layer);
    for (size_t i = 0; i < rows * DD_INPUTS; i++)
        s->dropped[i] = how->input > 0 && dd_random_unit(&s->random) < how->input;
}

/* Multiplies the rows of each sentence by its mask. */
void dd_shard_mask_rows(const dd_shard *s, dd_real *matrix, const dd_real *masks, size_t width)
{
    for (int b = 0; b < s->count; b++) {
        const dd_real *mask = masks + (size_t)b * width;
        for (int t = 0; t < s->steps.lengths[b]; t++) {
            dd_real *row = matrix + dd_steps_row(&s->steps, b, t) * width;
            for (size_t j = 0; j < width; j++) row[j] *= mask[j];
        }
    }
}

/* ---- forward ------------------------------------------------------------------------------ */

static const dd_real *embedding(const dd_shard *s, int input, uint32_t symbol)
{
    const dd_tensor *tensor = &s->network->embeddings[input];
    return s->weights + tensor->at + symbol * tensor->columns;
}

static void spell(dd_shard *s, const dd_spellings *spellings)
{
    size_t size = s->network->embeddings[DD_INPUT_CHARS].columns;
    for (int i = 0; i < s->n_types; i++) {
        uint32_t type = s->shard_types[i];
        const uint32_t *characters = spellings->characters + spellings->first[type];
        for (uint32_t t = 0; t < dd_spelling_length(spellings, type); t++)
            memcpy(s->characters +
                       dd_steps_row(&s->spelling_steps, s->type_sequence[type], (int)t) * size,
                   embedding(s, DD_INPUT_CHARS, characters[t]), size * sizeof *s->characters);
    }
    dd_layer layer = dd_shard_character_layer(s);
    s->network->shape.encoder->forward(&layer, &s->spelling_steps, s->characters, s->spelt,
                                       s->character_memory);
}

static void embed_node(dd_shard *s, const dd_coded *coded, int node, const uint8_t *dropped,
                       dd_real factor, dd_real *to)
{
    const dd_network *network = s->network;
    for (int i = 0; i < DD_INPUT_CHARS; i++) {
        size_t size = network->embeddings[i].columns;
        if (!size) continue;
        if (!dropped[i] && i != DD_INPUT_FEATS)
            dd_add_scaled(to, embedding(s, i, coded->symbols[i][node]), size, factor);
        for (uint32_t f = coded->first_feature[node];
             !dropped[i] && i == DD_INPUT_FEATS && f < coded->first_feature[node + 1]; f++)
            dd_add_scaled(to, embedding(s, i, coded->features[f]), size, factor);
        to += size;
    }
    size_t width = (size_t)network->shape.char_width;
    for (int d = 0; network->embeddings[DD_INPUT_CHARS].columns && d < 2; d++)
        if (!dropped[DD_INPUT_CHARS])
            dd_add_scaled(to + (size_t)d * width,
                          dd_shard_end_state(s, s->spelt, coded->types[node], d), width, factor);
}

static void embed(dd_shard *s, const dd_dropouts *dropouts)
{
    size_t inputs = (size_t)dd_network_inputs(&s->network->shape);
    size_t rows = s->steps.first[s->steps.steps];
    dd_real factor = dropouts ? (dd_real)(1 / (1 - dropouts->input)) : 1;
    memset(s->inputs, 0, rows * inputs * sizeof *s->inputs);
    for (int b = 0; b < s->count; b++) {
        const dd_coded *coded = s->sentences[s->sentence[b]];
        for (int node = 0; node <= coded->n; node++) {
            size_t row = dd_steps_row(&s->steps, b, node);
            embed_node(s, coded, node, s->dropped + row * DD_INPUTS, factor,
                       s->inputs + row * inputs);
        }
    }
    dd_shard_mask_rows(s, s->inputs, s->input_masks, inputs);
}

bool dd_shard_forward(dd_shard *s, const dd_coded *const *sentences, int count,
                      const dd_spellings *spellings, const dd_dropouts *dropouts)
{
    const dd_network *network = s->network;
    size_t width = (size_t)network->shape.width, columns = dd_network_slot_columns(&network->shape);
    if (!take_sentences(s, sentences, count) || !take_types(s, spellings) || !reserve(s))
        return false;
    size_t rows = s->steps.first[s->steps.steps];
    s->n_decisions = s->n_derivatives = s->n_pairings = 0;
    draw_all(s, dropouts);
    if (network->embeddings[DD_INPUT_CHARS].columns) spell(s, spellings);
    embed(s, dropouts);
    for (int l = 0; l < network->shape.layers; l++) {
        dd_layer layer = dd_shard_word_layer(s, l);
        network->shape.encoder->forward(&layer, &s->steps, l ? s->layers[l - 1] : s->inputs,
                                        s->layers[l], s->layer_memory[l]);
        dd_shard_mask_rows(s, s->layers[l], dd_shard_layer_masks(s, l), 2 * width);
    }
    memset(s->slots, 0, rows * columns * sizeof *s->slots);
    dd_multiply_packed(&s->by, rows, columns, 2 * width,
                       dd_rows_of(s->layers[network->shape.layers - 1], 2 * width),
                       s->packed + network->slots.packed, s->slots, columns);
    return true;
}

/* ---- configurations ----------------------------------------------------------------------- */

void dd_shard_sum_slots(const dd_shard *s, int sentence, const int *nodes, dd_real *sums)
{
    const dd_network *network = s->network;
    size_t hidden = (size_t)network->shape.hidden;
    size_t columns = dd_network_slot_columns(&network->shape);
    memcpy(sums, s->weights + network->hidden_bias.at, hidden * sizeof *sums);
    for (int slot = 0; slot < network->shape.slots; slot++) {
        size_t at = (size_t)slot * hidden;
        const dd_real *row = nodes[slot] == DD_NONE
                                 ? s->weights + network->missing.at + at
                                 : s->slots + dd_shard_row(s, sentence, nodes[slot]) * columns + at;
        for (size_t j = 0; j < hidden; j++) sums[j] += row[j];
    }
}

void dd_shard_score(const dd_shard *s, int sentence, const int *nodes, dd_real *scores)
{
    const dd_network *network = s->network;
    dd_real sums[DD_MOST_HIDDEN];
    size_t hidden = (size_t)network->shape.hidden;
    dd_shard_sum_slots(s, sentence, nodes, sums);
    for (size_t j = 0; j < hidden; j++) sums[j] = dd_leaky(sums[j]);
    for (size_t o = 0; o < (size_t)network->shape.outputs; o++)
        scores[o] = s->weights[network->moves_bias.at + o] +
                    dd_dot(s->weights + network->moves.at + o * hidden, sums, hidden);
}

void dd_shard_score_nodes(dd_shard *s)
{
    const dd_network *network = s->network;
    size_t hidden = network->moves.columns, outputs = network->moves.rows;
    size_t rows = s->steps.first[s->steps.steps];
    size_t columns = dd_network_slot_columns(&network->shape);
    const dd_real *bias = s->weights + network->hidden_bias.at;
    for (size_t row = 0; row < rows; row++) {
        for (size_t j = 0; j < hidden; j++)
            s->node_units[row * hidden + j] = dd_leaky(bias[j] + s->slots[row * columns + j]);
        memcpy(s->node_scores + row * outputs, s->weights + network->moves_bias.at,
               outputs * sizeof *s->node_scores);
    }
    dd_multiply(&s->by, rows, outputs, hidden, dd_rows_of(s->node_units, hidden),
                dd_columns_of(s->weights + network->moves.at, hidden), s->node_scores, outputs);
}

bool dd_shard_decide(dd_shard *s, int sentence, const int *nodes, const dd_real *derivatives)
{
    size_t outputs = (size_t)s->network->shape.outputs;
    if (!DD_RESERVE(&s->decisions, &s->decisions_capacity, s->n_decisions + 1) ||
        !DD_RESERVE(&s->derivatives, &s->derivatives_capacity, s->n_derivatives + outputs))
        return false;
    dd_decision *made = &s->decisions[s->n_decisions++];
    *made = (dd_decision){.sentence = sentence};
    memcpy(made->nodes, nodes, (size_t)s->network->shape.slots * sizeof *nodes);
    memcpy(s->derivatives + s->n_derivatives, derivatives, outputs * sizeof *derivatives);
    s->n_derivatives += outputs;
    return true;
}
