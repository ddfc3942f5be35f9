#include "core/learning.h"

#include "core/memory.h"
#include "core/random.h"

#include <stdlib.h>
#include <time.h>

double dd_seconds_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static const char *name_of(dd_component component)
{
    if (component == DD_TOKENIZER) return "tokenizer";
    return component == DD_TAGGER ? "tagger" : "lemmatizer";
}

/* Where learning is. */
typedef struct place {
    int iteration;
    size_t examples;       /* of this iteration, learnt from so far */
    double began, started; /* when all of it, and this iteration, began */
    double reported;       /* when that was last done */
} place;

/* Of the component, as long as each example takes about as long as any other. */
static double share_done(const dd_learning *l, const place *at)
{
    double passes = at->iteration - 1 + (double)at->examples / (double)l->examples;
    double done = passes / l->iterations;
    return l->part ? l->part->before + l->part->share * done : done;
}

static double seconds_left(const dd_learning *l, const place *at, double now)
{
    double done = share_done(l, at), began = l->part ? l->part->began : at->began;
    return done > 0 && done < 1 ? (now - began) / done * (1 - done) : 0;
}

enum { EXAMPLES_PER_LOOK = 64 };        /* at the clock */
static const double REPORT_EVERY = 0.1; /* seconds, within an iteration */

static dd_status report(const dd_learning *l, place *at, bool finished, dd_error *error)
{
    const dd_tally *tally = l->tally;
    double now = dd_seconds_now();
    if (!finished && now - at->reported < REPORT_EVERY) return DD_OK;
    at->reported = now;
    dd_component_progress progress = {
        .component = l->component,
        .iteration = at->iteration,
        .iterations = l->iterations,
        .accuracy = tally->asked ? (double)tally->right / (double)tally->asked : 1,
        .finished = finished,
        .examples = at->examples,
        .all_examples = l->examples,
        .words = tally->words,
        .seconds = now - at->started,
        .seconds_left = seconds_left(l, at, now),
        .part = l->part ? l->part->part : 1,
        .parts = l->part ? l->part->parts : 1,
        .done = share_done(l, at),
    };
    if (!l->report || l->report(l->user, &progress)) return DD_OK;
    return dd_fail(error, DD_INTERRUPTED, "stopped while the %s was trained",
                   name_of(l->component));
}

/* `order`: [examples] */
static dd_status run_iteration(const dd_learning *l, const uint32_t *order, place *at,
                               dd_error *error)
{
    dd_status status = DD_OK;
    *l->tally = (dd_tally){0};
    at->started = dd_seconds_now();
    for (at->examples = 0; at->examples < l->examples && status == DD_OK;) {
        if (!l->learn(l->learner, order[at->examples++])) return dd_fail_memory(error);
        if (at->examples % EXAMPLES_PER_LOOK == 0 && at->examples < l->examples)
            status = report(l, at, false, error);
    }
    return status;
}

static dd_status iterate(const dd_learning *l, uint32_t *order, dd_error *error)
{
    dd_random random = {l->seed};
    place at = {.began = dd_seconds_now(), .reported = dd_seconds_now()};
    dd_status status = DD_OK;
    for (size_t i = 0; i < l->examples; i++) order[i] = (uint32_t)i;
    for (int k = 1; k <= l->iterations && status == DD_OK; k++) {
        at.iteration = k;
        dd_shuffle(&random, order, l->examples);
        status = run_iteration(l, order, &at, error);
        if (status == DD_OK && l->prune && dd_is_half_way(k, l->iterations)) l->prune(l->learner);
        if (status == DD_OK) status = report(l, &at, true, error);
    }
    return status;
}

dd_status dd_learn(const dd_learning *learning, dd_buffer *section, dd_error *error)
{
    size_t start = section->size;
    if (learning->iterations < 1)
        return dd_fail(error, DD_ERROR_ARGUMENT, "a %s needs at least one iteration",
                       name_of(learning->component));
    uint32_t *order = dd_calloc(learning->examples, sizeof *order);
    if (!order) return dd_fail_memory(error);
    dd_status status = iterate(learning, order, error);
    free(order);
    if (status != DD_OK && status != DD_INTERRUPTED) return status;
    if (learning->write(learning->learner, section)) return status;
    section->size = start;
    return dd_fail_memory(error);
}

/* ---- draws ----------------------------------------------------------------------------------- */

void dd_draws_free(dd_draws *draws)
{
    free(draws->order);
}

void dd_draws_seed(dd_draws *draws, uint64_t seed)
{
    draws->random = (dd_random){~seed};
}

bool dd_draws_add(dd_draws *draws, size_t count)
{
    if (!DD_RESERVE(&draws->order, &draws->capacity, count + 1)) return false;
    draws->order[count] = (uint32_t)count;
    draws->next = count + 1;
    return true;
}

uint32_t dd_draws_next(dd_draws *draws, size_t count)
{
    if (draws->next == count) {
        dd_shuffle(&draws->random, draws->order, count);
        draws->next = 0;
    }
    return draws->order[draws->next++];
}
