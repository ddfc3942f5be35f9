/* training.h - the innermost loops of training neural scorers, in floats
 *
 *     products of matrices -> activations -> gradients -> Adam steps
 *
 * Each number of a product is summed in an order that depends on k alone. So one machine gives the
 * same bits each time, whatever the number of threads and however rows are shared out among calls;
 * other processors may round differently. */
#ifndef DODONA_KERNELS_TRAINING_H
#define DODONA_KERNELS_TRAINING_H

#include <stddef.h>

/* ---- products of matrices ----------------------------------------------------------------- */

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

/* ---- a step of an LSTM -------------------------------------------------------------------- */

/* One position: gates i, f, g, o lie beside each other, each of `width`. */
typedef struct dd_lstm_row {
    float *gates;           /* [4 * width] */
    const float *last_cell; /* [width] of the position before; NULL: the first position */
    float *cell;            /* [width] */
    float *tanhs;           /* [width] of the cell */
} dd_lstm_row;

/* The gates hold their sums, and then sigmoid or tanh of them; cell, tanhs and h follow. */
typedef void dd_activate(size_t width, const dd_lstm_row *row, float *h);
/* The gates hold what dd_activate left, and then the gradients of their sums. dc is the gradient of
 * the cell by way of the position after, and then of the cell before. */
typedef void dd_differentiate(size_t width, const dd_lstm_row *row, const float *dh, float *dc);

dd_activate dd_activate_plain, dd_activate_avx2;
dd_differentiate dd_differentiate_plain, dd_differentiate_avx2;

/* ---- Adam --------------------------------------------------------------------------------- */

typedef struct dd_adam_rates {
    float scale;        /* of gradients */
    float decay;        /* the share of each weight that is added to its gradient */
    float beta1, beta2; /* how much the running means keep */
    float step;         /* the rate / (1 - beta1^t) */
    float correction;   /* 1 / (1 - beta2^t) */
} dd_adam_rates;

/* An Adam step: updates weights by gradients; first and second are the running means of gradients
 * and of their squares. None of the arrays overlap. */
typedef void dd_adam_update(size_t count, const dd_adam_rates *rates, const float *gradients,
                            float *weights, float *first, float *second);

dd_adam_update dd_adam_update_plain, dd_adam_update_avx2;

#endif
