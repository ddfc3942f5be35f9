/* freeze.h - from weights that were learnt to weights as they lie in a model file
 * (kernels/sum.h) */
#ifndef DODONA_LEARN_LINEAR_FREEZE_H
#define DODONA_LEARN_LINEAR_FREEZE_H

#include "core/strings.h"
#include "learn/linear/weights.h"

typedef struct dd_freezing {
    /* Features none of whose weights reaches so many per cent of the largest weight are left out,
     * and so are weights that do not reach a quarter of that. */
    double prune;
    size_t bytes; /* leave out as many features as it takes to stay below; 0: no limit */
} dd_freezing;

/* Appends the section of averaged weights. False if allocation fails. */
bool dd_freeze(const dd_weights *weights, int n_templates, dd_freezing how, dd_buffer *section);
/* What the largest weight of a feature must reach for all that do to take up at most so many bytes.
 * False if allocation fails. */
bool dd_freeze_threshold(const dd_weights *weights, size_t bytes, double *least);

#endif
