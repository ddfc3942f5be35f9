/* gold.h - a gold tree made ready for oracles: heads, labels, and every node's dependents in order
 */
#ifndef DODONA_TREE_GOLD_H
#define DODONA_TREE_GOLD_H

#include "tree/tree.h"

#include <stddef.h>

typedef struct dd_gold {
    int n;
    int roots; /* words that depend on 0 */
    int root;  /* the first of them */
    bool projective;
    int32_t *heads;  /* [n + 1] */
    int32_t *labels; /* [n + 1] */
    int32_t *first;  /* [n + 2] the dependents of h are dependents[first[h] .. first[h+1] - 1] */
    int32_t *dependents; /* [n] in order of position, head by head */
    int32_t *scratch;    /* [3 * (n + 1)] for dd_system.refuses */
    int32_t *memory;     /* holds the five arrays */
    size_t capacity;
    dd_tree_space space;
} dd_gold; /* {0} is valid */

void dd_gold_free(dd_gold *gold);
/* The heads must be a valid tree; labels may be NULL (all 0). False when memory is out. */
bool dd_gold_set(dd_gold *gold, const int32_t *heads, const int32_t *labels, int n);

/* How many gold dependents of `head` are words at or behind position `from`. */
static inline int dd_gold_dependents_from(const dd_gold *gold, int head, int from)
{
    int at = gold->first[head + 1];
    while (at > gold->first[head] && gold->dependents[at - 1] >= from) at--;
    return gold->first[head + 1] - at;
}

static inline bool dd_gold_has_dependent_from(const dd_gold *gold, int head, int from)
{
    int end = gold->first[head + 1];
    return end > gold->first[head] && gold->dependents[end - 1] >= from;
}

#endif
