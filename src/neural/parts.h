/* parts.h - what a network is made of, described once
 *
 *     description -> places of weights in one array of floats, and the first weights (parts.c)
 *                 -> arrays of whole numbers in a model file, mapped and checked (frozen.c)
 *                 -> from floats to whole numbers, and back (freeze.c)
 *
 * A network lists its parts in the order in which they lie in memory and in files (network.c); an
 * encoder lists those of its layers (encoder.h). */
#ifndef DODONA_NEURAL_PARTS_H
#define DODONA_NEURAL_PARTS_H

#include "core/random.h"
#include "neural/real.h"

/* How a part is quantised. */
typedef enum dd_part_kind {
    /* [symbols][size] rows of bytes, of which 64 stands for 0. What 1 is worth is not kept: the
     * rows of weights that a byte meets are multiplied by it. */
    DD_PART_EMBEDDING = 0,
    /* [rows][columns] what rows of bytes are multiplied by: 8-bit numbers in the order of
     * kernels/layers.h, filled up with zeros, and a float for each column, by which products are
     * multiplied. */
    DD_PART_MATRIX,
    /* [1][columns] what is added to the products of the matrices right before it: floats, one array
     * for the first of those matrices alone, one for the first two, and so on. What bytes of 64 add
     * to the products is taken off here. */
    DD_PART_BIAS,
    /* [rows][columns] 16-bit numbers, each worth 1 / DD_SLOT_ONE. */
    DD_PART_SHORTS,
    /* [outputs][units] 16-bit numbers, the largest of which is DD_OUTPUT_MOST. */
    DD_PART_OUTPUTS,
    /* [1][outputs] 32-bit numbers, in units of the scores of the outputs right before it. */
    DD_PART_OUTPUT_BIAS,
} dd_part_kind;

/* A number of a slot is worth 1 / DD_SLOT_ONE. */
enum { DD_SLOT_ONE = 512, DD_OUTPUT_MOST = 1023 };

/* Which bytes a matrix is multiplied by. */
typedef enum dd_met {
    DD_MET_STATES = 0, /* of a layer, each worth 1 / DD_STATE_ONE */
    DD_MET_INPUTS,     /* all that is known of an item, side by side */
    DD_MET_CHARACTERS, /* embeddings of characters */
    DD_METS,
} dd_met;

typedef struct dd_part {
    dd_part_kind kind;
    size_t rows, columns;
    double range; /* first weights are drawn between -range and range; 0: they are 0 */
    dd_met met;   /* of a matrix */
    int scale;    /* of a matrix and its bias: of their results where they are quantised; 0: 1 */
    /* It is not learnt: an embedding, which is kept in a section of its own, and whose floats lie
     * behind all others; or a bias that is always 0, which has no floats. */
    bool fixed;
} dd_part;

enum { DD_MAX_LAYER_PARTS = 16, DD_MAX_PARTS = 96 };

typedef struct dd_parts {
    int count;
    dd_part all[DD_MAX_PARTS];
} dd_parts;

/* Its number. There must be room. */
int dd_parts_add(dd_parts *parts, dd_part part);

/* ---- floats ------------------------------------------------------------------------------- */

/* Where a part's weights are in the array of all weights. */
typedef struct dd_tensor {
    size_t at, rows, columns;
    /* Where a matrix stands in the array of packed weights, as it is and transposed. */
    size_t packed, packed_back;
} dd_tensor;

typedef struct dd_tensors {
    dd_tensor all[DD_MAX_PARTS];
    size_t size;        /* numbers that are learnt */
    size_t whole;       /* and those of fixed parts, which stand last */
    size_t packed_size; /* numbers in the array of packed weights */
} dd_tensors;

void dd_tensors_place(dd_tensors *tensors, const dd_parts *parts);
/* The first weights of all that is learnt. */
void dd_tensors_draw(const dd_tensors *tensors, const dd_parts *parts, dd_random *random,
                     dd_real *weights);
/* Packs a share of the matrices, 0 to `shares` - 1, for the products of one step. */
void dd_tensors_pack(const dd_tensors *tensors, const dd_parts *parts, const dd_real *weights,
                     int share, int shares, dd_real *packed);

/* ---- whole numbers ------------------------------------------------------------------------- */

typedef struct dd_frozen_matrix {
    size_t rows, columns; /* filled up */
    const int8_t *weights;
    const float *factors; /* [columns] */
} dd_frozen_matrix;

/* One part in a model file; which array there is depends on its kind. */
typedef struct dd_frozen_part {
    const uint8_t *bytes;
    dd_frozen_matrix matrix;
    size_t columns;                        /* of biases, filled up */
    const float *bias[DD_MAX_LAYER_PARTS]; /* as many as there are matrices before it */
    int n_bias;
    const int16_t *shorts;
    const int32_t *wholes;
} dd_frozen_part;

static inline size_t dd_fill_up(size_t count, size_t to)
{
    return (count + to - 1) / to * to;
}

/* Goes through all arrays in their order: `each` gets the bytes of one and says where it is. */
typedef const void *dd_frozen_visit(void *user, size_t bytes);
void dd_frozen_parts_place(dd_frozen_part *frozen, const dd_parts *parts, dd_frozen_visit *each,
                           void *user);

#endif
