/* frozen.h - a network as it lies in a model file, to be run with bytes
 *
 *     header | the arrays of all parts (parts.h), each on a 64-byte boundary
 *
 * A byte b of an embedding is worth (b - 64) times what the rows of weights that it meets were
 * multiplied by; a byte of a layer's state is worth (b - 64) / 63. A sum of products is worth the
 * factor of its column; what 64 adds to it is taken off in the bias. Slots are 16-bit numbers.
 * Little-endian, read in place. */
#ifndef DODONA_NEURAL_FROZEN_H
#define DODONA_NEURAL_FROZEN_H

#include "core/sections.h"
#include "core/status.h"
#include "neural/network.h"

/* Version 2 has products; those of version 1, of graph alone, mean the same. Version 3 has an
 * encoder that is not that of versions 1 and 2, too. */
enum { DD_FROZEN_VERSION = 1, DD_FROZEN_WITH_PAIRS = 2, DD_FROZEN_WITH_ENCODER = 3 };

typedef struct dd_frozen_header {
    uint32_t version;
    uint32_t vocabulary[DD_INPUTS], size[DD_INPUTS]; /* as in dd_network_shape */
    uint32_t char_width, layers, width, slots, hidden, outputs, label_hidden, labels, pairs;
    double unit;       /* of the scores of moves */
    double label_unit; /* of the scores of labels, in scores of moves */
    double pair_unit;  /* of the products of pairs, in scores of moves */
    uint32_t normal;   /* whether scores are to be log-probabilities */
    uint32_t encoder;  /* dd_encoder.number; 0 before version 3 */
} dd_frozen_header;

_Static_assert(sizeof(dd_frozen_header) % 64 == 0, "arrays start on a cache line");

typedef struct dd_frozen {
    dd_frozen_header header;
    dd_network_shape shape; /* the same as numbers to count with */
    dd_network_parts parts;
    dd_frozen_part arrays[DD_MAX_PARTS];
    /* Some of them. */
    const uint8_t *embeddings[DD_INPUTS]; /* [vocabulary][size]; those of vectors are not in the
                                             network's section */
    dd_frozen_matrix slots;
    const float *slots_bias;                 /* [columns] */
    const int16_t *missing;                  /* [slots][hidden] */
    const int16_t *hidden_bias, *label_bias; /* [hidden], [label_hidden] */
    const int16_t *moves, *label_weights;    /* [outputs][hidden], [labels][label_hidden] */
    const int32_t *moves_bias, *labels_bias; /* [outputs], [labels] */
} dd_frozen;

/* From the header, and to it, but for the units. */
void dd_frozen_shape(const dd_frozen_header *header, dd_network_shape *shape);
void dd_frozen_set_header(dd_frozen_header *header, const dd_network_shape *shape);

/* Goes through all arrays of what the header describes, and notes where they are. */
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

/* ---- from floats to whole numbers, and back (freeze.c) --------------------------------------- */

/* Of a weight's byte, sign included: how many can be used, and as few as may be asked for. */
enum { DD_WEIGHT_BITS = 7, DD_FEWEST_WEIGHT_BITS = 4 };

typedef struct dd_freezing_options {
    int bits;    /* of a weight or embedding, 0: DD_WEIGHT_BITS; with fewer a file can be compressed
                    better */
    bool normal; /* see dd_frozen_header */
} dd_freezing_options;

/* Adds the network's sections, the symbols' only if it has a name, and those of vectors if it has
 * any. False if allocation fails. */
bool dd_network_freeze(const dd_network *network, const dd_real *weights, const dd_coder *coder,
                       const dd_network_names *names, const dd_freezing_options *how,
                       dd_draft *sections);
/* Fills in the weights of a network of the shape that was frozen, which may have more labels: those
 * beyond the frozen ones keep their weights. False if allocation fails. */
bool dd_network_thaw(const dd_network *network, const dd_frozen *frozen, dd_real *weights);

#endif
