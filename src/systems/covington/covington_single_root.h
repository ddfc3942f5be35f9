/* covington_single_root.h - Covington's parser when exactly one word may depend on the root
 *
 * The words left headless are the roots of the trees built, so all must end in one tree. Only the
 * last word n can join trees when it is in front: by LA to their roots, or, once, by RA from any of
 * their words, whose root then is the root of all. Hence a configuration with n in front can end
 * well exactly if at most one root to the right of the focus is outside n's tree, and if there is
 * one, n is headless and the focus has not passed all words of that root's tree. Moves that keep
 * this are permissible; there always is one, and with a word behind the front nothing is lost yet.
 *
 * The loss. Let G be the graph of covington_loss.h and r the gold root. With a word behind the
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
#ifndef DODONA_SYSTEMS_COVINGTON_SINGLE_ROOT_H
#define DODONA_SYSTEMS_COVINGTON_SINGLE_ROOT_H

#include "systems/covington/covington_loss.h"

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

#endif
