/* silver.h - trees that a parser made of raw text, in little memory, and the order in which they
 * are learnt from
 *
 *     file -> heads and labels here, words in the learner -> some sentences in each iteration
 *
 * A tree takes up 8 bytes a word; it is made ready for oracles when its turn comes. */
#ifndef DODONA_TRAIN_SILVER_H
#define DODONA_TRAIN_SILVER_H

#include "core/learning.h"
#include "score/train_options.h"
#include "tree/gold.h"

#include <xxhash.h>

typedef struct dd_silver {
    dd_reader *reader;  /* of the file until it is read; NULL: there is none */
    XXH3_state_t *hash; /* of all bytes read, malformed sentences left out */
    int32_t *arcs;      /* heads, then labels, n + 1 each, of each sentence */
    size_t *starts;     /* [count + 1] of its arcs */
    size_t count, arcs_capacity, starts_capacity;
    uint64_t words;
    uint64_t skipped, in_part, bad; /* sentences, as in dd_train_data */
    uint64_t unknown_labels;        /* words, likewise */
    dd_draws draws;
    uint64_t drawn; /* words so far */
    dd_gold *gold;  /* [places] */
    size_t places;
} dd_silver; /* {0} is empty and valid */

/* Opens options->silver if there is one. */
dd_status dd_silver_open(dd_silver *silver, const dd_train_options *options, dd_error *error);
void dd_silver_free(dd_silver *silver);
/* Adds a tree, before the first is drawn. False if allocation fails. */
bool dd_silver_add(dd_silver *silver, const dd_gold *gold);
/* Words that are to be drawn in the first k iterations over a treebank of so many words. */
uint64_t dd_silver_due(const dd_train_options *options, uint64_t words, int k);
/* Appends the next sentences to a list until so many words have been drawn since the first. There
 * must be some. False if allocation fails. */
bool dd_silver_draw(dd_silver *silver, uint64_t words, uint32_t **list, size_t *count,
                    size_t *capacity);
/* Makes room for so many trees at a time. False if allocation fails. */
bool dd_silver_reserve(dd_silver *silver, size_t places);
/* A tree in one of the places, until another is made there. NULL if allocation fails. */
const dd_gold *dd_silver_tree(dd_silver *silver, size_t sentence, size_t place);

static inline int dd_silver_length(const dd_silver *silver, size_t sentence)
{
    return (int)((silver->starts[sentence + 1] - silver->starts[sentence]) / 2) - 1;
}

#endif
