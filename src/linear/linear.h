/* linear.h - sums of weights of features, as an averaged perceptron learns them (Collins 2002)
 *
 * Its sections: "templates", the text of the feature templates, and "weights"
 * (kernels/sum.h). */
#ifndef DODONA_LINEAR_LINEAR_H
#define DODONA_LINEAR_LINEAR_H

#include "core/status.h"
#include "kernels/sum.h"
#include "linear/extract.h"
#include "score/learner.h"
#include "score/scorer.h"

extern const dd_scorer dd_linear_scorer;

/* What dd_linear_scorer maps. */
typedef struct dd_linear {
    dd_packed packed;
    const dd_kernels *kernels;
    dd_templates *templates;
    uint32_t columns;
} dd_linear;

extern const dd_learner dd_linear_learner;

#endif
