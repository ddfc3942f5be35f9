/* lr_spine.h - what the files of LR-spine share (tabular-oracles-2014, section 6) */
#ifndef DODONA_SYSTEMS_LR_SPINE_LR_SPINE_H
#define DODONA_SYSTEMS_LR_SPINE_LR_SPINE_H

#include "transition/system.h"

/* ---- views ---------------------------------------------------------------------------------- */

/* The stack and the buffer of a configuration after a move that is not made, as the loss sees them
 * (tabular-oracles-2014, section 6.2): the trees on the stack, the right stack of gold fragments,
 * and for each of them the place of its root's gold head */

/* The moves' kinds, and the view of the configuration as it is. */
enum { DD_SPINE_SHIFT, DD_SPINE_LEFT, DD_SPINE_RIGHT, DD_SPINE_NOW };

/* Where a node stands in the trees on the stack. */
typedef struct dd_spine_place {
    int32_t element;     /* 0 is the top; DD_NONE: on no spine */
    int32_t left, right; /* place on the left and the right spine, from 1; 0: not on it */
} dd_spine_place;

/* A tree on the stack, and where the gold head of its root is: in one of these, or DD_NONE. */
typedef struct dd_spine_element {
    int32_t above;   /* the element above it whose left spine has it */
    int32_t cut;     /* LA@k cuts it off that spine if k is smaller */
    int32_t below;   /* the element below it whose right spine has it */
    int32_t beyond;  /* the fragment whose root it is */
    int32_t rooting; /* whether anything can be gained by making this the root of all above */
} dd_spine_element;

/* A fragment of the right stack; its gold head is in the next one, or not in the buffer. Neighbours
 * that gain nothing as the root are merged if their heads are in the same place, and left out if
 * these heads are out of reach. */
typedef struct dd_spine_fragment {
    int32_t below;   /* the element whose right spine has it, or DD_NONE */
    int32_t cut;     /* RA@k cuts it off that spine if k is smaller */
    int32_t chained; /* whether it is in the next fragment */
    int32_t arcs;    /* how many fragments this one stands for; 0: one that may become the root */
} dd_spine_fragment;

typedef struct dd_spine_view {
    const dd_config *config;
    const dd_gold *gold;
    /* of the configuration */
    int32_t *element_of;   /* [n + 1] for roots on the stack */
    dd_spine_place *heads; /* [n + 1] places of gold heads that are not in the buffer */
    /* after a move */
    int kind;   /* of the move */
    int front;  /* of the buffer */
    int n_arcs; /* to be built into elements and fragments whose gold head is known */
    int n_elements, n_fragments, n_rooting;
    int32_t *needed;              /* [n + 1] words with gold dependents in elements or fragments */
    int32_t *fragment_of;         /* [n + 1] for roots of fragments */
    dd_spine_element *elements;   /* [n_elements] the top first, that of 0 last */
    dd_spine_fragment *fragments; /* [n_fragments] */
    int32_t *rooting; /* [n_rooting] fragments by which anything can be gained as the root */
} dd_spine_view;

/* Finds the gold heads, and reserves `extra` numbers beside the view. False if allocation fails.
 */
bool dd_spine_view_begin(dd_spine_view *view, dd_loss_space *space, const dd_config *config,
                         const dd_gold *gold, size_t extra, int32_t **room);
/* Elements and fragments after a move of that kind. All k have these in common. */
void dd_spine_view_after(dd_spine_view *view, int kind);

/* ---- the loss ------------------------------------------------------------------------------- */

/* Exact for projective gold trees, in polynomial time. As in the paper the trees on the stack (here
 * "elements", the top first) are combined with the right stack of gold fragments built from the
 * buffer, one at a time: the tree around the top grows to the left and to the right. Its key is a
 * pair of spines. The two restrictions of section 6.3, taken to their end, leave little of it. A
 * wrong arc from the end of a spine cuts nothing off, and a gold arc cuts off only nodes that have
 * no gold dependents left, as these arcs would cross it. So spines are sets of heads that only
 * grow, but for this:
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

/* The smallest number of wrong arcs among those still to be built. False if allocation fails. */
bool dd_lr_spine_loss(dd_loss_space *space, const dd_config *config, const dd_gold *gold,
                      int *loss);
/* The same after each move, the arc of the move included. One table serves all moves of a kind: k
 * only tells which nodes of the new top's spine are cut off, and so only the cells V(0, j) and
 * N(0, i, x) differ, and these only where a node with gold dependents is cut off. */
bool dd_lr_spine_losses(dd_loss_space *space, const dd_config *config, const dd_gold *gold,
                        const dd_move *moves, int n_moves, int *losses);

#endif
