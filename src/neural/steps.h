/* steps.h - the positions of a batch of sequences, step by step
 *
 * The sequences stand the longest first: all first positions come first, then the second positions
 * of those sequences that have one, and so on. So what is active in a step is a run of rows. */
#ifndef DODONA_NEURAL_STEPS_H
#define DODONA_NEURAL_STEPS_H

#include <stdbool.h>
#include <stddef.h>

/* Which rows belong to which positions. */
typedef struct dd_steps {
    int sequences, steps;
    int *lengths;  /* [sequences] the longest first */
    int *active;   /* [steps] sequences that are at least that long */
    size_t *first; /* [steps + 1] row of the first sequence; the last: all rows */
    size_t lengths_capacity, active_capacity, first_capacity;
} dd_steps; /* {0} is valid */

void dd_steps_free(dd_steps *steps);
/* Room for lengths. False if allocation fails. */
bool dd_steps_reserve(dd_steps *steps, int sequences);
/* Once lengths are set. False if allocation fails. */
bool dd_steps_set(dd_steps *steps, int sequences);
/* All of it for items of any lengths, none negative: the longest first, of equal ones the first
 * first; sequence[i] is the place of item i. False if allocation fails. */
bool dd_steps_sort(dd_steps *steps, int *sequence, const void *items, int count,
                   int (*length_of)(const void *items, int i));

static inline size_t dd_steps_row(const dd_steps *steps, int sequence, int position)
{
    return steps->first[position] + (size_t)sequence;
}

/* The row that a run from first to last, or in reverse, comes to in that step. */
static inline size_t dd_steps_row_in(const dd_steps *steps, bool reverse, int sequence, int step)
{
    int position = reverse ? steps->lengths[sequence] - 1 - step : step;
    return dd_steps_row(steps, sequence, position);
}

static inline size_t dd_steps_rows(const dd_steps *steps)
{
    return steps->first[steps->steps];
}

#endif
