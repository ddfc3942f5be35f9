/* lstm.h - long short-term memory over a batch of sequences (Hochreiter and Schmidhuber 1997, with
 * forget gates): forward, and backward to gradients
 *
 *     i = sigmoid(..)  f = sigmoid(..)  g = tanh(..)  o = sigmoid(..)    each of x and the last h
 *     c = f * last c + i * g
 *     h = o * tanh(c) */
#ifndef DODONA_NEURAL_LSTM_H
#define DODONA_NEURAL_LSTM_H

#include "neural/real.h"
#include "neural/steps.h"

/* One direction. Its weights have been packed (real.h), gates i, f, g, o beside each other. */
typedef struct dd_lstm {
    int inputs, width;
    bool reverse;              /* from the last position to the first */
    const dd_real *from_input; /* [inputs][4 * width] */
    const dd_real *from_state; /* [width][4 * width] */
    const dd_real *to_input;   /* [4 * width][inputs] transposed, for the way back */
    const dd_real *to_state;   /* [4 * width][width] likewise */
    const dd_real *bias;       /* [4 * width] not packed */
} dd_lstm;

/* Of the weights, in the same order, not packed. */
typedef struct dd_lstm_gradients {
    dd_real *from_input, *from_state, *bias;
} dd_lstm_gradients;

/* What one run over a batch leaves for the way back; each has a row for each position. */
typedef struct dd_lstm_run {
    dd_real *gates;  /* [rows][4 * width] after their functions; on the way back their gradients */
    dd_real *cells;  /* [rows][width] */
    dd_real *tanhs;  /* [rows][width] of cells */
    dd_real *before; /* [rows][width] h of the position before, in the direction of the run */
    dd_real *step;   /* [sequences][4 * width] working memory */
    dd_real *carry;  /* [2][sequences][width] working memory */
} dd_lstm_run;

/* Numbers that a run needs for so many rows and sequences. */
size_t dd_lstm_run_size(int width, size_t rows, int sequences);
void dd_lstm_run_place(dd_lstm_run *run, int width, size_t rows, int sequences, dd_real *memory);

/* x[rows][inputs] to h, whose rows are `stride` apart. */
void dd_lstm_forward(const dd_lstm *lstm, const dd_steps *steps, const dd_multiplier *by,
                     const dd_real *x, dd_real *h, size_t stride, dd_lstm_run *run);
/* From dh to the gradients of weights, and of x unless dx is NULL; both are added to. */
void dd_lstm_backward(const dd_lstm *lstm, const dd_steps *steps, const dd_multiplier *by,
                      const dd_real *x, const dd_real *dh, size_t stride, dd_lstm_run *run,
                      const dd_lstm_gradients *gradients, dd_real *dx);

#endif
