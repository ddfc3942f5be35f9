/* silver.h - trees that a parser made of raw text, in little memory, and the order in which they
 * are learnt from
 *
 *     file -> a window: heads and labels here, words in the learner -> some sentences in each
 *     iteration -> the next window
 *
 * The whole file is read and checked once, before training, and counted; then one window of it is
 * in memory at a time (text/windows.h), and its sentences are drawn in a random order. A tree takes
 * up 8 bytes a word, 16 with weights; it is made ready for oracles when its turn comes. */
#ifndef DODONA_TRAIN_SILVER_H
#define DODONA_TRAIN_SILVER_H

#include "core/learning.h"
#include "score/train_options.h"
#include "text/windows.h"
#include "tree/gold.h"

#include <xxhash.h>

/* Of the whole file, as in dd_train_data. */
typedef struct dd_silver_counts {
    uint64_t sentences, words;      /* that are learnt from */
    uint64_t skipped, in_part, bad; /* sentences */
    uint64_t unknown_labels;        /* words */
    uint64_t soft;                  /* sentences whose heads have probabilities */
} dd_silver_counts;

typedef struct dd_silver {
    dd_windows windows; /* of the file */
    dd_silver_counts counts;
    XXH3_state_t *hash; /* of all bytes read, malformed sentences left out */
    bool weighs;        /* trees have weights */
    /* the window */
    int32_t *arcs;    /* heads, labels, and any weights of arcs and of labels: n + 1 each, of each
                         sentence */
    size_t *starts;   /* [count + 1] of its arcs */
    int32_t *weights; /* [2 * (n + 1)] of arcs and of labels, of the sentence read last */
    size_t count, arcs_capacity, starts_capacity, weights_capacity;
    dd_weighed_arc *soft; /* of all sentences */
    size_t *soft_starts;  /* [count + 1] of a sentence's in `soft`; equal: it has none */
    size_t soft_capacity, soft_starts_capacity;
    dd_draws draws;
    uint64_t drawn_here; /* sentences of this window */
    uint64_t drawn;      /* words so far, of all windows */
    dd_gold *gold;       /* [places] */
    size_t places;
} dd_silver; /* {0} is empty and valid */

/* Opens options->silver if there is one. */
dd_status dd_silver_open(dd_silver *silver, const dd_train_options *options, dd_error *error);
void dd_silver_free(dd_silver *silver);
/* Reads what a sentence's MISC says of the probability of its arcs and labels, into weights.
 * DD_ERROR_DATA: some are no percentages. */
dd_status dd_silver_weigh(dd_silver *silver, const dd_sentence *sentence, const char *file,
                          dd_error *error);
/* Adds a tree, with the weights last read if trees have some, before the first is drawn. False if
 * allocation fails. */
bool dd_silver_add(dd_silver *silver, const dd_gold *gold);
/* Makes room for another window. */
void dd_silver_clear(dd_silver *silver);
/* Words that are to be drawn in the first k iterations over a treebank of so many words. */
uint64_t dd_silver_due(const dd_train_options *options, uint64_t words, int k);
/* Appends the next sentences to a list until so many words have been drawn in all, or the window is
 * used up. There must be some. False if allocation fails. */
bool dd_silver_draw(dd_silver *silver, uint64_t words, uint32_t **list, size_t *count,
                    size_t *capacity);
/* Makes room for so many trees at a time. False if allocation fails. */
bool dd_silver_reserve(dd_silver *silver, size_t places);
/* A tree in one of the places, until another is made there. NULL if allocation fails. */
const dd_gold *dd_silver_tree(dd_silver *silver, size_t sentence, size_t place);

/* All sentences of the window have been drawn, and another window is due; a file of one window is
 * drawn from again and again. */
static inline bool dd_silver_is_spent(const dd_silver *silver)
{
    return silver->windows.count > 1 && silver->drawn_here == silver->count;
}

/* Numbers that are kept of each node. */
static inline size_t dd_silver_columns(const dd_silver *silver)
{
    return silver->weighs ? 4 : 2;
}

static inline int dd_silver_length(const dd_silver *silver, size_t sentence)
{
    size_t size = silver->starts[sentence + 1] - silver->starts[sentence];
    return (int)(size / dd_silver_columns(silver)) - 1;
}

/* Weights of a tree's arcs, and of its labels; NULL: they have none. */
static inline const int32_t *dd_silver_weights(const dd_silver *silver, size_t sentence,
                                               bool of_labels)
{
    size_t nodes = (size_t)dd_silver_length(silver, sentence) + 1;
    const int32_t *arcs = silver->arcs + silver->starts[sentence];
    return silver->weighs ? arcs + (of_labels ? 3 : 2) * nodes : NULL;
}

#endif
