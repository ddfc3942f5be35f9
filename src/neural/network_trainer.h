/* network_trainer.h - mini-batches through a network and back, and the Adam steps that follow
 *
 *     sentences -> prepare -> scores of configurations in shards -> decisions -> step
 *
 * Threads share a mini-batch. It is always cut into the same parts, and their gradients are added
 * in order, so that what is learnt does not depend on how many threads there are. */
#ifndef DODONA_NEURAL_NETWORK_TRAINER_H
#define DODONA_NEURAL_NETWORK_TRAINER_H

#include "neural/real.h"
#include "neural/shard.h"
#include "neural/vectors.h"
#include "score/train_options.h"

/* ---- Adam: steps down the gradient (Kingma and Ba 2015), and a running mean of the weights that
 * they lead to, which parses better than the last ones (Polyak and Juditsky 1992) ---- */

typedef struct dd_adam {
    const dd_kernels *kernels;
    dd_real *first, *second; /* [size] running means of gradients and of their squares */
    dd_real *average;        /* [averages] running mean of the weights */
    double beta1, beta2;
    double kept;  /* of the running mean of weights in a step */
    double decay; /* of weights, as a share of them that is added to their gradients */
    uint64_t steps;
} dd_adam;

/* The mean has room for more, which stay as the caller sets them. */
bool dd_adam_start(dd_adam *adam, size_t size, size_t averages);
void dd_adam_free(dd_adam *adam);
/* The next step has begun. */
void dd_adam_begin(dd_adam *adam);
/* Changes weights from..to by gradients, each times `scale`. */
void dd_adam_step(const dd_adam *adam, dd_real *weights, const dd_real *gradients, double scale,
                  double rate, size_t from, size_t to);

/* ---- mini-batches ---- */

enum { DD_SHARDS = 4 };

/* Where a sentence of the mini-batch is. */
typedef struct dd_shard_place {
    int shard, number;
} dd_shard_place;

typedef struct dd_network_trainer {
    const dd_network_options *how;
    int threads;
    dd_coder coder;
    dd_codes codes; /* of all sentences */
    dd_network network;
    dd_real *weights;
    dd_real *packed; /* for the mini-batch */
    dd_adam adam;
    dd_dropouts dropouts;
    uint64_t steps_in_all;
    double warm_up; /* steps in which the rate rises */
    double scale;   /* of this step's gradients */
    double squares[DD_SHARDS];
    dd_shard shards[DD_SHARDS];
    /* the mini-batch */
    dd_shard_place *places; /* [sentences] */
    const dd_coded **coded; /* [sentences] by shards */
    dd_shard_gold
        *gold; /* [sentences] by shards; all NULL unless the caller sets it after prepare */
    int first[DD_SHARDS + 1]; /* sentences of each shard, in coded and gold */
    int words;
    size_t places_capacity, coded_capacity, gold_capacity;
} dd_network_trainer; /* {0} is valid */

void dd_network_trainer_free(dd_network_trainer *trainer);

/* What is to be learnt from. */
typedef struct dd_network_plan {
    const dd_network_options *how;
    const dd_sentence *const *sentences; /* [count] */
    size_t count;
    uint64_t words;   /* in an iteration, about */
    uint32_t columns; /* that may be looked at */
    uint32_t inputs;  /* as bits of dd_input_kind */
    int iterations, threads;
    uint64_t seed;
} dd_network_plan;

/* Words in a mini-batch: what is set, or what suits an iteration over so many words. */
int dd_network_batch_words(const dd_network_options *how, uint64_t words);
/* About how many words a second one core of a processor of 2021 trains on, with a network of that
 * size. */
double dd_network_pace(const dd_network_options *how, int layers, int width, double words);
/* Vocabularies, with the vectors' words if any are asked for. */
dd_status dd_network_trainer_code(dd_network_trainer *trainer, const dd_network_plan *plan,
                                  dd_vectors *vectors, dd_error *error);
/* After that, once the caller has set those sizes of the shape that are not of inputs and layers:
 * the network and its first weights, which are random. */
void dd_network_trainer_shape(const dd_network_trainer *trainer, const dd_vectors *vectors,
                              dd_network_shape *shape);
dd_status dd_network_trainer_start(dd_network_trainer *trainer, const dd_network_plan *plan,
                                   const dd_network_shape *shape, dd_vectors *vectors,
                                   dd_error *error);

/* Calls a function with every shard, in several threads. False if it returned false for one. */
typedef bool dd_shard_work(dd_network_trainer *trainer, int shard, void *user);
bool dd_network_trainer_for_shards(dd_network_trainer *trainer, dd_shard_work *run, void *user);

/* Encodes some of the sentences. False if allocation fails. */
bool dd_network_trainer_prepare(dd_network_trainer *trainer, const uint32_t *sentences, int count);
/* The gradients of all decisions, and a step along them. */
bool dd_network_trainer_step(dd_network_trainer *trainer);

#endif
