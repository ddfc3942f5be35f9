#include "transition/oracle.h"

#include "core/memory.h"

#include <limits.h>
#include <stdlib.h>

enum { UNKNOWN = -1, NOT_TAUGHT = INT_MAX }; /* of a loss; instead of cost 0 */

void dd_oracle_state_free(dd_oracle_state *oracle)
{
    dd_loss_space_free(&oracle->space);
    dd_soft_free(&oracle->soft);
    free(oracle->costs);
    free(oracle->losses);
    free(oracle->shares);
    free(oracle->weighed);
    *oracle = (dd_oracle_state){0};
}

void dd_oracle_state_begin(dd_oracle_state *oracle, const dd_gold *gold)
{
    oracle->gold = gold;
    oracle->ahead = 0;
    oracle->on_gold_path = true;
    oracle->buildable = oracle->takes_whole || gold->soft ? DD_BUILDABLE_UNKNOWN : DD_BUILDABLE;
}

/* What the first configuration decides, as it knows the rule in force. A tree that the system
 * cannot build has a loss from the start. */
static bool look_at_tree(dd_oracle_state *oracle)
{
    bool soft = oracle->gold->soft;
    bool refused =
        soft || oracle->system->oracle.refuses(oracle->gold, oracle->config->single_root);
    oracle->buildable = refused ? DD_NOT_BUILDABLE : DD_BUILDABLE;
    if (!refused) return true;
    oracle->on_gold_path = false;
    oracle->ahead = UNKNOWN;
    return (soft ? dd_soft_begin_arcs : dd_soft_begin_gold)(&oracle->soft, oracle->gold);
}

bool dd_oracle_state_enter(dd_oracle_state *oracle, const dd_config *config, const dd_move *moves,
                           int n_moves)
{
    oracle->config = config;
    oracle->moves = moves;
    oracle->n_moves = n_moves;
    oracle->costs_known = false;
    if (!DD_RESERVE(&oracle->costs, &oracle->costs_capacity, (size_t)n_moves) ||
        !DD_RESERVE(&oracle->losses, &oracle->losses_capacity, (size_t)n_moves))
        return false;
    for (int m = 0; m < n_moves; m++) oracle->losses[m] = UNKNOWN;
    return oracle->buildable != DD_BUILDABLE_UNKNOWN || look_at_tree(oracle);
}

/* The canonical move alone is free for the static oracle. */
static bool static_costs(dd_oracle_state *oracle)
{
    dd_move canonical = oracle->system->oracle.canonical(oracle->config, oracle->gold);
    for (int m = 0; m < oracle->n_moves; m++)
        oracle->costs[m] = !dd_same_move(oracle->moves[m], canonical);
    return true;
}

/* Whole trees have a cheap test for free moves (free_on_gold_path); partial trees have none. */
static bool has_gold_path_rule(const dd_system *system, const dd_gold *gold)
{
    return system->oracle.free_on_gold_path && gold->unknown == 0;
}

bool dd_oracle_zero_costs(const dd_system *system, dd_loss_space *space, const dd_config *config,
                          const dd_gold *gold, const dd_move *moves, int n_moves, int *costs)
{
    if (has_gold_path_rule(system, gold)) {
        for (int m = 0; m < n_moves; m++)
            costs[m] = !system->oracle.free_on_gold_path(config, gold, moves[m]);
        return true;
    }
    if (system->oracle.zero_costs)
        return system->oracle.zero_costs(space, config, gold, true, moves, n_moves, costs);
    return dd_system_costs(system, space, config, gold, moves, n_moves, costs);
}

static bool gold_path_costs(dd_oracle_state *oracle)
{
    return dd_oracle_zero_costs(oracle->system, &oracle->space, oracle->config, oracle->gold,
                                oracle->moves, oracle->n_moves, oracle->costs);
}

static bool loss_of_move(dd_oracle_state *oracle, int m)
{
    return oracle->losses[m] != UNKNOWN ||
           oracle->system->oracle.losses(&oracle->space, oracle->config, oracle->gold,
                                         &oracle->moves[m], 1, &oracle->losses[m]);
}

/* Costs from losses that are ahead: the smallest is the loss of the configuration itself. */
static bool followed_costs(dd_oracle_state *oracle)
{
    int least = INT_MAX;
    for (int m = 0; m < oracle->n_moves; m++) {
        if (!loss_of_move(oracle, m)) return false;
        if (oracle->losses[m] < least) least = oracle->losses[m];
    }
    for (int m = 0; m < oracle->n_moves; m++) oracle->costs[m] = oracle->losses[m] - least;
    oracle->ahead = least;
    return true;
}

