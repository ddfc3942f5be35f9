/* eager_single_root.h - arc-eager's loss when exactly one word may depend on the root
 *
 * Let h1 < .. < hm be the headless words on the stack; hi can only get its head from the buffer,
 * and if hi hangs from 0, so do all below it. Hence under the rule
 *
 * 1. the gold root is lost when it is hi with i > 1;
 * 2. a word hi (i > 1) whose gold head is lost or unknown must hang from some buffer word that does
 * not descend from it. If a reachable gold arc from a lower stack word into the buffer covers hi,
 * the buffer end of that arc serves. Otherwise a buffer word outside of all such arcs that has lost
 * its gold head, or has none that is known, serves, as it may hang from h1. If there is none, one
 * more gold arc must go.
 *
 * Neither arises while the gold root is in the buffer: it can take every lost word. All other
 * reachable gold arcs can be had together, as without the rule. docs/theory/oracles.md has the
 * proof. */
#ifndef DODONA_SYSTEMS_ARC_EAGER_SINGLE_ROOT_H
#define DODONA_SYSTEMS_ARC_EAGER_SINGLE_ROOT_H

#include "transition/config.h"
#include "tree/gold.h"

/* A configuration's stack and buffer after a move, without making the move. */
typedef struct dd_eager_view {
    int depth;  /* of the old stack that stays */
    int front;  /* of the buffer */
    int pushed; /* word pushed on top of it, or DD_NONE */
    bool pushed_headless;
} dd_eager_view;

/* Loss under the single-root rule minus the number of unreachable gold arcs without it. */
int dd_eager_single_root_excess(const dd_config *config, const dd_gold *gold, dd_eager_view view);

#endif
