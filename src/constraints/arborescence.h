/* arborescence.h - any tree, projective or not, that satisfies the constraints
 *
 * With the arcs that each node may have, a tree is a way to reach all words from 0. A span must be
 * entered once, at a word from which all of it can be reached inside. It is left from any word
 * (mode any), from the word where it was entered (root) or not at all (none).
 *
 * A span of mode root is left from the word where it was entered, so that this word is a choice.
 * With forbidden arcs the question whether there is a tree is therefore NP-complete
 * (docs/theory/constraints.md has the proof), and no algorithm is fast for all constraints. In
 * practice the first word that is reached is a good choice. If it is not, all combinations of words
 * that have different arcs are tried, except those that cannot lead to a tree. The answer is always
 * exact; only dd_effort ends a search. It takes O(n^2 / 64) steps if no combinations are tried, and
 * at worst n times as many under the single-root rule. */
#ifndef DODONA_CONSTRAINTS_ARBORESCENCE_H
#define DODONA_CONSTRAINTS_ARBORESCENCE_H

#include "constraints/outlook.h"
#include "core/bits.h"

typedef struct dd_arborescence {
    const dd_outlook *outlook;
    size_t row;        /* 64-bit words in a set of words */
    uint64_t *allowed; /* [n + 1] sets: the dependents that the constraints let each node have */
    uint64_t *arcs;    /* [n + 1] sets of words: the dependents that each node can have */
    uint64_t *liked;   /* [n + 1] sets: of these, those to be taken where nothing else matters */
    uint64_t *reached; /* set */
    uint64_t *vain;    /* set: words that cannot be the only dependent of 0 */
    int32_t *queue;    /* [n] words to continue from */
    int queued;
    int liked_from;  /* words in the queue whose liked arcs have been followed */
    int32_t *heads;  /* [n + 1] by which each word was reached */
    int32_t *enters; /* [n + 1] whether all of its span can be reached from a word, inside */
    int32_t *others; /* [n + 1] words of a span that are not known to reach one of it */
    int32_t *chosen; /* [n_spans] where to enter each, DD_NONE: not fixed */
    int32_t *entry;  /* [n_spans] where it was entered, DD_NONE: not yet */
    int32_t *trials; /* [n_spans] the word of each span that is tried now */
    int n_trials;
    bool narrowed;    /* `enters` is false for words that another word can replace */
    int32_t *numbers; /* holds these arrays */
    size_t arcs_capacity, numbers_capacity;
} dd_arborescence; /* {0} is valid */

/* Makes it ready for a sentence. False if allocation fails. */
bool dd_arborescence_reset(dd_arborescence *tree, const dd_outlook *outlook);
void dd_arborescence_free(dd_arborescence *tree);

/* The set of dependents that no constraint forbids a node by itself. */
static inline const uint64_t *dd_arborescence_allowed(const dd_arborescence *tree, int head)
{
    return tree->allowed + (size_t)head * tree->row;
}

/* The set of dependents that a node can have, for the caller to fill before the search. */
static inline uint64_t *dd_arborescence_arcs(const dd_arborescence *tree, int head)
{
    return tree->arcs + (size_t)head * tree->row;
}

static inline uint64_t *dd_arborescence_liked(const dd_arborescence *tree, int head)
{
    return tree->liked + (size_t)head * tree->row;
}

/* No arcs at all. */
void dd_arborescence_clear(dd_arborescence *tree);
/* Fills heads[1..n] if a tree is found. The settled heads have passed dd_outlook_judge. */
bool dd_arborescence_find(dd_arborescence *tree, int32_t *heads);

/* ---- arborescence_spans.c: by which words a span may be entered; for arborescence.c ---------- */

/* Reaches what can be reached from a word inside its span; how many words. */
int dd_arborescence_inside(dd_arborescence *tree, const dd_span *span, int from);
/* Finds the words of a span from which all of it can be reached. False if there is none. */
bool dd_arborescence_enters(dd_arborescence *tree, int span);
/* Drops words of spans of mode root that another word can replace. */
void dd_arborescence_narrow(dd_arborescence *tree);

#endif
