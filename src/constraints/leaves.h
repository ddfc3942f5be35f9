/* leaves.h - leaves where there are no other constraints: told without a search
 *
 * As long as a word is still to come that is no leaf, that word can take all that lacks a head, and
 * then what comes behind it. So any move will do that builds no arc from a leaf, not even for a
 * time. Only when the last such word comes, or has come, what is left must find a head among the
 * words that are there already; each system has its own short rule for that, as it has its own way
 * to bury words. */
#ifndef DODONA_CONSTRAINTS_LEAVES_H
#define DODONA_CONSTRAINTS_LEAVES_H

#include "constraints/constraints.h"

/* For dd_guard.allows_under_leaves: */
/* Whether a word may be pushed, where what is on the stack hangs from the node below it. */
bool dd_leaves_let_push(const dd_constraints *constraints, const dd_config *config);
/* Whether one of the `count` topmost nodes behind the move is no leaf, or such words are to come.
 */
bool dd_leaves_top_serves(const dd_constraints *constraints, const dd_config *config, dd_move move,
                          int count);

/* Whether some tree has all these leaves: with one root, something must take the others. */
static inline bool dd_leaves_can_hold(const dd_constraints *constraints)
{
    return !constraints->single_root || constraints->last_head > 0 || constraints->n == 1;
}

static inline bool dd_starts_at_leaf(const dd_constraints *constraints, dd_arc arc)
{
    return arc.dependent != DD_NONE && constraints->leaf[arc.head];
}

/* Whether the move, which builds the arc, keeps the leaves possible where they are all that is
 * asked for. */
static inline bool dd_leaves_allow(const dd_constraints *constraints, const dd_config *config,
                                   dd_move move, dd_arc arc)
{
    const dd_guard *guard = dd_guard_of(constraints->system);
    if (dd_starts_at_leaf(constraints, arc)) return false;
    if (!guard->allows_under_leaves || config->front + 1 < constraints->last_head) return true;
    return guard->allows_under_leaves(constraints, config, move);
}

#endif
