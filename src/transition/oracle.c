#include "transition/oracle.h"

#include "core/memory.h"

#include <limits.h>
#include <stdlib.h>

enum { UNKNOWN = -1, NOT_TAUGHT = INT_MAX }; /* of a loss; instead of cost 0 */

void dd_guide_free(dd_guide *guide)
{
    dd_loss_space_free(&guide->space);
    free(guide->costs);
    free(guide->losses);
    *guide = (dd_guide){0};
}

void dd_guide_begin(dd_guide *guide, const dd_gold *gold)
{
    guide->gold = gold;
    guide->ahead = 0;
    guide->on_gold_path = true;
}

bool dd_guide_enter(dd_guide *guide, const dd_config *config, const dd_move *moves, int n_moves)
{
    guide->config = config;
    guide->moves = moves;
    guide->n_moves = n_moves;
    guide->costs_known = false;
    if (!DD_RESERVE(&guide->costs, &guide->costs_capacity, (size_t)n_moves) ||
        !DD_RESERVE(&guide->losses, &guide->losses_capacity, (size_t)n_moves))
        return false;
    for (int m = 0; m < n_moves; m++) guide->losses[m] = UNKNOWN;
    return true;
}

/* The canonical move alone is free for the static oracle. */
static bool static_costs(dd_guide *guide)
{
    dd_move canonical = guide->system->oracle.canonical(guide->config, guide->gold);
    for (int m = 0; m < guide->n_moves; m++)
        guide->costs[m] = !dd_same_move(guide->moves[m], canonical);
    return true;
}

/* What is free on the way to a whole tree is plain to see; not so where heads are unknown. */
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

static bool gold_path_costs(dd_guide *guide)
{
    return dd_oracle_zero_costs(guide->system, &guide->space, guide->config, guide->gold,
                                guide->moves, guide->n_moves, guide->costs);
}

static bool loss_of_move(dd_guide *guide, int m)
{
    return guide->losses[m] != UNKNOWN ||
           guide->system->oracle.losses(&guide->space, guide->config, guide->gold, &guide->moves[m],
                                        1, &guide->losses[m]);
}

/* Costs from losses that are ahead: the smallest of them is the configuration's own. */
static bool followed_costs(dd_guide *guide)
{
    int least = INT_MAX;
    for (int m = 0; m < guide->n_moves; m++) {
        if (!loss_of_move(guide, m)) return false;
        if (guide->losses[m] < least) least = guide->losses[m];
    }
    for (int m = 0; m < guide->n_moves; m++) guide->costs[m] = guide->losses[m] - least;
    guide->ahead = least;
    return true;
}

static bool builds_known_arc(const dd_system *system, const dd_config *config, const dd_gold *gold,
                             dd_move move)
{
    dd_arc arc = dd_system_arc(system, config, move);
    return arc.dependent != DD_NONE && gold->heads[arc.dependent] == arc.head;
}

/* Whether the oracle has preferences among moves of cost 0. */
static bool is_choosy(const dd_guide *guide)
{
    return guide->system->oracle.preferred ||
           (guide->system->oracle.takes_known_arcs_first && guide->gold->unknown > 0);
}

static bool is_preferred(const dd_guide *guide, int m)
{
    const dd_system *system = guide->system;
    if (system->oracle.preferred)
        return system->oracle.preferred(guide->config, guide->gold, guide->moves[m]);
    return builds_known_arc(system, guide->config, guide->gold, guide->moves[m]);
}

/* Among several moves of cost 0 leaves it to the preferred ones, if there are any. */
static void narrow(dd_guide *guide)
{
    int *costs = guide->costs;
    int free_moves = 0, preferred = 0;
    for (int m = 0; m < guide->n_moves; m++) free_moves += costs[m] == 0;
    if (free_moves < 2) return;
    for (int m = 0; m < guide->n_moves; m++) preferred += costs[m] == 0 && is_preferred(guide, m);
    if (preferred == 0 || preferred == free_moves) return;
    for (int m = 0; m < guide->n_moves; m++)
        if (costs[m] == 0 && !is_preferred(guide, m)) costs[m] = NOT_TAUGHT;
}

static bool sees_what_is_free(const dd_guide *guide)
{
    return guide->on_gold_path && has_gold_path_rule(guide->system, guide->gold);
}

static bool all_costs(dd_guide *guide)
{
    const dd_system *system = guide->system;
    if (guide->kind == DD_ORACLE_STATIC) return static_costs(guide);
    if (sees_what_is_free(guide)) return gold_path_costs(guide);
    if (system->oracle.losses_are_ahead) return followed_costs(guide);
    if (system->oracle.zero_costs)
        return system->oracle.zero_costs(&guide->space, guide->config, guide->gold,
                                         guide->on_gold_path, guide->moves, guide->n_moves,
                                         guide->costs);
    return dd_system_costs(system, &guide->space, guide->config, guide->gold, guide->moves,
                           guide->n_moves, guide->costs);
}

bool dd_guide_costs(dd_guide *guide)
{
    if (guide->costs_known) return true;
    guide->costs_known = true;
    if (!all_costs(guide)) return false;
    if (guide->kind != DD_ORACLE_STATIC && is_choosy(guide)) narrow(guide);
    return true;
}

bool dd_guide_targets(dd_guide *guide)
{
    if (!dd_guide_costs(guide)) return false;
    int lazy = dd_kind_of(guide->system->oracle.puts_off_shift);
    bool shift_is_free = guide->moves[0].kind == 0 && guide->costs[0] == 0;
    for (int m = 0; lazy != DD_NONE && shift_is_free && m < guide->n_moves; m++)
        if (guide->moves[m].kind == lazy) guide->costs[m] = 1;
    return true;
}

/* One table tells whether a move is free where the loss of the configuration is known. */
static bool one_table_will_do(const dd_guide *guide)
{
    return guide->kind != DD_ORACLE_STATIC && guide->system->oracle.losses_are_ahead &&
           !is_choosy(guide) && !sees_what_is_free(guide) && guide->ahead != UNKNOWN;
}

bool dd_guide_is_free(dd_guide *guide, int m, bool *free)
{
    if (!guide->costs_known && one_table_will_do(guide)) {
        if (!loss_of_move(guide, m)) return false;
        *free = guide->losses[m] == guide->ahead;
        return true;
    }
    if (!dd_guide_costs(guide)) return false;
    *free = guide->costs[m] == 0;
    return true;
}

void dd_guide_follow(dd_guide *guide, int m)
{
    dd_arc arc = dd_system_arc(guide->system, guide->config, guide->moves[m]);
    bool wrong = arc.dependent != DD_NONE && dd_gold_rejects(guide->gold, arc.head, arc.dependent);
    if (guide->losses[m] != UNKNOWN) {
        guide->on_gold_path &= guide->losses[m] == 0;
        guide->ahead = guide->losses[m] - wrong;
        return;
    }
    bool free = guide->costs_known && (guide->costs[m] == 0 || guide->costs[m] == NOT_TAUGHT);
    guide->on_gold_path &= free;
    guide->ahead = guide->on_gold_path ? 0 : UNKNOWN;
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
