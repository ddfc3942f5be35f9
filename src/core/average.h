/* average.h - the average of a weight over all steps of learning, kept lazily
 *
 * With u the sum of each change times the steps that were made before it, the average of a weight w
 * over T steps is w - u / T (Daume 2006, section 2.1.1): only what changes costs anything. Until
 * the last division all are whole numbers. */
#ifndef DODONA_CORE_AVERAGE_H
#define DODONA_CORE_AVERAGE_H

#include <stdint.h>

/* `before`: how many steps had the weight as it was. */
static inline void dd_average_change(int64_t *sum, uint64_t before, int32_t change)
{
    *sum += (int64_t)before * change;
}

/* Over at least one step; signed numbers are faster made doubles. */
static inline double dd_average(int32_t weight, int64_t sum, uint64_t steps)
{
    int64_t signed_steps = (int64_t)steps;
    return (double)(weight * signed_steps - sum) / (double)signed_steps;
}

#endif
