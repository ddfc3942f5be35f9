/* soft_tree.h - the greatest weight of a tree in reach, for covington and pointer, which build any
 * tree
 *
 * The trees in reach are those that have all arcs built so far, and others only from 0 and, in
 * covington, between words that will still be in focus together; under the single-root rule, those
 * of them with one root. So the best one is a maximum spanning tree (tree/maximum.h): O(n^2). */
#ifndef DODONA_SYSTEMS_SOFT_TREE_H
#define DODONA_SYSTEMS_SOFT_TREE_H

#include "transition/soft.h"

/* dd_system_oracle.best */
bool dd_soft_best_covington(dd_soft *soft, const dd_config *config, int32_t *best);
bool dd_soft_best_pointer(dd_soft *soft, const dd_config *config, int32_t *best);

#endif
