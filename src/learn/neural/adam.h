/* adam.h - steps down the gradient (Kingma and Ba 2015), and a running mean of the weights that
 * they lead to, which parses better than the last ones (Polyak and Juditsky 1992) */
#ifndef DODONA_LEARN_NEURAL_ADAM_H
#define DODONA_LEARN_NEURAL_ADAM_H

#include "learn/neural/real.h"

typedef struct dd_adam {
    const dd_kernels *kernels;
    dd_real *first, *second; /* [size] running means of gradients and of their squares */
    dd_real *average;        /* [averages] running mean of the weights */
    double beta1, beta2;
    double kept;  /* of the running mean of weights in a step */
    double decay; /* of weights, as a share of them that is added to their gradients */
    uint64_t steps;
} dd_adam;

/* The mean has room for more, which stay as the caller sets them. */
bool dd_adam_start(dd_adam *adam, size_t size, size_t averages);
void dd_adam_free(dd_adam *adam);
/* The next step has begun. */
void dd_adam_begin(dd_adam *adam);
/* Changes weights from..to by gradients, each times `scale`. */
void dd_adam_step(const dd_adam *adam, dd_real *weights, const dd_real *gradients, double scale,
                  double rate, size_t from, size_t to);

#endif
