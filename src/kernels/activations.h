/* activations.h - an LSTM's step in floats, for training: forward, and back to the gradients */
#ifndef DODONA_KERNELS_ACTIVATIONS_H
#define DODONA_KERNELS_ACTIVATIONS_H

#include <stddef.h>

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

#endif
