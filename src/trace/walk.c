/* walk.c - a walk through one sentence's configurations with every transition's cost, and the
 * optimal derivations of its tree: dodona oracle */
#include "core/memory.h"
#include "core/options.h"
#include "core/random.h"
#include "core/status.h"
#include "systems/registry.h"
#include "text/sentence.h"
#include "transition/annotations.h"
#include "transition/optimal.h"
#include "transition/oracle.h"

#include <dodona_tools.h>
#include <stdlib.h>
#include <string.h>

/* A system, the gold tree that it was given last, and room for walks and derivations. */
struct dd_oracle {
    const dd_system *system;
    dd_walk walk;
    bool single_root, partial;
    dd_cancel *cancel;
    dd_ticker ticker; /* of the call in hand */
    dd_random random;
    dd_gold gold;
    dd_tree_space tree_space;
    dd_loss_space loss_space;
    dd_config config, next;
    const char *refused; /* as in dd_oracle_step, and so are the words left out */
    int32_t *heads;      /* [n + 1] of the part that is walked */
    int32_t *left_out;   /* [n] */
    int arcs_left_out;
    size_t heads_capacity, left_out_capacity;
    char **numbered; /* names of moves that carry a number, by number and kind */
    size_t numbered_capacity;
    /* the current configuration */
    dd_move *moves;     /* [n_moves] */
    int *costs;         /* [n_moves] */
    const char **names; /* [n_moves] */
    int n_moves;
    const char **history; /* transitions taken */
    int steps;
    size_t moves_capacity, costs_capacity, names_capacity, history_capacity;
    /* the arcs of a soft walk */
    dd_annotations annotations;
    dd_soft soft;
    /* the derivations of a tree */
    dd_optimal optimal;
    dd_oracle_total total;
    char *digits; /* what total says */
};

enum { STEPS_FOR_MOVE = 50 }; /* or a word, for dd_tick */

void dd_oracle_options_init_size(dd_oracle_options *options, size_t size)
{
    const dd_oracle_options defaults = {.walk = DD_WALK_GOLD, .seed = 1};
    dd_options_init(options, size, &defaults, sizeof defaults);
}

dd_status dd_oracle_new(dd_oracle **out, const dd_oracle_options *options, dd_error *error)
{
    dd_oracle_options how;
    dd_oracle_options_init(&how);
    dd_status status = DD_OPTIONS_TAKE(&how, options, cancel, "options were", error);
    if (status != DD_OK) return status;
    if (!how.system) return dd_fail(error, DD_ERROR_ARGUMENT, "no system is named");
    const dd_system *system = dd_system_find(how.system);
    if (!system)
        return dd_fail(error, DD_ERROR_ARGUMENT, "there is no system '%.100s'", how.system);
    int variant = dd_system_find_loss(system, how.loss);
    if (variant < 0) {
        char message[DD_LOSS_MESSAGE_SIZE];
        dd_system_no_such_loss(system, how.loss, message);
        return dd_fail(error, DD_ERROR_ARGUMENT, "%s", message);
    }
    dd_oracle *oracle = dd_calloc(1, sizeof *oracle);
    if (!oracle) return dd_fail_memory(error);
    oracle->system = system;
    oracle->walk = how.walk;
    oracle->single_root = how.single_root;
    oracle->partial = how.partial;
    oracle->cancel = how.cancel;
    oracle->loss_space.ticker = oracle->optimal.space.ticker = oracle->soft.ticker =
        &oracle->ticker;
    oracle->random.state = how.seed;
    oracle->loss_space.variant = variant;
    *out = oracle;
    return DD_OK;
}

void dd_oracle_free(dd_oracle *oracle)
{
    if (!oracle) return;
    dd_gold_free(&oracle->gold);
    dd_tree_space_free(&oracle->tree_space);
    dd_loss_space_free(&oracle->loss_space);
    dd_config_free(&oracle->config);
    dd_config_free(&oracle->next);
    for (size_t i = 0; i < oracle->numbered_capacity; i++) free(oracle->numbered[i]);
    free(oracle->numbered);
    free(oracle->heads);
    free(oracle->left_out);
    free(oracle->moves);
    free(oracle->costs);
    free(oracle->names);
    free(oracle->history);
    dd_annotations_free(&oracle->annotations);
    dd_soft_free(&oracle->soft);
    dd_optimal_free(&oracle->optimal);
    free(oracle->digits);
    free(oracle);
}

