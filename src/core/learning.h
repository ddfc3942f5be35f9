/* learning.h - how tokenizer, tagger and lemmatizer are trained
 *
 *     each iteration: shuffle -> learn from each example, report ten times a second
 *                     -> drop weights half way -> report
 *     at the end, or where the report stops it: write the section
 *
 * The learner decides what an example is and what it learns from it. */
#ifndef DODONA_CORE_LEARNING_H
#define DODONA_CORE_LEARNING_H

#include "core/random.h"
#include "core/strings.h"

#include <stdbool.h>
#include <stdint.h>

/* Counts of an iteration. */
typedef struct dd_tally {
    uint64_t asked, right; /* decisions, and those that were right before they were learnt */
    uint64_t words;        /* learnt from; parsers do not count them here */
} dd_tally;

/* What comes before and behind, where a component is learnt in several parts. */
typedef struct dd_learning_part {
    int part, parts; /* from 1 */
    double before;   /* share of the component's training that the parts before are */
    double share;    /* that this part is */
    double began;    /* seconds: when the first part did */
} dd_learning_part;

typedef struct dd_learning {
    dd_component component;
    int iterations;
    uint64_t seed;
    bool (*report)(void *user, const dd_component_progress *progress); /* may be NULL */
    void *user;
    const dd_learning_part *part; /* NULL: it is all of the component */
    size_t examples;
    dd_tally *tally; /* the learner adds to it */
    void *learner;
    /* Learns from one of the examples. False: allocation failed. */
    bool (*learn)(void *learner, size_t example);
    /* Drops weights; may be NULL. */
    void (*prune)(void *learner);
    /* Appends the section. False: allocation failed. */
    bool (*write)(void *learner, dd_buffer *section);
} dd_learning;

/* Makes the iterations and appends the section. DD_INTERRUPTED, with a section of what was learnt
 * so far, when the report returned false; on any other failure there is no section. */
dd_status dd_learn(const dd_learning *learning, dd_buffer *section, dd_error *error);

/* Seconds of the monotonic clock, for progress. */
double dd_seconds_now(void);

/* Whether this is the iteration after which small weights are dropped, also those of the parser;
 * the remaining iterations make up for them. */
static inline bool dd_is_half_way(int iteration, int iterations)
{
    return iteration == (iterations + 1) / 2;
}

/* ---- averages ----------------------------------------------------------------------------- */

/* The average of a weight over all steps of learning is kept lazily: with u the sum of each change
 * times the steps that were made before it, the average of a weight w over T steps is w - u / T
 * (Daume 2006, section 2.1.1), so only what changes costs anything. Until the last division all
 * are whole numbers. */

/* `before`: the steps that were made before the change. */
static inline void dd_average_change(int64_t *sum, uint64_t before, int32_t change)
{
    *sum += (int64_t)before * change;
}

/* The average over at least one step. Converting signed numbers to double is faster. */
static inline double dd_average(int32_t weight, int64_t sum, uint64_t steps)
{
    int64_t signed_steps = (int64_t)steps;
    return (double)(weight * signed_steps - sum) / (double)signed_steps;
}

/* Sentences drawn in a random order that continues from iteration to iteration: all are drawn once
 * before any is drawn again, and then in a new order. */
typedef struct dd_draws {
    uint32_t *order; /* [count] */
    size_t next;     /* in it; count: another order is due */
    size_t capacity;
    dd_random random;
} dd_draws; /* {0} is empty and valid */

void dd_draws_free(dd_draws *draws);
/* Call it before the first sentence is drawn. The random numbers differ from those that order the
 * treebank, which use the seed itself. */
void dd_draws_seed(dd_draws *draws, uint64_t seed);
/* Adds a sentence to `count` others, before the first is drawn; with a count of 0 all earlier
 * sentences are replaced. False if allocation fails. */
bool dd_draws_add(dd_draws *draws, size_t count);
/* Draws the next of `count` sentences; count is at least 1. */
uint32_t dd_draws_next(dd_draws *draws, size_t count);

#endif
