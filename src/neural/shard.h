/* shard.h - a part of a mini-batch on its way through the network and back: one thread's work
 *
 *     words of sentences -> forward -> slots of every word
 *     configurations: decisions with derivatives -> backward -> gradients of all weights */
#ifndef DODONA_NEURAL_SHARD_H
#define DODONA_NEURAL_SHARD_H

#include "core/random.h"
#include "neural/network.h"

/* Dropout: the shares of numbers that are set to 0 in training. */
typedef struct dd_dropouts {
    double input; /* a word's embedding of one kind, whole */
    double layer; /* numbers into and out of layers, the same in all words of a sentence */
} dd_dropouts;

/* A scored configuration whose derivatives are to be followed. */
typedef struct dd_decision {
    int sentence;            /* in the shard */
    int nodes[DD_MAX_SLOTS]; /* DD_NONE: missing */
} dd_decision;

/* The product of an arc's two nodes, whose derivative is to be followed. */
typedef struct dd_pairing {
    int sentence, dependent, head;
    dd_real derivative;
} dd_pairing;

typedef struct dd_shard {
    const dd_network *network;
    const dd_real *weights;
    const dd_real *packed; /* the same by dd_tensors_pack */
    dd_multiplier by;
    dd_random random;
    /* the sentences */
    int count;
    const dd_coded **sentences; /* [count] */
    int *sequence;              /* [count] of each sentence; sequences stand the longest first */
    int *sentence;              /* [count] of each sequence */
    dd_steps steps;             /* of nodes */
    uint32_t *shard_types;      /* [n_types] distinct forms, as numbers in the spellings */
    int *type_sequence;         /* [types of all] sequence of a form among the shard's; -1: none */
    int n_types;
    dd_steps spelling_steps;
    /* results, each row by row of steps */
    dd_real *memory;
    size_t memory_capacity;
    dd_real *characters, *spelt;        /* inputs and states of the layer over characters */
    dd_real *inputs;                    /* [rows][inputs] */
    dd_real *layers[DD_MAX_LAYERS];     /* [rows][2 * width] */
    dd_real *slots;                     /* [rows][slot columns] */
    dd_real *input_masks, *layer_masks; /* [count][inputs], [layers][count][2 * width] */
    uint8_t *dropped;                   /* [rows][DD_INPUTS] */
    dd_real *character_memory, *layer_memory[DD_MAX_LAYERS]; /* kept for the way back */
    dd_real *gradients;                                      /* [tensors.size] */
    dd_real *label_units, *d_label_units, *label_scores;     /* [known arcs][...] */
    dd_real *sums, *units, *d_sums;                          /* [DD_DECISIONS_AT_ONCE][hidden] */
    dd_real *node_units, *node_scores;                       /* [rows][hidden], [rows][outputs] */
    dd_real *d_layers[2], *d_slots, *d_inputs, *d_spelt, *d_characters;
    /* what is to be learnt */
    dd_decision *decisions;
    dd_real *derivatives; /* [n_decisions][outputs] */
    dd_pairing *pairings;
    size_t n_decisions, n_derivatives, decisions_capacity, derivatives_capacity;
    size_t n_pairings, pairings_capacity;
    size_t sentences_capacity, sequence_capacity, sentence_capacity, types_capacity,
        type_sequence_capacity, dropped_capacity;
    double label_loss; /* summed over known arcs */
    uint64_t labelled;
} dd_shard;

void dd_shard_free(dd_shard *shard);
/* Encodes the sentences; with dropouts unless they are NULL. False if allocation fails. */
bool dd_shard_forward(dd_shard *shard, const dd_coded *const *sentences, int count,
                      const dd_spellings *spellings, const dd_dropouts *dropouts);
/* Scores of a configuration's moves, what an arc adds to that of the move that builds it (0 if one
 * of its nodes is DD_NONE), and the scores of the labels of an arc. */
void dd_shard_score(const dd_shard *shard, int sentence, const int *nodes, dd_real *scores);
dd_real dd_shard_pair(const dd_shard *shard, int sentence, int dependent, int head);
void dd_shard_label(const dd_shard *shard, int sentence, int dependent, int head, dd_real *scores);
/* The same for all nodes at once, which is faster, where a configuration is one node: the network
 * has one slot. Then dd_shard_node_scores has those of each. */
void dd_shard_score_nodes(dd_shard *shard);
/* Notes derivatives[outputs] for a configuration, and the derivative of what an arc adds. False if
 * allocation fails. */
