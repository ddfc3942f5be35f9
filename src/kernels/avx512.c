/* avx512.c - products for x86 processors with AVX-512 and VNNI */
#include "kernels/gemm_tile.h"
#include "kernels/intrinsics.h"
#include "kernels/layers.h"

#if DD_HAS_AVX512_CODE

#include <string.h>

/* ---- products of bytes -------------------------------------------------------------------- */

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

/* ---- products of matrices of floats ------------------------------------------------------- */

/* As in avx2.c; here 24 sums, a line of each of four strips and a number of a are 29 of the 32
 * registers. */
DD_AVX512 __attribute__((always_inline)) static inline void add(int rows, int strips,
                                                                const dd_tile *t)
{
    __m512 sums[DD_TILE_ROWS][DD_TILE_STRIPS], lines[DD_TILE_STRIPS];
    const float *a = t->a, *b = t->b;
    DD_UNROLL
    for (int r = 0; r < rows; r++) {
        DD_UNROLL
        for (int s = 0; s < strips; s++) sums[r][s] = _mm512_setzero_ps();
    }
    for (size_t p = 0; p < t->k; p++, a += t->a_step, b += t->b_step) {
        DD_UNROLL
        for (int s = 0; s < strips; s++) lines[s] = _mm512_loadu_ps(b + (size_t)s * t->b_strip);
        DD_UNROLL
        for (int r = 0; r < rows; r++) {
            __m512 number = _mm512_set1_ps(a[(size_t)r * t->a_row]);
            DD_UNROLL
            for (int s = 0; s < strips; s++)
                sums[r][s] = _mm512_fmadd_ps(number, lines[s], sums[r][s]);
        }
    }
    DD_UNROLL
    for (int r = 0; r < rows; r++) {
        DD_UNROLL
        for (int s = 0; s < strips; s++) {
            float *to = t->c + (size_t)r * t->c_row + s * DD_STRIP;
            _mm512_storeu_ps(to, _mm512_add_ps(_mm512_loadu_ps(to), sums[r][s]));
        }
    }
}

DD_AVX512 static void add_avx512(int rows, bool wide, const dd_tile *t)
{
    switch (rows) {
    case 1: wide ? add(1, 4, t) : add(1, 1, t); break;
    case 2: wide ? add(2, 4, t) : add(2, 1, t); break;
    case 3: wide ? add(3, 4, t) : add(3, 1, t); break;
    case 4: wide ? add(4, 4, t) : add(4, 1, t); break;
    case 5: wide ? add(5, 4, t) : add(5, 1, t); break;
    default: wide ? add(6, 4, t) : add(6, 1, t); break;
    }
}

static const dd_tiles avx512 = {{0, 4, 4, 4, 4, 4, 4}, add_avx512};

void dd_gemm_avx512(dd_gemm_space *space, size_t m, size_t n, size_t k, dd_matrix a, dd_matrix b,
                    float *c, size_t stride)
{
    dd_gemm_by_tiles(&avx512, space, m, n, k, a, b, c, stride);
}

void dd_gemm_packed_avx512(dd_gemm_space *space, size_t m, size_t n, size_t k, dd_matrix a,
                           const float *packed, float *c, size_t stride)
{
    dd_gemm_packed_by_tiles(&avx512, space, m, n, k, a, packed, c, stride);
}

#endif
