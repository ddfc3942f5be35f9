/* covington.h - constraints in Covington's systems
 *
 * Without projectivity, what can be reached is a matter of the arcs one by one: in covington all
 * trees that have the arcs built so far and others only between words that will be in focus
 * together. A move is allowed if one of them satisfies the constraints (arborescence.h).
 *
 * In covington-nm any arc can be replaced. A tree is reached if its arcs that are not there, built
 * in order, leave no others (figure 2 of nonmonotonic-covington-2017 takes arcs away that close
 * cycles). Whether it is reached in another way is NP-complete (docs/theory/constraints.md). So if
 * no such tree is found, as many configurations behind the move are searched as can be afforded.
 * Then the answer is exact for short sentences; a move that should be allowed may be forbidden in
 * others, but never all of them, and whether there is a tree at all is known exactly. */
#ifndef DODONA_SYSTEMS_COVINGTON_GUARD_H
#define DODONA_SYSTEMS_COVINGTON_GUARD_H

#include "constraints/arborescence.h"
#include "constraints/witness.h"

extern const dd_guard dd_covington_guard, dd_covington_nm_guard;

/* dd_guard.allows_under_leaves of both. */
bool dd_covington_leaves(const dd_constraints *constraints, const dd_config *config, dd_move move);
/* The arcs that the constraints allow: those into a word with a settled head, if that is its head;
 * into other words from 0, and from the words with which they will be in focus. */
void dd_covington_fill_arcs(dd_arborescence *tree, int focus, int front);
/* Whether the move is NA and passes over a pair of words without an arc in the configuration's own
 * witness, which is still in reach behind it then. Derivations consist of such moves mostly, so
 * that it matters to see it at once. */
bool dd_covington_passes(const dd_witnesses *witnesses, const dd_config *config, dd_move move);

/* Words of a sentence with constraints, at most: sets of all possible arcs are kept. */
enum { DD_COVINGTON_LONGEST = 10000 };

#endif
