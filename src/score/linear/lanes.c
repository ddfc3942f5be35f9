#include "score/linear/lanes.h"

#include "core/processor.h"

/* The compiler turns this loop into vector instructions: those that every processor of the kind
 * has, or those that it is allowed by `target`. */
#define ADD_LANES                                                                                  \
    for (size_t i = 0; i < lanes / DD_LANE_GROUP * DD_LANE_GROUP; i++) sums[i] += weights[i]

static void add_plain(int32_t *restrict sums, const int32_t *restrict weights, size_t lanes)
{
    ADD_LANES;
}

#if DD_HAS_WIDE_CODE

__attribute__((target("avx2"))) static void add_avx2(int32_t *restrict sums,
                                                     const int32_t *restrict weights, size_t lanes)
{
    ADD_LANES;
}

static dd_add_lanes *const versions[] = {add_plain, add_avx2};

#else

static dd_add_lanes *const versions[] = {add_plain};

#endif

dd_add_lanes *dd_lanes_version(int version)
{
    return version < dd_code_versions() ? versions[version] : NULL;
}

dd_add_lanes *dd_lanes_adder(void)
{
    return versions[dd_code_versions() - 1];
}
