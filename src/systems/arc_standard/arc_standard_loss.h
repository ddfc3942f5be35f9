/* arc_standard_loss.h - the loss of an arc-standard configuration by dynamic programming
 * (tabular-oracles-2014, Algorithm 1). Exact for projective gold trees. */
#ifndef DODONA_SYSTEMS_ARC_STANDARD_LOSS_H
#define DODONA_SYSTEMS_ARC_STANDARD_LOSS_H

#include "transition/system.h"

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

#endif