static bool builds_known_arc(const dd_system *system, const dd_config *config, const dd_gold *gold,
                             dd_move move)
{
    dd_arc arc = dd_system_arc(system, config, move);
    return arc.dependent != DD_NONE && gold->heads[arc.dependent] == arc.head;
}

/* Whether the oracle has preferences among moves of cost 0. */
static bool is_choosy(const dd_oracle_state *oracle)
{
    return oracle->system->oracle.preferred ||
           (oracle->system->oracle.takes_known_arcs_first &&
            (oracle->gold->unknown > 0 || oracle->buildable == DD_NOT_BUILDABLE));
}

static bool is_preferred(const dd_oracle_state *oracle, int m)
{
    const dd_system *system = oracle->system;
    if (system->oracle.preferred)
        return system->oracle.preferred(oracle->config, oracle->gold, oracle->moves[m]);
    return builds_known_arc(system, oracle->config, oracle->gold, oracle->moves[m]);
}

/* Among several moves of cost 0 only the preferred ones stay free, if there are any. */
static void narrow(dd_oracle_state *oracle)
{
    int *costs = oracle->costs;
    int free_moves = 0, preferred = 0;
    for (int m = 0; m < oracle->n_moves; m++) free_moves += costs[m] == 0;
    if (free_moves < 2) return;
    for (int m = 0; m < oracle->n_moves; m++) preferred += costs[m] == 0 && is_preferred(oracle, m);
    if (preferred == 0 || preferred == free_moves) return;
    for (int m = 0; m < oracle->n_moves; m++)
        if (costs[m] == 0 && !is_preferred(oracle, m)) costs[m] = NOT_TAUGHT;
}

static bool sees_what_is_free(const dd_oracle_state *oracle)
{
    return oracle->on_gold_path && has_gold_path_rule(oracle->system, oracle->gold);
}

static bool costs_against_whole(dd_oracle_state *oracle)
{
    int *costs = oracle->costs, least = INT_MAX;
    if (oracle->n_moves == 1) {
        costs[0] = 0;
        return true;
    }
    if (!dd_soft_losses(oracle->system, &oracle->soft, oracle->config, oracle->moves,
                        oracle->n_moves, costs))
        return false;
    for (int m = 0; m < oracle->n_moves; m++)
        if (costs[m] < least) least = costs[m];
    for (int m = 0; m < oracle->n_moves; m++) costs[m] -= least;
    return true;
}

static bool all_costs(dd_oracle_state *oracle)
{
    const dd_system *system = oracle->system;
    if (oracle->buildable == DD_NOT_BUILDABLE) return costs_against_whole(oracle);
    if (oracle->kind == DD_ORACLE_STATIC) return static_costs(oracle);
    if (sees_what_is_free(oracle)) return gold_path_costs(oracle);
    if (system->oracle.losses_are_ahead) return followed_costs(oracle);
    if (system->oracle.zero_costs)
        return system->oracle.zero_costs(&oracle->space, oracle->config, oracle->gold,
                                         oracle->on_gold_path, oracle->moves, oracle->n_moves,
                                         oracle->costs);
    return dd_system_costs(system, &oracle->space, oracle->config, oracle->gold, oracle->moves,
                           oracle->n_moves, oracle->costs);
}

bool dd_oracle_state_costs(dd_oracle_state *oracle)
{
    if (oracle->costs_known) return true;
    oracle->costs_known = true;
    if (!all_costs(oracle)) return false;
    if (oracle->kind != DD_ORACLE_STATIC && is_choosy(oracle)) narrow(oracle);
    return true;
}

bool dd_oracle_state_targets(dd_oracle_state *oracle)
{
    if (!dd_oracle_state_costs(oracle)) return false;
    int lazy = dd_kind_of(oracle->system->oracle.puts_off_shift);
    bool shift_is_free = oracle->moves[0].kind == 0 && oracle->costs[0] == 0;
    for (int m = 0; lazy != DD_NONE && shift_is_free && m < oracle->n_moves; m++)
        if (oracle->moves[m].kind == lazy) oracle->costs[m] = 1;
    return true;
}

/* Costs that are upper bounds may lie outside of what one lost arc can weigh. */
static double share_of(int count, int weight)
{
    if (count <= 0) return 1;
    int most = count * DD_WHOLE_WEIGHT;
    int inside = weight < count ? count : weight > most ? most : weight;
    return (double)inside / most;
}

