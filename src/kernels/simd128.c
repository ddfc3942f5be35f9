/* simd128.c - products of bytes for WebAssembly's SIMD */
#include "kernels/layers.h"
#include "kernels/processor.h"

#if DD_HAS_SIMD128_CODE

#include <wasm_simd128.h>

/* ---- products of bytes -------------------------------------------------------------------- */

#define ALWAYS_INLINE static inline __attribute__((always_inline))

enum { MOST_ROWS = 2, QUARTERS = 4 }; /* of a group of columns, whose sums fill a register each */

/* Four bytes as two pairs of shorts, which one instruction multiplies and adds: those at even
 * places, and those at odd ones. */
typedef struct pairs {
    v128_t even, odd;
} pairs;

ALWAYS_INLINE pairs spread_four(const uint8_t *from)
{
    v128_t fours = wasm_v128_load32_splat(from);
    return (pairs){wasm_v128_and(fours, wasm_i16x8_splat(0xFF)), wasm_u16x8_shr(fours, 8)};
}

ALWAYS_INLINE pairs load_weights(const int8_t *from)
{
    v128_t fours = wasm_v128_load(from);
    return (pairs){wasm_i16x8_shr(wasm_i16x8_shl(fours, 8), 8), wasm_i16x8_shr(fours, 8)};
}

ALWAYS_INLINE v128_t add_products(v128_t sums, pairs bytes, pairs weights)
{
    sums = wasm_i32x4_add(sums, wasm_i32x4_dot_i16x8(bytes.even, weights.even));
    return wasm_i32x4_add(sums, wasm_i32x4_dot_i16x8(bytes.odd, weights.odd));
}

/* `rows` is a constant in each call, so that the sums stay in registers. */
ALWAYS_INLINE void tile(int rows, size_t k, const uint8_t *a, size_t a_stride, const int8_t *w,
                        int32_t *c, size_t c_stride)
{
    v128_t sums[MOST_ROWS][QUARTERS];
    pairs bytes[MOST_ROWS];
    DD_UNROLL
    for (int r = 0; r < rows; r++) {
        DD_UNROLL
        for (int q = 0; q < QUARTERS; q++) sums[r][q] = wasm_i32x4_splat(0);
    }
    for (size_t p = 0; p < k; p += DD_DENSE_DEPTH, w += DD_DENSE_DEPTH * DD_DENSE_COLUMNS) {
        DD_UNROLL
        for (int r = 0; r < rows; r++) bytes[r] = spread_four(a + (size_t)r * a_stride + p);
        DD_UNROLL
        for (int q = 0; q < QUARTERS; q++) {
            pairs weights = load_weights(w + q * 16);
            DD_UNROLL
            for (int r = 0; r < rows; r++) sums[r][q] = add_products(sums[r][q], bytes[r], weights);
        }
    }
    DD_UNROLL
    for (int r = 0; r < rows; r++) {
        DD_UNROLL
        for (int q = 0; q < QUARTERS; q++)
            wasm_v128_store(c + (size_t)r * c_stride + q * 4, sums[r][q]);
    }
}

/* All rows of a group of columns, whose weights stay in the nearest cache. */
static void columns(size_t m, size_t k, const uint8_t *a, size_t a_stride, const int8_t *w,
                    int32_t *c, size_t c_stride)
{
    size_t i = 0;
    for (; i + MOST_ROWS <= m; i += MOST_ROWS)
        tile(MOST_ROWS, k, a + i * a_stride, a_stride, w, c + i * c_stride, c_stride);
    if (i < m) tile(1, k, a + i * a_stride, a_stride, w, c + i * c_stride, c_stride);
}

void dd_dense_simd128(size_t m, size_t n, size_t k, const uint8_t *a, size_t a_stride,
                      const int8_t *w, int32_t *c, size_t c_stride)
{
    for (size_t j = 0; j < n; j += DD_DENSE_COLUMNS)
        columns(m, k, a, a_stride, w + j * k, c + j, c_stride);
}

#endif
