/* attardi.h - constraints in Attardi's system
 *
 * Whether a tree, or part of one, can still be built is known exactly and in linear time
 * (systems/attardi/attardi_forest.h), so required arcs alone are obeyed exactly. For the others a
 * move is allowed if a witness can still be built behind it, or if a new one is found by the chart
 * of arc-standard, which knows no arcs that cross. If not, the automaton of attardi_pushdown.h
 * decides, exactly, as long as its 64 nodes are enough. Beyond that, configurations behind the move
 * are searched, as many as a search may visit: a move that should be allowed may be forbidden then,
 * but never all of them. */
#ifndef DODONA_SYSTEMS_ATTARDI_GUARD_H
#define DODONA_SYSTEMS_ATTARDI_GUARD_H

#include "constraints/constraints.h"

extern const dd_guard dd_attardi_guard;

#endif
