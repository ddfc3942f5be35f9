/* pool.h - the runs that are still to be made, each in a process of its own
 *
 *     parent --fork--> child: run_perform -> one line -> pipe -> parent -> file of results
 *
 * A process a run keeps runs apart: one that crashes or runs out of memory is recorded as failed,
 * memory is given back, and its peak is that of one run. Only the parent writes to the file. */
#ifndef EXPERIMENT_POOL_H
#define EXPERIMENT_POOL_H

#include "experiment/shards.h"

enum { POOL_MOST_JOBS = 256 };

typedef struct pool_counts {
    size_t done, failed; /* of the runs made now */
    bool interrupted;
} pool_counts;

/* Makes all runs of the shard of which there is no result, or a failed one, with so many processes
 * at a time. Returns the exit status. */
int pool_run(results *r, shard part, int jobs, bool quiet, pool_counts *counts);

#endif
