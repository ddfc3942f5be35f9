/* covington_hub.h - spans and leaves in covington-nm, without arcs that are required or forbidden
 *
 * Let a word be behind the front that is no leaf and in no span of mode none. It can be the root
 * and take whatever is outside a span, or the root of one: the hub. Then all that has to be seen to
 * is the span that the front is in, if no other word of it is to come that could take words. So one
 * tree tells whether any can be reached (docs/theory/constraints.md has the proof). */
#ifndef DODONA_SYSTEMS_COVINGTON_NM_HUB_H
#define DODONA_SYSTEMS_COVINGTON_NM_HUB_H

#include "constraints/constraints.h"

/* The last word behind the front that can be the hub; DD_NONE: there is none, or there are arcs. */
int dd_covington_hub(const dd_constraints *constraints, int front);
/* Fills heads [n + 1] in with a tree that satisfies the constraints, and that is reached by
 * building what is missing of it, if any tree can be reached. now: [n + 1] as they are, DD_NONE:
 * headless. False if there is none. */
bool dd_covington_hub_tree(const dd_constraints *constraints, int hub, int focus, int front,
                           const int32_t *now, int32_t *heads);

#endif
