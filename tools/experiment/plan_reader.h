/* plan_reader.h - within the reading of a plan: plan.c has the lines, plan_sections.c what they
 * mean */
#ifndef EXPERIMENT_PLAN_READER_H
#define EXPERIMENT_PLAN_READER_H

#include "experiment/plan.h"
#include "message.h"

typedef enum plan_section { SECTION_TOP, SECTION_TREEBANKS, SECTION_RUNS } plan_section;

/* The values of a key, a view of the plan's text. */
typedef struct plan_list {
    char *text; /* NULL: not given */
    int line;
} plan_list;

typedef struct plan_reader {
    plan *plan;
    const char *folder; /* in place of those in the plan; may be NULL */
    bool for_report;
    int line;
    plan_section section;
    int section_line;
    plan_list seeds, iterations, parser_bytes, settings; /* of the top */
    plan_list section_folder, codes, section_iterations; /* of [treebanks] */
    plan_list systems, oracles, losses;                  /* of [runs] */
} plan_reader;

/* Each says what is wrong with file and line and returns the exit status. */
int plan_problem(const plan_reader *r, int line, const char *format, ...) MESSAGE_FORMAT(3, 4);
/* A misspelt word, with the nearest of those known if there is one. */
int plan_unknown(const plan_reader *r, int line, const char *what, const char *word,
                 const suggestion *nearest);
int plan_end_top(plan_reader *r);
int plan_end_treebanks(plan_reader *r);
int plan_end_runs(plan_reader *r);

/* ---- where the three files of a treebank are ------------------------------------------------- */

/* Fills in the files of FOLDER/CODE. Returns which of train, dev and test is missing, or NULL. */
const char *treebank_find(plan_treebank *t, const char *folder);
void treebank_free(plan_treebank *t);

#endif
