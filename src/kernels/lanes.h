/* lanes.h - sums over dense rows of weights that are being learnt, one lane a class */
#ifndef DODONA_KERNELS_LANES_H
#define DODONA_KERNELS_LANES_H

#include <stddef.h>
#include <stdint.h>

/* Rows are filled up to whole groups of lanes, so that no loop has a rest. */
enum { DD_LANE_GROUP = 16 };

static inline uint32_t dd_lanes_for(uint32_t classes)
{
    return (classes + DD_LANE_GROUP - 1) / DD_LANE_GROUP * DD_LANE_GROUP;
}

/* sums[i] += weights[i] for i in 0..lanes-1, whole groups; neither overlaps the other. */
typedef void dd_add_lanes(int32_t *sums, const int32_t *weights, size_t lanes);

dd_add_lanes dd_add_lanes_plain, dd_add_lanes_avx2;

#endif
