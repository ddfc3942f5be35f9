/* projective_part.h - the largest part of a gold tree that a projective tree can have
 *
 * It is what Eisner's chart (1996) finds if gold arcs score 1 and all others 0. As the others are
 * free, the table needs only the gold arcs, with the conditions for partial trees (tree/tree.c):
 * which gold arcs between nodes i..j can be kept together if
 *
 *     RIGHT   i keeps arcs to dependents only; it has its head elsewhere, or none
 *     LEFT    j keeps arcs to dependents only; it has its head elsewhere, or none
 *     ANY     each node may also keep its own arc
 *
 * The arc that leads farthest from such an i or j divides the nodes, and below it those that hang
 * from its left end lie before those that hang from its right end. Only gold arcs divide anything,
 * so all cells together take O(n^2), and Eisner's chart O(n^3). */
#ifndef DODONA_SYSTEMS_PROJECTIVE_PART_H
#define DODONA_SYSTEMS_PROJECTIVE_PART_H

#include "transition/system.h"

/* dd_system_oracle.keep of projective systems. If there are several largest parts, it always
 * chooses the same one. */
bool dd_keep_projective(dd_loss_space *space, const dd_gold *gold, bool single_root,
                        int32_t *heads);

#endif
