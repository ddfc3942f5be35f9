/* one_run.h - one run: train, parse dev and test, score, analyse */
#ifndef EXPERIMENT_ONE_RUN_H
#define EXPERIMENT_ONE_RUN_H

#include "experiment/result.h"

/* Never fails: what goes wrong is the result's `failed`. */
void run_perform(const plan *p, run_key key, result *out);

/* ---- arcs that remove others on the way to a tree -------------------------------------------- */

/* Follows one derivation; {0} but for the first four. */
typedef struct breaks_follower {
    breaks *to;
    const dd_sentence *sentence; /* with its gold tree */
    int n;
    int32_t *before;     /* [n + 1] heads before the transition that is pending */
    bool pending;        /* a transition that builds an arc */
    int head, dependent; /* its arc */
} breaks_follower;

/* The next configuration: settles what the pending transition did, and notes the one taken here. */
void breaks_step(breaks_follower *f, const dd_trace_step *step);

/* Parses the sentence once more with the trace's model and adds what its transitions do; the
 * sentence has its gold tree. */
bool breaks_add(breaks *to, dd_trace *trace, const dd_sentence *sentence, dd_error *error);

#endif
