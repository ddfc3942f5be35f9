#include "learn/neural/descent.h"

#include "core/memory.h"
#include "learn/neural/shard_parts.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

void dd_descent_free(dd_descent *d)
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
    *d = (dd_descent){0};
}

/* ---- threads ------------------------------------------------------------------------------ */

typedef struct work {
    dd_descent *descent;
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
        if (w->run(w->descent, shard, w->user)) continue;
        pthread_mutex_lock(&w->lock);
        w->ok = false;
        pthread_mutex_unlock(&w->lock);
    }
}

bool dd_descent_for_shards(dd_descent *d, dd_shard_work *run, void *user)
{
    work w = {.descent = d, .run = run, .user = user, .ok = true};
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

/* ---- a minibatch -------------------------------------------------------------------------- */

static bool pack(dd_descent *d, int share, void *unused)
{
    (void)unused;
    dd_network_pack(&d->network, d->weights, share, DD_SHARDS, d->packed);
    return true;
}

static bool forward(dd_descent *d, int shard, void *unused)
{
    (void)unused;
    int from = d->first[shard], count = d->first[shard + 1] - from;
    return count == 0 || dd_shard_forward(&d->shards[shard], d->coded + from, count,
                                          &d->codes.spellings, &d->dropouts);
}

/* Shards get about as many words each. */
static void split(dd_descent *d, const uint32_t *sentences, int count)
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

bool dd_descent_prepare(dd_descent *d, const uint32_t *sentences, int count)
{
    size_t need = (size_t)count;
    if (!DD_RESERVE(&d->places, &d->places_capacity, need) ||
        !DD_RESERVE(&d->coded, &d->coded_capacity, need) ||
        !DD_RESERVE(&d->gold, &d->gold_capacity, need))
        return false;
    split(d, sentences, count);
    return dd_descent_for_shards(d, pack, NULL) && dd_descent_for_shards(d, forward, NULL);
}

/* ---- steps -------------------------------------------------------------------------------- */

static bool backward(dd_descent *d, int shard, void *unused)
{
    (void)unused;
    int from = d->first[shard];
    if (d->first[shard + 1] > from)
        dd_shard_backward(&d->shards[shard], &d->codes.spellings, d->gold + from, &d->dropouts,
                          (dd_real)1 / (dd_real)d->words);
    return true;
}

/* A quarter of the weights. */
static size_t part_of(const dd_descent *d, int part)
{
    return d->network.size * (size_t)part / DD_SHARDS;
}

/* The gradients of all shards are added in their order. */
static bool reduce(dd_descent *d, int part, void *unused)
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

static double rate_now(const dd_descent *d)
{
    double share = (double)d->adam.steps / (double)d->steps_in_all;
    double warm = (double)d->adam.steps / d->warm_up;
    double rate = d->how->rate * (1 - 0.99 * (share < 1 ? share : 1));
    return warm < 1 ? rate * warm : rate;
}

/* Longer gradients are cut to this length. */
static double clip(const dd_descent *d)
{
    const double most = 5;
    double sum = 0;
    for (int part = 0; part < DD_SHARDS; part++) sum += d->squares[part];
    return sum > most * most ? most / sqrt(sum) : 1;
}

static bool change(dd_descent *d, int part, void *unused)
{
    (void)unused;
    dd_adam_step(&d->adam, d->weights, d->shards[0].gradients, d->scale, rate_now(d),
                 part_of(d, part), part_of(d, part + 1));
    return true;
}

bool dd_descent_step(dd_descent *d)
{
    if (!dd_descent_for_shards(d, backward, NULL) || !dd_descent_for_shards(d, reduce, NULL))
        return false;
    dd_adam_begin(&d->adam);
    d->scale = clip(d);
    return dd_descent_for_shards(d, change, NULL);
}
