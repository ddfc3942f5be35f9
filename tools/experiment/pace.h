/* pace.h - how long runs take, from those that are done */
#ifndef EXPERIMENT_PACE_H
#define EXPERIMENT_PACE_H

#include "experiment/plan.h"

/* The time of a run is taken to grow with the bytes of its training file and with its iterations;
 * each setup has a rate of its own. */
typedef struct pace {
    const plan *plan;
    double *seconds, *work; /* [setups] of the runs that are done */
    double all_seconds, all_work;
} pace;

void pace_begin(pace *p, const plan *of);
void pace_end(pace *p);
void pace_add(pace *p, size_t run, double seconds);
/* Seconds that so many processes will need for these runs; 0: nothing is known yet. */
double pace_left(const pace *p, const size_t *runs, size_t count, int jobs);
/* What is left of a run that has taken some seconds. */
double pace_rest(const pace *p, size_t run, double taken);

#endif
