/* largest.h - the largest of some numbers */
#ifndef DODONA_KERNELS_LARGEST_H
#define DODONA_KERNELS_LARGEST_H

#include <stdint.h>

/* The index of the first of the largest numbers; count is not 0. */
typedef int dd_largest(const int32_t *numbers, int count);

dd_largest dd_largest_plain, dd_largest_avx2;

#endif
