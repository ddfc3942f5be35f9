/* neon.c - products for 64-bit ARM processors, and of bytes for those with dotprod */
#include "kernels/gemm_tile.h"
#include "kernels/intrinsics.h"
#include "kernels/layers.h"

#if DD_HAS_NEON_CODE

#include <string.h>

/* ---- products of bytes -------------------------------------------------------------------- */

#define ALWAYS_INLINE static inline __attribute__((always_inline))

enum { MOST_ROWS = 4 };
enum { QUARTERS = 4 }; /* of a group of columns or of a strip; each fills a register */

/* Adds to each sum four products of bytes, both signed. */
typedef int32x4_t dot(int32x4_t sums, int8x16_t weights, int8x16_t bytes);

/* Products of at most 63 * 128; two of them fit in 16 bits. */
ALWAYS_INLINE int32x4_t dot_neon(int32x4_t sums, int8x16_t weights, int8x16_t bytes)
{
    int16x8_t low = vmull_s8(vget_low_s8(weights), vget_low_s8(bytes));
    int16x8_t high = vmull_high_s8(weights, bytes);
    return vpadalq_s16(sums, vpaddq_s16(low, high));
}

/* Four activations less 128, over and over: an activation whose highest bit is turned is that, as a
 * signed byte. */
ALWAYS_INLINE int8x16_t spread_four(const uint8_t *from)
{
    uint32_t four;
    memcpy(&four, from, sizeof four);
    return vreinterpretq_s8_u32(vdupq_n_u32(four ^ 0x80808080));
}

/* a * w = (a - 128) * w + 128 * w, and all rows share the sum of the latter. `times` and `rows` are
 * constants in each call, so that the sums stay in registers. */
ALWAYS_INLINE void tile(dot *times, int rows, size_t k, const uint8_t *a, size_t a_stride,
                        const int8_t *w, int32_t *c, size_t c_stride)
{
    int32x4_t sums[MOST_ROWS][QUARTERS], of_weights[QUARTERS];
    int8x16_t weights[QUARTERS], ones = vdupq_n_s8(1);
    DD_UNROLL
    for (int q = 0; q < QUARTERS; q++) {
        of_weights[q] = vdupq_n_s32(0);
        DD_UNROLL
        for (int r = 0; r < rows; r++) sums[r][q] = vdupq_n_s32(0);
    }
    for (size_t p = 0; p < k; p += DD_DENSE_DEPTH) {
        DD_UNROLL
        for (int q = 0; q < QUARTERS; q++) {
            weights[q] = vld1q_s8(w + p * DD_DENSE_COLUMNS + q * 16);
            of_weights[q] = times(of_weights[q], weights[q], ones);
        }
        DD_UNROLL
        for (int r = 0; r < rows; r++) {
            int8x16_t bytes = spread_four(a + (size_t)r * a_stride + p);
            DD_UNROLL
            for (int q = 0; q < QUARTERS; q++) sums[r][q] = times(sums[r][q], weights[q], bytes);
        }
    }
    DD_UNROLL
    for (int r = 0; r < rows; r++) {
        DD_UNROLL
        for (int q = 0; q < QUARTERS; q++)
            vst1q_s32(c + (size_t)r * c_stride + q * 4,
                      vaddq_s32(sums[r][q], vshlq_n_s32(of_weights[q], 7)));
    }
}

/* All rows of a group of columns, whose weights stay in the nearest cache. */
ALWAYS_INLINE void columns(dot *times, size_t m, size_t k, const uint8_t *a, size_t a_stride,
                           const int8_t *w, int32_t *c, size_t c_stride)
{
    size_t i = 0;
    for (; i + MOST_ROWS <= m; i += MOST_ROWS)
        tile(times, MOST_ROWS, k, a + i * a_stride, a_stride, w, c + i * c_stride, c_stride);
    a += i * a_stride;
    c += i * c_stride;
    switch (m - i) {
    case 3: tile(times, 3, k, a, a_stride, w, c, c_stride); break;
    case 2: tile(times, 2, k, a, a_stride, w, c, c_stride); break;
    case 1: tile(times, 1, k, a, a_stride, w, c, c_stride); break;
    default: break;
    }
}

void dd_dense_neon(size_t m, size_t n, size_t k, const uint8_t *a, size_t a_stride, const int8_t *w,
                   int32_t *c, size_t c_stride)
{
    for (size_t j = 0; j < n; j += DD_DENSE_COLUMNS)
        columns(dot_neon, m, k, a, a_stride, w + j * k, c + j, c_stride);
}

#if DD_HAS_DOTPROD_CODE

DD_DOTPROD ALWAYS_INLINE int32x4_t dot_dotprod(int32x4_t sums, int8x16_t weights, int8x16_t bytes)
{
    return vdotq_s32(sums, weights, bytes);
}

DD_DOTPROD void dd_dense_dotprod(size_t m, size_t n, size_t k, const uint8_t *a, size_t a_stride,
                                 const int8_t *w, int32_t *c, size_t c_stride)
{
    for (size_t j = 0; j < n; j += DD_DENSE_COLUMNS)
        columns(dot_dotprod, m, k, a, a_stride, w + j * k, c + j, c_stride);
}

#endif

/* ---- products of matrices of floats ------------------------------------------------------- */

/* As in avx2.c; here 24 sums, a line of a strip and a number of a are 29 of the 32 registers.
 */
static inline __attribute__((always_inline)) void add(int rows, int strips, const dd_tile *t)
{
    float32x4_t sums[DD_TILE_ROWS][DD_TILE_STRIPS * QUARTERS], line[DD_TILE_STRIPS * QUARTERS];
    const float *a = t->a, *b = t->b;
    const int quarters = strips * QUARTERS;
    DD_UNROLL
    for (int r = 0; r < rows; r++) {
        DD_UNROLL
        for (int s = 0; s < quarters; s++) sums[r][s] = vdupq_n_f32(0);
    }
    for (size_t p = 0; p < t->k; p++, a += t->a_step, b += t->b_step) {
        DD_UNROLL
        for (int s = 0; s < quarters; s++)
            line[s] = vld1q_f32(b + (size_t)(s / QUARTERS) * t->b_strip + s % QUARTERS * 4);
        DD_UNROLL
        for (int r = 0; r < rows; r++) {
            float number = a[(size_t)r * t->a_row];
            DD_UNROLL
            for (int s = 0; s < quarters; s++)
                sums[r][s] = vfmaq_n_f32(sums[r][s], line[s], number);
        }
    }
    DD_UNROLL
    for (int r = 0; r < rows; r++) {
        DD_UNROLL
        for (int s = 0; s < quarters; s++) {
            float *to = t->c + (size_t)r * t->c_row + s * 4;
            vst1q_f32(to, vaddq_f32(vld1q_f32(to), sums[r][s]));
        }
    }
}

static void add_neon(int rows, bool wide, const dd_tile *t)
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

static const dd_tiles neon = {{0, 4, 2, 1, 1, 1, 1}, add_neon};

void dd_gemm_neon(dd_gemm_space *space, size_t m, size_t n, size_t k, dd_matrix a, dd_matrix b,
                  float *c, size_t stride)
{
    dd_gemm_by_tiles(&neon, space, m, n, k, a, b, c, stride);
}

void dd_gemm_packed_neon(dd_gemm_space *space, size_t m, size_t n, size_t k, dd_matrix a,
                         const float *packed, float *c, size_t stride)
{
    dd_gemm_packed_by_tiles(&neon, space, m, n, k, a, packed, c, stride);
}

#endif
