/* encoder.h - sentences through the network of bytes, up to the slots of their words */
#ifndef DODONA_SCORE_NEURAL_ENCODER_H
#define DODONA_SCORE_NEURAL_ENCODER_H

#include "score/neural/frozen.h"
#include "score/neural/steps.h"

/* One thread's workspace. */
typedef struct dd_encoder {
    const dd_frozen *frozen;
    const dd_kernels *kernels;
    int *sequence; /* [sentences] of each; sequences stand the longest first */
    dd_steps steps, spelling_steps;
    int *type_sequence;          /* [types] */
    uint8_t *characters, *spelt; /* rows of bytes: inputs and states of the LSTM over characters */
    uint8_t *inputs, *states[2]; /* [rows][inputs], [rows][2 * width] of layers, in turn */
    int16_t *slots;              /* [rows][columns of slots] */
    uint8_t *gathered_input, *gathered_state;
    int32_t *sums_of_input, *sums_of_state;
    float *cells;
    size_t sequence_capacity, type_sequence_capacity, characters_capacity, spelt_capacity,
        inputs_capacity, states_capacity[2], slots_capacity, gathered_input_capacity,
        gathered_state_capacity, sums_of_input_capacity, sums_of_state_capacity, cells_capacity;
} dd_encoder; /* {0} with frozen and kernels is valid */

void dd_encoder_free(dd_encoder *encoder);
/* False when memory is out. */
bool dd_encoder_run(dd_encoder *encoder, const dd_codes *codes);

static inline const int16_t *dd_encoder_slots(const dd_encoder *encoder, int sentence, int node)
{
    size_t row = dd_steps_row(&encoder->steps, encoder->sequence[sentence], node);
    return encoder->slots + row * encoder->frozen->slots.columns;
}

#endif
