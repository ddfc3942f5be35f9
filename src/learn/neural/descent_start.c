/* descent_start.c - vocabularies, the network and its first weights */
#include "core/memory.h"
#include "learn/neural/descent.h"

#include <math.h>
#include <string.h>

enum { MOST_WARM_UP = 100, MOST_AVERAGED = 500 /* steps */ };
enum { CHAR_WIDTH = 48 };
/* Of minibatches, where their words are not set. Steps are what a network needs a number of: a
 * small treebank must make as many as a large one, of fewer words each. */
enum { STEPS_IN_ITERATION = 200, LEAST_WORDS = 100, MOST_WORDS = 1000 };

int dd_descent_batch_words(const dd_network_options *how, uint64_t words)
{
    uint64_t each = words / STEPS_IN_ITERATION;
    if (how->batch_words > 0) return how->batch_words;
    return each < LEAST_WORDS ? LEAST_WORDS : each > MOST_WORDS ? MOST_WORDS : (int)each;
}

/* Nearly all of it goes into the layers: four gates in each of two directions. A step goes through
 * all weights, which takes as long as so many words, about. */
double dd_descent_pace(const dd_network_options *how, int layers, int width, double words)
{
    enum {
        INPUT = 256 /* numbers of a word, about, that the first layer gets */,
        WORDS_OF_STEP = 70
    };
    const double multiply_adds = 6e9; /* a second, forth only */
    double products = 0, batch = dd_descent_batch_words(how, (uint64_t)words);
    for (int i = 0; i < layers; i++)
        products += 8.0 * width * ((i == 0 ? INPUT : 2.0 * width) + width);
    return multiply_adds / products * batch / (batch + WORDS_OF_STEP);
}

static bool make_coder(dd_descent *d, const dd_descent_plan *plan, dd_vectors *vectors)
{
    const uint32_t least[DD_INPUTS] = {2, 2, 1, 1, 1, 1, 2};
    dd_census census = {0};
    bool ok = true;
    for (size_t i = 0; i < plan->count && ok; i++)
        ok = dd_census_add(&census, plan->sentences[i], plan->columns);
    ok = ok && dd_coder_set(&d->coder, &census, plan->columns, plan->inputs, least);
    dd_census_free(&census);
    d->coder.symbols[DD_INPUT_VECTOR] = vectors->words;
    vectors->words = (dd_vocab){0};
    return ok && dd_codes_set(&d->codes, &d->coder, plan->sentences, plan->count);
}

dd_status dd_descent_code(dd_descent *d, const dd_descent_plan *plan, dd_vectors *vectors,
                          dd_error *error)
{
    if (plan->how->vectors) {
        dd_status status =
            dd_vectors_read(vectors, plan->how->vectors, (size_t)plan->how->vector_words, error);
        if (status != DD_OK) return status;
    }
    return make_coder(d, plan, vectors) ? DD_OK : dd_fail_memory(error);
}

void dd_descent_shape(const dd_descent *d, const dd_vectors *vectors, dd_network_shape *shape)
{
    static const int sizes[DD_INPUTS] = {100, 100, 50, 50, 0, 50, 48};
    shape->char_width = CHAR_WIDTH;
    for (int i = 0; i < DD_INPUTS; i++) {
        shape->vocabulary[i] = d->coder.symbols[i].count;
        shape->size[i] = sizes[i];
    }
    shape->size[DD_INPUT_VECTOR] = (int)vectors->size;
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

static void draw_weights(dd_descent *d, uint64_t seed)
{
    const dd_network *n = &d->network;
    const dd_network_shape *shape = &n->shape;
    dd_random random = {seed};
    for (int i = 0; i < DD_INPUTS; i++)
        if (i != DD_INPUT_VECTOR) draw(d->weights, n->embeddings[i], 1, &random);
    for (int way = 0; way < 2; way++)
        if (shape->vocabulary[DD_INPUT_CHARS]) draw_lstm(d->weights, &n->characters[way], &random);
    for (int layer = 0; layer < shape->layers; layer++)
        for (int way = 0; way < 2; way++) draw_lstm(d->weights, &n->words[layer][way], &random);
    draw(d->weights, n->slots, 1 / sqrt(2.0 * shape->width), &random);
    draw(d->weights, n->missing, 0.1, &random);
    draw(d->weights, n->moves, 1 / sqrt((double)shape->hidden), &random);
    draw(d->weights, n->labels, 1 / sqrt((double)shape->label_hidden), &random);
}

static bool make_shards(dd_descent *d, uint64_t seed)
{
    for (int i = 0; i < DD_SHARDS; i++) {
        dd_shard *shard = &d->shards[i];
        shard->network = &d->network;
        shard->weights = d->weights;
        shard->packed = d->packed;
        shard->random = (dd_random){seed * DD_SHARDS + (uint64_t)i + 1};
        shard->by.kernels = dd_kernels_best();
        shard->by.space = dd_calloc(1, sizeof *shard->by.space);
        if (!shard->by.space) return false;
    }
    return true;
}

/* They stand behind all that is learnt. */
static void take_vectors(dd_descent *d, dd_vectors *vectors)
{
    dd_tensor tensor = d->network.embeddings[DD_INPUT_VECTOR];
    for (size_t i = 0; vectors->numbers && i < tensor.rows * tensor.columns; i++)
        d->weights[tensor.at + i] = (dd_real)vectors->numbers[i];
    dd_vectors_free(vectors);
}

/* Short trainings have a shorter start, and remember less of it. */
static void set_pace(dd_descent *d, const dd_descent_plan *plan)
{
    uint64_t batches = plan->words / (uint64_t)plan->how->batch_words + 1;
    double steps = (double)batches * plan->iterations;
    d->steps_in_all = (uint64_t)steps;
    d->warm_up = fmax(1, fmin(MOST_WARM_UP, steps / 10));
    d->adam.kept = 1 - 1 / fmax(2, fmin(MOST_AVERAGED, steps / 16));
}

dd_status dd_descent_start(dd_descent *d, const dd_descent_plan *plan,
                           const dd_network_shape *shape, dd_vectors *vectors, dd_error *error)
{
    if (dd_network_inputs(shape) == 0)
        return dd_fail(error, DD_ERROR_DATA, "the training data has none of the inputs");
    d->how = plan->how;
    d->threads = plan->threads;
    d->dropouts = (dd_dropouts){plan->how->input_dropout, plan->how->dropout};
    dd_network_set(&d->network, shape);
    d->weights = dd_calloc(d->network.whole, sizeof *d->weights);
    d->packed = dd_calloc(d->network.packed_size, sizeof *d->packed);
    if (!d->weights || !d->packed || !dd_adam_start(&d->adam, d->network.size, d->network.whole) ||
        !make_shards(d, plan->seed))
        return dd_fail_memory(error);
    set_pace(d, plan);
    draw_weights(d, plan->seed);
    take_vectors(d, vectors);
    memcpy(d->adam.average, d->weights, d->network.whole * sizeof *d->weights);
    return DD_OK;
}
