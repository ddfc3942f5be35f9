/* sum.h - the sums of packed weights (packed.h): where most of the time of parsing goes
 *
 * There is a plain version and one for processors with AVX2; both give the same sums. */
#ifndef DODONA_SCORE_LINEAR_SUM_H
#define DODONA_SCORE_LINEAR_SUM_H

#include "score/linear/packed.h"

struct dd_packed;
struct dd_sum_space;

/* Sums the first n keys of the space into its scores. */
typedef void dd_sum(const struct dd_packed *packed, struct dd_sum_space *space, int n);

/* Weights in a mapped section. */
typedef struct dd_packed {
    const dd_templates *templates;
    dd_packed_header header;
    const dd_packed_bucket *buckets; /* [header.bucket_count] */
    const dd_packed_cell *cells;     /* [header.cell_count] */
    const int16_t *dense;            /* [header.dense_count * lanes] */
    size_t lanes;
    size_t dense_limit;  /* dense rows start before this group of lanes */
    uint32_t class_mask; /* classes rounded up to a power of two, minus 1 */
    dd_sum *sum;
} dd_packed;

/* A row of cells that waits to be added. */
typedef struct dd_sparse_row {
    const dd_packed_cell *cells;
    uint64_t count;
} dd_sparse_row;

/* What one thread needs; each array has room for all features of a configuration. */
typedef struct dd_sum_space {
    uint32_t *keys;    /* [dd_keys_room] */
    uint32_t *buckets; /* where the bucket of each key starts, in bytes */
    dd_sparse_row *sparse;
    const int16_t **dense;
    uint16_t *sums;  /* [class_mask + 1] of what is not dense */
    int32_t *scores; /* [lanes] */
} dd_sum_space;

/* The fastest that this processor has. */
dd_sum *dd_sum_best(void);
/* For tests: those that it has, the plain one first; NULL beyond the last. */
dd_sum *dd_sum_version(int version);

#endif
