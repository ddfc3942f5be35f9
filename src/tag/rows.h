/* rows.h - the weights that training changes: a row a feature, sparse in parts of classes
 *
 *     feature -> slot -> row: (part, weight) (part, weight) ..
 *
 * A class has one or more parts; its score is the sum of theirs over all features. */
#ifndef DODONA_TAG_ROWS_H
#define DODONA_TAG_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
    bool closed; /* weights that are not there stay so */
} dd_rows;       /* {0} is empty and valid */

void dd_rows_free(dd_rows *rows);
/* Adds the weights of these features to scores[parts]. */
void dd_rows_score(const dd_rows *rows, const uint64_t *features, int count, int32_t *scores);
/* Adds to a part's weight in each of the features' rows. False: allocation failed. */
bool dd_rows_change(dd_rows *rows, const uint64_t *features, int count, uint32_t part,
                    int32_t change);
/* Drops weights whose average is less than `least` away from 0, and adds none from now on: the
 * others learn to make up for them, which is better than leaving them out at the end. */
void dd_rows_prune(dd_rows *rows, double least);
/* The average over all steps of the row's i-th weight. */
double dd_rows_average(const dd_rows *rows, const dd_row *row, uint32_t i);

#endif
