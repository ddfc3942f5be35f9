/* training.h - everything that one run of dd_train holds */
#ifndef DODONA_TRAIN_TRAINING_H
#define DODONA_TRAIN_TRAINING_H

#include "model/model.h"
#include "train/components.h"
#include "train/corpus.h"
#include "train/silver.h"
#include "train/trainer.h"

typedef struct dd_training {
    const dd_train_options *options;
    dd_components components; /* the treebank, and all but the parser */
    uint32_t impossible;      /* components that the treebank does not allow */
    uint64_t nonprojective;   /* trees of the treebank */
    dd_model *start;          /* the model to fine-tune; NULL: train from scratch */
    const dd_system *system;
    dd_oracle_kind oracle;       /* not AUTO */
    bool single_root;            /* the rule in force */
    dd_pseudo_projective scheme; /* by which trees are lifted that the system cannot build */
    bool keeps_parts;            /* of those trees, or of what cannot be lifted */
    bool takes_whole;            /* losses are counted against those trees, short ones at least */
    uint32_t left_out;           /* columns that the training data has and the dev data has not */
    uint32_t columns;            /* that are learnt from */
    dd_corpus *corpus, *dev;     /* dev may be NULL */
    dd_unlift unlift;            /* the same as in the model, for dev_labels */
    int32_t *dev_labels;         /* [dev->labels.count] label as dd_parser.labels has it, or -1 */
    uint32_t *order;             /* [n_order] items of the corpus that the system can build */
    size_t n_order;
    uint64_t words;         /* in those items */
    uint64_t unknown_heads; /* of those words in the files */
    uint64_t without_heads; /* items left out because no head is known */
    int max_words;          /* of an item; 0: any number */
    uint64_t too_long;      /* items left out because they have more */
    dd_inventory inventory;
    dd_trainer trainer;
    dd_silver silver;     /* its sentences have the numbers behind those of the corpus */
    uint32_t *round;      /* [n_round] the sentences of a leg of an iteration */
    dd_example *examples; /* of the mini-batch */
    size_t n_round, round_capacity, examples_capacity;
    size_t ordered;   /* items of `order` that the legs of this iteration have had */
    bool is_last_leg; /* of the iteration */
    double started, iteration_started; /* seconds of the monotonic clock */
    double iteration_cpu_started;      /* seconds of this thread's processor time */
    int iterations_done;
    int resumed_after;    /* iterations, 0: none */
    dd_verdict *verdicts; /* [n_verdicts] about the words of the dev data, of the last evaluation */
    size_t n_verdicts, verdicts_capacity;
    dd_model *best;            /* NULL without dev data or before the first iteration ended */
    double best_uas, best_las; /* negative: not measured */
} dd_training;

/* plan.c: the components, and the folds of jackknifing, where the options leave that to the
 * treebank, which has been read. */
dd_status dd_training_choose_components(dd_training *training, dd_train_options *options,
                                        dd_error *error);
/* Tells the caller of all that was chosen. */
void dd_training_tell_plan(const dd_training *training);
/* choose.c: the system, and whether the options suit it; opens the model to start from and the
 * silver file. This happens before any component is trained, so that mistakes are reported
 * early. */
dd_status dd_training_choose(dd_training *training, dd_error *error);
/* Then takes the treebank, settles the rules and makes an empty learner. */
dd_status dd_training_prepare(dd_training *training, dd_error *error);
/* silver_read.c: reads and counts all silver trees, after the learner has started, and leaves the
 * first window in memory: the trees that serve here, their words in the learner. */
dd_status dd_training_read_silver(dd_training *training, dd_error *error);
/* Puts the next window, or a certain one, in its place. */
dd_status dd_training_next_silver(dd_training *training, dd_error *error);
dd_status dd_training_seek_silver(dd_training *training, size_t window, dd_error *error);
/* train.c: what the k-th iteration, from 1, goes through: in one leg, or in one for each window of
 * silver trees. DD_END: there is no other leg. */
dd_status dd_training_begin_round(dd_training *training, int k, dd_error *error);
dd_status dd_training_next_leg(dd_training *training, int k, dd_error *error);
/* Where the mini-batch ends that starts there, in the round. */
size_t dd_training_end_of_batch(const dd_training *training, size_t from);
/* A mini-batch of these sentences. False if allocation fails. */
bool dd_training_learn(dd_training *training, const uint32_t *sentences, int count);
/* train.c: the best model on dev if there is one, else what has been learnt so far. */
dd_status dd_training_hand_out(dd_training *training, dd_model **out, dd_error *error);
/* Why a tree cannot be used, or NULL if it can. Reports the reason to the caller. */
const char *dd_training_judge(const dd_training *training, const dd_item *item);
/* Changes trees that the system cannot build so that they can be learnt from, as options say. */
dd_status dd_training_change_unbuildable(dd_training *training, dd_corpus *corpus, dd_error *error);
/* Whether losses are counted against a tree that the system cannot build. */
bool dd_training_takes_whole(const dd_training *training, const dd_gold *gold);
/* Items that the system cannot build. */
size_t dd_training_skipped(const dd_training *training);
void dd_training_free(dd_training *training);

/* ---- what a model says of itself (facts.c) --------------------------------------------------- */

/* "key<TAB>value" lines. False if allocation fails. */
bool dd_facts_write(const dd_training *training, dd_buffer *out);
/* The same of a model without a parser. */
bool dd_facts_write_components(const dd_components *components, const dd_train_options *options,
                               dd_buffer *out);

#endif
