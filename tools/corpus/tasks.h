/* tasks.h - numbers of tasks as job arrays have them: 1,4-7 */
#ifndef TOOLS_CORPUS_TASKS_H
#define TOOLS_CORPUS_TASKS_H

#include "output.h"

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

#endif
