/* attardi.h - what the files of Attardi's system share: what can still be built, its loss
 * (attardi-oracle-2014), and its guard */
#ifndef DODONA_SYSTEMS_ATTARDI_ATTARDI_H
#define DODONA_SYSTEMS_ATTARDI_ATTARDI_H

#include "constraints/constraints.h"
#include "core/cancel.h"
#include "transition/system.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- what can still be built ---------------------------------------------------------------- */

/* What is left of a gold tree in a configuration.
 *
 *     nodes   0 .. depth-1  |  depth .. size-1
 *             the stack        the buffer
 *
 * Words whose gold head has gone, or is not known, are *free*: any head is as good as any other. A
 * node is *complete* if no gold dependent of it is left. Two facts carry everything here
 * (docs/theory/oracles.md has the proofs):
 *
 * 1. Without a complete word x the rest can do all that it could with x: arcs that passed over x
 *    get shorter, and what x took was wrong and finds another head. So a transition that gives a
 *    complete word its gold head, or any head if it is free, has cost 0.
 * 2. So a forest can be built if and only if the parser that does so whenever it can, and shifts
 *    otherwise, ends with 0 alone. It makes no choices: linear time.
 *
 * The loss is the number of free words whose head is known plus the smallest number of gold arcs
 * that must be given up (their dependents set free) for the rest to be built. */

typedef struct dd_forest {
    bool single_root;
    int size, depth;
    int32_t *heads;   /* [size] DD_NONE: a free word, or node 0 */
    int32_t *missing; /* [size] gold dependents left */
    int32_t *stack;   /* [size] scratch of dd_forest_builds */
    int32_t *waiting; /* [size] scratch of dd_forest_builds: what `missing` becomes */
} dd_forest;

/* Whether all gold arcs of the forest can be built together. */
bool dd_forest_builds(const dd_forest *forest);

/* Takes out what can be attached without a choice: complete words that are free or reach their head
 * on top of the stack or next to it in the buffer. Leaves the loss as it is but for the free words
 * taken out. */
void dd_forest_shrink(dd_forest *forest);

/* ---- arcs to give up, by search ------------------------------------------------------------- */

/* A *conflict* is a set of gold arcs that cannot be built together: one of them must go. Conflicts
 * that share no arc give a lower bound; the search branches on the arcs of one conflict. In
 * training conflicts are few and small, and the search is much faster than the table below, but its
 * time is not bounded by a polynomial. So the search may give up. */

typedef struct dd_cuts {
    dd_forest *forest;
    int32_t *heads; /* [size] gold heads, also of words whose arcs are given up for now */
    int32_t *lists; /* [dd_cuts_room] the words of conflicts, one list behind the other */
    int used;       /* of lists */
    dd_ticker *ticker;
    int runs; /* attempts to build a forest that are left */
} dd_cuts;

/* For a forest of at most `size` nodes. A conflict for each arc given up, those that share no arc
 * with one another, and two lists to make one. */
static inline size_t dd_cuts_room(size_t size)
{
    return size * (size + 3);
}

/* The fewest arcs, if they are not more than `limit`, else limit + 1; DD_NONE if all runs have been
 * used up, or the ticker ended them. */
int dd_cuts_least(dd_cuts *cuts, int limit);

/* Writes the words of a conflict of a forest that cannot be built, of which no arc can be left out:
 * how many. */
int dd_cuts_conflict(dd_cuts *cuts, int32_t *words);

/* ---- arcs to give up, by a table ------------------------------------------------------------ */

/* The tabular method of attardi-oracle-2014, sections 4 and 5.
 *
 * An item (frame, a, b, j) stands for all computations that leave a and b on top of what the frame
 * says, with the buffer at j. A frame is one of
 *
 *     p        the lowest p nodes of the stack, as they are now: the whole configuration is known
 *     (x, i)   the paper's item [x, a b]: a and b stand in place of x, which was on top when the
 *              buffer was at i; what lies below is open
 *
 * Unlike the paper's table this one is filled on demand, from the configuration on, those items
 * first that have the fewest arcs given up, and it ends with the final configuration. Where a
 * complete word can be attached at no cost, nothing else is tried. The paper's restriction of arcs
 * among buffer words is not used: it is wrong (docs/theory/errata.md). */

/* Counts to limit + 1 at most. Works behind the first `used` cells of the space, where the forest
 * may lie; its pointers are not valid afterwards. False if allocation fails. */
bool dd_attardi_table(dd_loss_space *space, size_t used, const dd_forest *forest, int limit,
                      int *given_up);

/* ---- losses, and the largest part of a tree that the system cannot build -------------------- */

/* A configuration, perhaps after a move that is not made. */
typedef struct dd_attardi_view {
    const dd_config *config;
    int shifted; /* words moved from the buffer to the stack */
    int taken;   /* the word that has been attached, or DD_NONE */
} dd_attardi_view;

/* How long to search for a loss. Neither changes a result up to the limit. */
typedef struct dd_attardi_effort {
    int limit; /* losses above it need not be told apart */
    int runs;  /* of dd_cuts, before the table is filled */
} dd_attardi_effort;

enum { DD_ATTARDI_RUNS = 10000 };

/* The smallest number of wrong arcs among those still to be built; above the limit, any number
 * above the limit. False if allocation fails. */
bool dd_attardi_loss(dd_loss_space *space, const dd_gold *gold, dd_attardi_view view,
                     dd_attardi_effort effort, int *loss);

/* Whether a gold tree can be built. */
bool dd_attardi_builds(const dd_gold *gold, bool single_root);
/* dd_system_oracle.keep. If there are several largest parts, it always chooses the same one. */
bool dd_attardi_keep(dd_loss_space *space, const dd_gold *gold, bool single_root, int32_t *heads);

/* ---- constraints ---------------------------------------------------------------------------- */

/* Whether a tree, or part of one, can still be built is known exactly and in linear time
 * (dd_forest), so required arcs alone are obeyed exactly. With other constraints a move is allowed
 * if a witness can still be built after it, or if the chart of arc-standard, which has no crossing
 * arcs, finds a new one. If not, the automaton of attardi_pushdown.h decides exactly, as long as
 * its 64 nodes are enough. If they are not, a search visits a limited number of configurations
 * after the move: it may forbid a move that should be allowed, but never all of them. */

extern const dd_guard dd_attardi_guard;

#endif
