/* covington.h - what the files of Covington's system share, and covington-nm has of it */
#ifndef DODONA_SYSTEMS_COVINGTON_COVINGTON_H
#define DODONA_SYSTEMS_COVINGTON_COVINGTON_H

#include "constraints/arborescence.h"
#include "constraints/outlook.h"
#include "transition/system.h"

/* ---- the exact loss (covington-oracle-2015, Theorem 1) -------------------------------------- */

/* The gold arcs are laid over the arcs built so far: a word keeps its head, and a headless word
 * waits for its gold head if that is known and the pair of them is still to come. No node has two
 * heads in this graph, so its cycles do not touch each other, and each costs one gold arc beside
 * those that are out of reach already.
 *
 * The paper also calls an arc x -> y unreachable when x and y are weakly connected. Then y, which
 * is headless, is the root of its tree and the arc would close a cycle, so that it costs the same
 * whether it counts as unreachable or as a cycle. It counts as a cycle here. */

/* A configuration, perhaps after a move that is not made. */
typedef struct dd_covington_view {
    const dd_config *config;
    const dd_gold *gold;
    int focus, front;
    dd_arc added; /* DD_NONE: no arc beside the configuration's own */
} dd_covington_view;

static inline dd_covington_view dd_covington_now(const dd_config *config, const dd_gold *gold)
{
    return (dd_covington_view){config, gold, config->focus, config->front, {DD_NONE, DD_NONE}};
}

static inline int dd_covington_head(const dd_covington_view *view, int word)
{
    return word == view->added.dependent ? view->added.head : view->config->nodes[word].head;
}

/* Whether the two words will still be in focus together. */
static inline bool dd_covington_open(int focus, int front, int word, int other)
{
    int left = word < other ? word : other, right = word < other ? other : word;
    return right > front || (right == front && left <= focus);
}

/* The head of a word in the graph: its own, or the gold one that it waits for; else DD_NONE. */
static inline int dd_covington_parent(const dd_covington_view *view, int word)
{
    int head = dd_covington_head(view, word), gold = view->gold->heads[word];
    if (head != DD_NONE || gold <= 0) return head != DD_NONE ? head : gold;
    return dd_covington_open(view->focus, view->front, word, gold) ? gold : DD_NONE;
}

/* Whether `ancestor` is `word` or above it in the graph. */
bool dd_covington_climbs(const dd_covington_view *view, int word, int ancestor);
/* Whether the word is part of a cycle. */
bool dd_covington_in_cycle(const dd_covington_view *view, int word);
/* Theorem 1, with any number of roots. False if allocation fails. */
bool dd_covington_loss(dd_loss_space *space, const dd_covington_view *view, int *loss);

/* ---- the single-root rule ------------------------------------------------------------------- */

/* The words left headless are the roots of the trees built, so all must end in one tree. Only the
 * last word n can join trees when it is in front: by LA to their roots, or, once, by RA from any of
 * their words, whose root then is the root of all. Hence a configuration with n in front can end
 * well exactly if at most one root to the right of the focus is outside n's tree, and if there is
 * one, n is headless and the focus has not passed all words of that root's tree. Moves that keep
 * this are permissible; there always is one, and with a word behind the front nothing is lost yet.
 *
 * The loss. Let G be the graph above and r the gold root. With a word behind the
 * front, all trees of G but n's own can hang from n without the loss of a gold arc; so the rule
 * costs one arc at most (r gives way to the top of n's tree), and nothing
 *
 * 1. if r has a head, or is not known;
 * 2. if r's tree in G holds a word behind the front j: all tops can hang from that word;
 * 3. if a cycle of G holds such a word: it can hang from r, which breaks the cycle;
 * 4. if r's tree can get such a word at j: a top at or left of the focus that has one below it can
 *    hang from j, if j is in r's tree, or if j is a top itself (or breaks its cycle) and can hang
 *    from a word of r's tree at or left of the focus; j's own tree may have that word too;
 * 5. if a word behind the front has no known head: it can hang from r.
 *
 * There are no other cases: docs/theory/oracles.md has the proof. With n in front there are few
 * ways left, and the best of them is found by trying. */

/* The graph as an array, for what follows from it alone. */
typedef struct dd_root_forest {
    int n, focus, front;
    int root;              /* gold root, known and headless */
    bool front_is_loose;   /* the front is headless */
    const int32_t *parent; /* [n + 1] 0 or less: none */
    int32_t *top_of;       /* [n + 1] filled: the word on top of each word's tree */
} dd_root_forest;

/* Cases 2 to 4, with a word behind the front; `cycles`: whether a cycle will be broken where that
 * serves. */
bool dd_root_can_have_all(dd_root_forest *forest, bool cycles);
/* Case 5. */
bool dd_root_late_word_is_loose(const dd_gold *gold, int front);
/* Loss under the single-root rule minus the loss without it. False if allocation fails. */
bool dd_covington_single_root_excess(dd_loss_space *space, const dd_covington_view *view,
                                     int *excess);

/* ---- constraints ---------------------------------------------------------------------------- */

/* Without projectivity, what can be reached is a matter of the arcs one by one: in covington all
 * trees that have the arcs built so far and others only between words that will be in focus
 * together. A move is allowed if one of them satisfies the constraints (arborescence.h).
 *
 * In covington-nm any arc can be replaced. A tree is reached if its arcs that are not there, built
 * in order, leave no others (figure 2 of nonmonotonic-covington-2017 takes arcs away that close
 * cycles). Whether it is reached in another way is NP-complete (docs/theory/constraints.md). So if
 * no such tree is found, a search visits a limited number of configurations after the move. Its
 * answer is exact for short sentences; in longer ones it may forbid a move that should be allowed,
 * but never all of them. Whether there is a tree at all is always known exactly. */

extern const dd_guard dd_covington_guard, dd_covington_nm_guard;

/* dd_guard.allows_under_leaves of both. */
bool dd_covington_leaves(const dd_constraints *constraints, const dd_config *config, dd_move move);
/* The arcs that the constraints allow: those into a word with a settled head, if that is its head;
 * into other words from 0, and from the words with which they will be in focus. */
void dd_covington_fill_arcs(dd_arborescence *tree, int focus, int front);
/* Whether the move is NA and passes over a pair of words that has no arc in the configuration's
 * witness, so that the witness is still reachable after the move. Most moves of a derivation are of
 * this kind, so this quick test saves much time. */
bool dd_covington_passes(const dd_witnesses *witnesses, const dd_config *config, dd_move move);

/* Words of a sentence with constraints, at most: sets of all possible arcs are kept. */
enum { DD_COVINGTON_LONGEST = 10000 };

/* ---- search --------------------------------------------------------------------------------- */

/* dd_system_search.progress of both systems: the pairs of words that a configuration has passed,
 * including those that SH skipped. */
int64_t dd_covington_progress(const dd_config *config);

#endif
