/* shapes.h - how large configurations are for the oracles that need tables: stack, right stack or
 * reduced buffer, and the lists in the table of lr-spine */
#ifndef DODONA_TRAIN_SHAPES_H
#define DODONA_TRAIN_SHAPES_H

#include "systems/lr_spine/lr_spine.h"

#include <dodona_research.h>

typedef struct dd_shape_counter {
    dd_shapes *target; /* NULL: nothing is counted */
    const dd_system *system;
    dd_spine_table table;
    int32_t *scratch;
    size_t capacity;
} dd_shape_counter; /* {0} is valid */

void dd_shape_counter_free(dd_shape_counter *counter);
/* Adds a configuration on the way to a whole gold tree; partial trees are left out. False when
 * allocation failed. */
bool dd_shape_counter_add(dd_shape_counter *counter, const dd_config *config, const dd_gold *gold);

/* Nodes of the right stack (tabular-oracles-2014, section 4.2), without the copy of the stack's top
 * that section 4.3 puts on it. `marks` has room for n + 1. */
int dd_right_stack_size(const dd_config *config, const dd_gold *gold, int32_t *marks);
/* Nodes of the reduced buffer (attardi-oracle-2014, section 5.2). `scratch` has room for
 * 6 * (n + 1). */
int dd_reduced_buffer_size(const dd_config *config, const dd_gold *gold, int32_t *scratch);

#endif
