/* covington_nm.h - configurations of the non-monotonic Covington parser and what its moves make of
 * them (nonmonotonic-covington-2017, figure 2) */
#ifndef DODONA_SYSTEMS_COVINGTON_NM_VIEW_H
#define DODONA_SYSTEMS_COVINGTON_NM_VIEW_H

#include "transition/system.h"

enum { DD_NM_SHIFT, DD_NM_NO_ARC, DD_NM_LEFT, DD_NM_RIGHT, DD_NM_MOVES };

/* A configuration, perhaps after a move that is not made. */
typedef struct dd_nm_view {
    int n;
    bool single_root;
    int focus, front;
    const int32_t *heads; /* of word w at heads[w * stride] */
    size_t stride;
    dd_arc added; /* overlays heads; DD_NONE: no arc */
    int freed;    /* likewise headless; DD_NONE: no word */
} dd_nm_view;

static inline int dd_nm_head(const dd_nm_view *view, int word)
{
    if (word == view->added.dependent) return view->added.head;
    return word == view->freed ? DD_NONE : view->heads[(size_t)word * view->stride];
}

/* Whether `ancestor` is `word` or above it. */
static inline bool dd_nm_below(const dd_nm_view *view, int word, int ancestor)
{
    while (word > 0 && word != ancestor) word = dd_nm_head(view, word);
    return word == ancestor;
}

dd_nm_view dd_nm_now(const dd_config *config);
/* After a move of a view without overlay. Figure 2 of the paper: the new arc takes the place of the
 * dependent's old one, and if it closes a cycle the new head becomes headless. */
dd_nm_view dd_nm_after(const dd_nm_view *view, int kind);
/* Whether the configuration can end in a tree that the single-root rule allows. */
bool dd_nm_can_end(const dd_nm_view *view);
/* Whether the move is permissible: it keeps that, and needs a left focus unless it is SH. */
bool dd_nm_permissible(const dd_nm_view *view, int kind);

#endif
