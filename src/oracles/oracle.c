#include "oracles/oracle.h"

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
    if (system->zero_costs)
        return system->zero_costs(space, config, gold, on_gold_path, moves, n_moves, costs);
    return dd_system_costs(system, space, config, gold, moves, n_moves, costs);
}
