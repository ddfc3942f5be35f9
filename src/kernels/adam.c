#include "kernels/adam.h"

#include "kernels/processor.h"

#include <math.h>

/* All versions come from one text, of whose loop the compiler makes vectors as wide as `target`
 * allows: square roots and quotients are rounded exactly in all of them. */
static inline __attribute__((always_inline)) void
adam_update(size_t count, const dd_adam_rates *rates, const float *restrict gradients,
          float *restrict weights, float *restrict first, float *restrict second)
{
    const dd_adam_rates by = *rates;
    for (size_t i = 0; i < count; i++) {
        float gradient = gradients[i] * by.scale + by.decay * weights[i];
        first[i] = by.beta1 * first[i] + (1 - by.beta1) * gradient;
        second[i] = by.beta2 * second[i] + (1 - by.beta2) * gradient * gradient;
        weights[i] -= by.step * first[i] / (sqrtf(second[i] * by.correction) + 1e-8f);
    }
}

void dd_adam_update_plain(size_t count, const dd_adam_rates *rates, const float *gradients,
                        float *weights, float *first, float *second)
{
    adam_update(count, rates, gradients, weights, first, second);
}

#if DD_HAS_AVX2_CODE

__attribute__((target("avx2"))) void dd_adam_update_avx2(size_t count, const dd_adam_rates *rates,
                                                       const float *gradients, float *weights,
                                                       float *first, float *second)
{
    adam_update(count, rates, gradients, weights, first, second);
}

#endif
