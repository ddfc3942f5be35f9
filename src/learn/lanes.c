#include "learn/lanes.h"

/* The compiler turns these loops into vector instructions: those that every processor of the kind
 * has, or those that it is allowed by `target`. */
#define ADD_LANES                                                                                  \
    for (size_t i = 0; i < lanes / DD_LANE_GROUP * DD_LANE_GROUP; i++) sums[i] += weights[i]
#define ADD_SHORT_LANES                                                                            \
    for (size_t i = 0; i < lanes / DD_LANE_GROUP * DD_LANE_GROUP; i++)                             \
    sums[i] += (uint32_t)weights[i]

static void add_plain(int32_t *restrict sums, const int32_t *restrict weights, size_t lanes)
{
    ADD_LANES;
}

static void add_short_plain(uint32_t *restrict sums, const int16_t *restrict weights, size_t lanes)
{
    ADD_SHORT_LANES;
}

#if defined(__x86_64__) && defined(__GNUC__)

__attribute__((target("avx2"))) static void add_avx2(int32_t *restrict sums,
                                                     const int32_t *restrict weights, size_t lanes)
{
    ADD_LANES;
}

__attribute__((target("avx2"))) static void
add_short_avx2(uint32_t *restrict sums, const int16_t *restrict weights, size_t lanes)
{
    ADD_SHORT_LANES;
}

static int versions(void)
{
    return __builtin_cpu_supports("avx2") ? 2 : 1;
}

static dd_add_lanes *const adders[] = {add_plain, add_avx2};
static dd_add_short_lanes *const short_adders[] = {add_short_plain, add_short_avx2};

#else

static int versions(void)
{
    return 1;
}

static dd_add_lanes *const adders[] = {add_plain};
static dd_add_short_lanes *const short_adders[] = {add_short_plain};

#endif

dd_add_lanes *dd_lanes_version(int version)
{
    return version < versions() ? adders[version] : NULL;
}

dd_add_short_lanes *dd_short_lanes_version(int version)
{
    return version < versions() ? short_adders[version] : NULL;
}

dd_add_lanes *dd_lanes_adder(void)
{
    return adders[versions() - 1];
}

dd_add_short_lanes *dd_short_lanes_adder(void)
{
    return short_adders[versions() - 1];
}
