/* lr_spine_loss.h - the loss of an LR-spine configuration (tabular-oracles-2014, section 6), exact
 * for projective gold trees, in polynomial time
 *
 * As in the paper the trees on the stack (here "elements", the top first) are combined with the
 * right stack of gold fragments built from the buffer, one at a time: the tree around the top grows
 * to the left and to the right. Its key is a pair of spines. The two restrictions of section 6.3,
 * taken to their end, leave little of it. Attaching outside a gold arc cuts nothing off, and a gold
 * arc cuts off only nodes that have no gold dependents left. So spines are sets of heads that
 * only grow, but for this:
 *
 *   an element takes the root:   becomes the root; the left spine is its own alone
 *   a fragment takes the root:   becomes the root; the right spine is this word alone
 *
 * What a tree is good for depends only on which elements and fragments took the root, and when.
 * With the other attachments made as late as they can be on the side that does not change, and as
 * early as they can be to a root that has just come, three numbers and a root say it all:
 *
 *   V(a, j)      element a is the root, fragments before j are attached
 *   N(a, i, x)   fragment x is the root, a was the last element to be, those up to i are attached
 *
 * which makes O(elements^2 * fragments) cells of constant work each. Gold arcs between stack and
 * buffer are nested; this is why an arc from a root that has just come may be built at once, why a
 * fragment never has its gold head in an earlier fragment, and why one that has it in a later one
 * has it in the next. */
#ifndef DODONA_ORACLES_LR_SPINE_LOSS_H
#define DODONA_ORACLES_LR_SPINE_LOSS_H

#include "systems/system.h"

/* The moves' kinds. */
enum { DD_SPINE_SHIFT, DD_SPINE_LEFT, DD_SPINE_RIGHT };

/* The smallest number of wrong arcs among those still to be built. False when memory is out. */
bool dd_lr_spine_loss(dd_loss_space *space, const dd_config *config, const dd_gold *gold,
                      int *loss);
/* The same after each move, the arc of the move included. One table serves all moves of a kind: k
 * only tells which nodes of the new top's spine are cut off, and so only the cells V(0, j) and
 * N(0, i, x) differ, and these only where a node with gold dependents is cut off. */
bool dd_lr_spine_losses(dd_loss_space *space, const dd_config *config, const dd_gold *gold,
                        const dd_move *moves, int n_moves, int *losses);

#endif
