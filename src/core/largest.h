/* largest.h - the largest of some numbers
 *
 * There is a plain version and one for processors with AVX2; both find the same. */
#ifndef DODONA_CORE_LARGEST_H
#define DODONA_CORE_LARGEST_H

#include <stdint.h>

/* The index of the first of the largest numbers; count is not 0. */
typedef int dd_largest(const int32_t *numbers, int count);

/* The fastest that this processor has. */
dd_largest *dd_largest_best(void);
/* For tests: those that it has, the plain one first; NULL beyond the last. */
dd_largest *dd_largest_version(int version);

#endif
