/* attardi_loss.h - losses of attardi configurations, exact for gold trees that the system can
 * build, and the largest part of those that it cannot */
#ifndef DODONA_SYSTEMS_ATTARDI_LOSS_H
#define DODONA_SYSTEMS_ATTARDI_LOSS_H

#include "transition/system.h"

/* A configuration, perhaps after a move that is not made. */
typedef struct dd_attardi_view {
    const dd_config *config;
    int shifted; /* words moved from the buffer to the stack */
    int taken;   /* the word that has been attached, or DD_NONE */
} dd_attardi_view;

/* How long to search for a loss. Neither changes a result up to the limit. */
typedef struct dd_attardi_effort {
    int limit; /* losses above it need not be told apart */
    int runs;  /* of attardi_cuts.h, before the table is filled */
} dd_attardi_effort;

enum { DD_ATTARDI_RUNS = 10000 };

/* The smallest number of wrong arcs among those still to be built; if it is above the limit, some
 * number above the limit. False if allocation fails. */
bool dd_attardi_loss(dd_loss_space *space, const dd_gold *gold, dd_attardi_view view,
                     dd_attardi_effort effort, int *loss);

/* Whether a gold tree can be built. */
bool dd_attardi_builds(const dd_gold *gold, bool single_root);
/* dd_system_oracle.keep. Of several largest parts it is always the same. */
bool dd_attardi_keep(dd_loss_space *space, const dd_gold *gold, bool single_root, int32_t *heads);

#endif
