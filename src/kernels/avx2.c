/* avx2.c - products for x86 processors with AVX2, and of bytes for those with AVX-VNNI */
#include "kernels/gemm_tile.h"
#include "kernels/intrinsics.h"
#include "kernels/layers.h"

#if DD_HAS_AVX2_CODE

#include <stdbool.h>
#include <string.h>

/* ---- products of bytes -------------------------------------------------------------------- */

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

/* ---- products of matrices of floats ------------------------------------------------------- */

/* `rows` and `strips` are constants in each call, so that the sums stay in registers: twelve, two
 * halves of a strip and a number of a are fifteen of the sixteen. */
__attribute__((target("avx2,fma"), always_inline)) static inline void add(int rows, int strips,
                                                                          const dd_tile *t)
{
    __m256 sums[DD_TILE_ROWS][2 * DD_TILE_STRIPS], line[2 * DD_TILE_STRIPS];
    const float *a = t->a, *b = t->b;
    DD_UNROLL
    for (int r = 0; r < rows; r++) {
        DD_UNROLL
        for (int s = 0; s < 2 * strips; s++) sums[r][s] = _mm256_setzero_ps();
    }
    for (size_t p = 0; p < t->k; p++, a += t->a_step, b += t->b_step) {
        DD_UNROLL
        for (int s = 0; s < 2 * strips; s++)
            line[s] = _mm256_loadu_ps(b + (size_t)(s / 2) * t->b_strip + s % 2 * 8);
        DD_UNROLL
        for (int r = 0; r < rows; r++) {
            __m256 number = _mm256_broadcast_ss(a + (size_t)r * t->a_row);
            DD_UNROLL
            for (int s = 0; s < 2 * strips; s++)
                sums[r][s] = _mm256_fmadd_ps(number, line[s], sums[r][s]);
        }
    }
    DD_UNROLL
    for (int r = 0; r < rows; r++) {
        DD_UNROLL
        for (int s = 0; s < 2 * strips; s++) {
            float *to = t->c + (size_t)r * t->c_row + s * 8;
            _mm256_storeu_ps(to, _mm256_add_ps(_mm256_loadu_ps(to), sums[r][s]));
        }
    }
}

__attribute__((target("avx2,fma"))) static void add_avx2(int rows, bool wide, const dd_tile *t)
{
    switch (rows) {
    case 1: wide ? add(1, 4, t) : add(1, 1, t); break;
    case 2: wide ? add(2, 2, t) : add(2, 1, t); break;
    case 3: add(3, 1, t); break;
    case 4: add(4, 1, t); break;
    case 5: add(5, 1, t); break;
    default: add(6, 1, t); break;
    }
}

static const dd_tiles avx2 = {{0, 4, 2, 1, 1, 1, 1}, add_avx2};

void dd_gemm_avx2(dd_gemm_space *space, size_t m, size_t n, size_t k, dd_matrix a, dd_matrix b,
                  float *c, size_t stride)
{
    dd_gemm_by_tiles(&avx2, space, m, n, k, a, b, c, stride);
}

void dd_gemm_packed_avx2(dd_gemm_space *space, size_t m, size_t n, size_t k, dd_matrix a,
                         const float *packed, float *c, size_t stride)
{
    dd_gemm_packed_by_tiles(&avx2, space, m, n, k, a, packed, c, stride);
}

#endif
