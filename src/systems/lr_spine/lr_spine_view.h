/* lr_spine_view.h - the stack and the buffer of an LR-spine configuration after a move that is not
 * made, as its loss sees them (tabular-oracles-2014, section 6.2): the trees on the stack, the
 * right stack of gold fragments, and for each of them the place of its root's gold head */
#ifndef DODONA_SYSTEMS_LR_SPINE_VIEW_H
#define DODONA_SYSTEMS_LR_SPINE_VIEW_H

#include "transition/system.h"

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
 * that are no use as the root are one if their heads are in the same place, and are left out if
 * these are out of reach. */
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

/* Finds the gold heads, and gives `extra` numbers of room beside the view. False when memory is
 * out.
 */
bool dd_spine_view_begin(dd_spine_view *view, dd_loss_space *space, const dd_config *config,
                         const dd_gold *gold, size_t extra, int32_t **room);
/* Elements and fragments after a move of that kind. All k have these in common. */
void dd_spine_view_after(dd_spine_view *view, int kind);

#endif
