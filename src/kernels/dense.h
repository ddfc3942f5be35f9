/* dense.h - products of bytes: activations, unsigned, times weights, signed
 *
 * Weights lie in fours of rows: w[k / 4][n][k % 4], n a multiple of 16. Activations are at most 127
 * and weights at most 63 away from 0, so that the sum of four products fits in 16 bits. */
#ifndef DODONA_KERNELS_DENSE_H
#define DODONA_KERNELS_DENSE_H

#include <stddef.h>
#include <stdint.h>

enum { DD_DENSE_DEPTH = 4, DD_DENSE_COLUMNS = 16, DD_DENSE_MOST = 63, DD_DENSE_BYTE = 127 };

/* Where the weight of row p and column j of k rows stands. */
static inline size_t dd_dense_place(size_t k, size_t p, size_t j)
{
    return (j / DD_DENSE_COLUMNS * k + p / DD_DENSE_DEPTH * DD_DENSE_DEPTH) * DD_DENSE_COLUMNS +
           j % DD_DENSE_COLUMNS * DD_DENSE_DEPTH + p % DD_DENSE_DEPTH;
}

/* c[m][n] = a[m][k] * w[k][n]; rows of a and c are their stride apart; k is a multiple of 4, n
 * of 16. */
typedef void dd_dense(size_t m, size_t n, size_t k, const uint8_t *a, size_t a_stride,
                      const int8_t *w, int32_t *c, size_t c_stride);

dd_dense dd_dense_plain, dd_dense_avx2, dd_dense_avx_vnni, dd_dense_avx512, dd_dense_neon,
    dd_dense_dotprod, dd_dense_simd128;

#endif
