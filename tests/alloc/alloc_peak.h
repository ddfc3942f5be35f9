/* alloc_peak.h - how much memory an operation holds at a time; linked with alloc_peak.c, which
 * stands in for the allocator */
#ifndef DODONA_TESTS_ALLOC_PEAK_H
#define DODONA_TESTS_ALLOC_PEAK_H

#include <stddef.h>

/* Forgets the largest sum so far. */
void alloc_peak_begin(void);
/* The largest sum of bytes handed out at a time since then, without what was held then. */
size_t alloc_peak(void);

#endif
