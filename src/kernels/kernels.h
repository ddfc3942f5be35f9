/* kernels.h - the innermost loops, in versions for different processors
 *
 *     what the processor has -> a row of the table -> templates, scorers, learners, inventories
 *
 * A kernel is a function over plain data that knows nothing of who calls it. All its versions give
 * the same results, bit for bit, so that models and trees do not depend on the processor; only
 * products of floats, with which neural scorers are trained, may be rounded differently. */
#ifndef DODONA_KERNELS_KERNELS_H
#define DODONA_KERNELS_KERNELS_H

#include "kernels/layers.h"
#include "kernels/sum.h"
#include "kernels/training.h"

/* A version of each kernel. */
typedef struct dd_kernels {
    const char *name; /* of what the processor must have */
    dd_largest *largest;
    dd_add_lanes *add_lanes;
    dd_hash_keys *hash_keys;
    dd_sum *sum;
    dd_gemm *gemm;
    dd_gemm_packed *gemm_packed;
    dd_dense *dense;
    dd_gates *gates;
    dd_quantise *quantise;
    dd_rectify *rectify;
    dd_outputs *outputs;
    dd_activate *activate;
    dd_differentiate *differentiate;
    dd_adam_update *adam_update;
} dd_kernels;

/* The fastest row for this processor. It is detected on each call, which is cheap, so that nothing
 * is kept. */
const dd_kernels *dd_kernels_best(void);
/* For tests and benchmarks: the rows that this processor can run, plain C first; NULL beyond the
 * last. */
const dd_kernels *dd_kernels_at(int i);

#endif
