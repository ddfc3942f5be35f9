/* maximum.h - the tree whose arcs have the largest sum of scores
 *
 * Chu and Liu (1965) and Edmonds (1967) on a full matrix, in O(n^2) as Tarjan (1977) has it: from
 * each word in turn a path goes back over the best arcs until it meets what is settled; where it
 * meets itself, the cycle becomes one node. A single root is a matter of the scores: if all arcs
 * from 0 lose more than any two trees can differ by, the best tree has as few of them as can be
 * (Stanojević and Cohen 2021, "A root of a problem"). Sums are 64-bit numbers and exact. Of equal
 * arcs into a node the one whose head comes first is taken. */
#ifndef DODONA_TREE_MAXIMUM_H
#define DODONA_TREE_MAXIMUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    DD_NO_SCORE = INT32_MIN,     /* of an arc that no tree may have */
    DD_MAX_TREE_WORDS = 1 << 15, /* so that sums stay exact; the matrix of a longer sentence would
                                    not fit into memory */
    DD_MAX_ARC_SCORE = 1 << 30,  /* in either direction */
};

/* Working memory. A node, which is a word or a cycle, stands in the place of one of its words. */
typedef struct dd_max_tree {
    int n;
    const int32_t *scores; /* the caller's */
    int64_t from_root;     /* added to the scores of arcs from 0 */
    uint32_t *arcs;        /* [n + 1][n + 1] by places of dependent and head: the best arc, as its
                              index in scores */
    int64_t *taken;        /* [n + 1] what was taken off the scores of all arcs into a word */
    int32_t *numbers;      /* holds the arrays below */
    int32_t *node_at;   /* [n + 1] number of the node in a place, DD_NONE: the place was merged into
                           another */
    int32_t *state;     /* [n + 1] of places */
    int32_t *path;      /* [n + 1] places, each the head of the one before it */
    int32_t *members;   /* [n + 1] places on a cycle */
    int32_t *next_word; /* [n + 1] of the words of a node, in a ring */
    int32_t *parent;    /* [2 * n + 1] of nodes: the cycle that each is part of, DD_NONE: none */
    int32_t *child;     /* [2 * n + 1] the first node on the cycle */
    int32_t *sibling;   /* [2 * n + 1] the next one */
    uint32_t *best;     /* [2 * n + 1] the arc that each was entered by */
    int nodes; /* words come first, with 0, then cycles in the order in which they closed */
    size_t arcs_capacity, taken_capacity, numbers_capacity, best_capacity;
} dd_max_tree; /* {0} is valid */

void dd_max_tree_free(dd_max_tree *space);

typedef enum dd_max_tree_result {
    DD_MAX_TREE_MEMORY = -1, /* allocation failed */
    DD_MAX_TREE_NONE,        /* no tree has only arcs with scores, or none with a single root */
    DD_MAX_TREE_FOUND,
} dd_max_tree_result;

/* scores[n + 1][n + 1], by dependent and head, each DD_NO_SCORE or at most DD_MAX_ARC_SCORE from 0;
 * those into 0 and from a word to itself do not count. Fills heads[1..n]. */
dd_max_tree_result dd_max_tree_find(dd_max_tree *space, const int32_t *scores, int n,
                                    bool single_root, int32_t *heads);

#endif
