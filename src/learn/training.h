/* training.h - everything that one run of dd_train holds */
#ifndef DODONA_LEARN_TRAINING_H
#define DODONA_LEARN_TRAINING_H

#include "learn/components.h"
#include "learn/corpus.h"
#include "learn/trainer.h"
#include "model/model.h"

typedef struct dd_training {
    const dd_train_options *options;
    dd_components components; /* the treebank, and all but the parser */
    const dd_system *system;
    bool single_root;            /* the rule in force */
    dd_pseudo_projective scheme; /* by which trees are lifted that the system cannot build */
    bool keeps_parts;            /* of those trees, or of what cannot be lifted */
    uint32_t left_out;           /* columns that the training data has and the dev data has not */
    uint32_t columns;            /* that are learnt from */
    dd_corpus *corpus, *dev;     /* dev may be NULL */
    dd_unlift unlift;            /* the same as in the model, for dev_labels */
    int32_t *dev_labels;         /* [dev->labels.count] label as dd_parser.labels has it, or -1 */
    uint32_t *order;             /* [n_order] items of the corpus that the system can build */
    size_t n_order;
    uint64_t words;       /* in those items */
    dd_example *examples; /* of the minibatch */
    size_t examples_capacity;
    uint64_t unknown_heads; /* of those words in the files */
    uint64_t without_heads; /* items left out because no head is known */
    int max_words;          /* of an item; 0: any number */
    uint64_t too_long;      /* items left out because they have more */
    dd_inventory inventory;
    dd_trainer trainer;
    double started, iteration_started; /* seconds of the monotonic clock */
    double iteration_cpu_started;      /* seconds of this thread's processor time */
    int iterations_done;
    dd_model *best;            /* NULL without dev data or before the first iteration ended */
    double best_uas, best_las; /* negative: not measured */
} dd_training;

/* The system, and whether the options suit it. It needs no data, so that what is wrong is known
 * before any component is trained. */
dd_status dd_training_choose(dd_training *training, dd_error *error);
/* Then takes the treebank, settles the rules and makes an empty learner. */
dd_status dd_training_prepare(dd_training *training, dd_error *error);
/* train.c: the best model on dev if there is one, else what has been learnt so far. */
dd_status dd_training_hand_out(dd_training *training, dd_model **out, dd_error *error);
/* A minibatch of these items. False when memory is out. */
bool dd_training_learn(dd_training *training, const uint32_t *items, int count);
/* Items that the system cannot build. */
size_t dd_training_skipped(const dd_training *training);
void dd_training_free(dd_training *training);

#endif
