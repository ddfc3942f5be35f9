#include "core/learning.h"

#include "core/memory.h"
#include "core/random.h"

#include <stdlib.h>

static const char *name_of(dd_component component)
{
    if (component == DD_TOKENIZER) return "tokenizer";
    return component == DD_TAGGER ? "tagger" : "lemmatizer";
}

static bool report(const dd_learning *l, int iteration)
{
    const dd_tally *tally = l->tally;
    dd_component_progress progress = {
        .component = l->component,
        .iteration = iteration,
        .iterations = l->iterations,
        .accuracy = tally->asked ? (double)tally->right / (double)tally->asked : 1,
    };
    return !l->report || l->report(l->user, &progress);
}

/* `order`: [examples] */
static dd_status iterate(const dd_learning *l, uint32_t *order, dd_error *error)
{
    dd_random random = {l->seed};
    for (size_t i = 0; i < l->examples; i++) order[i] = (uint32_t)i;
    for (int k = 1; k <= l->iterations; k++) {
        *l->tally = (dd_tally){0, 0};
        dd_shuffle(&random, order, l->examples);
        for (size_t i = 0; i < l->examples; i++)
            if (!l->learn(l->learner, order[i])) return dd_fail_memory(error);
        if (l->prune && dd_is_half_way(k, l->iterations)) l->prune(l->learner);
        if (!report(l, k))
            return dd_fail(error, DD_INTERRUPTED, "stopped while the %s was trained",
                           name_of(l->component));
    }
    return DD_OK;
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
