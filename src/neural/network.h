/* network.h - the network that scores transitions, described once for learning and for parsing
 *
 *     words -> embeddings -> layers of an encoder -> slots, multiplied once a sentence
 *     configuration -> rows of its nodes' slots, added -> leaky ReLU -> moves
 *     dependent and head -> their rows, added -> leaky ReLU -> labels
 *
 * (Kiperwasser and Goldberg 2016; Shi, Huang and Lee 2017 for the few nodes that suffice.) All
 * weights lie in one array, so that steps of learning need not know what they are. */
#ifndef DODONA_NEURAL_NETWORK_H
#define DODONA_NEURAL_NETWORK_H

#include "neural/coder.h"
#include "neural/encoder.h"

enum { DD_MAX_LAYERS = 4, DD_MAX_SLOTS = 16 };

typedef struct dd_network_shape {
    const dd_encoder *encoder; /* NULL: the default */
    int vocabulary[DD_INPUTS]; /* symbols, 0: the input is not used */
    int size[DD_INPUTS];       /* numbers of an embedding; characters: one character's */
    int char_width;            /* of the layer over characters */
    int layers, width;         /* over words */
    int slots, hidden;
    int outputs; /* kinds of moves */
    int pairs;   /* size of the product of dependent and head of a move's arc; 0: no product */
    int label_hidden, labels;
} dd_network_shape;

/* Numbers of what is known of a word, side by side: its embeddings, and of the layer over its
 * characters the first half of the last state and the second half of the first. */
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

/* The list of parts, and the numbers in it of those that are asked for. */
typedef struct dd_network_parts {
    dd_parts list;                         /* first the embeddings, in the order of dd_input_kind */
    int characters, layers[DD_MAX_LAYERS]; /* first part of each layer */
    /* [2 * width][slots * hidden + 2 * pairs + 2 * label_hidden] of pairs and of labels dependents
     * first, then heads */
    int slots, slots_bias;
    int missing;             /* [slots][hidden] rows of nodes that are not there */
    int hidden_bias;         /* [1][hidden] */
    int moves, moves_bias;   /* [outputs][hidden], [1][outputs] */
    int label_bias;          /* [1][label_hidden] */
    int labels, labels_bias; /* [labels][label_hidden], [1][labels] */
} dd_network_parts;

void dd_network_describe(dd_network_parts *parts, const dd_network_shape *shape);

/* ---- floats ------------------------------------------------------------------------------- */

typedef struct dd_network {
    dd_network_shape shape;
    dd_network_parts parts;
    dd_tensors tensors;
    /* Some of them. */
    dd_tensor embeddings[DD_INPUTS];
    dd_tensor slots, missing, hidden_bias, moves, moves_bias, label_bias, labels, labels_bias;
} dd_network;

/* Places the parts. */
void dd_network_set(dd_network *network, const dd_network_shape *shape);

static inline dd_real dd_leaky(dd_real x)
{
    return x > 0 ? x : x * (dd_real)0.1;
}

static inline dd_real dd_leaky_derivative(dd_real x)
{
    return x > 0 ? 1 : (dd_real)0.1;
}

#endif
