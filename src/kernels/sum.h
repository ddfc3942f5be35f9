/* sum.h - the sums of packed weights: where most of the time of parsing goes */
#ifndef DODONA_KERNELS_SUM_H
#define DODONA_KERNELS_SUM_H

#include "kernels/packed_layout.h"

/* Weights in a mapped section. */
typedef struct dd_packed {
    dd_packed_header header;
    const dd_packed_bucket *buckets; /* [header.bucket_count] */
    const dd_packed_cell *cells;     /* [header.cell_count] */
    const int16_t *dense;            /* [header.dense_count * lanes] */
    size_t lanes;
    size_t dense_limit;  /* dense rows start before this group of lanes */
    uint32_t class_mask; /* classes rounded up to a power of two, minus 1 */
} dd_packed;

/* A row of cells that waits to be added. */
typedef struct dd_sparse_row {
    const dd_packed_cell *cells;
    uint64_t count;
} dd_sparse_row;

/* What one thread needs; each array has room for all features of a configuration. */
typedef struct dd_sum_space {
    uint32_t *keys;    /* one a template, and room for a group */
    uint32_t *buckets; /* where the bucket of each key starts, in bytes */
    dd_sparse_row *sparse;
    const int16_t **dense;
    uint16_t *sums;  /* [class_mask + 1] of what is not dense */
    int32_t *scores; /* [lanes] */
} dd_sum_space;

/* Sums the first n keys of the space into its scores. */
typedef void dd_sum(const dd_packed *packed, dd_sum_space *space, int n);

dd_sum dd_sum_plain, dd_sum_avx2;

#endif
