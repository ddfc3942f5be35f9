#include "learn/neural/adam.h"

#include "core/memory.h"

#include <math.h>
#include <stdlib.h>

bool dd_adam_start(dd_adam *adam, size_t size, size_t averages)
{
    *adam =
        (dd_adam){.kernels = dd_kernels_best(), .beta1 = 0.9, .beta2 = 0.9, .kept = 0, .decay = 0};
    adam->first = dd_calloc(size, sizeof *adam->first);
    adam->second = dd_calloc(size, sizeof *adam->second);
    adam->average = dd_calloc(averages, sizeof *adam->average);
    return adam->first && adam->second && adam->average;
}

void dd_adam_free(dd_adam *adam)
{
    free(adam->first);
    free(adam->second);
    free(adam->average);
    *adam = (dd_adam){0};
}

void dd_adam_begin(dd_adam *adam)
{
    adam->steps++;
}

/* The first steps, from which weights run away, are forgotten sooner. */
static double kept_now(const dd_adam *adam)
{
    double early = (double)adam->steps / ((double)adam->steps + 9);
    return early < adam->kept ? early : adam->kept;
}

void dd_adam_step(const dd_adam *adam, dd_real *weights, const dd_real *gradients, double scale,
                  double rate, size_t from, size_t to)
{
    const dd_adam_rates rates = {
        .scale = (float)scale,
        .decay = (float)adam->decay,
        .beta1 = (float)adam->beta1,
        .beta2 = (float)adam->beta2,
        .step = (float)(rate / (1 - pow(adam->beta1, (double)adam->steps))),
        .correction = (float)(1 / (1 - pow(adam->beta2, (double)adam->steps))),
    };
    const dd_real change = (dd_real)(1 - kept_now(adam));
    adam->kernels->adam_update(to - from, &rates, gradients + from, weights + from,
                               adam->first + from, adam->second + from);
    for (size_t i = from; i < to; i++) adam->average[i] += change * (weights[i] - adam->average[i]);
}
