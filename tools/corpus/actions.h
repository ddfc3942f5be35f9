/* actions.h - what `dodona corpus` does with a plan. Each says what is wrong and returns the exit
 * status. */
#ifndef TOOLS_CORPUS_ACTIONS_H
#define TOOLS_CORPUS_ACTIONS_H

#include "options.h"

typedef struct corpus_arguments {
    const char *into, *size, *model, *output;
    int compress; /* index in corpus_packings; 0: no */
    int from, to; /* dd_format */
    parsing how;
    bool again, failed, quick, without_failed, quiet;
} corpus_arguments;

/* The choices of --compress. */
extern const char *const corpus_packings[];

/* The operands are the files, or the plan and what follows it. */
int corpus_plan(const corpus_arguments *args, const operands *words);
int corpus_run(const corpus_arguments *args, const operands *words);
int corpus_missing(const corpus_arguments *args, const operands *words);
int corpus_verify(const corpus_arguments *args, const operands *words);
int corpus_merge(const corpus_arguments *args, const operands *words);

#endif
