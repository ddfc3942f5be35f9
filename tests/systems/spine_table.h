/* spine_table.h - the loss of LR-spine configurations as tabular-oracles-2014 computes it (section
 * 6): lists of spine pairs with the two restrictions of section 6.3. Slow and near the text; the
 * second judge, for sentences that exhaustive search cannot reach. */
#ifndef DODONA_TESTS_SPINE_TABLE_H
#define DODONA_TESTS_SPINE_TABLE_H

#include "systems/system.h"

enum { SPINE_TABLE_MAX_N = 24 };

typedef struct spine_rules {
    bool drop_useless;   /* first restriction: spine nodes without gold dependents to come */
    bool k_less_than_i;  /* read literally: for left spines "to come" is {r(sL[k]) | k < i} */
    bool drop_dominated; /* second restriction */
} spine_rules;

/* The smallest number of wrong arcs among those still to be built; -1: the lists are too long. The
 * longest list is raised to what was needed. */
int spine_table_loss(const dd_config *config, const dd_gold *gold, spine_rules rules, int *longest);

#endif
