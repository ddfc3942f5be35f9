#include "kernels/lanes.h"

#include "kernels/processor.h"

/* The compiler turns this loop into vector instructions: those that every processor of the kind
 * has, or those that it is allowed by `target`. */
#define ADD_LANES                                                                                  \
    for (size_t i = 0; i < lanes / DD_LANE_GROUP * DD_LANE_GROUP; i++) sums[i] += weights[i]

void dd_add_lanes_plain(int32_t *restrict sums, const int32_t *restrict weights, size_t lanes)
{
    ADD_LANES;
}

#if DD_HAS_AVX2_CODE

__attribute__((target("avx2"))) void
dd_add_lanes_avx2(int32_t *restrict sums, const int32_t *restrict weights, size_t lanes)
{
    ADD_LANES;
}

#endif
