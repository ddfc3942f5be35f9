/* perceptron.h - learns one yes-or-no question with hashed features: the averaged perceptron with a
 * margin (Freund and Schapire 1999; Collins 2002). All sums are whole numbers, so that equal data
 * gives equal weights on every machine. */
#ifndef DODONA_SEGMENT_PERCEPTRON_H
#define DODONA_SEGMENT_PERCEPTRON_H

#include "core/strings.h"

typedef struct dd_perceptron_table {
    int bits;
    int32_t *weights; /* [1 << bits] */
    int64_t *sums;    /* [1 << bits] see core/learning.h */
    uint64_t steps;
} dd_perceptron_table;

bool dd_perceptron_table_make(dd_perceptron_table *table, int bits);
void dd_perceptron_table_free(dd_perceptron_table *table);
/* One example; updates where the answer is wrong or leads by less than the margin. Returns whether
 * it was right before. */
bool dd_perceptron_table_learn(dd_perceptron_table *table, const uint32_t *features, int count,
                               bool answer, int margin);
/* Appends the averages as int16, scaled so that the largest is 32767. */
bool dd_perceptron_table_write(const dd_perceptron_table *table, dd_buffer *out);

#endif
