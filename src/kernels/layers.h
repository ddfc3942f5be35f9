/* layers.h - the layers of a quantised network, in whole numbers
 *
 *     bytes times weights -> sums -> gates of an LSTM -> states as bytes
 *                                 -> slots -> units -> outputs */
#ifndef DODONA_KERNELS_LAYERS_H
#define DODONA_KERNELS_LAYERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- products of bytes -------------------------------------------------------------------- */

/* Activations are unsigned bytes, weights signed ones. Weights lie in fours of rows:
 * w[k / 4][n][k % 4], n a multiple of 16. Activations are at most 127 and weights at most 63 away
 * from 0, so that the sum of four products fits in 16 bits. */
enum { DD_DENSE_DEPTH = 4, DD_DENSE_COLUMNS = 16, DD_DENSE_MOST = 63, DD_DENSE_BYTE = 127 };

/* The index of the weight of row p and column j. */
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

/* ---- the gates of an LSTM ----------------------------------------------------------------- */

/* Lambert's continued fraction, cut after five steps, with an error below 2e-3; 1 beyond 3.649.
 * Networks are trained with it, so that it need not be more precise. All operations are rounded
 * exactly by IEEE 754, so that all processors give the same bits. */
static inline float dd_tanh(float x)
{
    const float most = 3.649f;
    x = x > most ? most : x < -most ? -most : x;
    float square = x * x;
    float above = x * (945.0f + square * (105.0f + square));
    float below = 945.0f + square * (420.0f + square * 15.0f);
    return above / below;
}

static inline float dd_sigmoid(float x)
{
    return 0.5f + 0.5f * dd_tanh(0.5f * x);
}

/* A state h is kept as a byte: h * 63 + 64, rounded. */
enum { DD_STATE_ZERO = 64, DD_STATE_ONE = 63 };

/* One position of one direction. Sums are those of gates i, f, g, o beside each other, each of
 * `width`, and are worth their factor. */
typedef struct dd_gates_row {
    const int32_t *of_input; /* [4 * width] */
    const int32_t *of_state; /* [4 * width] NULL: the first position */
    float *cell;             /* [width] of the position before; then of this one */
    uint8_t *state;          /* [width] */
} dd_gates_row;

typedef struct dd_gates_factors {
    const float *of_input, *of_state; /* [4 * width] */
    const float *first_bias, *bias;   /* [4 * width] in the first position, in the others */
} dd_gates_factors;

/* width is a multiple of 8. */
typedef void dd_gates(size_t width, const dd_gates_factors *factors, const dd_gates_row *row);

dd_gates dd_gates_plain, dd_gates_avx2;

/* ---- the last layers ---------------------------------------------------------------------- */

/* Units are limited to this, so that products with weights of up to 10 bits can be summed. */
enum { DD_UNIT_MOST = 8191, DD_UNITS_TOGETHER = 16 };

/* to[j] = bias[j] + sums[j] * factors[j], cut at 32767 and rounded, away from 0 in the middle;
 * count is a multiple of 16. */
typedef void dd_quantise(size_t count, const int32_t *sums, const float *factors, const float *bias,
                         int16_t *to);

/* units[j] = the leaky ReLU of what the rows (up to 32) hold at j, added; count is a multiple of
 * 16. */
typedef void dd_rectify(size_t count, const int16_t *const *rows, int n_rows, int16_t *units);

/* scores[o] = bias[o] + units times weights[o][count], modulo 2^32; count is a multiple of 16. */
typedef void dd_outputs(size_t count, const int16_t *units, size_t outputs, const int16_t *weights,
                        const int32_t *bias, int32_t *scores);

dd_quantise dd_quantise_plain, dd_quantise_avx2;
dd_rectify dd_rectify_plain, dd_rectify_avx2;
dd_outputs dd_outputs_plain, dd_outputs_avx2, dd_outputs_simd128;

#endif
