/* run.h - one run: train, parse dev and test, score, analyse */
#ifndef EXPERIMENT_RUN_H
#define EXPERIMENT_RUN_H

#include "experiment/result.h"

/* Of how many configurations that lr-spine visits one has its table filled, which takes as long as
 * hundreds of steps of training. */
enum { RUN_TABLES_EVERY = 500 };

/* Never fails: what goes wrong is the result's `failed`. */
void run_perform(const plan *p, run_key key, result *out);

#endif
