/* lanes.h - sums over dense rows of weights, one lane a class: the inner loop of scoring
 *
 * Each sum has a plain version and, for processors that can do it, wider ones; all give the same
 * numbers, as they are whole and wrap around. */
#ifndef DODONA_LEARN_LANES_H
#define DODONA_LEARN_LANES_H

#include <stddef.h>
#include <stdint.h>

/* Rows are filled up to whole groups of lanes, so that no loop has a rest. */
enum { DD_LANE_GROUP = 16 };

static inline uint32_t dd_lanes_for(uint32_t classes)
{
    return (classes + DD_LANE_GROUP - 1) / DD_LANE_GROUP * DD_LANE_GROUP;
}

/* sums[i] += weights[i] for i in 0..lanes-1, whole groups; neither overlaps the other. */
typedef void dd_add_short_lanes(uint32_t *sums, const int16_t *weights, size_t lanes);
typedef void dd_add_lanes(int32_t *sums, const int32_t *weights, size_t lanes);

/* The widest of each that this processor has. */
dd_add_short_lanes *dd_short_lanes_adder(void);
dd_add_lanes *dd_lanes_adder(void);

/* For tests: the versions that this processor has, the plain one first; NULL beyond the last. */
dd_add_short_lanes *dd_short_lanes_version(int version);
dd_add_lanes *dd_lanes_version(int version);

#endif
