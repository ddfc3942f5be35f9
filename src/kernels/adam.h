/* adam.h - a step down the gradient (Kingma and Ba 2015, Algorithm 1) */
#ifndef DODONA_KERNELS_ADAM_H
#define DODONA_KERNELS_ADAM_H

#include <stddef.h>

typedef struct dd_adam_rates {
    float scale;        /* of gradients */
    float decay;        /* the share of each weight that is added to its gradient */
    float beta1, beta2; /* of what the means keep */
    float step;         /* the rate / (1 - beta1^t) */
    float correction;   /* 1 / (1 - beta2^t) */
} dd_adam_rates;

/* Moves weights by gradients; first and second are the running means of gradients and of their
 * squares. None of the arrays overlap. */
typedef void dd_adam_update(size_t count, const dd_adam_rates *rates, const float *gradients,
                          float *weights, float *first, float *second);

dd_adam_update dd_adam_update_plain, dd_adam_update_avx2;

#endif
