/* weights.h - weights of features for parts of classes, while they are learnt and in a model
 *
 *     training: feature -> slot -> row: (part, weight) (part, weight) ..
 *     starts:   [bucket 0] [bucket 1] ..           offsets of the buckets in records
 *     records:  check 2 bytes, count, count times (part, weight) | the bucket's next record ..
 *
 * A class has one or more parts; its score is the sum of theirs over all features. A row is sparse
 * in parts. In the section of a model file, which is read in place, a feature's upper bits choose
 * its bucket and its lower 16 bits identify it there. Weights are whole numbers in one byte: w
 * stands for w * |w|, so that small ones are fine and large ones coarse. */
#ifndef DODONA_TAG_WEIGHTS_H
#define DODONA_TAG_WEIGHTS_H

#include "core/sections.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- weights that training changes -------------------------------------------------------- */

typedef struct dd_row_weight {
    uint32_t part;
    int32_t value;
} dd_row_weight;

typedef struct dd_row {
    uint64_t feature;       /* 0: a free slot */
    dd_row_weight *weights; /* [size] by part */
    int64_t *sums;          /* [size] see core/learning.h; apart, as scoring does not need them */
    uint32_t size, capacity;
} dd_row;

typedef struct dd_rows {
    dd_row *rows; /* [slot_count] */
    size_t slot_count, used;
    uint64_t steps;
    bool closed; /* no new weights are added */
} dd_rows;       /* {0} is empty and valid */

void dd_rows_free(dd_rows *rows);
/* Adds the weights of these features to scores[parts]. */
void dd_rows_score(const dd_rows *rows, const uint64_t *features, int count, int32_t *scores);
/* Adds to a part's weight in each of the features' rows. False: allocation failed. */
bool dd_rows_change(dd_rows *rows, const uint64_t *features, int count, uint32_t part,
                    int32_t change);
/* Drops weights whose average is closer to 0 than `least`, and adds none from now on: the others
 * learn to make up for them, which is better than leaving them out at the end. */
void dd_rows_prune(dd_rows *rows, double least);

/* ---- packed weights ----------------------------------------------------------------------- */

typedef struct dd_tag_weights {
    const uint32_t *starts; /* [buckets + 1] */
    const unsigned char *records;
    size_t buckets; /* a power of two */
    int shift;      /* 64 - log2(buckets) */
    int part_bytes; /* 1 or 2 */
} dd_tag_weights;

/* Writes the averages, those below `least` left out. False: allocation failed. */
bool dd_tag_weights_write(const dd_rows *rows, int parts, double least, dd_buffer *section);
/* The least average to keep so that the rest takes at most so many bytes, about; 0 bytes: no limit.
 */
double dd_tag_weights_least(const dd_rows *rows, int parts, size_t most_bytes);
/* Takes its blocks and checks them; parts: no number in them is as large. */
bool dd_tag_weights_map(dd_tag_weights *weights, dd_cursor *section, int parts);
/* Adds the weights of these features to scores[parts]. */
void dd_tag_weights_score(const dd_tag_weights *weights, const uint64_t *features, int count,
                          int32_t *scores);

#endif
