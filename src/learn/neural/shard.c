#include "learn/neural/shard.h"

#include "config/config.h"
#include "core/memory.h"

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
    free(shard->slopes);
    *shard = (dd_shard){0};
}

/* ---- what is in the shard ----------------------------------------------------------------- */

/* Counts, then places: of equal lengths the first stays first. */
static bool sort_sentences(dd_shard *s)
{
    int longest = 0, at = 0;
    for (int i = 0; i < s->count; i++)
        if (s->sentences[i]->n > longest) longest = s->sentences[i]->n;
    int *counts = dd_calloc((size_t)longest + 2, sizeof *counts);
    if (!counts) return false;
    for (int i = 0; i < s->count; i++) counts[s->sentences[i]->n]++;
    for (int n = longest; n >= 0; n--) {
        int count = counts[n];
        counts[n] = at;
        at += count;
    }
    for (int i = 0; i < s->count; i++) {
        s->sequence[i] = counts[s->sentences[i]->n]++;
        s->sentence[s->sequence[i]] = i;
        s->steps.lengths[s->sequence[i]] = s->sentences[i]->n + 1;
    }
    free(counts);
    return true;
}

static bool take_sentences(dd_shard *s, const dd_coded *const *sentences, int count)
{
    size_t need = (size_t)count;
    if (!DD_RESERVE(&s->sentences, &s->sentences_capacity, need) ||
        !DD_RESERVE(&s->sequence, &s->sequence_capacity, need) ||
        !DD_RESERVE(&s->sentence, &s->sentence_capacity, need) ||
        !dd_steps_reserve(&s->steps, count))
        return false;
    s->count = count;
    for (int i = 0; i < count; i++) s->sentences[i] = sentences[i];
    return sort_sentences(s) && dd_steps_set(&s->steps, count);
}

static uint32_t length_of(const dd_spellings *spellings, uint32_t type)
{
    return spellings->first[type + 1] - spellings->first[type];
}

