/* derivations.c - how many optimal derivations a gold tree has, and which */
#include "core/memory.h"
#include "core/status.h"
#include "text/sentence.h"
#include "view/walk.h"

#include <stdlib.h>

static dd_status take(dd_oracle *oracle, const dd_sentence *sentence, dd_error *error)
{
    dd_status status = dd_oracle_take_tree(oracle, sentence, error);
    if (status != DD_OK) return status;
    return dd_optimal_take(&oracle->optimal, oracle->system, &oracle->gold, oracle->single_root)
               ? DD_OK
               : dd_fail_memory(error);
}

static const char *reason_for(dd_optimal_end end)
{
    if (end == DD_OPTIMAL_TOO_MANY) return "more than 262144 configurations";
    return end == DD_OPTIMAL_UNPROVED ? "the exact loss takes too long" : NULL;
}
_Static_assert(DD_OPTIMAL_LIMIT == 262144, "the message says it");

dd_status dd_oracle_count(dd_oracle *oracle, const dd_sentence *sentence,
                          const dd_oracle_total **total, dd_error *error)
{
    dd_status status = take(oracle, sentence, error);
    if (status != DD_OK) return status;
    free(oracle->digits);
    oracle->digits = NULL;
    dd_optimal_end end = dd_optimal_count(&oracle->optimal, &oracle->digits);
    if (end == DD_OPTIMAL_NO_MEMORY) return dd_fail_unfinished(&oracle->ticker, error);
    oracle->total = (dd_oracle_total){.sentence = dd_sentence_id(sentence),
                                      .n = sentence->n,
                                      .derivations = oracle->digits,
                                      .uncounted = reason_for(end),
                                      .configurations = oracle->optimal.size,
                                      .refused = oracle->refused,
                                      .arcs_left_out = oracle->arcs_left_out,
                                      .left_out = oracle->left_out};
    *total = &oracle->total;
    return DD_OK;
}

typedef struct listing {
    dd_oracle *oracle;
    dd_oracle_derivation report;
    bool (*derivation)(void *user, const dd_oracle_derivation *derivation);
    void *user;
    bool memory_out;
} listing;

static bool report(void *user, const dd_optimal_step *steps, size_t n_steps)
{
    listing *list = user;
    dd_oracle *oracle = list->oracle;
    list->memory_out = !DD_RESERVE(&oracle->history, &oracle->history_capacity, n_steps);
    for (size_t i = 0; i < n_steps && !list->memory_out; i++) {
        oracle->history[i] = dd_oracle_move_name(oracle, steps[i].move);
        list->memory_out = !oracle->history[i];
    }
    if (list->memory_out) return false;
    list->report.transitions = (int)n_steps;
    list->report.names = oracle->history;
    bool goes_on = list->derivation(list->user, &list->report);
    list->report.number++;
    return goes_on;
}

dd_status dd_oracle_list(dd_oracle *oracle, const dd_sentence *sentence,
                         bool (*derivation)(void *user, const dd_oracle_derivation *derivation),
                         void *user, dd_error *error)
{
    dd_status status = take(oracle, sentence, error);
    if (status != DD_OK) return status;
    listing list = {
        oracle, {.sentence = dd_sentence_id(sentence), .n = sentence->n}, derivation, user, false};
    dd_optimal_end end = dd_optimal_list(&oracle->optimal, report, &list);
    if (end == DD_OPTIMAL_NO_MEMORY || list.memory_out)
        return dd_fail_unfinished(&oracle->ticker, error);
    if (end == DD_OPTIMAL_STOPPED) return dd_fail(error, DD_INTERRUPTED, "stopped by the caller");
    if (end != DD_OPTIMAL_DONE) return dd_fail(error, DD_ERROR_DATA, "%s", reason_for(end));
    return DD_OK;
}
