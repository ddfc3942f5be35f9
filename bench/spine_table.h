/* spine_table.h - the table T of LR-spine as its paper has it (tabular-oracles-2014, section 6):
 * lists of spine pairs with the two restrictions of section 6.3
 *
 * Slow and close to the text. Training computes the loss in src/systems/lr_spine/lr_spine_loss.c;
 * this table gives the lengths of the lists for Figure 3 of the paper (sizes.c), and tests/systems
 * compare the two. */
#ifndef BENCH_SPINE_TABLE_H
#define BENCH_SPINE_TABLE_H

#include "transition/system.h"

typedef struct dd_spine_rules {
    bool drop_useless;   /* first restriction: spine nodes without gold dependents to come */
    bool k_less_than_i;  /* read literally: for left spines "to come" is {r(sL[k]) | k < i} */
    bool drop_dominated; /* second restriction */
} dd_spine_rules;

typedef struct dd_spine {
    size_t start; /* in dd_spine_table.nodes, the root first */
    int size;
} dd_spine;

typedef struct dd_spine_tree {
    dd_spine left, right;
    int loss;
} dd_spine_tree;

typedef struct dd_spine_list {
    dd_spine_tree *trees; /* [size] */
    int size;
    size_t capacity;
} dd_spine_list;

typedef struct dd_spine_table {
    const dd_gold *gold;
    dd_spine_rules rules;
    bool out_of_memory, too_long;
    int n_left, n_right;
    dd_spine_tree *left;     /* [n_left] the stack, top first */
    dd_spine_tree *right;    /* [n_right] the right stack; [0] stands for left[0] */
    dd_spine_list *cells[2]; /* [n_right] of row i and of row i + 1 */
    int32_t *nodes;          /* of all spines */
    size_t n_nodes;
    int *longest; /* [diagonals] the longest list T[i, j] with i + j - 1 = 1, 2, .. */
    int diagonals;
    size_t left_capacity, right_capacity, nodes_capacity, longest_capacity;
    size_t cells_capacity[2];
} dd_spine_table; /* {0} is valid */

void dd_spine_table_free(dd_spine_table *table);
/* The smallest number of wrong arcs among those still to be built; -1: a list would get longer than
 * thousands of pairs. False if allocation fails. */
bool dd_spine_table_fill(dd_spine_table *table, const dd_config *config, const dd_gold *gold,
                         dd_spine_rules rules, int *loss);

#endif
