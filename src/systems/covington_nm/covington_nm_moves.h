/* covington_nm_moves.h - bounds of the losses after each of a configuration's moves
 *
 * covington_nm_loss.h says what the bounds are. A move changes what is built or to come of few
 * words, so what all moves share is found in one pass, and each then costs little unless there are
 * cycles. */
#ifndef DODONA_SYSTEMS_COVINGTON_NM_MOVES_H
#define DODONA_SYSTEMS_COVINGTON_NM_MOVES_H

#include "systems/covington_nm/covington_nm_loss.h"

/* |U| after each move of a view without overlay. */
void dd_nm_unreachable_after(const dd_nm_view *now, const dd_gold *gold, const dd_move *moves,
                             int n_moves, int *after);
/* All bounds after each. False if allocation fails. */
bool dd_nm_bounds_after(dd_loss_space *space, const dd_nm_view *now, const dd_gold *gold,
                        const dd_move *moves, int n_moves, dd_nm_bounds *after);

#endif
