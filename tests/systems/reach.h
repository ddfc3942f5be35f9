/* reach.h - every configuration of a system over n words, and the trees that each can still reach,
 * by exhaustive search: the judge of constraints */
#ifndef DODONA_TESTS_REACH_H
#define DODONA_TESTS_REACH_H

#include "transition/system.h"

enum { REACH_MAX_N = 6, REACH_MAX_TREES = 2048, REACH_ROW = REACH_MAX_TREES / 64 };

typedef struct reach_set {
    uint64_t bits[REACH_ROW]; /* of trees */
} reach_set;

typedef struct reach reach;

/* `leaves`: bit w says that no arc from word w is built, not even one that goes again. */
reach *reach_new(const dd_system *system, int n, bool single_root, unsigned leaves);
void reach_free(reach *r);
int reach_trees(const reach *r);
/* heads[1..n] of a tree. */
const int32_t *reach_tree(const reach *r, int tree);
int reach_configurations(const reach *r);
/* The number of a configuration, 0 for the first one; -1: it is not reached. */
int reach_find(const reach *r, const dd_config *config);
const reach_set *reach_of(const reach *r, int configuration);

static inline void reach_add(reach_set *set, int tree)
{
    set->bits[tree / 64] |= UINT64_C(1) << (tree % 64);
}

static inline bool reach_meet(const reach_set *a, const reach_set *b)
{
    for (int i = 0; i < REACH_ROW; i++)
        if (a->bits[i] & b->bits[i]) return true;
    return false;
}

#endif
