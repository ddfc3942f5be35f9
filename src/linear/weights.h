/* weights.h - the weights that are being learnt: features to rows, and their averages
 *
 * Rows lie in one pool. A row is a head cell and a power of two of cells, its capacity. Most rows
 * are sparse: a cell a weight, and weights that are 0 are not stored. A row with many weights is
 * dense: the memory of its cells begins with one weight a class.
 *
 * The sums that averages are made of (core/learning.h) lie in an array of their own beside the
 * pool, as scoring does not need them: that of the i-th weight of a row at row + 1 + i. */
#ifndef DODONA_LINEAR_WEIGHTS_H
#define DODONA_LINEAR_WEIGHTS_H

#include "core/learning.h"
#include "core/strings.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef union dd_weight_cell {
    struct {
        int32_t weight;
        uint32_t class_id;
    };
    struct { /* in a head cell */
        uint16_t feature_template;
        uint16_t size;  /* the capacity is DD_MIN_ROW << size */
        uint32_t count; /* weights in the row, or DD_DENSE_ROW */
    };
} dd_weight_cell;

#define DD_DENSE_ROW UINT32_MAX

typedef struct dd_weight_slot {
    uint32_t key;
    uint32_t row; /* index in the pool; 0: free */
} dd_weight_slot;

enum { DD_MIN_ROW = 2, DD_MAX_SPARSE_ROW = 16, DD_ROW_SIZES = 20 };

typedef struct dd_weights {
    int classes;
    uint64_t steps;        /* of learning: what averages are over */
    dd_weight_slot *slots; /* [1 << slot_bits] open addressing, linear probing */
    int slot_bits;
    size_t slots_used;
    dd_weight_cell *cells; /* [cells_used] the pool; cell 0 is never used */
    int64_t *sums;         /* [cells_used] of the weight beside it */
    size_t cells_used, cells_capacity, sums_capacity;
    uint32_t vacant[DD_ROW_SIZES]; /* first of the vacant rows of each size, linked by count */
    bool closed;                   /* no features are added any more */
} dd_weights;

/* False if allocation fails. */
bool dd_weights_start(dd_weights *weights, int classes);
void dd_weights_free(dd_weights *weights);
/* Adds to the weight of a class in a feature, which is made if need be; rows may move. False when
 * allocation failed. */
bool dd_weights_change(dd_weights *weights, uint32_t key, int feature_template, int class_id,
                       int change);

/* Drops the features none of whose averages reaches `least`, and adds no features from now on; the
 * remaining ones learn to make up for them. False if allocation fails; nothing has changed then. */
bool dd_weights_close(dd_weights *weights, double least);

static inline size_t dd_weights_start_of(const dd_weights *weights, uint32_t key)
{
    return key >> (32 - weights->slot_bits);
}

static inline dd_weight_slot *dd_weights_find(const dd_weights *weights, uint32_t key)
{
    size_t mask = ((size_t)1 << weights->slot_bits) - 1;
    size_t at = dd_weights_start_of(weights, key);
    while (weights->slots[at].row && weights->slots[at].key != key) at = (at + 1) & mask;
    return &weights->slots[at];
}

static inline int32_t *dd_dense_row(const dd_weights *weights, uint32_t row)
{
    return &weights->cells[row + 1].weight;
}

/* How many weights a row holds; below, the class of the i-th of them, from 0, and its average. */
static inline int dd_row_size(const dd_weights *weights, uint32_t row)
{
    uint32_t count = weights->cells[row].count;
    return count == DD_DENSE_ROW ? weights->classes : (int)count;
}

static inline int dd_row_class(const dd_weights *weights, uint32_t row, int i)
{
    bool dense = weights->cells[row].count == DD_DENSE_ROW;
    return dense ? i : (int)weights->cells[row + 1 + (uint32_t)i].class_id;
}

static inline double dd_row_average(const dd_weights *weights, uint32_t row, int i)
{
    bool dense = weights->cells[row].count == DD_DENSE_ROW;
    uint32_t at = row + 1 + (uint32_t)i;
    int32_t weight = dense ? dd_dense_row(weights, row)[i] : weights->cells[at].weight;
    return dd_average(weight, weights->sums[at], weights->steps);
}

/* The largest absolute average of a row. */
static inline double dd_row_largest(const dd_weights *weights, uint32_t row)
{
    double largest = 0;
    for (int i = 0; i < dd_row_size(weights, row); i++) {
        double average = dd_row_average(weights, row, i);
        if (average > largest) largest = average;
        if (-average > largest) largest = -average;
    }
    return largest;
}

/* ---- freezing (freeze.c) --------------------------------------------------------------------- */

typedef struct dd_freezing {
    /* Features none of whose weights reaches so many per cent of the largest weight are left out,
     * and so are weights that do not reach a quarter of that. */
    double prune;
    size_t bytes; /* leave out as many features as it takes to stay below; 0: no limit */
} dd_freezing;

/* Appends the section of averaged weights. False if allocation fails. */
bool dd_freeze(const dd_weights *weights, int n_templates, dd_freezing how, dd_buffer *section);
/* What the largest weight of a feature must reach for all that do to take up at most so many bytes.
 * False if allocation fails. */
bool dd_freeze_threshold(const dd_weights *weights, size_t bytes, double *least);

#endif
