/* gates.h - the gates of an LSTM: from sums of products to the next state */
#ifndef DODONA_KERNELS_GATES_H
#define DODONA_KERNELS_GATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Lambert's continued fraction, cut after five steps, where its error is below 2e-3; beyond 3.649
 * it is 1. Networks learn with it, so that it need not be closer. Only operations that IEEE 754
 * rounds exactly: all processors give the same bits. */
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

#endif
