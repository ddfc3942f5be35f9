#include "core/memory.h"
#include "learn/neural/neural_parts.h"
#include "learn/neural/shard_parts.h"

#include <math.h>
#include <string.h>

enum { MOST_WARM_UP = 100, MOST_AVERAGED = 500 /* steps */ };
enum { LABEL_HIDDEN = 128, CHAR_WIDTH = 48, PAIRS = 128 };

static bool make_coder(dd_neural *l)
{
    const uint32_t least[DD_INPUTS] = {2, 2, 1, 1, 1, 1, 2};
    dd_census census = {0};
    bool ok = true;
    for (size_t i = 0; i < l->lessons.count && ok; i++)
        ok = dd_census_add(&census, l->lessons.sentences[i], l->lessons.columns);
    ok = ok && dd_coder_set(&l->coder, &census, l->lessons.columns, l->inputs, least);
    dd_census_free(&census);
    l->coder.symbols[DD_INPUT_VECTOR] = l->vectors.words;
    l->vectors.words = (dd_vocab){0};
    return ok && dd_codes_set(&l->codes, &l->coder, l->lessons.sentences, l->lessons.count);
}

static void draw(dd_real *weights, dd_tensor tensor, double range, dd_random *random)
{
    for (size_t i = 0; i < tensor.rows * tensor.columns; i++)
        weights[tensor.at + i] = (dd_real)(range * (2 * dd_random_unit(random) - 1));
}

static void draw_lstm(dd_real *weights, const dd_lstm_tensors *tensors, dd_random *random)
{
    double range = 1 / sqrt((double)tensors->from_state.rows);
    draw(weights, tensors->from_input, range, random);
    draw(weights, tensors->from_state, range, random);
    draw(weights, tensors->bias, range, random);
}

static void draw_weights(dd_neural *l)
{
    const dd_network *n = &l->network;
    const dd_network_shape *shape = &n->shape;
    dd_random random = {l->options->seed};
    for (int i = 0; i < DD_INPUTS; i++)
        if (i != DD_INPUT_VECTOR) draw(l->weights, n->embeddings[i], 1, &random);
    for (int d = 0; d < 2; d++)
        if (shape->vocabulary[DD_INPUT_CHARS]) draw_lstm(l->weights, &n->characters[d], &random);
    for (int layer = 0; layer < shape->layers; layer++)
        for (int d = 0; d < 2; d++) draw_lstm(l->weights, &n->words[layer][d], &random);
    draw(l->weights, n->slots, 1 / sqrt(2.0 * shape->width), &random);
    draw(l->weights, n->missing, 0.1, &random);
    draw(l->weights, n->moves, 1 / sqrt((double)shape->hidden), &random);
    draw(l->weights, n->labels, 1 / sqrt((double)shape->label_hidden), &random);
}

static void set_shape(const dd_neural *l, dd_network_shape *shape)
{
    static const int sizes[DD_INPUTS] = {100, 100, 50, 50, 0, 50, 48};
    *shape = (dd_network_shape){.char_width = CHAR_WIDTH,
                                .layers = l->how->layers,
                                .width = (l->how->width + 7) / 8 * 8,
                                .slots = l->slots.count,
                                .hidden = (l->how->hidden + 15) / 16 * 16,
                                .outputs = l->system->n_rules,
                                .pairs = l->system->arc_factored ? PAIRS : 0,
                                .label_hidden = LABEL_HIDDEN,
                                .labels = l->inventory->labels.count};
    for (int i = 0; i < DD_INPUTS; i++) {
        shape->vocabulary[i] = l->coder.symbols[i].count;
        shape->size[i] = sizes[i];
    }
    shape->size[DD_INPUT_VECTOR] = (int)l->vectors.size;
}

static bool make_shards(dd_neural *l)
{
    for (int i = 0; i < DD_SHARDS; i++) {
        dd_shard *shard = &l->shards[i];
        shard->network = &l->network;
        shard->weights = l->weights;
        shard->random = (dd_random){l->options->seed * DD_SHARDS + (uint64_t)i + 1};
        shard->by.kernels = dd_kernels_best();
        shard->by.space = dd_calloc(1, sizeof *shard->by.space);
        if (!shard->by.space) return false;
    }
    return true;
}

static dd_status read_vectors(dd_neural *l, dd_error *error)
{
    if (!l->how->vectors) return DD_OK;
    return dd_vectors_read(&l->vectors, l->how->vectors, (size_t)l->how->vector_words, error);
}

/* They stand behind all that is learnt. */
static void take_vectors(dd_neural *l)
{
    dd_tensor tensor = l->network.embeddings[DD_INPUT_VECTOR];
    for (size_t i = 0; i < tensor.rows * tensor.columns; i++)
        l->weights[tensor.at + i] = (dd_real)l->vectors.numbers[i];
    dd_vectors_free(&l->vectors);
}

/* Short trainings have a shorter start, and remember less of it. */
static void set_pace(dd_neural *l)
{
    uint64_t batches = l->lessons.words / (uint64_t)l->how->batch_words + 1;
    double steps = (double)batches * l->options->iterations;
    l->steps_in_all = (uint64_t)steps;
    l->warm_up = fmax(1, fmin(MOST_WARM_UP, steps / 10));
    l->adam.kept = 1 - 1 / fmax(2, fmin(MOST_AVERAGED, steps / 16));
}

dd_status dd_neural_start(void *state, const dd_lessons *lessons, dd_error *error)
{
    dd_neural *l = state;
    dd_network_shape shape;
    l->lessons = *lessons;
    l->inventory = lessons->inventory;
    dd_status status = read_vectors(l, error);
    if (status != DD_OK) return status;
    if (!make_coder(l)) return dd_fail_memory(error);
    set_shape(l, &shape);
    if (dd_network_inputs(&shape) == 0)
        return dd_fail(error, DD_ERROR_DATA, "the training data has none of the inputs");
    if (shape.outputs > DD_MOST_OUTPUTS || shape.labels > DD_MOST_LABELS)
        return dd_fail(error, DD_ERROR_DATA, "too many labels: %d", shape.labels);
    dd_network_set(&l->network, &shape);
    l->weights = dd_calloc(l->network.whole, sizeof *l->weights);
    if (!l->weights || !dd_adam_start(&l->adam, l->network.size, l->network.whole) ||
        !make_shards(l))
        return dd_fail_memory(error);
    set_pace(l);
    draw_weights(l);
    take_vectors(l);
    memcpy(l->adam.average, l->weights, l->network.whole * sizeof *l->weights);
    return DD_OK;
}
