#include "neural/network_trainer.h"

#include "core/memory.h"
#include "neural/shard.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ---- vocabularies, the network and its first weights ----------------------------------------- */

enum { MOST_WARM_UP = 100, MOST_AVERAGED = 500 /* steps */ };
enum { CHAR_WIDTH = 48 };
/* Of mini-batches, where their words are not set. Steps are what a network needs a number of: a
 * small treebank must make as many as a large one, of fewer words each. */
enum { STEPS_IN_ITERATION = 200, LEAST_WORDS = 100, MOST_WORDS = 1000 };

int dd_network_batch_words(const dd_network_options *how, uint64_t words)
{
    uint64_t each = words / STEPS_IN_ITERATION;
    if (how->batch_words > 0) return how->batch_words;
    return each < LEAST_WORDS ? LEAST_WORDS : each > MOST_WORDS ? MOST_WORDS : (int)each;
}

/* Of a layer, for each item. */
static double multiply_adds(const dd_encoder *encoder, int inputs, int width)
{
    dd_parts parts = {0};
    double sum = 0;
    encoder->describe(&parts, inputs, width, DD_MET_INPUTS);
    for (int i = 0; i < parts.count; i++)
        if (parts.all[i].kind == DD_PART_MATRIX)
            sum += (double)parts.all[i].rows * (double)parts.all[i].columns;
    return sum;
}

/* Nearly all of it goes into the layers. A step goes through all weights, which takes as long as so
 * many words, about. */
double dd_network_pace(const dd_network_options *how, int layers, int width, double words)
{
    enum {
        INPUT = 256 /* numbers of a word, about, that the first layer gets */,
        WORDS_OF_STEP = 70
    };
    const double per_second = 6e9; /* multiply-adds, forward only */
    const dd_encoder *encoder = dd_encoder_find(how->encoder);
    double products = 0, batch = dd_network_batch_words(how, (uint64_t)words);
    for (int i = 0; i < layers; i++)
        products += multiply_adds(encoder, i == 0 ? INPUT : 2 * width, width);
    return per_second / products * batch / (batch + WORDS_OF_STEP);
}

static bool make_coder(dd_network_trainer *d, const dd_network_plan *plan, dd_vectors *vectors)
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

dd_status dd_network_trainer_code(dd_network_trainer *d, const dd_network_plan *plan,
                                  dd_vectors *vectors, dd_error *error)
{
    if (plan->how->vectors) {
        dd_status status =
            dd_vectors_read(vectors, plan->how->vectors, (size_t)plan->how->vector_words, error);
        if (status != DD_OK) return status;
    }
    return make_coder(d, plan, vectors) ? DD_OK : dd_fail_memory(error);
}

void dd_network_trainer_shape(const dd_network_trainer *d, const dd_vectors *vectors,
                              dd_network_shape *shape)
{
    static const int sizes[DD_INPUTS] = {100, 100, 50, 50, 0, 50, 48};
    shape->char_width = CHAR_WIDTH;
    for (int i = 0; i < DD_INPUTS; i++) {
        shape->vocabulary[i] = d->coder.symbols[i].count;
        shape->size[i] = sizes[i];
    }
    shape->size[DD_INPUT_VECTOR] = (int)vectors->size;
}

static bool make_shards(dd_network_trainer *d, uint64_t seed)
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
static void take_vectors(dd_network_trainer *d, dd_vectors *vectors)
{
    dd_tensor tensor = d->network.embeddings[DD_INPUT_VECTOR];
    for (size_t i = 0; vectors->numbers && i < tensor.rows * tensor.columns; i++)
        d->weights[tensor.at + i] = (dd_real)vectors->numbers[i];
    dd_vectors_free(vectors);
}

/* Short trainings have a shorter start, and remember less of it. */
static void set_pace(dd_network_trainer *d, const dd_network_plan *plan)
{
    uint64_t batches = plan->words / (uint64_t)plan->how->batch_words + 1;
    double steps = (double)batches * plan->iterations;
    d->steps_in_all = (uint64_t)steps;
    d->warm_up = fmax(1, fmin(MOST_WARM_UP, steps / 10));
    d->adam.kept = 1 - 1 / fmax(2, fmin(MOST_AVERAGED, steps / 16));
}

