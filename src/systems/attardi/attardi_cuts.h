/* attardi_cuts.h - the fewest gold arcs to give up so that the rest of a forest can be built
 * (attardi_forest.h), by search
 *
 * A *conflict* is a set of gold arcs that cannot be built together: one of them must go. Conflicts
 * that share no arc give a lower bound, the arcs of one conflict are the ways to go on. Conflicts
 * are few and small in what training meets, and this is then much faster than the table
 * (attardi_table.h), but the time is not bounded by a polynomial. So the search may give up. */
#ifndef DODONA_SYSTEMS_ATTARDI_CUTS_H
#define DODONA_SYSTEMS_ATTARDI_CUTS_H

#include "core/cancel.h"
#include "systems/attardi/attardi_forest.h"

#include <stddef.h>

typedef struct dd_cuts {
    dd_forest *forest;
    int32_t *heads; /* [size] gold heads, also of words whose arcs are given up for now */
    int32_t *lists; /* [dd_cuts_room] the words of conflicts, one list behind the other */
    int used;       /* of lists */
    dd_ticker *ticker;
    int runs; /* how many more times it may be tried to build a forest */
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

#endif
