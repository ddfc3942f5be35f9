/* arc_standard.h - the loss of arc-standard, and what other systems use of it: attardi its moves
 * and, under constraints, what can still be reached; lr-spine its rule for leaves */
#ifndef DODONA_SYSTEMS_ARC_STANDARD_ARC_STANDARD_H
#define DODONA_SYSTEMS_ARC_STANDARD_ARC_STANDARD_H

#include "constraints/projective.h"
#include "transition/soft.h"

bool dd_standard_shift_legal(const dd_config *config);
bool dd_standard_left_legal(const dd_config *config);
dd_arc dd_standard_left_arc(const dd_config *config);
void dd_standard_drop_second(dd_config *config);
bool dd_standard_right_legal(const dd_config *config);
dd_arc dd_standard_right_arc(const dd_config *config);
void dd_standard_drop_top(dd_config *config);

extern const dd_horizon dd_standard_horizon;
bool dd_standard_leaves(const dd_constraints *constraints, const dd_config *config, dd_move move);

/* ---- the loss, by dynamic programming (tabular-oracles-2014, Algorithm 1) ------------------- */

/* Exact for projective gold trees. */

/* Stack and buffer of a configuration, perhaps after a move that is not made. */
typedef struct dd_standard_view {
    const int32_t *stack; /* [depth] bottom first; below `top` */
    int depth;
    int top;   /* the word on top of them, or DD_NONE */
    int front; /* of the buffer */
} dd_standard_view;

/* The smallest number of wrong arcs among those still to be built. False if allocation fails. */
bool dd_arc_standard_loss(dd_loss_space *space, const dd_config *config, const dd_gold *gold,
                          dd_standard_view view, int *loss);

/* dd_system_oracle.best, for weights of all arcs (arc_standard_soft.c). */
bool dd_arc_standard_best(dd_soft *soft, const dd_config *config, int32_t *best);

#endif
