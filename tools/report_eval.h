/* report_eval.h - what eval writes, as tables and as JSON */
#ifndef TOOLS_REPORT_EVAL_H
#define TOOLS_REPORT_EVAL_H

#include "output.h"

typedef struct eval_report {
    const char *gold, *system; /* paths */
    const char *given;         /* to the system, which is a model; NULL: it is a file */
    const dd_evaluation *evaluation;
    bool by_label;
    const char *other; /* path of the file compared with; NULL: none */
    const dd_comparison *comparison;
    uint64_t seed;
} eval_report;

void report_eval_text(output *out, const eval_report *report);
void report_eval_json(output *out, const eval_report *report);

#endif