/* Costs are expected numbers of arcs; 1 and NOT_TAUGHT mean that the move is not to be learnt. */
static bool soft_shares(dd_oracle_state *oracle)
{
    for (int m = 0; m < oracle->n_moves; m++) {
        int cost = oracle->costs[m];
        oracle->shares[m] = cost > 1 && cost < DD_SOFT_ONE ? (double)cost / DD_SOFT_ONE : 1;
    }
    return true;
}

bool dd_oracle_state_weigh(dd_oracle_state *oracle, const int32_t *weights)
{
    size_t n = (size_t)oracle->n_moves;
    dd_gold weighted = *oracle->gold;
    weighted.weights = weights;
    if (!DD_RESERVE(&oracle->shares, &oracle->shares_capacity, n)) return false;
    if (oracle->gold->soft) return soft_shares(oracle);
    if (!DD_RESERVE(&oracle->weighed, &oracle->weighed_capacity, 2 * n)) return false;
    int *counts = oracle->weighed, *sums = counts + n;
    if (!dd_system_costs(oracle->system, &oracle->space, oracle->config, oracle->gold,
                         oracle->moves, oracle->n_moves, counts) ||
        !dd_system_costs(oracle->system, &oracle->space, oracle->config, &weighted, oracle->moves,
                         oracle->n_moves, sums))
        return false;
    for (size_t m = 0; m < n; m++) oracle->shares[m] = share_of(counts[m], sums[m]);
    return true;
}

/* One table tells whether a move is free where the loss of the configuration is known. */
static bool one_table_will_do(const dd_oracle_state *oracle)
{
    return oracle->kind != DD_ORACLE_STATIC && oracle->system->oracle.losses_are_ahead &&
           !is_choosy(oracle) && !sees_what_is_free(oracle) && oracle->ahead != UNKNOWN;
}

bool dd_oracle_state_is_free(dd_oracle_state *oracle, int m, bool *free)
{
    if (!oracle->costs_known && one_table_will_do(oracle)) {
        if (!loss_of_move(oracle, m)) return false;
        *free = oracle->losses[m] == oracle->ahead;
        return true;
    }
    if (!dd_oracle_state_costs(oracle)) return false;
    *free = oracle->costs[m] == 0;
    return true;
}

void dd_oracle_state_follow(dd_oracle_state *oracle, int m)
{
    dd_arc arc = dd_system_arc(oracle->system, oracle->config, oracle->moves[m]);
    bool wrong = arc.dependent != DD_NONE && dd_gold_rejects(oracle->gold, arc.head, arc.dependent);
    if (oracle->losses[m] != UNKNOWN) {
        oracle->on_gold_path &= oracle->losses[m] == 0;
        oracle->ahead = oracle->losses[m] - wrong;
        return;
    }
    bool free = oracle->costs_known && (oracle->costs[m] == 0 || oracle->costs[m] == NOT_TAUGHT);
    oracle->on_gold_path &= free;
    oracle->ahead = oracle->on_gold_path ? 0 : UNKNOWN;
}

bool dd_oracle_true_costs(const dd_system *system, dd_loss_space *space, const dd_config *config,
                          dd_config *next, const dd_gold *gold, const dd_move *moves, int n_moves,
                          int *loss, int *costs)
{
    if (!system->oracle.loss(space, config, gold, loss)) return false;
    if (!system->oracle.loss_names)
        return dd_system_costs(system, space, config, gold, moves, n_moves, costs);
    for (int m = 0; m < n_moves; m++) {
        if (!dd_config_copy(next, config)) return false;
        dd_system_apply(system, next, moves[m], 0);
        if (!system->oracle.loss(space, next, gold, &costs[m])) return false;
        costs[m] -= *loss;
    }
    return true;
}

int dd_oracle_gold_move(const dd_system *system, const dd_config *config, const dd_gold *gold,
                        const dd_move *moves, int n_moves, const int *costs)
{
    int best = 0;
    if (gold->unknown == 0) {
        dd_move canonical = system->oracle.canonical(config, gold);
        while (best + 1 < n_moves && !dd_same_move(moves[best], canonical)) best++;
        return best;
    }
    for (int m = 1; m < n_moves; m++) {
        if (costs[m] > costs[best]) continue;
        bool closer = !builds_known_arc(system, config, gold, moves[best]) &&
                      builds_known_arc(system, config, gold, moves[m]);
        if (costs[m] < costs[best] || closer) best = m;
    }
    return best;
}
