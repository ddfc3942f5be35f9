/* lr_spine_loss.h - the loss of an LR-spine configuration (tabular-oracles-2014, section 6), exact
 * for projective gold trees, in polynomial time
 *
 * As in the paper the trees on the stack (here "elements", the top first) are combined with the
 * right stack of gold fragments built from the buffer, one at a time: the tree around the top grows
 * to the left and to the right. Its key is a pair of spines. The two restrictions of section 6.3,
 * taken to their end, leave little of it. A wrong arc from the end of a spine cuts nothing off, and
 * a gold arc cuts off only nodes that have no gold dependents left, as these arcs would cross it.
 * So spines are sets of heads that only grow, but for this:
 *
 *     an element takes the root:   it becomes the root, and the left spine is its own alone
 *     a fragment takes the root:   it becomes the root, and the right spine is this word alone
 *
 * What can still be gained depends only on which elements and fragments took the root, and when.
 * All others are attached on the side where nothing is lost by waiting: as soon as their gold head
 * has become the root, or else just before the spine on their side is given up. Then this is all
 * there is to know:
 *
 *     V(a, j)      element a is the root, fragments before j are attached
 *     N(a, i, x)   fragment x is the root, a was the last element to be, those to i are attached
 *
 * The largest number of gold arcs to come, from the last cells to the first, takes constant work
 * for each of the O(elements^2 * fragments) cells. Gold arcs between stack and buffer are nested;
 * this is why an arc from a root that has just come may be built at once, why a fragment never has
 * its gold head in an earlier fragment, and why one that has it in a later one has it in the next.
 * A fragment that has gold dependents among the others loses nothing by taking the root, so one
 * that has become the root needs to be taken by no other than the next of these.
 * docs/theory/oracles.md has the proof; tests/systems check it against exhaustive search and the
 * table of the paper. */
#ifndef DODONA_SYSTEMS_LR_SPINE_LOSS_H
#define DODONA_SYSTEMS_LR_SPINE_LOSS_H

#include "systems/lr_spine/lr_spine_view.h"

/* The smallest number of wrong arcs among those still to be built. False if allocation fails. */
bool dd_lr_spine_loss(dd_loss_space *space, const dd_config *config, const dd_gold *gold,
                      int *loss);
/* The same after each move, the arc of the move included. One table serves all moves of a kind: k
 * only tells which nodes of the new top's spine are cut off, and so only the cells V(0, j) and
 * N(0, i, x) differ, and these only where a node with gold dependents is cut off. */
bool dd_lr_spine_losses(dd_loss_space *space, const dd_config *config, const dd_gold *gold,
                        const dd_move *moves, int n_moves, int *losses);

#endif
