#include "oracles/oracle.h"

/* Among several moves of cost 0 leaves it to the preferred ones, if there are any. */
static void narrow(const dd_system *system, const dd_config *config, const dd_gold *gold,
                   const dd_move *moves, int n_moves, int *costs)
{
    int free_moves = 0, preferred = 0;
    for (int m = 0; m < n_moves; m++) free_moves += costs[m] == 0;
    if (free_moves < 2) return;
    for (int m = 0; m < n_moves; m++)
        preferred += costs[m] == 0 && system->preferred(config, gold, moves[m]);
    if (preferred == 0 || preferred == free_moves) return;
    for (int m = 0; m < n_moves; m++)
        if (costs[m] == 0) costs[m] = !system->preferred(config, gold, moves[m]);
}

bool dd_oracle_costs(dd_oracle_kind kind, const dd_system *system, dd_loss_space *space,
                     const dd_config *config, const dd_gold *gold, bool on_gold_path,
                     const dd_move *moves, int n_moves, int *costs)
{
    if (kind == DD_ORACLE_STATIC) {
        dd_move canonical = system->canonical(config, gold);
        for (int m = 0; m < n_moves; m++) costs[m] = !dd_same_move(moves[m], canonical);
        return true;
    }
    if (on_gold_path && system->free_on_gold_path) {
        for (int m = 0; m < n_moves; m++)
            costs[m] = !system->free_on_gold_path(config, gold, moves[m]);
        return true;
    }
    if (!dd_system_costs(system, space, config, gold, moves, n_moves, costs)) return false;
    if (system->preferred) narrow(system, config, gold, moves, n_moves, costs);
    return true;
}

bool dd_oracle_true_costs(const dd_system *system, dd_loss_space *space, const dd_config *config,
                          dd_config *next, const dd_gold *gold, const dd_move *moves, int n_moves,
                          int *loss, int *costs)
{
    if (!system->loss(space, config, gold, loss)) return false;
    if (!system->loss_names)
        return dd_system_costs(system, space, config, gold, moves, n_moves, costs);
    for (int m = 0; m < n_moves; m++) {
        if (!dd_config_copy(next, config)) return false;
        dd_system_apply(system, next, moves[m], 0);
        if (!system->loss(space, next, gold, &costs[m])) return false;
        costs[m] -= *loss;
    }
    return true;
}