dd_status dd_network_trainer_start(dd_network_trainer *d, const dd_network_plan *plan,
                                   const dd_network_shape *shape, dd_vectors *vectors,
                                   dd_error *error)
{
    if (dd_network_inputs(shape) == 0)
        return dd_fail(error, DD_ERROR_DATA, "the training data has none of the inputs");
    d->how = plan->how;
    d->threads = plan->threads;
    d->dropouts = (dd_dropouts){plan->how->input_dropout, plan->how->dropout};
    dd_network_set(&d->network, shape);
    d->weights = dd_calloc(d->network.tensors.whole, sizeof *d->weights);
    d->packed = dd_calloc(d->network.tensors.packed_size, sizeof *d->packed);
    if (!d->weights || !d->packed ||
        !dd_adam_start(&d->adam, d->network.tensors.size, d->network.tensors.whole) ||
        !make_shards(d, plan->seed))
        return dd_fail_memory(error);
    set_pace(d, plan);
    dd_random random = {plan->seed};
    dd_tensors_draw(&d->network.tensors, &d->network.parts.list, &random, d->weights);
    take_vectors(d, vectors);
    memcpy(d->adam.average, d->weights, d->network.tensors.whole * sizeof *d->weights);
    return DD_OK;
}

/* ---- Adam ------------------------------------------------------------------------------------ */

bool dd_adam_start(dd_adam *adam, size_t size, size_t averages)
{
    *adam =
        (dd_adam){.kernels = dd_kernels_best(), .beta1 = 0.9, .beta2 = 0.9, .kept = 0, .decay = 0};
    adam->first = dd_calloc(size, sizeof *adam->first);
    adam->second = dd_calloc(size, sizeof *adam->second);
    adam->average = dd_calloc(averages, sizeof *adam->average);
    return adam->first && adam->second && adam->average;
}

void dd_adam_free(dd_adam *adam)
{
    free(adam->first);
    free(adam->second);
    free(adam->average);
    *adam = (dd_adam){0};
}

void dd_adam_begin(dd_adam *adam)
{
    adam->steps++;
}

/* The first steps, from which weights run away, are forgotten sooner. */
static double kept_now(const dd_adam *adam)
{
    double early = (double)adam->steps / ((double)adam->steps + 9);
    return early < adam->kept ? early : adam->kept;
}

void dd_adam_step(const dd_adam *adam, dd_real *weights, const dd_real *gradients, double scale,
                  double rate, size_t from, size_t to)
{
    const dd_adam_rates rates = {
        .scale = (float)scale,
        .decay = (float)adam->decay,
        .beta1 = (float)adam->beta1,
        .beta2 = (float)adam->beta2,
        .step = (float)(rate / (1 - pow(adam->beta1, (double)adam->steps))),
        .correction = (float)(1 / (1 - pow(adam->beta2, (double)adam->steps))),
    };
    const dd_real change = (dd_real)(1 - kept_now(adam));
    adam->kernels->adam_update(to - from, &rates, gradients + from, weights + from,
                               adam->first + from, adam->second + from);
    for (size_t i = from; i < to; i++) adam->average[i] += change * (weights[i] - adam->average[i]);
}

/* ---- mini-batches ---------------------------------------------------------------------------- */

void dd_network_trainer_free(dd_network_trainer *d)
{
    dd_coder_free(&d->coder);
    dd_codes_free(&d->codes);
    free(d->weights);
    free(d->packed);
    dd_adam_free(&d->adam);
    for (int i = 0; i < DD_SHARDS; i++) {
        free(d->shards[i].by.space);
        dd_shard_free(&d->shards[i]);
    }
    free(d->places);
    free(d->coded);
    free(d->gold);
    *d = (dd_network_trainer){0};
}

/* ---- threads ------------------------------------------------------------------------------ */

typedef struct work {
    dd_network_trainer *trainer;
    dd_shard_work *run;
    void *user;
    int next;
    bool ok;
    pthread_mutex_t lock;
} work;

static void *run_shards(void *user)
{
    work *w = user;
    for (;;) {
        pthread_mutex_lock(&w->lock);
        int shard = w->next++;
        pthread_mutex_unlock(&w->lock);
        if (shard >= DD_SHARDS) return NULL;
        if (w->run(w->trainer, shard, w->user)) continue;
        pthread_mutex_lock(&w->lock);
        w->ok = false;
        pthread_mutex_unlock(&w->lock);
    }
}

bool dd_network_trainer_for_shards(dd_network_trainer *d, dd_shard_work *run, void *user)
{
    work w = {.trainer = d, .run = run, .user = user, .ok = true};
    pthread_t helpers[DD_SHARDS];
    int started = 0;
    pthread_mutex_init(&w.lock, NULL);
    while (started < d->threads - 1 && started < DD_SHARDS - 1 &&
           pthread_create(&helpers[started], NULL, run_shards, &w) == 0)
        started++;
    run_shards(&w);
    for (int i = 0; i < started; i++) pthread_join(helpers[i], NULL);
    pthread_mutex_destroy(&w.lock);
    return w.ok;
}

