/* encoder.h - an encoder: layers over sequences of items
 *
 *     rows of inputs, one an item -> layer -> rows of 2 * width states, which know the items around
 *
 * Items are the words of a sentence or the characters of a word. A network (network.h) stacks
 * layers of one encoder. An encoder is one file that ends in its const descriptor, and a row in
 * encoders.c: it lists the parts of a layer, from which their learning, quantising, mapping and
 * fine-tuning follow; and it runs a layer, on floats forward and backward where it learns, on bytes
 * where it parses. */
#ifndef DODONA_NEURAL_ENCODER_H
#define DODONA_NEURAL_ENCODER_H

#include "neural/parts.h"

#include <stdbool.h>
#include <stddef.h>

/* ---- batches of sequences ------------------------------------------------------------------ */

/* Which rows belong to which positions. The sequences stand the longest first: all first positions
 * come first, then the second positions of those sequences that have one, and so on. So what is
 * active in a step is a run of rows. */
typedef struct dd_steps {
    int sequences, steps;
    int *lengths;  /* [sequences] the longest first */
    int *active;   /* [steps] sequences that are at least that long */
    size_t *first; /* [steps + 1] row of the first sequence; the last: all rows */
    size_t lengths_capacity, active_capacity, first_capacity;
} dd_steps; /* {0} is valid */

void dd_steps_free(dd_steps *steps);
/* Sets up the steps for items of any lengths, none negative: the longest first, of equal ones the
 * first first; sequence[i] is the place of item i. False if allocation fails. */
bool dd_steps_sort(dd_steps *steps, int *sequence, const void *items, int count,
                   int (*length_of)(const void *items, int i));

static inline size_t dd_steps_row(const dd_steps *steps, int sequence, int position)
{
    return steps->first[position] + (size_t)sequence;
}

/* The row that a run from first to last, or in reverse, comes to in that step. */
static inline size_t dd_steps_row_in(const dd_steps *steps, bool reverse, int sequence, int step)
{
    int position = reverse ? steps->lengths[sequence] - 1 - step : step;
    return dd_steps_row(steps, sequence, position);
}

static inline size_t dd_steps_rows(const dd_steps *steps)
{
    return steps->first[steps->steps];
}

/* ---- a layer on floats --------------------------------------------------------------------- */

typedef struct dd_layer {
    int inputs, width;
    const dd_tensor *tensors;        /* of the layer's parts, in the order of `describe` */
    const dd_real *weights, *packed; /* what the tensors are places in */
    dd_real *gradients;              /* of the same shape, for the backward pass */
    const dd_multiplier *by;
} dd_layer;

/* ---- a layer on bytes ---------------------------------------------------------------------- */

/* Memory that is kept from run to run. */
enum { DD_SCRATCHES = 8 };
typedef struct dd_scratch {
    uint8_t *memory[DD_SCRATCHES];
    size_t capacity[DD_SCRATCHES];
} dd_scratch; /* {0} is valid */

void dd_scratch_free(dd_scratch *scratch);
/* The i-th piece of memory, of at least so many bytes; NULL if allocation fails. What it holds is
 * lost. */
void *dd_scratch_get(dd_scratch *scratch, int i, size_t bytes);

typedef struct dd_byte_layer {
    size_t width;
    const dd_frozen_part *parts; /* in the order of `describe` */
    const dd_kernels *kernels;
    dd_scratch *scratch;
} dd_byte_layer;

/* What comes into a layer: a row of bytes for each row of steps; or, if `bytes` is NULL, their
 * products with all matrices that meet inputs, side by side in the order of the parts: sums +
 * places[row] * stride. */
typedef struct dd_layer_input {
    const uint8_t *bytes;
    size_t size; /* bytes of a row */
    const int32_t *sums;
    const int *places;
    size_t stride;
} dd_layer_input;

/* ---- the encoder --------------------------------------------------------------------------- */

typedef struct dd_encoder {
    const char *name; /* of the setting */
    uint32_t number;  /* kept in model files; 0: that of networks which do not tell */

    /* Adds the parts of a layer, at most DD_MAX_LAYER_PARTS. `met`: what the matrices for the
     * inputs meet. */
    void (*describe)(dd_parts *parts, int inputs, int width, dd_met met);
    /* Numbers that `forward` keeps for `backward`, of so many items in so many sequences. */
    size_t (*memory_size)(int inputs, int width, size_t rows, int sequences);
    /* x[rows][inputs] to h[rows][2 * width]. */
    void (*forward)(const dd_layer *layer, const dd_steps *steps, const dd_real *x, dd_real *h,
                    dd_real *memory);
    /* From the derivatives of h to those of weights and of x, which are added to. `h` may have
     * changed since. */
    void (*backward)(const dd_layer *layer, const dd_steps *steps, const dd_real *x,
                     const dd_real *dh, dd_real *memory, dd_real *dx);
    /* The same as `forward` on bytes: to[rows][2 * width], h * 63 + 64. Only with operations that
     * IEEE 754 rounds exactly, so that all processors give the same bytes. False if allocation
     * fails. */
    bool (*run)(const dd_byte_layer *layer, const dd_steps *steps, dd_layer_input from,
                uint8_t *to);
} dd_encoder;

/* encoders.c: all there are, the default first, NULL after the last. */
extern const dd_encoder *const dd_encoders[];
/* NULL: the default; one that is not there is taken for it too. */
const dd_encoder *dd_encoder_find(const char *name);
/* NULL if there is none. */
const dd_encoder *dd_encoder_numbered(uint32_t number);

#endif
