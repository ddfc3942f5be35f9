/* gemm.h - products of matrices of floats, for training neural scorers
 *
 * Each number of the product is summed in an order that depends on k alone. So one machine gives
 * the same bits each time, whatever the number of threads and however rows are shared out among
 * calls; other processors may round differently. */
#ifndef DODONA_KERNELS_GEMM_H
#define DODONA_KERNELS_GEMM_H

#include <stddef.h>

/* A matrix, or its transpose, as it lies in memory: element (i, k) at data[i * row + k * column].
 */
typedef struct dd_matrix {
    const float *data;
    size_t row, column;
} dd_matrix;

enum { DD_GEMM_ROWS = 96, DD_GEMM_DEPTH = 256, DD_GEMM_COLUMNS = 512 };

/* One thread's copies of blocks of both factors. */
typedef struct dd_gemm_space {
    float a[DD_GEMM_ROWS * DD_GEMM_DEPTH];
    float b[DD_GEMM_DEPTH * DD_GEMM_COLUMNS];
} dd_gemm_space;

/* c[m][n], with rows of `stride` floats, += a[m][k] * b[k][n]. */
typedef void dd_gemm(dd_gemm_space *space, size_t m, size_t n, size_t k, dd_matrix a, dd_matrix b,
                     float *c, size_t stride);
/* The same product, of a b that dd_gemm_pack has put in order: for a b that is used many times with
 * few rows each. */
typedef void dd_gemm_packed(dd_gemm_space *space, size_t m, size_t n, size_t k, dd_matrix a,
                            const float *packed, float *c, size_t stride);

/* The floats of a packed b. */
size_t dd_gemm_packed_size(size_t n, size_t k);
void dd_gemm_pack(float *packed, size_t n, size_t k, dd_matrix b);

dd_gemm dd_gemm_plain, dd_gemm_avx2, dd_gemm_avx512, dd_gemm_neon;
dd_gemm_packed dd_gemm_packed_plain, dd_gemm_packed_avx2, dd_gemm_packed_avx512,
    dd_gemm_packed_neon;

#endif
