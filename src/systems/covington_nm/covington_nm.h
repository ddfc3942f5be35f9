/* covington_nm.h - what the files of the non-monotonic Covington parser share
 * (nonmonotonic-covington-2017) */
#ifndef DODONA_SYSTEMS_COVINGTON_NM_COVINGTON_NM_H
#define DODONA_SYSTEMS_COVINGTON_NM_COVINGTON_NM_H

#include "constraints/constraints.h"
#include "core/cancel.h"
#include "systems/covington/covington.h"
#include "transition/system.h"

/* ---- configurations and moves (figure 2 of the paper) --------------------------------------- */

enum { DD_NM_SHIFT, DD_NM_NO_ARC, DD_NM_LEFT, DD_NM_RIGHT, DD_NM_MOVES };

/* A configuration, perhaps after a move that is not made. */
typedef struct dd_nm_view {
    int n;
    bool single_root;
    int focus, front;
    const int32_t *heads; /* of word w at heads[w * stride] */
    size_t stride;
    dd_arc added; /* overlays heads; DD_NONE: no arc */
    int freed; /* a word that is headless instead of having its head in `heads`; DD_NONE: no word */
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

/* ---- bounds of the loss (section 4) --------------------------------------------------------- */

/* *     |U| <= loss <= |U| + problematic cycles <= |U| + cycles
 *
 * U are the gold arcs neither built nor still to come; the cycles are the elementary ones of the
 * arcs built together with the gold arcs to come. The paper is silent on arcs from 0: here a gold
 * arc 0 -> y is in U when y has a head now. So |U| is too large by one where breaking a cycle takes
 * that head away again; the upper bounds hold. */

/* The losses to choose from, in the order of dd_system_oracle.loss_names. */
enum { DD_NM_UPPER, DD_NM_LOWER, DD_NM_PC_UPPER, DD_NM_EXACT };

/* The number at which counting cycles ends, so that oracles stay fast if there are very many. No
 * loss is larger. */
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

/* ---- bounds after each move ----------------------------------------------------------------- */

/* A move changes what is built or to come of few
 * words, so what all moves share is found in one pass, and each then costs little unless there are
 * cycles. */

/* |U| after each move of a view without overlay. */
void dd_nm_unreachable_after(const dd_nm_view *now, const dd_gold *gold, const dd_move *moves,
                             int n_moves, int *after);
/* All bounds after each. False if allocation fails. */
bool dd_nm_bounds_after(dd_loss_space *space, const dd_nm_view *now, const dd_gold *gold,
                        const dd_move *moves, int n_moves, dd_nm_bounds *after);

/* ---- the exact loss ------------------------------------------------------------------------- */

/* The loss by exhaustive search, pruned with bounds (nonmonotonic-covington-2017, section 5). Slow:
 * for analysis, not for training.
 *
 * For each loss from the lower bound on, a search for a way to that loss: configurations whose
 * lower bound is greater are left out, those whose upper bound is not greater end the search, and
 * those from which it failed before are remembered. SH is tried only when there is no left focus
 * word; NA gets there with the same arcs. */

/* Configurations that dd_nm_exact_loss visits before it gives up and returns the upper bound. */
enum { DD_NM_EXACT_LIMIT = 1 << 20 };

typedef struct dd_nm_exact {
    int loss;
    bool proved;      /* false: the limit was reached, and this is the closest upper bound */
    uint32_t visited; /* configurations looked at */
} dd_nm_exact;

typedef struct dd_nm_search {
    uint32_t limit; /* configurations to look at */
    bool
        trust_lower; /* take |U| for a lower bound, as the paper does: faster, and the loss too high
                        by one where breaking a cycle would make the gold root headless again */
} dd_nm_search;

/* False if allocation fails. */
bool dd_nm_exact_search(dd_loss_space *space, const dd_nm_view *view, const dd_gold *gold,
                        dd_nm_search how, dd_nm_exact *result);
bool dd_nm_exact_loss(dd_loss_space *space, const dd_nm_view *view, const dd_gold *gold, int *loss);

/* ---- cycles --------------------------------------------------------------------------------- */

/* Elementary cycles of a graph in which a node has at most two heads: Johnson (1975), "Finding all
 * the elementary circuits of a directed graph", walking from nodes to their heads. Nodes that
 * cannot lie on a cycle are peeled off first, so that a graph without cycles costs one linear pass.
 * The number of cycles can grow exponentially with the nodes (a chain of n words whose heads can be
 * skipped has about 2^(n/2)), so the count ends at a limit. */

/* Working memory in int32_t for n nodes. */
enum { DD_CYCLE_MEMORY = 12 };

typedef struct dd_cycle_graph {
    int n;                   /* nodes 1..n */
    const int32_t *heads[2]; /* [n + 1] each; 0 or less: none. The two of a node differ. */
    dd_ticker *ticker;       /* ends the count, which is then not complete; NULL: nothing does */
} dd_cycle_graph;

/* An elementary cycle: path[k] has the head path[k + 1], by heads[via[k]]; the last has path[0]. */
typedef struct dd_cycle {
    const int32_t *path, *via; /* [length] */
    int length;
} dd_cycle;

typedef struct dd_cycle_count {
    int all, chosen; /* chosen: those that `chooses` says true of */
    bool complete;   /* false: stopped at the limit, or cancelled */
} dd_cycle_count;

/* Whether there is none. memory: as below. */
bool dd_cycles_none(const dd_cycle_graph *graph, int32_t *memory);
/* memory: [DD_CYCLE_MEMORY * (n + 1)]. `chooses` may be NULL. */
dd_cycle_count dd_cycles_count(const dd_cycle_graph *graph, int32_t *memory, int limit,
                               bool (*chooses)(const void *user, dd_cycle cycle), const void *user);

/* ---- constraints ---------------------------------------------------------------------------- */

/* Spans and leaves where no arcs are required or forbidden: let a word be behind the front that is
 * no leaf and in no span of mode none. It can be the root and take whatever is outside a span, or
 * the root of one: the hub. Then only the span of the front needs attention, if no other word of it
 * that could take words is to come. So it is enough to test one tree (docs/theory/constraints.md
 * has the proof). */

/* The last word behind the front that can be the hub; DD_NONE: there is none, or there are arcs. */
int dd_covington_hub(const dd_constraints *constraints, int front);
/* Fills heads [n + 1] in with a tree that satisfies the constraints, and that is reached by
 * building what is missing of it, if any tree can be reached. now: [n + 1] as they are, DD_NONE:
 * headless. False if there is none. */
bool dd_covington_hub_tree(const dd_constraints *constraints, int hub, int focus, int front,
                           const int32_t *now, int32_t *heads);

#endif
