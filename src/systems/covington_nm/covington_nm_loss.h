/* covington_nm_loss.h - bounds of the loss of the non-monotonic Covington parser
 * (nonmonotonic-covington-2017, section 4)
 *
 *     |U| <= loss <= |U| + problematic cycles <= |U| + cycles
 *
 * U are the gold arcs neither built nor still to come; the cycles are the elementary ones of the
 * arcs built together with the gold arcs to come. The paper is silent on arcs from 0: here a gold
 * arc 0 -> y is in U when y has a head now. So |U| is too large by one where breaking a cycle takes
 * that head away again; the upper bounds hold. */
#ifndef DODONA_SYSTEMS_COVINGTON_NM_LOSS_H
#define DODONA_SYSTEMS_COVINGTON_NM_LOSS_H

#include "systems/covington/covington_loss.h"
#include "systems/covington_nm/covington_nm_view.h"

/* The losses to choose from, in the order of dd_system_oracle.loss_names. */
enum { DD_NM_UPPER, DD_NM_LOWER, DD_NM_PC_UPPER, DD_NM_EXACT };

/* A number no smaller than any loss at which cycles are no longer counted, so that oracles stay
 * fast where there are very many. */
static inline int dd_nm_cycle_limit(int n)
{
    return n > 512 ? n : 512;
}

/* Whether the gold arc to the word will come into focus. */
static inline bool dd_nm_comes(const dd_nm_view *view, const dd_gold *gold, int word)
{
    int head = gold->heads[word];
    return head > 0 && dd_covington_open(view->focus, view->front, head, word);
}

/* Whether the gold arc to the word is in U. */
static inline bool dd_nm_misses(const dd_nm_view *view, const dd_gold *gold, int word)
{
    int head = dd_nm_head(view, word), want = gold->heads[word];
    if (want == DD_NONE) return false;
    return want == 0 ? head != DD_NONE : head != want && !dd_nm_comes(view, gold, word);
}

/* The word's heads in the graph of cycles: the one built, and the gold one to come, else 0. */
static inline void dd_nm_edges(const dd_nm_view *view, const dd_gold *gold, int word,
                               int32_t *built, int32_t *coming)
{
    int want = gold->heads[word];
    *built = dd_nm_head(view, word);
    *coming = want != *built && dd_nm_comes(view, gold, word) ? want : 0;
}

/* |U|. */
int dd_nm_unreachable(const dd_nm_view *view, const dd_gold *gold);
typedef struct dd_nm_bounds {
    int lower, pc_upper, upper;
} dd_nm_bounds;
/* False if allocation fails. */
bool dd_nm_bound(dd_loss_space *space, const dd_nm_view *view, const dd_gold *gold,
                 dd_nm_bounds *bounds);

#endif
