/* tasks.h - numbers of tasks as job arrays have them: 1,4-7 */
#ifndef TOOLS_CORPUS_TASKS_H
#define TOOLS_CORPUS_TASKS_H

#include "output.h"

#include "dodona_tools.h"
#include <stdbool.h>
#include <stddef.h>

typedef struct task_set {
    bool *has;    /* [count + 1] by number */
    size_t count; /* of all tasks */
} task_set;

void task_set_new(task_set *set, size_t count);
void task_set_free(task_set *set);
/* "5", "1,4-7", or "2/8": the second of eight shares. Says what is wrong; returns the exit status.
 */
int task_set_add(task_set *set, const char *words);
/* 1,4-7 and a line end; nothing for no tasks. */
void task_set_write(const task_set *set, output *out);

/* A task in a process of its own, so that its end is not the end of the others. */

typedef struct worker_options {
    int threads;
    bool quiet;
} worker_options;

/* STATUS_OK: it is done. STATUS_PROBLEM with the task's state DD_TASK_FAILED: its input is to
 * blame, and other tasks can continue; with any other state they would end the same way. Says what
 * is wrong, and unless it is to be quiet what was done. */
int worker_run(dd_plan *plan, size_t task, const worker_options *how);

#endif