bool dd_shard_decide(dd_shard *shard, int sentence, const int *nodes, const dd_real *derivatives);
bool dd_shard_decide_pair(dd_shard *shard, int sentence, int dependent, int head,
                          dd_real derivative);
/* Gradients of all decisions and of the labels of known arcs (heads and labels [n + 1], negative:
 * not known), each times `scale`. */
typedef struct dd_shard_gold {
    const int32_t *heads, *labels;
    const int32_t *weights; /* of labels, [n + 1] per cent; NULL: each counts in full */
} dd_shard_gold;
void dd_shard_backward(dd_shard *shard, const dd_spellings *spellings, const dd_shard_gold *gold,
                       const dd_dropouts *dropouts, dd_real scale);

/* ---- for the files that a shard is made of --------------------------------------------------- */

enum { DD_MOST_HIDDEN = 2048, DD_MOST_LABELS = 4096, DD_DECISIONS_AT_ONCE = 64 };

/* Multiplies the rows of each sentence by its mask. */
void dd_shard_mask_rows(const dd_shard *s, dd_real *matrix, const dd_real *masks, size_t width);
void dd_shard_sum_slots(const dd_shard *s, int sentence, const int *nodes, dd_real *sums);
/* Gradients of the products of arcs, times `scale`. */
void dd_shard_back_pairs(dd_shard *s, dd_real scale);
/* Gradients of the labels of known arcs, times `scale`. */
void dd_shard_back_labels(dd_shard *s, const dd_shard_gold *gold, dd_real scale);

static inline uint32_t dd_spelling_length(const dd_spellings *spellings, uint32_t type)
{
    return spellings->first[type + 1] - spellings->first[type];
}

/* The layer whose first part that is. */
static inline dd_layer dd_shard_layer(const dd_shard *s, int part, int inputs, int width)
{
    return (dd_layer){.inputs = inputs,
                      .width = width,
                      .tensors = s->network->tensors.all + part,
                      .weights = s->weights,
                      .packed = s->packed,
                      .gradients = s->gradients,
                      .by = &s->by};
}

static inline dd_layer dd_shard_character_layer(const dd_shard *s)
{
    const dd_network_shape *shape = &s->network->shape;
    return dd_shard_layer(s, s->network->parts.characters, shape->size[DD_INPUT_CHARS],
                          shape->char_width);
}

static inline dd_layer dd_shard_word_layer(const dd_shard *s, int layer)
{
    const dd_network_shape *shape = &s->network->shape;
    return dd_shard_layer(s, s->network->parts.layers[layer],
                          layer ? 2 * shape->width : dd_network_inputs(shape), shape->width);
}

/* In lanes, which compilers make vectors of; so is what follows. */
static inline void dd_add_scaled(dd_real *restrict to, const dd_real *restrict from, size_t count,
                                 dd_real factor)
{
    size_t j = 0;
    for (; j + 8 <= count; j += 8)
        for (size_t lane = 0; lane < 8; lane++) to[j + lane] += from[j + lane] * factor;
    for (; j < count; j++) to[j] += from[j] * factor;
}

static inline dd_real dd_dot(const dd_real *a, const dd_real *b, size_t count)
{
    dd_real sums[8] = {0}, sum = 0;
    size_t j = 0;
    for (; j + 8 <= count; j += 8)
        for (size_t lane = 0; lane < 8; lane++) sums[lane] += a[j + lane] * b[j + lane];
    for (; j < count; j++) sum += a[j] * b[j];
    for (size_t lane = 0; lane < 8; lane++) sum += sums[lane];
    return sum;
}

static inline dd_real *dd_shard_layer_masks(const dd_shard *s, int layer)
{
    return s->layer_masks + (size_t)layer * (size_t)s->count * 2 * (size_t)s->network->shape.width;
}

static inline size_t dd_shard_row(const dd_shard *s, int sentence, int node)
{
    return dd_steps_row(&s->steps, s->sequence[sentence], node);
}

static inline const dd_real *dd_shard_node_scores(const dd_shard *s, int sentence, int node)
{
    return s->node_scores + dd_shard_row(s, sentence, node) * (size_t)s->network->shape.outputs;
}

/* Where the half of a state stands that is taken for a form: the first half of its last
 * character's, the second half of its first character's. */
static inline dd_real *dd_shard_end_state(const dd_shard *s, dd_real *spelt, uint32_t type,
                                          int half)
{
    size_t width = (size_t)s->network->shape.char_width;
    int b = s->type_sequence[type];
    int at = half ? 0 : s->spelling_steps.lengths[b] - 1;
    return spelt + dd_steps_row(&s->spelling_steps, b, at) * 2 * width + (size_t)half * width;
}

#endif
