/* network.h - the network that scores transitions, while it learns
 *
 *     words -> embeddings -> BiLSTM layers -> slots, multiplied once a sentence
 *     configuration -> rows of its nodes' slots, added -> leaky ReLU -> moves
 *     dependent and head -> their rows, added -> leaky ReLU -> labels
 *
 * (Kiperwasser and Goldberg 2016; Shi, Huang and Lee 2017 for the few nodes that suffice.) All
 * weights lie in one array, so that steps of learning need not know what they are. */
#ifndef DODONA_NEURAL_NETWORK_H
#define DODONA_NEURAL_NETWORK_H

#include "core/sections.h"
#include "neural/frozen.h"
#include "neural/lstm.h"
#include "neural/slots.h"

typedef struct dd_network_shape {
    int vocabulary[DD_INPUTS]; /* symbols, 0: the input is not used */
    int size[DD_INPUTS];       /* numbers of an embedding; characters: one character's */
    int char_width;            /* of each direction over characters */
    int layers, width;         /* of each direction over words */
    int slots, hidden;
    int outputs; /* kinds of moves */
    int pairs;   /* numbers by which dependent and head of a move's arc meet; 0: they do not */
    int label_hidden, labels;
} dd_network_shape;

/* A matrix in the array of weights. */
typedef struct dd_tensor {
    size_t at, rows, columns;
    /* Where it stands in the array of packed weights, as it is and transposed, if it is a matrix
     * that rows of words are multiplied by. */
    size_t packed, packed_back;
} dd_tensor;

typedef struct dd_lstm_tensors {
    dd_tensor from_input, from_state, bias;
} dd_lstm_tensors;

typedef struct dd_network {
    dd_network_shape shape;
    dd_tensor embeddings[DD_INPUTS];
    dd_lstm_tensors characters[2], words[DD_MAX_LAYERS][2]; /* forward, reverse */
    /* [2 * width][slots * hidden + 2 * pairs + 2 * label_hidden] of pairs and of labels dependents
     * first, then heads */
    dd_tensor slots;
    dd_tensor missing;     /* [slots][hidden] rows of nodes that are not there */
    dd_tensor hidden_bias; /* [1][hidden] */
    dd_tensor moves;       /* [outputs][hidden] */
    dd_tensor moves_bias;  /* [1][outputs] */
    dd_tensor label_bias;  /* [1][label_hidden] */
    dd_tensor labels;      /* [labels][label_hidden] */
    dd_tensor labels_bias; /* [1][labels] */
    size_t size;           /* numbers that are learnt */
    size_t whole;          /* and those of vectors, which stand last and stay as they are */
    size_t packed_size;    /* numbers in the array of packed weights */
} dd_network;

/* Places the matrices. */
void dd_network_set(dd_network *network, const dd_network_shape *shape);
/* Packs a share of the weights, 0 to `shares` - 1, for the products of one step. */
void dd_network_pack(const dd_network *network, const dd_real *weights, int share, int shares,
                     dd_real *packed);
/* Numbers in all embeddings of a word, side by side. */
int dd_network_inputs(const dd_network_shape *shape);
/* Columns of `slots`: before those of pairs, and all. */
static inline size_t dd_network_pairs_at(const dd_network_shape *shape)
{
    return (size_t)shape->slots * (size_t)shape->hidden;
}

static inline size_t dd_network_slot_columns(const dd_network_shape *shape)
{
    return dd_network_pairs_at(shape) + 2 * (size_t)shape->pairs + 2 * (size_t)shape->label_hidden;
}

static inline dd_real dd_leaky(dd_real x)
{
    return x > 0 ? x : x * (dd_real)0.1;
}

static inline dd_real dd_leaky_derivative(dd_real x)
{
    return x > 0 ? 1 : (dd_real)0.1;
}

/* ---- from weights to bytes (freeze.c) -------------------------------------------------------- */

/* Adds the network's sections, and those of vectors if it has any. False if allocation fails. */
bool dd_network_freeze(const dd_network *network, const dd_real *weights, const dd_coder *coder,
                       const dd_network_names *names, bool normal, dd_draft *sections);

/* ---- and back (thaw.c) ----------------------------------------------------------------------- */

/* The shape of a network that was frozen. False if it is too large to be learnt on. */
bool dd_network_shape_of(const dd_frozen_header *header, dd_network_shape *shape);
/* Fills in the weights of a network of that shape, which may have more labels: those beyond the
 * frozen ones keep their weights. False if allocation fails. */
bool dd_network_thaw(const dd_network *network, const dd_frozen *frozen, dd_real *weights);

#endif
