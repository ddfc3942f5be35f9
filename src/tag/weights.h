/* weights.h - what training has learnt, packed to be read in place from a section of a model file
 *
 *     starts:  [bucket 0] [bucket 1] ..           offsets of the buckets in records
 *     records: check 2 bytes, count, count times (part, weight) | the bucket's next record ..
 *
 * A feature's upper bits choose its bucket and its lower 16 bits tell it from the bucket's others.
 * Weights are whole numbers in one byte: w stands for w * |w|, so that small ones are fine and
 * large ones coarse. */
#ifndef DODONA_TAG_WEIGHTS_H
#define DODONA_TAG_WEIGHTS_H

#include "core/sections.h"
#include "tag/rows.h"

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
