#include "kernels/dense.h"

#include "kernels/processor.h"

#if DD_HAS_AVX2_CODE

#include "kernels/vnni.h"

#include <stdbool.h>
#include <string.h>

#define AVX2          __attribute__((target("avx2"))) static inline
#define ALWAYS_INLINE __attribute__((target("avx2"), always_inline)) static inline

/* Adds to each sum eight products of bytes: four bytes, repeated, times four weights of each
 * column, and the same once more. */
typedef __m256i dot(__m256i sums, const __m256i bytes[2], __m256i weights, __m256i more_weights);

/* Bytes and weights are so small that four products fit in 16 bits. */
AVX2 __m256i dot_avx2(__m256i sums, const __m256i bytes[2], __m256i weights, __m256i more_weights)
{
    __m256i pairs = _mm256_add_epi16(_mm256_maddubs_epi16(bytes[0], weights),
                                     _mm256_maddubs_epi16(bytes[1], more_weights));
    return _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}

AVX2 __m256i load(const void *from)
{
    return _mm256_loadu_si256((const __m256i *)from);
}

AVX2 void store(void *to, __m256i numbers)
{
    _mm256_storeu_si256((__m256i *)to, numbers);
}

/* Four bytes in each place. */
AVX2 __m256i repeat(const uint8_t *from)
{
    int32_t four;
    memcpy(&four, from, sizeof four);
    return _mm256_set1_epi32(four);
}

/* `times` and `rows` are constants in each call, so that the sums stay in registers: two of eight
 * columns a row. */
ALWAYS_INLINE void tile(dot *times, int rows, size_t k, const uint8_t *a, size_t a_stride,
                        const int8_t *w, int32_t *c, size_t c_stride)
{
    __m256i sums[4][2];
    DD_UNROLL
    for (int r = 0; r < rows; r++) sums[r][0] = sums[r][1] = _mm256_setzero_si256();
    for (size_t p = 0; p < k; p += 2 * DD_DENSE_DEPTH) {
        const int8_t *at = w + p * DD_DENSE_COLUMNS;
        bool both = p + DD_DENSE_DEPTH < k; /* else what is repeated meets bytes of 0 */
        const int8_t *next = both ? at + DD_DENSE_DEPTH * DD_DENSE_COLUMNS : at;
        DD_UNROLL
        for (int r = 0; r < rows; r++) {
            const uint8_t *from = a + (size_t)r * a_stride + p;
            const __m256i bytes[2] = {repeat(from), both ? repeat(from + DD_DENSE_DEPTH)
                                                         : _mm256_setzero_si256()};
            sums[r][0] = times(sums[r][0], bytes, load(at), load(next));
            sums[r][1] = times(sums[r][1], bytes, load(at + 32), load(next + 32));
        }
    }
    DD_UNROLL
    for (int r = 0; r < rows; r++) {
        store(c + (size_t)r * c_stride, sums[r][0]);
        store(c + (size_t)r * c_stride + 8, sums[r][1]);
    }
}

ALWAYS_INLINE void multiply(dot *times, size_t m, size_t n, size_t k, const uint8_t *a,
                            size_t a_stride, const int8_t *w, int32_t *c, size_t c_stride)
{
    for (size_t j = 0; j < n; j += DD_DENSE_COLUMNS) {
        const int8_t *columns = w + j * k;
        size_t i = 0;
        for (; i + 4 <= m; i += 4)
            tile(times, 4, k, a + i * a_stride, a_stride, columns, c + i * c_stride + j, c_stride);
        const uint8_t *rest = a + i * a_stride;
        int32_t *to = c + i * c_stride + j;
        if (m - i == 3) tile(times, 3, k, rest, a_stride, columns, to, c_stride);
        if (m - i == 2) tile(times, 2, k, rest, a_stride, columns, to, c_stride);
        if (m - i == 1) tile(times, 1, k, rest, a_stride, columns, to, c_stride);
    }
}

__attribute__((target("avx2"))) void dd_dense_avx2(size_t m, size_t n, size_t k, const uint8_t *a,
                                                   size_t a_stride, const int8_t *w, int32_t *c,
                                                   size_t c_stride)
{
    multiply(dot_avx2, m, n, k, a, a_stride, w, c, c_stride);
}

#if DD_HAS_AVX_VNNI_CODE

DD_AVX_VNNI static inline __m256i dot_avx_vnni(__m256i sums, const __m256i bytes[2],
                                               __m256i weights, __m256i more_weights)
{
    sums = _mm256_dpbusd_avx_epi32(sums, bytes[0], weights);
    return _mm256_dpbusd_avx_epi32(sums, bytes[1], more_weights);
}

DD_AVX_VNNI void dd_dense_avx_vnni(size_t m, size_t n, size_t k, const uint8_t *a, size_t a_stride,
                                   const int8_t *w, int32_t *c, size_t c_stride)
{
    multiply(dot_avx_vnni, m, n, k, a, a_stride, w, c, c_stride);
}

#endif

#endif
