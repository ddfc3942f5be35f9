/* covington_nm_loss.h - configurations of the non-monotonic Covington parser, what they can still
 * become, and bounds of their loss (nonmonotonic-covington-2017, section 4)
 *
 *     |U| <= loss <= |U| + problematic cycles <= |U| + cycles
 *
 * U are the gold arcs neither built nor still to come; the cycles are the elementary ones of the
 * arcs built together with the gold arcs to come. The paper is silent on arcs from 0: here a gold
 * arc 0 -> y is in U when y has a head now. So |U| is too large by one where breaking a cycle takes
 * that head away again; the upper bounds hold. */
#ifndef DODONA_ORACLES_COVINGTON_NM_LOSS_H
#define DODONA_ORACLES_COVINGTON_NM_LOSS_H

#include "systems/system.h"

enum { DD_NM_SHIFT, DD_NM_NO_ARC, DD_NM_LEFT, DD_NM_RIGHT, DD_NM_MOVES };

/* The losses to choose from, in the order of dd_system.loss_names. */
enum { DD_NM_UPPER, DD_NM_LOWER, DD_NM_PC_UPPER, DD_NM_EXACT };

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

dd_nm_view dd_nm_now(const dd_config *config);
/* After a move of a view without overlay. Figure 2 of the paper: the new arc takes the place of the
 * dependent's old one, and if it closes a cycle the new head becomes headless. */
dd_nm_view dd_nm_after(const dd_nm_view *view, int kind);
/* Whether the configuration can end in a tree that the single-root rule allows. */
bool dd_nm_can_end(const dd_nm_view *view);
/* Whether the move is permissible: it keeps that, and needs a left focus unless it is SH. */
bool dd_nm_permissible(const dd_nm_view *view, int kind);

/* A number no smaller than any loss at which cycles are no longer counted, so that oracles stay
 * fast where there are very many. */
static inline int dd_nm_cycle_limit(int n)
{
    return n > 512 ? n : 512;
}

/* |U|. */
int dd_nm_unreachable(const dd_nm_view *view, const dd_gold *gold);
typedef struct dd_nm_bounds {
    int lower, pc_upper, upper;
} dd_nm_bounds;
/* False when memory is out. */
bool dd_nm_bound(dd_loss_space *space, const dd_nm_view *view, const dd_gold *gold,
                 dd_nm_bounds *bounds);

#endif
