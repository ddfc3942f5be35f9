/* frozen.h - a network as it lies in a model file, to be run with bytes
 *
 *     header | arrays, each on a 64-byte boundary, in the order of dd_frozen_place
 *
 * A byte b of an embedding is worth (b - 64) times what the rows of weights that it meets were
 * multiplied by; a byte of an LSTM's state is worth (b - 64) / 63. A sum of products is worth the
 * factor of its column; what 64 adds to it is taken off in the bias. Slots are 16-bit numbers.
 * Little-endian, read in place. */
#ifndef DODONA_NEURAL_FROZEN_H
#define DODONA_NEURAL_FROZEN_H

#include "core/sections.h"
#include "core/status.h"
#include "kernels/kernels.h"
#include "neural/coder.h"

/* Version 2 has products; those of version 1, of graph alone, mean the same. */
enum { DD_MAX_LAYERS = 4, DD_FROZEN_VERSION = 1, DD_FROZEN_WITH_PAIRS = 2 };

typedef struct dd_frozen_header {
    uint32_t version;
    uint32_t vocabulary[DD_INPUTS], size[DD_INPUTS]; /* as in dd_network_shape */
    uint32_t char_width, layers, width, slots, hidden, outputs, label_hidden, labels, pairs;
    double unit;       /* of the scores of moves */
    double label_unit; /* of the scores of labels, in scores of moves */
    double pair_unit;  /* of the products of pairs, in scores of moves */
    uint32_t normal;   /* whether scores are to be logarithms of probabilities */
    uint8_t reserved[4];
} dd_frozen_header;

_Static_assert(sizeof(dd_frozen_header) % 64 == 0, "arrays start on a cache line");

/* Weights [rows][columns] in the order of kernels/layers.h, filled up with zeros. */
typedef struct dd_frozen_matrix {
    size_t rows, columns; /* filled up */
    const int8_t *weights;
    const float *factors; /* [columns] */
} dd_frozen_matrix;

typedef struct dd_frozen_lstm {
    dd_frozen_matrix from_input, from_state;
    const float *first_bias, *bias; /* [4 * width] */
} dd_frozen_lstm;

typedef struct dd_frozen {
    dd_frozen_header header;
    size_t inputs;                                         /* bytes of all embeddings of a word */
    const uint8_t *embeddings[DD_INPUTS];                  /* [vocabulary][size]; those of vectors
                                                              are not in the network's section */
    dd_frozen_lstm characters[2], words[DD_MAX_LAYERS][2]; /* forward, reverse */
    /* [2 * width][slots * hidden + 2 * pairs + 2 * label_hidden] */
    dd_frozen_matrix slots;
    const float *slots_bias;                 /* [columns] */
    const int16_t *missing;                  /* [slots][hidden] */
    const int16_t *hidden_bias, *label_bias; /* [hidden], [label_hidden] */
    const int16_t *moves, *label_weights;    /* [outputs][hidden], [labels][label_hidden] */
    const int32_t *moves_bias, *labels_bias; /* [outputs], [labels] */
} dd_frozen;

/* A number of a slot is worth 1 / DD_SLOT_ONE. */
enum { DD_SLOT_ONE = 512, DD_OUTPUT_MOST = 1023 };

/* Columns of slots before those of pairs. */
static inline size_t dd_frozen_pairs_at(const dd_frozen *frozen)
{
    return (size_t)frozen->header.slots * frozen->header.hidden;
}

static inline size_t dd_fill_up(size_t count, size_t to)
{
    return (count + to - 1) / to * to;
}

/* Goes through all arrays in their order: `each` gets the bytes of one and says where it is. */
typedef const void *dd_frozen_visit(void *user, size_t bytes);
void dd_frozen_place(dd_frozen *frozen, dd_frozen_visit *each, void *user);

/* `vectors`: the section of vectors, if the network uses them. */
dd_status dd_frozen_map(dd_frozen *frozen, dd_text section, dd_text vectors, dd_error *error);

/* The names of the sections that one of a model's networks is in. */
typedef struct dd_network_names {
    const char *network, *symbols;
} dd_network_names;

/* A network and its symbols; what `columns` lacks is taken for `_`. */
dd_status dd_frozen_find(dd_frozen *frozen, dd_coder *coder, const dd_sections *sections,
                         const dd_network_names *names, uint32_t columns, dd_error *error);

#endif
