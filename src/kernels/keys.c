#include "kernels/keys.h"

#include "kernels/processor.h"

#include <string.h>

static const uint32_t no_base[DD_MAX_TEMPLATES];

/* The lanes of a group, in the lowest bits. */
static unsigned lanes_of(const dd_lane_set *present, int group)
{
    return (unsigned)(present->words[group / 8] >> group % 8 * DD_KEY_LANES) & 0xFF;
}

int dd_hash_keys_plain(const dd_terms *terms, int n_groups, const uint32_t *values,
                       const uint32_t *base, const dd_lane_set *present, uint32_t *keys)
{
    int count = 0;
    if (!base) base = no_base;
    for (int g = 0; g < n_groups; g++) {
        unsigned lanes = lanes_of(present, g);
        uint32_t sums[DD_KEY_LANES];
        if (lanes == 0) continue;
        memcpy(sums, base + g * DD_KEY_LANES, sizeof sums);
        for (int t = terms->first[g]; t < terms->first[g + 1]; t++)
            for (int i = 0; i < DD_KEY_LANES; i++)
                sums[i] += values[terms->places[t]] * terms->factors[t][i];
        for (int i = 0; i < DD_KEY_LANES; i++) {
            keys[count] = sums[i];
            count += lanes >> i & 1;
        }
    }
    return count;
}

#if DD_HAS_AVX2_CODE

#include <immintrin.h>

/* Bytes that bring the lanes in a set of four to the front, for _mm_shuffle_epi8. */
#define LANE(i) 4 * (i), 4 * (i) + 1, 4 * (i) + 2, 4 * (i) + 3
#define NONE    -1, -1, -1, -1
static const int8_t to_front[16][16] = {
    {NONE, NONE, NONE, NONE},          {LANE(0), NONE, NONE, NONE},
    {LANE(1), NONE, NONE, NONE},       {LANE(0), LANE(1), NONE, NONE},
    {LANE(2), NONE, NONE, NONE},       {LANE(0), LANE(2), NONE, NONE},
    {LANE(1), LANE(2), NONE, NONE},    {LANE(0), LANE(1), LANE(2), NONE},
    {LANE(3), NONE, NONE, NONE},       {LANE(0), LANE(3), NONE, NONE},
    {LANE(1), LANE(3), NONE, NONE},    {LANE(0), LANE(1), LANE(3), NONE},
    {LANE(2), LANE(3), NONE, NONE},    {LANE(0), LANE(2), LANE(3), NONE},
    {LANE(1), LANE(2), LANE(3), NONE}, {LANE(0), LANE(1), LANE(2), LANE(3)},
};

/* Appends the lanes of a half group; returns how many. */
__attribute__((target("avx2,popcnt"))) static inline int append(__m128i half, unsigned lanes,
                                                                uint32_t *keys)
{
    __m128i order = _mm_loadu_si128((const __m128i *)(const void *)to_front[lanes]);
    _mm_storeu_si128((__m128i *)(void *)keys, _mm_shuffle_epi8(half, order));
    return __builtin_popcount(lanes);
}

__attribute__((target("avx2,popcnt"))) static inline __m256i load(const uint32_t *lanes)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)lanes);
}

/* A value times its factors. */
__attribute__((target("avx2,popcnt"))) static inline __m256i term(const dd_terms *terms, size_t t,
                                                                  const uint32_t *values)
{
    __m256i value = _mm256_set1_epi32((int)values[terms->places[t]]);
    return _mm256_mullo_epi32(value, load(terms->factors[t]));
}

__attribute__((target("avx2,popcnt"))) int
dd_hash_keys_avx2(const dd_terms *terms, int n_groups, const uint32_t *values, const uint32_t *base,
                  const dd_lane_set *present, uint32_t *keys)
{
    uint32_t *at = keys;
    if (!base) base = no_base;
    for (int g = 0; g < n_groups; g++) {
        unsigned lanes = lanes_of(present, g);
        if (lanes == 0) continue;
        __m256i sums = load(base + g * DD_KEY_LANES), others = _mm256_setzero_si256();
        for (size_t t = terms->first[g], end = terms->first[g + 1]; t < end; t += 2) {
            sums = _mm256_add_epi32(sums, term(terms, t, values));
            others = _mm256_add_epi32(others, term(terms, t + 1, values));
        }
        sums = _mm256_add_epi32(sums, others);
        at += append(_mm256_castsi256_si128(sums), lanes & 15, at);
        at += append(_mm256_extracti128_si256(sums, 1), lanes >> 4, at);
    }
    return (int)(at - keys);
}

#endif
