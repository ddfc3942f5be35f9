#include "kernels/largest.h"

#include "kernels/processor.h"

int dd_largest_plain(const int32_t *numbers, int count)
{
    int32_t most = numbers[0];
    int at = 0;
    for (int i = 1; i < count; i++) most = numbers[i] > most ? numbers[i] : most;
    while (numbers[at] != most) at++;
    return at;
}

#if DD_HAS_AVX2_CODE

#include <immintrin.h>

enum { GROUP = 8 };

__attribute__((target("avx2"))) static inline __m256i load(const int32_t *numbers)
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
    __m256i most = load(numbers + count - GROUP);
    for (int i = 0; i + GROUP <= count; i += GROUP)
        most = _mm256_max_epi32(most, load(numbers + i));
    most = spread_largest(most);
    for (int i = 0;; i = i + 2 * GROUP <= count ? i + GROUP : count - GROUP) {
        __m256i same = _mm256_cmpeq_epi32(most, load(numbers + i));
        unsigned found = (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(same));
        if (found) return i + __builtin_ctz(found);
    }
}

#endif
