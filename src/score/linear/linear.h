/* linear.h - sums of weights of features, as an averaged perceptron learns them
 *
 * Its sections: "templates", the text of the feature templates, and "weights" (packed.h). */
#ifndef DODONA_SCORE_LINEAR_LINEAR_H
#define DODONA_SCORE_LINEAR_LINEAR_H

#include "features/extract.h"
#include "score/linear/packed.h"
#include "score/scorer.h"

extern const dd_scorer dd_linear_scorer;

/* What dd_linear_scorer maps. */
typedef struct dd_linear {
    dd_packed packed;
    const dd_kernels *kernels;
    dd_templates *templates;
    uint32_t columns;
} dd_linear;

#endif