static bool take_part(dd_oracle *oracle, const dd_sentence *sentence)
{
    int n = sentence->n;
    if (!DD_RESERVE(&oracle->heads, &oracle->heads_capacity, (size_t)n + 1) ||
        !DD_RESERVE(&oracle->left_out, &oracle->left_out_capacity, (size_t)n) ||
        !oracle->system->oracle.keep(&oracle->loss_space, &oracle->gold, oracle->single_root,
                                     oracle->heads))
        return false;
    oracle->heads[0] = DD_NONE;
    for (int word = 1; word <= n; word++)
        if (oracle->heads[word] != sentence->heads[word])
            oracle->left_out[oracle->arcs_left_out++] = word;
    return dd_gold_set(&oracle->gold, oracle->heads, NULL, n);
}

/* Takes the sentence's tree, or the largest part of it if that is asked for. DD_ERROR_DATA: there
 * is none. */
static dd_status take_tree(dd_oracle *oracle, const dd_sentence *sentence, dd_error *error)
{
    dd_tree_fault fault;
    int word;
    dd_ticker_start(&oracle->ticker, oracle->cancel);
    if (!dd_tree_check_partial(&oracle->tree_space, sentence->heads, sentence->n, &fault, &word))
        return dd_fail_memory(error);
    if (fault != DD_TREE_OK) return dd_fail(error, DD_ERROR_DATA, "%s", dd_tree_fault_text(fault));
    if (!dd_gold_set(&oracle->gold, sentence->heads, NULL, sentence->n))
        return dd_fail_memory(error);
    oracle->arcs_left_out = 0;
    oracle->refused = oracle->system->oracle.refuses(&oracle->gold, oracle->single_root);
    if (!oracle->refused) return DD_OK;
    if (!oracle->partial) return dd_fail(error, DD_ERROR_DATA, "%s", oracle->refused);
    return take_part(oracle, sentence) ? DD_OK : dd_fail_unfinished(&oracle->ticker, error);
}

static bool reserve(dd_oracle *oracle, int n)
{
    size_t most = (size_t)dd_system_max_moves(oracle->system, n);
    return DD_RESERVE(&oracle->moves, &oracle->moves_capacity, most) &&
           DD_RESERVE(&oracle->costs, &oracle->costs_capacity, most) &&
           DD_RESERVE(&oracle->names, &oracle->names_capacity, most);
}

/* Moves with a number have many names; each is kept once for the life of the oracle. */
static const char *name_of_move(dd_oracle *oracle, dd_move move)
{
    if (move.k == 0) return oracle->system->rules[move.kind].name;
    size_t at = (size_t)move.k * (size_t)oracle->system->n_rules + (size_t)move.kind;
    size_t held = oracle->numbered_capacity;
    if (!DD_RESERVE(&oracle->numbered, &oracle->numbered_capacity, at + 1)) return NULL;
    memset(oracle->numbered + held, 0,
           (oracle->numbered_capacity - held) * sizeof *oracle->numbered);
    if (!oracle->numbered[at]) {
        char name[DD_MOVE_NAME_SIZE];
        dd_system_move_name(oracle->system, move, name);
        oracle->numbered[at] = dd_copy_text(name, strlen(name));
    }
    return oracle->numbered[at];
}

static bool find_costs(dd_oracle *oracle, dd_oracle_step *step)
{
    if (step->unit == 1)
        return dd_oracle_true_costs(oracle->system, &oracle->loss_space, &oracle->config,
                                    &oracle->next, &oracle->gold, oracle->moves, oracle->n_moves,
                                    &step->loss, oracle->costs);
    if (!dd_soft_loss(oracle->system, &oracle->soft, &oracle->config, &step->loss) ||
        !dd_soft_losses(oracle->system, &oracle->soft, &oracle->config, oracle->moves,
                        oracle->n_moves, oracle->costs))
        return false;
    for (int m = 0; m < oracle->n_moves; m++) oracle->costs[m] -= step->loss;
    return true;
}

static bool describe(dd_oracle *oracle, dd_oracle_step *step)
{
    if (!dd_tick(&oracle->ticker, STEPS_FOR_MOVE * (int64_t)(oracle->n_moves + oracle->config.n)))
        return false;
    for (int m = 0; m < oracle->n_moves; m++)
        if (!(oracle->names[m] = name_of_move(oracle, oracle->moves[m]))) return false;
    step->step = oracle->steps;
    step->history = oracle->history;
    step->transitions = oracle->n_moves;
    step->names = oracle->names;
    step->costs = oracle->costs;
    return find_costs(oracle, step);
}

