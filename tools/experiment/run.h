/* run.h - one run: train, parse dev and test, score, analyse */
#ifndef EXPERIMENT_RUN_H
#define EXPERIMENT_RUN_H

#include "experiment/result.h"

/* Never fails: what goes wrong is the result's `failed`. */
void run_perform(const plan *p, run_key key, result *out);

#endif
