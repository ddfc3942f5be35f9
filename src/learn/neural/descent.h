/* descent.h - a network on its way down: minibatches through it and back, and the steps that follow
 *
 *     sentences -> prepare -> scores of configurations in shards -> decisions -> step
 *
 * Threads share a minibatch. It is always cut into the same parts, and their gradients are added in
 * order, so that what is learnt does not depend on how many threads there are. */
#ifndef DODONA_LEARN_NEURAL_DESCENT_H
#define DODONA_LEARN_NEURAL_DESCENT_H

#include "learn/neural/adam.h"
#include "learn/neural/shard.h"
#include "learn/neural/vectors.h"
#include "learn/options.h"

enum { DD_SHARDS = 4 };

/* Where a sentence of the minibatch is. */
typedef struct dd_shard_place {
    int shard, number;
} dd_shard_place;

typedef struct dd_descent {
    const dd_network_options *how;
    int threads;
    dd_coder coder;
    dd_codes codes; /* of all sentences */
    dd_network network;
    dd_real *weights;
    dd_real *packed; /* for the minibatch */
    dd_adam adam;
    dd_dropouts dropouts;
    uint64_t steps_in_all;
    double warm_up; /* steps in which the rate rises */
    double scale;   /* of this step's gradients */
    double squares[DD_SHARDS];
    dd_shard shards[DD_SHARDS];
    /* the minibatch */
    dd_shard_place *places;   /* [sentences] */
    const dd_coded **coded;   /* [sentences] by shards */
    dd_shard_gold *gold;      /* likewise; all NULL unless the caller sets it after prepare */
    int first[DD_SHARDS + 1]; /* sentences of each shard, in coded and gold */
    int words;
    size_t places_capacity, coded_capacity, gold_capacity;
} dd_descent; /* {0} is valid */

void dd_descent_free(dd_descent *descent);

/* What is to be learnt from. */
typedef struct dd_descent_plan {
    const dd_network_options *how;
    const dd_sentence *const *sentences; /* [count] */
    size_t count;
    uint64_t words;   /* in an iteration, about */
    uint32_t columns; /* that may be looked at */
    uint32_t inputs;  /* as bits of dd_input_kind */
    int iterations, threads;
    uint64_t seed;
} dd_descent_plan;

/* Words in a minibatch: what is set, or what suits an iteration over so many words. */
int dd_descent_batch_words(const dd_network_options *how, uint64_t words);
/* Words a second that one core of a processor of 2021 learns from with a network of that size, of
 * so many words, about. */
double dd_descent_pace(const dd_network_options *how, int layers, int width, double words);
/* Vocabularies, with the vectors' words if any are asked for. */
dd_status dd_descent_code(dd_descent *descent, const dd_descent_plan *plan, dd_vectors *vectors,
                          dd_error *error);
/* After that, once the caller has set those sizes of the shape that are not of inputs and layers:
 * the network and its first weights, which are random. */
void dd_descent_shape(const dd_descent *descent, const dd_vectors *vectors,
                      dd_network_shape *shape);
dd_status dd_descent_start(dd_descent *descent, const dd_descent_plan *plan,
                           const dd_network_shape *shape, dd_vectors *vectors, dd_error *error);

/* Does something with every shard, in several threads. False if it was false for one. */
typedef bool dd_shard_work(dd_descent *descent, int shard, void *user);
bool dd_descent_for_shards(dd_descent *descent, dd_shard_work *run, void *user);

/* Encodes some of the sentences. False if allocation fails. */
bool dd_descent_prepare(dd_descent *descent, const uint32_t *sentences, int count);
/* The gradients of all decisions, and a step along them. */
bool dd_descent_step(dd_descent *descent);

#endif
