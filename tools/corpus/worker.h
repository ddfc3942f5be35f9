/* worker.h - a task in a process of its own, so that its end is not the end of the others */
#ifndef TOOLS_CORPUS_WORKER_H
#define TOOLS_CORPUS_WORKER_H

#include "dodona_tools.h"

typedef struct worker_options {
    int threads;
    bool quiet;
} worker_options;

/* STATUS_OK: it is done. STATUS_PROBLEM with the task's state DD_TASK_FAILED: its input is to
 * blame, and other tasks can go on; with any other state they would end the same way. Says what is
 * wrong, and unless it is to be quiet what was done. */
int worker_run(dd_plan *plan, size_t task, const worker_options *how);

#endif
