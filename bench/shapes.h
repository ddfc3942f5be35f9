/* shapes.h - how large the configurations are that training visits
 *
 * The papers measure the oracles that need a table by the size of the stack and of what is left of
 * the buffer: the right stack of arc-standard and lr-spine (tabular-oracles-2014, section 4.2), the
 * reduced buffer of attardi (attardi-oracle-2014, section 5.2). docs/experiments.md says how they
 * are counted. */
#ifndef BENCH_SHAPES_H
#define BENCH_SHAPES_H

#include "spine_table.h"

enum { SHAPE_DIAGONALS = 100 };

/* Sums and maxima over configurations. */
typedef struct shapes {
    uint64_t configurations;
    uint64_t stack, buffer; /* nodes, 0 included */
    uint64_t reduced;       /* nodes of the right stack or of the reduced buffer */
    int largest_stack, largest_buffer, largest_reduced;
    double share;                 /* (stack + reduced) / words of the sentence */
    uint64_t tables;              /* filled */
    int longest[SHAPE_DIAGONALS]; /* list T[i, j] with i + j - 1 = 1, 2, .., the last: or more */
} shapes;

typedef struct shape_counter {
    const dd_system *system;
    int tables_every; /* fills the slow table of lr-spine for one in so many configurations; 0:
                         never */
    shapes sums;
    dd_spine_table table;
    int32_t *scratch;
    size_t capacity;
} shape_counter;

/* Only arc-standard, lr-spine and attardi have such an oracle. */
bool shape_counter_knows(const dd_system *system);
/* Adds a configuration on the way to a whole gold tree; partial trees are left out. Returns false
 * if allocation fails. */
bool shape_counter_add(shape_counter *counter, const dd_config *config, const dd_gold *gold);
void shape_counter_free(shape_counter *counter);

/* Nodes of the right stack, without the copy of the stack's top that section 4.3 of the paper puts
 * on it. `marks` has room for n + 1. */
int right_stack_size(const dd_config *config, const dd_gold *gold, int32_t *marks);
/* Nodes of the reduced buffer. `scratch` has room for 6 * (n + 1). */
int reduced_buffer_size(const dd_config *config, const dd_gold *gold, int32_t *scratch);

#endif
