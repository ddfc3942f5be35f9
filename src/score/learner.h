/* learner.h - the interface between training and whatever learns: the other half of score/scorer.h
 *
 *     treebank -> open, start -> (prepare -> (score, gradient) .. -> step) .. -> freeze -> sections
 *
 * The loss is computed outside: training scores a configuration, compares the scores with the moves
 * that the oracle allows, and passes the derivatives of the loss to the learner. An online learner
 * updates its weights at once; others accumulate gradients and update in `step`. */
#ifndef DODONA_SCORE_LEARNER_H
#define DODONA_SCORE_LEARNER_H

#include "core/sections.h"
#include "score/scorer.h"
#include "score/train_options.h"

#include <dodona.h>

/* What is learnt from. */
typedef struct dd_lessons {
    const dd_sentence *const *sentences; /* [count] */
    size_t count;
    uint64_t words;                /* of those sentences that are learnt from */
    uint64_t added_words;          /* about how many more words each pass learns from, see `add` */
    const dd_inventory *inventory; /* stays too */
    uint32_t columns;              /* of words; all other columns count as `_` */
    const dd_sections *from;       /* of the model to fine-tune; NULL: train from scratch */
} dd_lessons;

/* A sentence of a mini-batch. */
typedef struct dd_example {
    uint32_t sentence;   /* its number among those that the learner has got */
    const dd_gold *gold; /* labels are the inventory's; stays until the step is made */
    bool added;          /* by `add`: it does not count in accuracy */
    /* Weights of each word's arc and of its label: [n + 1] per cent, at least 1; NULL: each counts
     * in full. */
    const int32_t *weights, *label_weights;
} dd_example;

/* The loss of greedy training: train/loss.c computes it from the scores, and passes its derivatives
 * to the learner. */
typedef enum dd_loss_kind {
    /* The perceptron's: by how much the predicted transition leads over the best right one. */
    DD_LOSS_PERCEPTRON = 0,
    /* Minus the logarithm of the probability, by softmax over the moves, of all that the oracle
     * allows (Ballesteros et al. 2016). Each move counts with its best class; labels are the
     * learner's own affair. Where every move is right there is nothing to learn. Where arcs have
     * weights, see train/loss.c. */
    DD_LOSS_SOFTMAX,
} dd_loss_kind;

typedef struct dd_learner {
    const char *name;        /* of the setting */
    const dd_scorer *scorer; /* parses with what this freezes */
    dd_loss_kind loss;       /* of greedy training */
    double unit;             /* what a score of 1 is worth to the loss */
    int iterations;          /* passes over the data, unless they are set */
    bool online;             /* greedily, each decision is a step of its own */
    bool fine_tunes;         /* it can start from a model */
    bool takes_vectors;      /* of words */
    bool scores_arcs;        /* it can learn systems that are arc-factored */
    const char *tagger;      /* kind of tagger and tokenizer that go with it; NULL: the defaults */
    /* The systems that suit it best where nearly all trees are projective, and elsewhere; NULL:
     * arc-eager. */
    const char *projective_system, *nonprojective_system;
    /* Words a second that one core of a processor of 2021 learns from, in one iteration; or NULL.
     */
    double (*pace)(const dd_train_options *options, const dd_system *system, double words);

    /* The options stay as long as the learner does. */
    dd_status (*open)(void **out, const dd_train_options *options, const dd_system *system,
                      dd_error *error);
    void (*free)(void *state);
    /* Columns of words that it can learn from, as bits. */
    uint32_t (*columns)(const void *state);
    dd_status (*start)(void *state, const dd_lessons *lessons, dd_error *error);
    /* Adds a sentence to learn from, after `start`. It gets the next number, adds no symbols to the
     * vocabularies, and need not outlive the call. False if allocation fails. */
    bool (*add)(void *state, const dd_sentence *sentence);
    /* Keeps the first `count` sentences and forgets the others, whose numbers become free. */
    void (*forget)(void *state, size_t count);
    /* As in dd_scorer; after start. */
    bool (*by_move)(const void *state);
    /* Words in a mini-batch, which ends after the sentence that reaches them; NULL: a sentence. */
    int (*batch_words)(const void *state);

    /* Each of these returns false if allocation fails. */
    /* A mini-batch, whose sentences then are the views' sentence 0, 1, .. The examples stay until
     * the step is made. */
    bool (*prepare)(void *state, const dd_example *examples, int count);
    /* Scores views, and remembers the last for `gradient`. */
    bool (*score)(void *state, dd_view *const *views, int count);
    /* The loss grows by `derivative` for each 1 that is added to the pick's score. Neither the
     * view, which was the last to be scored, nor its configuration has changed since. */
    bool (*gradient)(void *state, const dd_view *view, dd_pick pick, float derivative);
    /* Updates the weights by what was accumulated since the last step. */
    bool (*step)(void *state);
    /* The k-th pass over the data, from 1, is over; NULL: nothing is to be done. */
    bool (*end_epoch)(void *state, int k, int epochs);
    /* Adds the scorer's sections, as learnt so far. */
    bool (*freeze)(const void *state, dd_draft *sections);

    /* Appends the learner's state between two iterations, for a checkpoint, as blocks of numbers;
     * NULL: training cannot be resumed. False: allocation failed. */
    bool (*save)(const void *state, dd_buffer *out);
    /* Restores that state, after `start` with the same data. False: the state is missing or
     * damaged, and nothing has changed. */
    bool (*restore)(void *state, dd_cursor *from);
    /* Appends "what<TAB>value" lines for everything else that must be the same when training is
     * resumed; may be NULL. */
    bool (*write_conditions)(const void *state, dd_buffer *out);

    /* "key<TAB>value" lines for the model's facts, of settings and of sizes; may be NULL. */
    bool (*write_settings)(const void *state, dd_buffer *out);
    bool (*write_sizes)(const void *state, dd_buffer *out);
} dd_learner;

/* scorers.c: all there are, each with its scorer, the default first, NULL after the last. */
extern const dd_learner *const dd_learners[];
/* The learner of that name; NULL and unknown names give the default. */
const dd_learner *dd_learner_find(const char *name);

#endif
