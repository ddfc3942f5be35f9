#include "score/learner.h"

/* A new scorer is a folder and a row here: its learner, which names the scorer. */
extern const dd_learner dd_linear_learner, dd_neural_learner;
const dd_learner *const dd_learners[] = {&dd_linear_learner, &dd_neural_learner, NULL};
