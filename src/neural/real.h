/* real.h - the numbers of training: floats, or doubles in a test that compares gradients with
 * finite differences, for which floats are too coarse */
#ifndef DODONA_NEURAL_REAL_H
#define DODONA_NEURAL_REAL_H

#include "kernels/kernels.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef DD_NEURAL_DOUBLE
typedef double dd_real;
#else
typedef float dd_real;
#endif

/* A factor of a product: element (i, k) at data[i * row + k * column]. */
typedef struct dd_factor {
    const dd_real *data;
    size_t row, column;
} dd_factor;

/* As it lies in memory, in rows of `stride` numbers, and transposed. */
static inline dd_factor dd_rows_of(const dd_real *data, size_t stride)
{
    return (dd_factor){data, stride, 1};
}

static inline dd_factor dd_columns_of(const dd_real *data, size_t stride)
{
    return (dd_factor){data, 1, stride};
}

/* What one thread multiplies with. */
typedef struct dd_multiplier {
    const dd_kernels *kernels;
    dd_gemm_space *space;
} dd_multiplier;

/* c[m][n], with rows of `stride` numbers, += a[m][k] * b[k][n] */
static inline void dd_multiply(const dd_multiplier *by, size_t m, size_t n, size_t k, dd_factor a,
                               dd_factor b, dd_real *c, size_t stride)
{
#ifdef DD_NEURAL_DOUBLE
    (void)by;
    for (size_t i = 0; i < m; i++)
        for (size_t p = 0; p < k; p++)
            for (size_t j = 0; j < n; j++)
                c[i * stride + j] +=
                    a.data[i * a.row + p * a.column] * b.data[p * b.row + j * b.column];
#else
    by->kernels->gemm(by->space, m, n, k, (dd_matrix){a.data, a.row, a.column},
                      (dd_matrix){b.data, b.row, b.column}, c, stride);
#endif
}

/* A second factor b[k][n] that is used many times, put in order once: so many numbers, and the
 * product with it. */
static inline size_t dd_packed_size(size_t n, size_t k)
{
#ifdef DD_NEURAL_DOUBLE
    return n * k;
#else
    return dd_gemm_packed_size(n, k);
#endif
}

static inline void dd_pack(dd_real *packed, size_t n, size_t k, dd_factor b)
{
#ifdef DD_NEURAL_DOUBLE
    for (size_t p = 0; p < k; p++)
        for (size_t j = 0; j < n; j++) packed[p * n + j] = b.data[p * b.row + j * b.column];
#else
    dd_gemm_pack(packed, n, k, (dd_matrix){b.data, b.row, b.column});
#endif
}

static inline void dd_multiply_packed(const dd_multiplier *by, size_t m, size_t n, size_t k,
                                      dd_factor a, const dd_real *packed, dd_real *c, size_t stride)
{
#ifdef DD_NEURAL_DOUBLE
    dd_multiply(by, m, n, k, a, dd_rows_of(packed, n), c, stride);
#else
    by->kernels->gemm_packed(by->space, m, n, k, (dd_matrix){a.data, a.row, a.column}, packed, c,
                             stride);
#endif
}

#endif
