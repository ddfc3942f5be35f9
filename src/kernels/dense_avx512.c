#include "kernels/dense.h"

#include "kernels/processor.h"

#if DD_HAS_AVX512_CODE

#include "kernels/vnni.h"

#include <string.h>

enum { MOST_ROWS = 4, MOST_GROUPS = 4 };

/* `rows` and `groups` of columns are constants in each call, so that the sums stay in registers.
 * DPBUSD adds four products of bytes to each sum at once. */
DD_AVX512 __attribute__((always_inline)) static inline void tile(int rows, int groups, size_t k,
                                                                 const uint8_t *a, size_t a_stride,
                                                                 const int8_t *w, int32_t *c,
                                                                 size_t c_stride)
{
    __m512i sums[MOST_ROWS][MOST_GROUPS], weights[MOST_GROUPS];
    DD_UNROLL
    for (int r = 0; r < rows; r++) {
        DD_UNROLL
        for (int g = 0; g < groups; g++) sums[r][g] = _mm512_setzero_si512();
    }
    for (size_t p = 0; p < k; p += DD_DENSE_DEPTH) {
        DD_UNROLL
        for (int g = 0; g < groups; g++)
            weights[g] = _mm512_loadu_si512(w + ((size_t)g * k + p) * DD_DENSE_COLUMNS);
        DD_UNROLL
        for (int r = 0; r < rows; r++) {
            int32_t four;
            memcpy(&four, a + (size_t)r * a_stride + p, sizeof four);
            __m512i bytes = _mm512_set1_epi32(four);
            DD_UNROLL
            for (int g = 0; g < groups; g++)
                sums[r][g] = _mm512_dpbusd_epi32(sums[r][g], bytes, weights[g]);
        }
    }
    DD_UNROLL
    for (int r = 0; r < rows; r++) {
        DD_UNROLL
        for (int g = 0; g < groups; g++)
            _mm512_storeu_si512(c + (size_t)r * c_stride + g * DD_DENSE_COLUMNS, sums[r][g]);
    }
}

/* All rows of some groups of columns, whose weights stay in the nearest cache. */
DD_AVX512 __attribute__((always_inline)) static inline void
columns(int groups, size_t m, size_t k, const uint8_t *a, size_t a_stride, const int8_t *w,
        int32_t *c, size_t c_stride)
{
    size_t i = 0;
    for (; i + MOST_ROWS <= m; i += MOST_ROWS)
        tile(MOST_ROWS, groups, k, a + i * a_stride, a_stride, w, c + i * c_stride, c_stride);
    a += i * a_stride;
    c += i * c_stride;
    switch (m - i) {
    case 3: tile(3, groups, k, a, a_stride, w, c, c_stride); break;
    case 2: tile(2, groups, k, a, a_stride, w, c, c_stride); break;
    case 1: tile(1, groups, k, a, a_stride, w, c, c_stride); break;
    default: break;
    }
}

DD_AVX512 void dd_dense_avx512(size_t m, size_t n, size_t k, const uint8_t *a, size_t a_stride,
                               const int8_t *w, int32_t *c, size_t c_stride)
{
    enum { WIDE = MOST_GROUPS * DD_DENSE_COLUMNS };
    size_t j = 0;
    for (; j + WIDE <= n; j += WIDE)
        columns(MOST_GROUPS, m, k, a, a_stride, w + j * k, c + j, c_stride);
    for (; j < n; j += DD_DENSE_COLUMNS) columns(1, m, k, a, a_stride, w + j * k, c + j, c_stride);
}

#endif
