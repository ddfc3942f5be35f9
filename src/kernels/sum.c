#include "kernels/sum.h"

#include "kernels/processor.h"

#include <string.h>

/* ---- keys --------------------------------------------------------------------------------- */

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

__attribute__((target("avx2,popcnt"))) static inline __m256i load_keys(const uint32_t *lanes)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)lanes);
}

/* A value times its factors. */
__attribute__((target("avx2,popcnt"))) static inline __m256i term(const dd_terms *terms, size_t t,
                                                                  const uint32_t *values)
{
    __m256i value = _mm256_set1_epi32((int)values[terms->places[t]]);
    return _mm256_mullo_epi32(value, load_keys(terms->factors[t]));
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
        __m256i sums = load_keys(base + g * DD_KEY_LANES), others = _mm256_setzero_si256();
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

/* ---- lanes -------------------------------------------------------------------------------- */

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

/* ---- sums --------------------------------------------------------------------------------- */

#if defined(__SSE2__)
#include <emmintrin.h>
#elif DD_HAS_SIMD128_CODE
#include <wasm_simd128.h>
#endif

/* Both versions come from one text: the compiler may use in each what its `target` has. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Two bits for each feature of the bucket whose check is the key's. */
ALWAYS_INLINE unsigned find_checks(const dd_packed_bucket *bucket, uint32_t key)
{
#if defined(__SSE2__)
    __m128i checks = _mm_load_si128((const __m128i *)(const void *)bucket->checks);
    return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi16(checks, _mm_set1_epi16((short)key)));
#elif DD_HAS_SIMD128_CODE
    v128_t same = wasm_i16x8_eq(wasm_v128_load(bucket->checks), wasm_u16x8_splat((uint16_t)key));
    return (unsigned)wasm_i8x16_bitmask(same);
#else
    unsigned found = 0;
    for (int i = 0; i < DD_BUCKET_FEATURES; i++)
        if (bucket->checks[i] == (uint16_t)key) found |= 3u << 2 * i;
    return found;
#endif
}

/* The bits of the feature; 0, a pair of no weights, if there is none. */
ALWAYS_INLINE uint64_t find_feature(const dd_packed_bucket *bucket, uint32_t key)
{
    for (;;) {
        unsigned found = find_checks(bucket, key);
        if (found) return dd_packed_feature(bucket, (unsigned)__builtin_ctz(found));
        if (!dd_packed_passes_on(bucket)) return 0;
        bucket++;
    }
}

/* A malicious file can name classes and rows that do not exist, or a class repeatedly. So the mask
 * keeps classes inside `sums`, rows that do not exist are skipped, and sums that only such a file
 * can reach wrap around. */
ALWAYS_INLINE void add_weight(const dd_packed *p, uint64_t class_id, uint64_t weight,
                              uint16_t *sums)
{
    uint16_t *sum = &sums[class_id & p->class_mask];
    *sum = (uint16_t)(*sum + weight);
}

ALWAYS_INLINE void add_half(const dd_packed *p, uint64_t half, uint16_t *sums)
{
    uint64_t weight = (uint64_t)((int64_t)(half << (64 - DD_PACKED_HALF)) >> 52);
    add_weight(p, half & (DD_PACKED_PAIR_CLASSES - 1), weight, sums);
}

ALWAYS_INLINE void add_cells(const dd_packed *p, dd_sparse_row row, uint16_t *sums)
{
#pragma GCC unroll 4
    for (uint64_t i = 0; i < row.count; i++)
        add_weight(p, row.cells[i].class_id, (uint64_t)row.cells[i].weight, sums);
}

typedef uint16_t short_group __attribute__((vector_size(2 * DD_LANE_GROUP)));

enum { MAX_GROUPS = 8 }; /* that stay in registers while rows are added to them */

/* `groups` is a constant in each call, so that `held` needs no memory. */
ALWAYS_INLINE void add_groups(dd_sum_space *s, size_t n_dense, size_t from, int groups)
{
    short_group held[MAX_GROUPS];
    memcpy(held, s->sums + from, (size_t)groups * sizeof *held);
#pragma GCC unroll 2
    for (size_t r = 0; r < n_dense; r++) {
        const int16_t *row = s->dense[r] + from;
        for (int g = 0; g < groups; g++) {
            short_group weights;
            memcpy(&weights, row + (size_t)g * DD_LANE_GROUP, sizeof weights);
            held[g] += weights;
        }
    }
    int16_t narrow[MAX_GROUPS * DD_LANE_GROUP];
    memcpy(narrow, held, (size_t)groups * sizeof *held);
    for (int i = 0; i < groups * DD_LANE_GROUP; i++) s->scores[from + (size_t)i] = narrow[i];
}

