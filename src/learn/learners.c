#include "learn/linear/linear.h"
#include "learn/neural/neural.h"

/* A new learner is a folder and a row here, and its scorer in score/scorers.c. */
const dd_learner *const dd_learners[] = {&dd_linear_learner, &dd_neural_learner, NULL};
