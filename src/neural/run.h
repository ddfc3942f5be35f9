/* run.h - LSTMs of bytes over batches of sequences */
#ifndef DODONA_NEURAL_RUN_H
#define DODONA_NEURAL_RUN_H

#include "neural/frozen.h"
#include "neural/steps.h"

/* Rows of bytes. */
typedef struct dd_byte_rows {
    uint8_t *data;
    size_t stride, width;
} dd_byte_rows;

/* What comes into an LSTM: rows of bytes, one for each row of steps; or, if data is NULL, what they
 * come to once multiplied: sums + places[row] * stride. */
typedef struct dd_run_input {
    dd_byte_rows bytes;
    const int32_t *sums;
    const int *places;
    size_t stride;
} dd_run_input;

/* One thread's workspace. */
typedef struct dd_runner {
    const dd_kernels *kernels;
    uint8_t *gathered_input, *gathered_state;
    int32_t *sums_of_input, *sums_of_state;
    float *cells;
    size_t gathered_input_capacity, gathered_state_capacity, sums_of_input_capacity,
        sums_of_state_capacity, cells_capacity;
} dd_runner; /* {0} with kernels is valid */

void dd_runner_free(dd_runner *runner);
/* Both directions: states of [2 * width] bytes each, side by side. The sums of the reverse one
 * stand behind those of the other. False if allocation fails. */
bool dd_run_both(dd_runner *runner, const dd_frozen_lstm lstm[2], const dd_steps *steps,
                 dd_run_input from, uint8_t *to, size_t width);

#endif
