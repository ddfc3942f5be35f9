/* neural_parts.h - the neural learner, for the files that it is made of */
#ifndef DODONA_LEARN_NEURAL_NEURAL_PARTS_H
#define DODONA_LEARN_NEURAL_NEURAL_PARTS_H

#include "learn/learner.h"
#include "learn/neural/adam.h"
#include "learn/neural/shard.h"
#include "learn/neural/vectors.h"

/* A minibatch is always cut into so many parts, whatever the number of threads, so that sums are
 * made in the same order. */
enum { DD_SHARDS = 4 };
enum { DD_MOST_OUTPUTS = 16 };

/* Where a sentence of the minibatch is. */
typedef struct dd_shard_place {
    int shard, number;
} dd_shard_place;

typedef struct dd_neural {
    const dd_train_options *options;
    const dd_system *system;
    const dd_inventory *inventory;
    dd_lessons lessons;
    dd_slots slots;
    uint32_t inputs; /* what is looked at of a word, as bits of dd_input_kind */
    dd_coder coder;
    dd_vectors vectors;
    dd_codes codes; /* of all sentences */
    dd_network network;
    dd_real *weights;
    dd_adam adam;
    double scale; /* of this step's gradients */
    double squares[DD_SHARDS];
    dd_dropouts dropouts;
    const dd_network_options *how;
    uint64_t steps_in_all;
    double warm_up; /* steps in which the rate rises */
    dd_shard shards[DD_SHARDS];
    /* the minibatch */
    dd_shard_place *places;   /* [sentences] */
    const dd_coded **coded;   /* [sentences] by shards */
    dd_shard_gold *gold;      /* likewise */
    int first[DD_SHARDS + 1]; /* sentences of each shard, in coded and gold */
    int words;
    size_t places_capacity, coded_capacity, gold_capacity;
    /* the view scored last */
    bool pending; /* it has slopes */
    dd_shard_place at;
    int nodes[DD_MAX_SLOTS];
    dd_real slopes[DD_MOST_OUTPUTS];
    dd_real *moves; /* [moves] scores */
    size_t moves_capacity;
} dd_neural;

/* Vocabularies, the network and its first weights, which are random. */
dd_status dd_neural_start(void *state, const dd_lessons *lessons, dd_error *error);

#endif