/* The shard's distinct forms, the longest first. */
static bool take_types(dd_shard *s, const dd_spellings *spellings)
{
    size_t before = s->type_sequence_capacity;
    if (!DD_RESERVE(&s->type_sequence, &s->type_sequence_capacity, spellings->count) ||
        !DD_RESERVE(&s->shard_types, &s->types_capacity, spellings->count) ||
        !dd_steps_reserve(&s->spelling_steps, (int)spellings->count))
        return false;
    for (size_t i = before; i < s->type_sequence_capacity; i++) s->type_sequence[i] = -1;
    for (int i = 0; i < s->n_types; i++) s->type_sequence[s->shard_types[i]] = -1;
    s->n_types = 0;
    uint32_t longest = 0;
    for (int i = 0; i < s->count; i++)
        for (int node = 0; node <= s->sentences[i]->n; node++) {
            uint32_t type = s->sentences[i]->types[node];
            if (s->type_sequence[type] >= 0) continue;
            s->type_sequence[type] = 0;
            s->shard_types[s->n_types++] = type;
            if (length_of(spellings, type) > longest) longest = length_of(spellings, type);
        }
    int *counts = dd_calloc((size_t)longest + 2, sizeof *counts), at = 0;
    if (!counts) return false;
    for (int i = 0; i < s->n_types; i++) counts[length_of(spellings, s->shard_types[i])]++;
    for (uint32_t n = longest + 1; n-- > 0;) {
        int count = counts[n];
        counts[n] = at;
        at += count;
    }
    for (int i = 0; i < s->n_types; i++) {
        uint32_t type = s->shard_types[i], length = length_of(spellings, type);
        s->type_sequence[type] = counts[length]++;
        s->spelling_steps.lengths[s->type_sequence[type]] = (int)length;
    }
    free(counts);
    return dd_steps_set(&s->spelling_steps, s->n_types);
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
    for (int d = 0; d < 2; d++) {
        dd_real *at = cut(&memory, &size, dd_lstm_run_size(shape->char_width, spelt, s->n_types));
        if (at) dd_lstm_run_place(&s->character_runs[d], shape->char_width, spelt, s->n_types, at);
    }
    for (int l = 0; l < shape->layers; l++)
        for (int d = 0; d < 2; d++) {
            dd_real *at = cut(&memory, &size, dd_lstm_run_size(shape->width, rows, s->count));
            if (at) dd_lstm_run_place(&s->runs[l][d], shape->width, rows, s->count, at);
        }
    for (int i = 0; i < 2; i++) s->d_layers[i] = cut(&memory, &size, rows * width);
    s->d_slots = cut(&memory, &size, rows * columns);
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
    if (!s->gradients) s->gradients = dd_calloc(s->network->size, sizeof *s->gradients);
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
static void mask_rows(const dd_shard *s, dd_real *matrix, const dd_real *masks, size_t width)
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

static dd_lstm lstm_of(const dd_lstm_tensors *tensors, dd_real *numbers, bool reverse)
{
    return (dd_lstm){.inputs = (int)tensors->from_input.rows,
                     .width = (int)tensors->from_state.rows,
                     .reverse = reverse,
                     .from_input = numbers + tensors->from_input.at,
                     .from_state = numbers + tensors->from_state.at,
                     .bias = numbers + tensors->bias.at};
}

static const dd_real *embedding(const dd_shard *s, int input, uint32_t symbol)
{
    const dd_tensor *tensor = &s->network->embeddings[input];
    return s->weights + tensor->at + symbol * tensor->columns;
}

static void spell(dd_shard *s, const dd_spellings *spellings)
{
    size_t size = s->network->embeddings[DD_INPUT_CHARS].columns;
    size_t width = (size_t)s->network->shape.char_width;
    for (int i = 0; i < s->n_types; i++) {
        uint32_t type = s->shard_types[i];
        const uint32_t *characters = spellings->characters + spellings->first[type];
        for (uint32_t t = 0; t < length_of(spellings, type); t++)
            memcpy(s->characters +
                       dd_steps_row(&s->spelling_steps, s->type_sequence[type], (int)t) * size,
                   embedding(s, DD_INPUT_CHARS, characters[t]), size * sizeof *s->characters);
    }
    for (int d = 0; d < 2; d++) {
        dd_lstm lstm = lstm_of(&s->network->characters[d], (dd_real *)(uintptr_t)s->weights, d);
        dd_lstm_forward(&lstm, &s->spelling_steps, &s->by, s->characters,
                        s->spelt + (size_t)d * width, 2 * width, &s->character_runs[d]);
    }
}

/* Where the last state of each direction over a form's characters stands. */
static dd_real *last_state(const dd_shard *s, dd_real *spelt, uint32_t type, int direction)
{
    size_t width = (size_t)s->network->shape.char_width;
    int b = s->type_sequence[type];
    int last = direction ? 0 : s->spelling_steps.lengths[b] - 1;
    return spelt + dd_steps_row(&s->spelling_steps, b, last) * 2 * width +
           (size_t)direction * width;
}

static void add(dd_real *to, const dd_real *from, size_t count, dd_real factor)
{
    for (size_t j = 0; j < count; j++) to[j] += from[j] * factor;
}

static void embed_node(dd_shard *s, const dd_coded *coded, int node, const uint8_t *dropped,
                       dd_real factor, dd_real *to)
{
    const dd_network *network = s->network;
    for (int i = 0; i < DD_INPUT_CHARS; i++) {
        size_t size = network->embeddings[i].columns;
        if (!size) continue;
        if (!dropped[i] && i != DD_INPUT_FEATS)
            add(to, embedding(s, i, coded->symbols[i][node]), size, factor);
        for (uint32_t f = coded->first_feature[node];
             !dropped[i] && i == DD_INPUT_FEATS && f < coded->first_feature[node + 1]; f++)
            add(to, embedding(s, i, coded->features[f]), size, factor);
        to += size;
    }
    size_t width = (size_t)network->shape.char_width;
    for (int d = 0; network->embeddings[DD_INPUT_CHARS].columns && d < 2; d++)
        if (!dropped[DD_INPUT_CHARS])
            add(to + (size_t)d * width, last_state(s, s->spelt, coded->types[node], d), width,
                factor);
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
    mask_rows(s, s->inputs, s->input_masks, inputs);
}

static dd_real *layer_masks(const dd_shard *s, int layer)
{
    return s->layer_masks + (size_t)layer * (size_t)s->count * 2 * (size_t)s->network->shape.width;
}

bool dd_shard_forward(dd_shard *s, const dd_coded *const *sentences, int count,
                      const dd_spellings *spellings, const dd_dropouts *dropouts)
{
    const dd_network *network = s->network;
    size_t width = (size_t)network->shape.width, columns = dd_network_slot_columns(&network->shape);
    if (!take_sentences(s, sentences, count) || !take_types(s, spellings) || !reserve(s))
        return false;
    size_t rows = s->steps.first[s->steps.steps];
    s->n_decisions = s->n_slopes = 0;
    draw_all(s, dropouts);
    if (network->embeddings[DD_INPUT_CHARS].columns) spell(s, spellings);
    embed(s, dropouts);
    for (int l = 0; l < network->shape.layers; l++) {
        for (int d = 0; d < 2; d++) {
            dd_lstm lstm = lstm_of(&network->words[l][d], (dd_real *)(uintptr_t)s->weights, d);
            dd_lstm_forward(&lstm, &s->steps, &s->by, l ? s->layers[l - 1] : s->inputs,
                            s->layers[l] + (size_t)d * width, 2 * width, &s->runs[l][d]);
        }
        mask_rows(s, s->layers[l], layer_masks(s, l), 2 * width);
    }
    memset(s->slots, 0, rows * columns * sizeof *s->slots);
    dd_multiply(&s->by, rows, columns, 2 * width,
                dd_rows_of(s->layers[network->shape.layers - 1], 2 * width),
                dd_rows_of(s->weights + network->slots.at, columns), s->slots, columns);
    return true;
}

/* ---- configurations ----------------------------------------------------------------------- */

static size_t row_of(const dd_shard *s, int sentence, int node)
{
    return dd_steps_row(&s->steps, s->sequence[sentence], node);
}

static void sum_slots(const dd_shard *s, int sentence, const int *nodes, dd_real *sums)
{
    const dd_network *network = s->network;
    size_t hidden = (size_t)network->shape.hidden;
    size_t columns = dd_network_slot_columns(&network->shape);
    memcpy(sums, s->weights + network->hidden_bias.at, hidden * sizeof *sums);
    for (int slot = 0; slot < network->shape.slots; slot++) {
        size_t at = (size_t)slot * hidden;
        const dd_real *row = nodes[slot] == DD_NONE
                                 ? s->weights + network->missing.at + at
                                 : s->slots + row_of(s, sentence, nodes[slot]) * columns + at;
        for (size_t j = 0; j < hidden; j++) sums[j] += row[j];
    }
}

static dd_real dot(const dd_real *a, const dd_real *b, size_t count)
{
    dd_real sum = 0;
    for (size_t j = 0; j < count; j++) sum += a[j] * b[j];
    return sum;
}

enum { MOST_HIDDEN = 2048 };

void dd_shard_score(const dd_shard *s, int sentence, const int *nodes, dd_real *scores)
{
    const dd_network *network = s->network;
    dd_real sums[MOST_HIDDEN];
    size_t hidden = (size_t)network->shape.hidden;
    sum_slots(s, sentence, nodes, sums);
    for (size_t j = 0; j < hidden; j++) sums[j] = dd_leaky(sums[j]);
    for (size_t o = 0; o < (size_t)network->shape.outputs; o++)
        scores[o] = s->weights[network->moves_bias.at + o] +
                    dot(s->weights + network->moves.at + o * hidden, sums, hidden);
}

/* Sums of an arc's rows. */
static void sum_arc(const dd_shard *s, int sentence, int dependent, int head, dd_real *sums)
{
    const dd_network *network = s->network;
    size_t hidden = (size_t)network->shape.label_hidden;
    size_t columns = dd_network_slot_columns(&network->shape);
    const dd_real *of_dependent =
        s->slots + row_of(s, sentence, dependent) * columns + columns - 2 * hidden;
    const dd_real *of_head = s->slots + row_of(s, sentence, head) * columns + columns - hidden;
    const dd_real *bias = s->weights + network->label_bias.at;
    for (size_t j = 0; j < hidden; j++) sums[j] = bias[j] + of_dependent[j] + of_head[j];
}

static void score_labels(const dd_shard *s, const dd_real *hidden_units, dd_real *scores)
{
    const dd_network *network = s->network;
    size_t hidden = (size_t)network->shape.label_hidden;
    for (size_t l = 0; l < (size_t)network->shape.labels; l++)
        scores[l] = s->weights[network->labels_bias.at + l] +
                    dot(s->weights + network->labels.at + l * hidden, hidden_units, hidden);
}

void dd_shard_label(const dd_shard *s, int sentence, int dependent, int head, dd_real *scores)
{
    dd_real sums[MOST_HIDDEN];
    sum_arc(s, sentence, dependent, head, sums);
    for (int j = 0; j < s->network->shape.label_hidden; j++) sums[j] = dd_leaky(sums[j]);
    score_labels(s, sums, scores);
}

bool dd_shard_decide(dd_shard *s, int sentence, const int *nodes, const dd_real *slopes)
{
    size_t outputs = (size_t)s->network->shape.outputs;
    if (!DD_RESERVE(&s->decisions, &s->decisions_capacity, s->n_decisions + 1) ||
        !DD_RESERVE(&s->slopes, &s->slopes_capacity, s->n_slopes + outputs))
        return false;
    dd_decision *made = &s->decisions[s->n_decisions++];
    *made = (dd_decision){.sentence = sentence, .slopes = s->n_slopes};
    memcpy(made->nodes, nodes, (size_t)s->network->shape.slots * sizeof *nodes);
    memcpy(s->slopes + s->n_slopes, slopes, outputs * sizeof *slopes);
    s->n_slopes += outputs;
    return true;
}

/* ---- backward ----------------------------------------------------------------------------- */

static dd_real leaky_slope(dd_real x)
{
    return x > 0 ? 1 : (dd_real)0.1;
}

/* Through one layer of outputs: weights [outputs][hidden], from slopes to those of the sums. */
static void back_outputs(const dd_shard *s, dd_tensor weights, dd_tensor bias, const dd_real *sums,
                         const dd_real *slopes, dd_real *d_sums)
{
    size_t hidden = weights.columns;
    memset(d_sums, 0, hidden * sizeof *d_sums);
    for (size_t o = 0; o < weights.rows; o++) {
        if (slopes[o] == 0) continue;
        const dd_real *row = s->weights + weights.at + o * hidden;
        dd_real *d_row = s->gradients + weights.at + o * hidden;
        for (size_t j = 0; j < hidden; j++) {
            d_row[j] += slopes[o] * dd_leaky(sums[j]);
            d_sums[j] += slopes[o] * row[j];
        }
        s->gradients[bias.at + o] += slopes[o];
    }
    for (size_t j = 0; j < hidden; j++) d_sums[j] *= leaky_slope(sums[j]);
}

static void back_decision(dd_shard *s, const dd_decision *decision, dd_real scale)
{
    const dd_network *network = s->network;
    size_t hidden = (size_t)network->shape.hidden;
    size_t columns = dd_network_slot_columns(&network->shape);
    dd_real sums[MOST_HIDDEN], d_sums[MOST_HIDDEN], *slopes = s->slopes + decision->slopes;
    for (int o = 0; o < network->shape.outputs; o++) slopes[o] *= scale;
    sum_slots(s, decision->sentence, decision->nodes, sums);
    back_outputs(s, network->moves, network->moves_bias, sums, slopes, d_sums);
    add(s->gradients + network->hidden_bias.at, d_sums, hidden, 1);
    for (int slot = 0; slot < network->shape.slots; slot++) {
        size_t at = (size_t)slot * hidden;
        int node = decision->nodes[slot];
        dd_real *to = node == DD_NONE
                          ? s->gradients + network->missing.at + at
                          : s->d_slots + row_of(s, decision->sentence, node) * columns + at;
        add(to, d_sums, hidden, 1);
    }
}

/* Cross entropy: the slopes are the probabilities, less 1 for the right label. */
static double slopes_of_labels(dd_real *scores, int count, int right, dd_real scale)
{
    dd_real most = scores[0], sum = 0;
    for (int l = 1; l < count; l++) most = scores[l] > most ? scores[l] : most;
    for (int l = 0; l < count; l++) sum += scores[l] = (dd_real)exp((double)(scores[l] - most));
    double loss = -log((double)scores[right] / (double)sum);
    for (int l = 0; l < count; l++) scores[l] = scores[l] / sum * scale;
    scores[right] -= scale;
    return loss;
}

enum { MOST_LABELS = 4096 };

static void back_label(dd_shard *s, int sentence, int dependent, int head, int label, dd_real scale)
{
    const dd_network *network = s->network;
    size_t hidden = (size_t)network->shape.label_hidden;
    size_t columns = dd_network_slot_columns(&network->shape);
    dd_real sums[MOST_HIDDEN], units[MOST_HIDDEN], d_sums[MOST_HIDDEN];
    dd_real scores[MOST_LABELS] = {0};
    sum_arc(s, sentence, dependent, head, sums);
    for (size_t j = 0; j < hidden; j++) units[j] = dd_leaky(sums[j]);
    score_labels(s, units, scores);
    s->label_loss += slopes_of_labels(scores, network->shape.labels, label, scale);
    s->labelled++;
    back_outputs(s, network->labels, network->labels_bias, sums, scores, d_sums);
    add(s->gradients + network->label_bias.at, d_sums, hidden, 1);
    add(s->d_slots + row_of(s, sentence, dependent) * columns + columns - 2 * hidden, d_sums,
        hidden, 1);
    add(s->d_slots + row_of(s, sentence, head) * columns + columns - hidden, d_sums, hidden, 1);
}

static void back_layers(dd_shard *s)
{
    const dd_network *network = s->network;
    size_t width = (size_t)network->shape.width, rows = s->steps.first[s->steps.steps];
    size_t inputs = (size_t)dd_network_inputs(&network->shape);
    for (int l = network->shape.layers - 1; l >= 0; l--) {
        dd_real *d_above = s->d_layers[l % 2],
                *d_below = l ? s->d_layers[(l + 1) % 2] : s->d_inputs;
        mask_rows(s, d_above, layer_masks(s, l), 2 * width);
        memset(d_below, 0, rows * (l ? 2 * width : inputs) * sizeof *d_below);
        for (int d = 0; d < 2; d++) {
            dd_lstm lstm = lstm_of(&network->words[l][d], (dd_real *)(uintptr_t)s->weights, d);
            dd_lstm gradients = lstm_of(&network->words[l][d], s->gradients, d);
            dd_lstm_backward(&lstm, &s->steps, &s->by, l ? s->layers[l - 1] : s->inputs,
                             d_above + (size_t)d * width, 2 * width, &s->runs[l][d], &gradients,
                             d_below);
        }
    }
    mask_rows(s, s->d_inputs, s->input_masks, inputs);
}

static void back_embedding(dd_shard *s, int input, uint32_t symbol, const dd_real *from,
                           dd_real factor)
{
    const dd_tensor *tensor = &s->network->embeddings[input];
    add(s->gradients + tensor->at + symbol * tensor->columns, from, tensor->columns, factor);
}

static void back_node(dd_shard *s, const dd_coded *coded, int node, const uint8_t *dropped,
                      dd_real factor, const dd_real *from)
{
    const dd_network *network = s->network;
    for (int i = 0; i < DD_INPUT_CHARS; i++) {
        size_t size = network->embeddings[i].columns;
        if (!size) continue;
        if (!dropped[i] && i != DD_INPUT_FEATS)
            back_embedding(s, i, coded->symbols[i][node], from, factor);
        for (uint32_t f = coded->first_feature[node];
             !dropped[i] && i == DD_INPUT_FEATS && f < coded->first_feature[node + 1]; f++)
            back_embedding(s, i, coded->features[f], from, factor);
        from += size;
    }
    size_t width = (size_t)network->shape.char_width;
    for (int d = 0; network->embeddings[DD_INPUT_CHARS].columns && d < 2; d++)
        if (!dropped[DD_INPUT_CHARS])
            add(last_state(s, s->d_spelt, coded->types[node], d), from + (size_t)d * width, width,
                factor);
}

static void back_spelling(dd_shard *s, const dd_spellings *spellings)
{
    size_t size = s->network->embeddings[DD_INPUT_CHARS].columns;
    size_t width = (size_t)s->network->shape.char_width;
    size_t rows = s->spelling_steps.first[s->spelling_steps.steps];
    memset(s->d_characters, 0, rows * size * sizeof *s->d_characters);
    for (int d = 0; d < 2; d++) {
        dd_lstm lstm = lstm_of(&s->network->characters[d], (dd_real *)(uintptr_t)s->weights, d);
        dd_lstm gradients = lstm_of(&s->network->characters[d], s->gradients, d);
        dd_lstm_backward(&lstm, &s->spelling_steps, &s->by, s->characters,
                         s->d_spelt + (size_t)d * width, 2 * width, &s->character_runs[d],
                         &gradients, s->d_characters);
    }
    for (int i = 0; i < s->n_types; i++) {
        uint32_t type = s->shard_types[i];
        const uint32_t *characters = spellings->characters + spellings->first[type];
        for (uint32_t t = 0; t < length_of(spellings, type); t++)
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
    memset(s->gradients, 0, network->size * sizeof *s->gradients);
    memset(s->d_slots, 0, rows * columns * sizeof *s->d_slots);
    for (size_t i = 0; i < s->n_decisions; i++) back_decision(s, &s->decisions[i], scale);
    for (int i = 0; i < s->count; i++)
        for (int word = 1; word <= s->sentences[i]->n; word++)
            if (gold[i].heads[word] >= 0 && gold[i].labels[word] >= 0)
                back_label(s, i, word, gold[i].heads[word], gold[i].labels[word], scale);
    dd_multiply(&s->by, 2 * width, columns, rows, dd_columns_of(s->layers[top], 2 * width),
                dd_rows_of(s->d_slots, columns), s->gradients + network->slots.at, columns);
    memset(d_top, 0, rows * 2 * width * sizeof *d_top);
    dd_multiply(&s->by, rows, 2 * width, columns, dd_rows_of(s->d_slots, columns),
                dd_columns_of(s->weights + network->slots.at, columns), d_top, 2 * width);
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
