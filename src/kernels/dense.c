#include "kernels/dense.h"

#include "kernels/processor.h"

#include <string.h>

/* One row of a group of columns, whose sums the compiler keeps in vectors. */
static void multiply_row(size_t k, const uint8_t *a, const int8_t *w, int32_t *c)
{
    int32_t sums[DD_DENSE_COLUMNS] = {0};
    for (size_t p = 0; p < k; p += DD_DENSE_DEPTH, w += DD_DENSE_DEPTH * DD_DENSE_COLUMNS)
        for (size_t j = 0; j < DD_DENSE_COLUMNS; j++) {
            const int8_t *four = w + j * DD_DENSE_DEPTH;
            sums[j] +=
                a[p] * four[0] + a[p + 1] * four[1] + a[p + 2] * four[2] + a[p + 3] * four[3];
        }
    memcpy(c, sums, sizeof sums);
}

void dd_dense_plain(size_t m, size_t n, size_t k, const uint8_t *a, size_t a_stride,
                    const int8_t *w, int32_t *c, size_t c_stride)
{
    for (size_t j = 0; j < n; j += DD_DENSE_COLUMNS)
        for (size_t i = 0; i < m; i++)
            multiply_row(k, a + i * a_stride, w + j * k, c + i * c_stride + j);
}

#if DD_HAS_AVX2_CODE

#include <immintrin.h>

#define AVX2 __attribute__((target("avx2"))) static inline

AVX2 __m256i load(const void *from)
{
    return _mm256_loadu_si256((const __m256i *)from);
}

/* `rows` is a constant in each call, so that the sums stay in registers: two of eight columns a
 * row. */
__attribute__((target("avx2"), always_inline)) static inline void
tile(int rows, size_t k, const uint8_t *a, size_t a_stride, const int8_t *w, int32_t *c,
     size_t c_stride)
{
    __m256i sums[4][2], ones = _mm256_set1_epi16(1);
    DD_UNROLL
    for (int r = 0; r < rows; r++) sums[r][0] = sums[r][1] = _mm256_setzero_si256();
    for (size_t p = 0; p < k; p += DD_DENSE_DEPTH) {
        __m256i left = load(w + p * DD_DENSE_COLUMNS), right = load(w + p * DD_DENSE_COLUMNS + 32);
        DD_UNROLL
        for (int r = 0; r < rows; r++) {
            int32_t four;
            memcpy(&four, a + (size_t)r * a_stride + p, sizeof four);
            __m256i bytes = _mm256_set1_epi32(four);
            __m256i one = _mm256_madd_epi16(_mm256_maddubs_epi16(bytes, left), ones);
            __m256i two = _mm256_madd_epi16(_mm256_maddubs_epi16(bytes, right), ones);
            sums[r][0] = _mm256_add_epi32(sums[r][0], one);
            sums[r][1] = _mm256_add_epi32(sums[r][1], two);
        }
    }
    DD_UNROLL
    for (int r = 0; r < rows; r++) {
        _mm256_storeu_si256((__m256i *)(void *)(c + (size_t)r * c_stride), sums[r][0]);
        _mm256_storeu_si256((__m256i *)(void *)(c + (size_t)r * c_stride + 8), sums[r][1]);
    }
}

__attribute__((target("avx2"))) void dd_dense_avx2(size_t m, size_t n, size_t k, const uint8_t *a,
                                                   size_t a_stride, const int8_t *w, int32_t *c,
                                                   size_t c_stride)
{
    for (size_t j = 0; j < n; j += DD_DENSE_COLUMNS) {
        const int8_t *columns = w + j * k;
        size_t i = 0;
        for (; i + 4 <= m; i += 4)
            tile(4, k, a + i * a_stride, a_stride, columns, c + i * c_stride + j, c_stride);
        for (; i < m; i++)
            tile(1, k, a + i * a_stride, a_stride, columns, c + i * c_stride + j, c_stride);
    }
}

#endif