/* Dense rows, and what was summed so far, into scores. */
ALWAYS_INLINE void add_dense(const dd_packed *p, dd_sum_space *s, size_t n_dense)
{
    size_t from = 0, groups = p->lanes / DD_LANE_GROUP;
    for (; groups > MAX_GROUPS; groups -= MAX_GROUPS, from += MAX_GROUPS * DD_LANE_GROUP)
        add_groups(s, n_dense, from, MAX_GROUPS);
    switch (groups) {
    case 1: add_groups(s, n_dense, from, 1); break;
    case 2: add_groups(s, n_dense, from, 2); break;
    case 3: add_groups(s, n_dense, from, 3); break;
    case 4: add_groups(s, n_dense, from, 4); break;
    case 5: add_groups(s, n_dense, from, 5); break;
    case 6: add_groups(s, n_dense, from, 6); break;
    case 7: add_groups(s, n_dense, from, 7); break;
    case 8: add_groups(s, n_dense, from, 8); break;
    default: break;
    }
}

ALWAYS_INLINE const dd_packed_bucket *bucket_at(const dd_packed *p, uint32_t bytes)
{
    return (const dd_packed_bucket *)(const void *)((const char *)p->buckets + bytes);
}

ALWAYS_INLINE void prefetch_buckets(const dd_packed *p, const dd_sum_space *s, int n)
{
#pragma GCC unroll 8
    for (int t = 0; t < n; t++) __builtin_prefetch(bucket_at(p, s->buckets[t]));
}

/* The processor prefetches the rest of a row by itself. */
ALWAYS_INLINE void prefetch_row(const int16_t *row, size_t lanes)
{
    __builtin_prefetch(row);
    if (lanes > 32) __builtin_prefetch(row + 32);
    if (lanes > 64) __builtin_prefetch(row + 64);
}

/* Three passes, so that the memory of all features is requested before the first is used. */
ALWAYS_INLINE void sum(const dd_packed *p, dd_sum_space *s, int n)
{
    size_t n_sparse = 0, n_dense = 0;
    for (int t = 0; t < n; t++)
        s->buckets[t] = (uint32_t)dd_packed_bucket_of(s->keys[t], p->header.bucket_range) *
                        (uint32_t)sizeof *p->buckets;
    prefetch_buckets(p, s, n);
    memset(s->sums, 0, ((size_t)p->class_mask + 1) * sizeof *s->sums);
    for (int t = 0; t < n; t++) {
        uint64_t bits = find_feature(bucket_at(p, s->buckets[t]), s->keys[t]), rest = bits >> 2;
        uint64_t kind = bits & 3;
        if (kind == DD_PACKED_DENSE) {
            size_t group = (uint32_t)rest;
            if (group >= p->dense_limit) continue;
            s->dense[n_dense] = p->dense + group * DD_LANE_GROUP;
            prefetch_row(s->dense[n_dense++], p->lanes);
        } else if (kind == DD_PACKED_SPARSE) {
            uint64_t count = rest & DD_PACKED_MAX_SPARSE;
            uint32_t first = (uint32_t)(rest >> 12);
            if (first + count > p->header.cell_count) continue;
            s->sparse[n_sparse++] = (dd_sparse_row){p->cells + first, count};
            __builtin_prefetch(p->cells + first);
        } else if (bits != 0) {
            add_half(p, rest, s->sums);
            add_half(p, rest >> DD_PACKED_HALF, s->sums);
        }
    }
    for (size_t i = 0; i < n_sparse; i++) add_cells(p, s->sparse[i], s->sums);
    add_dense(p, s, n_dense);
}

void dd_sum_plain(const dd_packed *packed, dd_sum_space *space, int n)
{
    sum(packed, space, n);
}

#if DD_HAS_AVX2_CODE

__attribute__((target("avx2,bmi"))) void dd_sum_avx2(const dd_packed *packed, dd_sum_space *space,
                                                     int n)
{
    sum(packed, space, n);
}

#endif

/* ---- the best class ----------------------------------------------------------------------- */

int dd_largest_plain(const int32_t *numbers, int count)
{
    int32_t most = numbers[0];
    int at = 0;
    for (int i = 1; i < count; i++) most = numbers[i] > most ? numbers[i] : most;
    while (numbers[at] != most) at++;
    return at;
}

#if DD_HAS_AVX2_CODE

enum { GROUP = 8 };

__attribute__((target("avx2"))) static inline __m256i load_numbers(const int32_t *numbers)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)numbers);
}

/* The largest of eight, in all lanes. */
__attribute__((target("avx2"))) static inline __m256i spread_largest(__m256i most)
{
    most = _mm256_max_epi32(most, _mm256_permute2x128_si256(most, most, 1));
    most = _mm256_max_epi32(most, _mm256_shuffle_epi32(most, 0x4E));
    return _mm256_max_epi32(most, _mm256_shuffle_epi32(most, 0xB1));
}

/* Groups of eight; the last one may overlap the one before it. */
__attribute__((target("avx2"))) int dd_largest_avx2(const int32_t *numbers, int count)
{
    if (count < GROUP) return dd_largest_plain(numbers, count);
    __m256i most = load_numbers(numbers + count - GROUP);
    for (int i = 0; i + GROUP <= count; i += GROUP)
        most = _mm256_max_epi32(most, load_numbers(numbers + i));
    most = spread_largest(most);
    for (int i = 0;; i = i + 2 * GROUP <= count ? i + GROUP : count - GROUP) {
        __m256i same = _mm256_cmpeq_epi32(most, load_numbers(numbers + i));
        unsigned found = (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(same));
        if (found) return i + __builtin_ctz(found);
    }
}

#endif
