/* run.h - the sentences of a task's input */
#ifndef DODONA_PLAN_RUN_H
#define DODONA_PLAN_RUN_H

#include "plan/plan.h"

typedef struct dd_task_input {
    const dd_plan_part *part;
    const char *path;
    dd_reader *reader;
    dd_range *range; /* NULL: the file is read as a whole */
    dd_checksum sum; /* of the bytes of the range so far */
} dd_task_input;

/* DD_ERROR_DATA: the file has changed. To be closed in any case. */
dd_status dd_task_open(dd_task_input *in, dd_plan *plan, const dd_plan_part *part, dd_error *error);
/* When all was read: whether it was what the plan was made with. */
dd_status dd_task_check(dd_task_input *in, dd_error *error);
void dd_task_close(dd_task_input *in);

#endif
