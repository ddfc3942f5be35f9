/* gold.h - a gold tree made ready for oracles: heads, labels, and every node's dependents in order
 *
 * A partial tree has words whose head is not known (-1): any head of them is right. Where a head is
 * known the label may be unknown (-1): any label is right.
 *
 * Arcs may have weights, which are derived from a teacher's probabilities. A lost arc then costs
 * its weight instead of 1. */
#ifndef DODONA_TREE_GOLD_H
#define DODONA_TREE_GOLD_H

#include "tree/tree.h"

#include <stddef.h>

/* The weight of an arc that counts in full. Weights are from 1 to this, so that no lost arc is
 * free. */
enum { DD_WHOLE_WEIGHT = 100 };

/* What any arc is worth to a loss against all of them (transition/soft.h). */
typedef struct dd_weighed_arc {
    int32_t dependent, head, weight;
} dd_weighed_arc;

typedef struct dd_gold {
    int n;
    int unknown;     /* words whose head is not known; 0: a whole tree */
    int roots;       /* words that depend on 0 */
    int root;        /* the first of them, 0: none is known */
    bool projective; /* it is, or is part of, a projective tree */
    int32_t *heads;  /* [n + 1] -1: not known */
    int32_t *labels; /* [n + 1] -1: not known */
    int32_t *first;  /* [n + 2] the dependents of h are dependents[first[h] .. first[h+1] - 1] */
    int32_t *dependents;        /* [n] in order of position, head by head */
    int32_t *scratch;           /* [3 * (n + 1)] for dd_system_oracle.refuses */
    int32_t *memory;            /* holds the five arrays */
    const int32_t *weights;     /* [n + 1] of the words' arcs; NULL: each counts 1. The caller's */
    const dd_weighed_arc *soft; /* [n_soft] losses are counted against these; NULL: against the
                                   heads. The caller's */
    int n_soft;
    size_t capacity;
    dd_tree_space space;
} dd_gold; /* {0} is valid */

void dd_gold_free(dd_gold *gold);
/* The heads must be a valid tree or part of one; labels may be NULL (all 0). False if allocation
 * fails. */
bool dd_gold_set(dd_gold *gold, const int32_t *heads, const int32_t *labels, int n);

/* Whether this is the wrong head for a word. If the gold head is not known, no head is wrong. */
static inline bool dd_gold_rejects(const dd_gold *gold, int head, int dependent)
{
    return gold->heads[dependent] != head && gold->heads[dependent] >= 0;
}

/* What it costs if this word's gold arc is lost. */
static inline int dd_gold_cost(const dd_gold *gold, int dependent, bool lost)
{
    if (!lost) return 0;
    return gold->weights ? gold->weights[dependent] : 1;
}

/* What it costs if some arc is lost, and it is not known which. */
static inline int dd_gold_whole_cost(const dd_gold *gold, bool lost)
{
    if (!lost) return 0;
    return gold->weights ? DD_WHOLE_WEIGHT : 1;
}

/* What it costs if all gold arcs from `head` to words at or behind position `from` are lost. */
static inline int dd_gold_cost_of_dependents_from(const dd_gold *gold, int head, int from)
{
    int at = gold->first[head + 1], cost = 0;
    while (at > gold->first[head] && gold->dependents[at - 1] >= from)
        cost += dd_gold_cost(gold, gold->dependents[--at], true);
    return cost;
}

static inline bool dd_gold_has_dependent_from(const dd_gold *gold, int head, int from)
{
    int end = gold->first[head + 1];
    return end > gold->first[head] && gold->dependents[end - 1] >= from;
}

#endif
