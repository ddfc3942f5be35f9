/* sum.h - the innermost loops of linear scorers
 *
 *     values of templates -> keys -> sums of packed weights, one lane a class -> the largest
 *
 * Packed weights are averaged weights as they lie in the model file:
 *
 *     header | buckets [bucket_count] | cells [cell_count] | filled up to 64 bytes | dense rows
 *
 * A feature's key picks a bucket, key * bucket_range / 2^32: a cache line with eight features, each
 * identified by the low 16 bits of its key. A feature that does not fit in its bucket is stored in
 * one of the next ones, and the bucket says so. Many features have one or two weights, which are
 * stored in the bucket. Others have a row in cells, one cell a weight, or, with many weights, a
 * dense row: one weight for each class in order, filled up to groups of lanes. So a feature costs
 * one access to memory, or two, of which the second can be prefetched.
 *
 * No sum of weights that the features of one configuration can have exceeds 16 bits: see freeze.c.
 * Little-endian, 64-byte aligned, read in place. */
#ifndef DODONA_KERNELS_SUM_H
#define DODONA_KERNELS_SUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* ---- keys --------------------------------------------------------------------------------- */

enum {
    DD_MAX_TEMPLATES = 1024,
    DD_MAX_ITEMS = 8, /* in a template */
    DD_MAX_TERMS = DD_MAX_TEMPLATES * DD_MAX_ITEMS + DD_MAX_TEMPLATES,
    DD_KEY_LANES = 8, /* templates hashed side by side */
    DD_MAX_GROUPS = DD_MAX_TEMPLATES / DD_KEY_LANES,
};

/* A set of templates, by their lanes. */
typedef struct dd_lane_set {
    uint64_t words[DD_MAX_TEMPLATES / 64];
} dd_lane_set;

/* Values times factors, to be added to the keys of a group of templates. */
typedef struct dd_terms {
    uint16_t first[DD_MAX_GROUPS + 2]; /* terms of the i-th group start here; an even number */
    uint16_t places[DD_MAX_TERMS];     /* in the values */
    uint32_t factors[DD_MAX_TERMS][DD_KEY_LANES]; /* 0 where the template lacks the value */
} dd_terms;

/* Makes the keys of the lanes in `present`, in order, without gaps, and returns how many. `base`:
 * what is added to the key of each lane, or NULL. keys has room for a group beyond the last. */
typedef int dd_hash_keys(const dd_terms *terms, int n_groups, const uint32_t *values,
                         const uint32_t *base, const dd_lane_set *present, uint32_t *keys);

dd_hash_keys dd_hash_keys_plain, dd_hash_keys_avx2;

/* ---- lanes -------------------------------------------------------------------------------- */

/* Rows are filled up to whole groups of lanes, so that no loop has a rest. */
enum { DD_LANE_GROUP = 16 };

static inline uint32_t dd_lanes_for(uint32_t classes)
{
    return (classes + DD_LANE_GROUP - 1) / DD_LANE_GROUP * DD_LANE_GROUP;
}

/* sums[i] += weights[i] for i in 0..lanes-1, whole groups; neither overlaps the other. */
typedef void dd_add_lanes(int32_t *sums, const int32_t *weights, size_t lanes);

dd_add_lanes dd_add_lanes_plain, dd_add_lanes_avx2;

/* ---- packed weights ----------------------------------------------------------------------- */

typedef struct dd_packed_header {
    uint32_t classes;
    uint32_t templates;    /* of both kinds */
    uint64_t bucket_range; /* buckets that keys pick */
    uint64_t bucket_count; /* with those behind them; the last one passes nothing on */
    uint64_t cell_count;
    uint64_t dense_count; /* dense rows */
    uint64_t feature_count;
    double unit; /* what a weight of 1 is worth */
    uint8_t reserved[8];
} dd_packed_header;

enum { DD_BUCKET_FEATURES = 8 };

/* The features fill it from the front. 48 bits a feature, from the lowest: 2 kind, 44 of its kind,
 * 2 free; the highest bit of the last one: some feature that picks this bucket, or passed it,
 * stands in a later one. */
typedef struct dd_packed_bucket {
    uint16_t checks[DD_BUCKET_FEATURES];
    uint8_t features[DD_BUCKET_FEATURES * 6];
} dd_packed_bucket;

_Static_assert(sizeof(dd_packed_header) == 64, "the buckets start on a cache line");
_Static_assert(sizeof(dd_packed_bucket) == 64, "a bucket is a cache line");

typedef enum dd_packed_kind {
    DD_PACKED_PAIR = 0, /* twice: 10 class, 12 weight; a weight of 0 is none */
    DD_PACKED_SPARSE,   /* 12 weights in the row, 32 its first cell */
    DD_PACKED_DENSE,    /* 32 groups of lanes before the dense row */
} dd_packed_kind;

enum {
    DD_PACKED_PAIR_CLASSES = 1 << 10,
    DD_PACKED_PAIR_WEIGHT = (1 << 11) - 1, /* the largest */
    DD_PACKED_MAX_SPARSE = (1 << 12) - 1,  /* weights in a row */
    DD_PACKED_HALF = 22,                   /* bits of a pair's half */
};

#define DD_PACKED_PASSED_ON (UINT64_C(1) << 47)

typedef struct dd_packed_cell {
    uint16_t class_id;
    int16_t weight;
} dd_packed_cell;

static inline uint64_t dd_packed_bucket_of(uint32_t key, uint64_t bucket_range)
{
    return key * bucket_range >> 32;
}

/* The bits of a feature, given twice its number, including the two free bits. */
static inline uint64_t dd_packed_feature(const dd_packed_bucket *bucket, unsigned twice_i)
{
    uint64_t bits; /* two bytes of what stands before it, then its six */
    memcpy(&bits, (const char *)bucket + sizeof bucket->checks - 2 + 3 * twice_i, sizeof bits);
    return bits >> 16;
}

static inline bool dd_packed_passes_on(const dd_packed_bucket *bucket)
{
    return bucket->features[sizeof bucket->features - 1] >> 7;
}

/* If a row has at least a tenth of all weights, adding a dense row is faster than adding single
 * weights. */
static inline bool dd_packed_is_dense(uint32_t weights, uint32_t classes)
{
    return weights > classes / 10 || weights > DD_PACKED_MAX_SPARSE;
}

/* Bytes before the dense rows. */
static inline size_t dd_packed_dense_start(const dd_packed_header *header)
{
    size_t end = sizeof *header + (size_t)header->bucket_count * sizeof(dd_packed_bucket) +
                 (size_t)header->cell_count * sizeof(dd_packed_cell);
    return (end + 63) / 64 * 64;
}

/* ---- sums --------------------------------------------------------------------------------- */

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

/* ---- the best class ----------------------------------------------------------------------- */

/* The index of the first of the largest numbers; count is not 0. */
typedef int dd_largest(const int32_t *numbers, int count);

dd_largest dd_largest_plain, dd_largest_avx2;

#endif
