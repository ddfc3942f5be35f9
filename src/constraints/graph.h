/* graph.h - constraints in arc-factored parsing: which arcs a tree may have, and whether there is
 * one of them. What spans ask of a tree is no matter of single arcs, so that they are refused. */
#ifndef DODONA_CONSTRAINTS_GRAPH_H
#define DODONA_CONSTRAINTS_GRAPH_H

#include "constraints/arborescence.h"

extern const dd_guard dd_graph_guard;

#endif
