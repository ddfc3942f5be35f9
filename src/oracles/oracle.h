/* oracle.h - which transitions an oracle allows, labels included */
#ifndef DODONA_ORACLES_ORACLE_H
#define DODONA_ORACLES_ORACLE_H

#include "systems/system.h"

#include <dodona.h>

/* costs[n_moves] under the oracle, exact where they are 0 and otherwise only above 0; the static
 * one gives cost 0 to its canonical move alone, the others to those that the system prefers.
 * `on_gold_path`: the configuration has loss 0. False when memory is out. */
bool dd_oracle_costs(dd_oracle_kind kind, const dd_system *system, dd_loss_space *space,
                     const dd_config *config, const dd_gold *gold, bool on_gold_path,
                     const dd_move *moves, int n_moves, int *costs);

/* The loss, and every move's cost by its definition, for people: an approximate loss need not be
 * reached by any move. `next` is working memory. False when memory is out. */
bool dd_oracle_true_costs(const dd_system *system, dd_loss_space *space, const dd_config *config,
                          dd_config *next, const dd_gold *gold, const dd_move *moves, int n_moves,
                          int *loss, int *costs);

/* Label loss, the same for all systems: 1 for a gold arc with another label, 0 for any other arc
 * or none. */
static inline int dd_label_cost(const dd_gold *gold, dd_arc arc, int label)
{
    return arc.dependent != DD_NONE && gold->heads[arc.dependent] == arc.head &&
           gold->labels[arc.dependent] != label;
}

#endif
