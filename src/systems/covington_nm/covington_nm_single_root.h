/* covington_nm_single_root.h - the upper bounds of the non-monotonic Covington parser when exactly
 * one word may depend on the root
 *
 * The paper's upper bounds count what is lost when the gold arcs to come are built in order and no
 * other arc. That may leave several words headless.
 *
 * With a word behind the front and the gold root r headless, take the tree that those arcs make: a
 * word has its gold head if it is built or to come, else the head that it has. As in
 * covington_single_root.h all can hang below r without the loss of a gold arc in cases 2, 4 and 5;
 * otherwise r gives way to another word, which costs one arc more. If r has a head, that loss is
 * counted already. docs/theory/oracles.md has the proof.
 *
 * With the last word n in front, the moves left are tried out for each of a few heads that n may
 * get; the best outcome is an upper bound. */
#ifndef DODONA_SYSTEMS_COVINGTON_NM_SINGLE_ROOT_H
#define DODONA_SYSTEMS_COVINGTON_NM_SINGLE_ROOT_H

#include "systems/covington_nm/covington_nm_loss.h"

/* Raises the upper bounds of the paper to those under the rule. memory: [2 * (n + 1)]. */
void dd_nm_single_root_bounds(const dd_nm_view *view, const dd_gold *gold, int32_t *memory,
                              dd_nm_bounds *bounds);

#endif
