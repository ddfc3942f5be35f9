/* gates.h - the gates of an LSTM: from sums of products to the next state */
#ifndef DODONA_KERNELS_GATES_H
#define DODONA_KERNELS_GATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Lambert's continued fraction, cut after seven steps, where its error is below 2e-4; beyond 4.97
 * it is 1. Only operations that IEEE 754 rounds exactly: all processors give the same bits. */
static inline float dd_tanh(float x)
{
    const float most = 4.97f;
    x = x > most ? most : x < -most ? -most : x;
    float square = x * x;
    float above = x * (135135.0f + square * (17325.0f + square * (378.0f + square)));
    float below = 135135.0f + square * (62370.0f + square * (3150.0f + square * 28.0f));
    return above / below;
}

static inline float dd_sigmoid(float x)
{
    return 0.5f + 0.5f * dd_tanh(0.5f * x);
}

/* A state h is kept as a byte: h * 127 + 128, rounded. */
enum { DD_STATE_ZERO = 128, DD_STATE_ONE = 127 };

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

#endif
