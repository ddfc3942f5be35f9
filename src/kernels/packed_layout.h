/* packed_layout.h - averaged weights as they lie in the model file
 *
 *     header | buckets [bucket_count] | cells [cell_count] | filled up to 64 bytes | dense rows
 *
 * A feature's key picks a bucket, key * bucket_range / 2^32: a cache line with eight features, each
 * known by the low 16 bits of its key. If one did not fit in, the bucket says so, and it stands in
 * one of the next. Many features have one or two weights, which stand in the bucket. Others have a
 * row in cells, a cell a weight, or, with many weights, a dense row: one weight for each class in
 * order, filled up to groups of lanes (lanes.h). So a feature costs one access to memory, or two of
 * which the second can be seen coming.
 *
 * No sum of weights that features of one configuration can have leaves 16 bits: see freeze.c.
 * Little-endian, 64-byte aligned, read in place. */
#ifndef DODONA_KERNELS_PACKED_LAYOUT_H
#define DODONA_KERNELS_PACKED_LAYOUT_H

#include "kernels/lanes.h"

#include <stdbool.h>
#include <string.h>

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

/* The bits of a feature, given twice its number, with what stands in the free ones. */
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

/* Where a row has a tenth of all weights, adding all is faster than picking. */
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

#endif
