/* pool.h - the runs that are still to be made, each in a process of its own
 *
 *     parent --fork--> child: run_perform -> one line -> pipe -> parent -> file of results
 *
 * A process a run keeps runs apart: one that crashes or runs out of memory is recorded as failed,
 * memory is given back, and its peak is that of one run. Only the parent writes to the file. */
#ifndef EXPERIMENT_POOL_H
#define EXPERIMENT_POOL_H

#include "experiment/plan.h"
#include "experiment/results.h"

enum { POOL_MOST_JOBS = 256 };

typedef struct pool_counts {
    size_t done, failed; /* of the runs made now */
    bool interrupted;
} pool_counts;

/* Makes all runs of the shard of which there is no result, or a failed one, with so many processes
 * at a time. Returns the exit status. */
int pool_run(results *r, shard part, int jobs, bool quiet, pool_counts *counts);

/* ---- how long runs take, from those that are done -------------------------------------------- */

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