/* Of the moves of least cost the first that builds an arc with some weight, or else the first. */
static int softly_best(const dd_oracle *oracle)
{
    int best = 0;
    bool builds = false;
    for (int m = 0; m < oracle->n_moves; m++) {
        dd_arc arc = dd_system_arc(oracle->system, &oracle->config, oracle->moves[m]);
        bool weighs =
            arc.dependent != DD_NONE && dd_soft_weight(&oracle->soft, arc.head, arc.dependent) > 0;
        if (oracle->costs[m] > oracle->costs[best]) continue;
        if (oracle->costs[m] == oracle->costs[best] && (builds || !weighs)) continue;
        best = m;
        builds = weighs;
    }
    return best;
}

static int choose(dd_oracle *oracle, bool soft)
{
    if (oracle->walk == DD_WALK_RANDOM)
        return (int)dd_random_below(&oracle->random, (uint32_t)oracle->n_moves);
    if (soft) return softly_best(oracle);
    return dd_oracle_gold_move(oracle->system, &oracle->config, &oracle->gold, oracle->moves,
                               oracle->n_moves, oracle->costs);
}

static bool take(dd_oracle *oracle, int m)
{
    if (!DD_RESERVE(&oracle->history, &oracle->history_capacity, (size_t)oracle->steps + 1))
        return false;
    oracle->history[oracle->steps++] = oracle->names[m];
    dd_system_apply(oracle->system, &oracle->config, oracle->moves[m], 0);
    return true;
}

static dd_status walk(dd_oracle *oracle, dd_oracle_step report,
                      bool (*step)(void *user, const dd_oracle_step *step), void *user,
                      dd_error *error)
{
    bool soft = report.unit > 1;
    if (!reserve(oracle, report.n) ||
        !dd_system_begin(oracle->system, &oracle->config, report.n, oracle->single_root))
        return dd_fail_memory(error);
    oracle->steps = 0;
    for (;;) {
        oracle->n_moves = dd_system_permissible(oracle->system, &oracle->config, oracle->moves);
        if (oracle->n_moves == 0) return DD_OK;
        if (!describe(oracle, &report)) return dd_fail_unfinished(&oracle->ticker, error);
        if (!step(user, &report)) return dd_fail(error, DD_INTERRUPTED, "stopped by the caller");
        if (!take(oracle, choose(oracle, soft))) return dd_fail_memory(error);
    }
}

dd_status dd_oracle_walk(dd_oracle *oracle, const dd_sentence *sentence,
                         bool (*step)(void *user, const dd_oracle_step *step), void *user,
                         dd_error *error)
{
    dd_status status = take_tree(oracle, sentence, error);
    if (status != DD_OK) return status;
    dd_oracle_step report = {.sentence = dd_sentence_id(sentence),
                             .n = sentence->n,
                             .refused = oracle->refused,
                             .arcs_left_out = oracle->arcs_left_out,
                             .left_out = oracle->left_out,
                             .unit = 1};
    return walk(oracle, report, step, user, error);
}

_Static_assert((int)DD_ORACLE_SOFT_UNIT == (int)DD_SOFT_ONE, "the caller divides by it");

dd_status dd_oracle_walk_soft(dd_oracle *oracle, const dd_sentence *const *annotations,
                              size_t count, bool (*step)(void *user, const dd_oracle_step *step),
                              void *user, dd_error *error)
{
    const dd_system *system = oracle->system;
    if (!system->oracle.best)
        return dd_fail(error, DD_ERROR_ARGUMENT, "%s has no loss against weights of all arcs",
                       system->name);
    if (count == 0) return dd_fail(error, DD_ERROR_ARGUMENT, "no annotation is given");
    dd_ticker_start(&oracle->ticker, oracle->cancel);
    dd_status status = dd_annotations_set(&oracle->annotations, annotations, count, error);
    if (status != DD_OK) return status;
    int n = annotations[0]->n;
    dd_soft_begin(&oracle->soft, oracle->annotations.weights, n);
    oracle->soft.most -= oracle->annotations.untold * DD_SOFT_ONE;
    dd_oracle_step report = {
        .sentence = dd_sentence_id(annotations[0]), .n = n, .unit = DD_ORACLE_SOFT_UNIT};
    return walk(oracle, report, step, user, error);
}

/* ---- optimal derivations -------------------------------------------------------------------- */

static dd_status take_for_derivations(dd_oracle *oracle, const dd_sentence *sentence,
                                      dd_error *error)
{
    dd_status status = take_tree(oracle, sentence, error);
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
    dd_status status = take_for_derivations(oracle, sentence, error);
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
        oracle->history[i] = name_of_move(oracle, steps[i].move);
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
    dd_status status = take_for_derivations(oracle, sentence, error);
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
