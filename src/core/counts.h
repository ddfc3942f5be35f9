/* counts.h - non-negative integers of any size, to be added and printed */
#ifndef DODONA_CORE_COUNTS_H
#define DODONA_CORE_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All have the same number of limbs, 18 decimal digits each, the lowest first. */
typedef struct dd_counts {
    uint64_t *limbs; /* [size * width] */
    size_t size, width, capacity;
} dd_counts; /* {0} is valid and empty */

void dd_counts_free(dd_counts *counts);
void dd_counts_clear(dd_counts *counts);
/* Appends a number below 10^18. False if allocation fails, here and below. */
bool dd_counts_append(dd_counts *counts, uint64_t value);
/* counts[to] += counts[from] */
bool dd_counts_add(dd_counts *counts, size_t to, size_t from);
/* Its decimal digits, to be freed; NULL if allocation fails. */
char *dd_counts_text(const dd_counts *counts, size_t index);

#endif