/* ---- a mini-batch -------------------------------------------------------------------------- */

static bool pack(dd_network_trainer *d, int share, void *unused)
{
    (void)unused;
    dd_tensors_pack(&d->network.tensors, &d->network.parts.list, d->weights, share, DD_SHARDS,
                    d->packed);
    return true;
}

static bool forward(dd_network_trainer *d, int shard, void *unused)
{
    (void)unused;
    int from = d->first[shard], count = d->first[shard + 1] - from;
    return count == 0 || dd_shard_forward(&d->shards[shard], d->coded + from, count,
                                          &d->codes.spellings, &d->dropouts);
}

/* Shards get about as many words each. */
static void split(dd_network_trainer *d, const uint32_t *sentences, int count)
{
    int done = 0, shard = 0;
    d->words = 0;
    for (int i = 0; i < count; i++) d->words += d->codes.sentences[sentences[i]].n;
    d->first[0] = 0;
    for (int i = 0; i < count; i++) {
        while (shard < DD_SHARDS - 1 &&
               (int64_t)done * DD_SHARDS >= (int64_t)d->words * (shard + 1))
            d->first[++shard] = i;
        d->places[i] = (dd_shard_place){shard, i - d->first[shard]};
        d->coded[i] = &d->codes.sentences[sentences[i]];
        d->gold[i] = (dd_shard_gold){0};
        done += d->coded[i]->n;
    }
    while (shard < DD_SHARDS) d->first[++shard] = count;
}

bool dd_network_trainer_prepare(dd_network_trainer *d, const uint32_t *sentences, int count)
{
    size_t need = (size_t)count;
    if (!DD_RESERVE(&d->places, &d->places_capacity, need) ||
        !DD_RESERVE(&d->coded, &d->coded_capacity, need) ||
        !DD_RESERVE(&d->gold, &d->gold_capacity, need))
        return false;
    split(d, sentences, count);
    return dd_network_trainer_for_shards(d, pack, NULL) &&
           dd_network_trainer_for_shards(d, forward, NULL);
}

/* ---- steps -------------------------------------------------------------------------------- */

static bool backward(dd_network_trainer *d, int shard, void *unused)
{
    (void)unused;
    int from = d->first[shard];
    if (d->first[shard + 1] > from)
        dd_shard_backward(&d->shards[shard], &d->codes.spellings, d->gold + from, &d->dropouts,
                          (dd_real)1 / (dd_real)d->words);
    return true;
}

/* A quarter of the weights. */
static size_t part_of(const dd_network_trainer *d, int part)
{
    return d->network.tensors.size * (size_t)part / DD_SHARDS;
}

/* The gradients of all shards are added in their order. */
static bool reduce(dd_network_trainer *d, int part, void *unused)
{
    (void)unused;
    size_t from = part_of(d, part), to = part_of(d, part + 1);
    dd_real *sum = d->shards[0].gradients;
    for (int shard = 1; shard < DD_SHARDS; shard++) {
        if (d->first[shard + 1] == d->first[shard]) continue;
        const dd_real *more = d->shards[shard].gradients;
        for (size_t i = from; i < to; i++) sum[i] += more[i];
    }
    d->squares[part] = (double)dd_dot(sum + from, sum + from, to - from);
    return true;
}

static double rate_now(const dd_network_trainer *d)
{
    double share = (double)d->adam.steps / (double)d->steps_in_all;
    double warm = (double)d->adam.steps / d->warm_up;
    double rate = d->how->rate * (1 - 0.99 * (share < 1 ? share : 1));
    return warm < 1 ? rate * warm : rate;
}

/* Longer gradients are cut to this length. */
static double clip(const dd_network_trainer *d)
{
    const double most = 5;
    double sum = 0;
    for (int part = 0; part < DD_SHARDS; part++) sum += d->squares[part];
    return sum > most * most ? most / sqrt(sum) : 1;
}

static bool change(dd_network_trainer *d, int part, void *unused)
{
    (void)unused;
    dd_adam_step(&d->adam, d->weights, d->shards[0].gradients, d->scale, rate_now(d),
                 part_of(d, part), part_of(d, part + 1));
    return true;
}

bool dd_network_trainer_step(dd_network_trainer *d)
{
    if (!dd_network_trainer_for_shards(d, backward, NULL) ||
        !dd_network_trainer_for_shards(d, reduce, NULL))
        return false;
    dd_adam_begin(&d->adam);
    d->scale = clip(d);
    return dd_network_trainer_for_shards(d, change, NULL);
}
