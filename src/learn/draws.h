/* draws.h - sentences drawn in a random order that goes on from iteration to iteration: all come
 * before any comes again, and then there is another order */
#ifndef DODONA_LEARN_DRAWS_H
#define DODONA_LEARN_DRAWS_H

#include "core/random.h"

#include <stdbool.h>

typedef struct dd_draws {
    uint32_t *order; /* [count] */
    size_t next;     /* in it; count: another order is due */
    size_t capacity;
    dd_random random;
} dd_draws; /* {0} is empty and valid */

void dd_draws_free(dd_draws *draws);
/* Before the first sentence: random numbers apart from those of the treebank's order, which has the
 * seed itself. */
void dd_draws_seed(dd_draws *draws, uint64_t seed);
/* One more sentence than so many, before the first is drawn. False if allocation fails. */
bool dd_draws_add(dd_draws *draws, size_t count);
/* The next of so many sentences; there must be one. */
uint32_t dd_draws_next(dd_draws *draws, size_t count);

#endif
