/* encoder.h - sentences through the network of bytes, up to the slots of their words */
#ifndef DODONA_NEURAL_ENCODER_H
#define DODONA_NEURAL_ENCODER_H

#include "neural/word_inputs.h"

/* One thread's workspace. */
typedef struct dd_encoder {
    const dd_frozen *frozen;
    dd_runner runner;
    dd_words words;
    int *sequence; /* [sentences] of each; sequences stand the longest first */
    dd_steps steps;
    uint8_t *states[2]; /* [rows][2 * width] of layers, in turn */
    int32_t *sums;      /* of some rows' slots */
    int16_t *slots;     /* [rows][columns of slots] */
    size_t sequence_capacity, states_capacity[2], sums_capacity, slots_capacity;
} dd_encoder;

/* The encoder must stay where it is. */
void dd_encoder_start(dd_encoder *encoder, const dd_frozen *frozen, const dd_kernels *kernels);
void dd_encoder_free(dd_encoder *encoder);
/* False if allocation fails. */
bool dd_encoder_run(dd_encoder *encoder, const dd_codes *codes);

static inline const int16_t *dd_encoder_slots(const dd_encoder *encoder, int sentence, int node)
{
    size_t row = dd_steps_row(&encoder->steps, encoder->sequence[sentence], node);
    return encoder->slots + row * encoder->frozen->slots.columns;
}

/* scores[outputs] of a configuration whose slots are these nodes, DD_NONE where there is none;
 * units: [hidden] room. */
void dd_encoder_outputs(const dd_encoder *encoder, int sentence, const int *nodes, int16_t *units,
                        int32_t *scores);

#endif
