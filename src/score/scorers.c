#include "score/linear/linear.h"
#include "score/neural/neural.h"

/* A new scorer is a folder and a row here, and a learner in learn/learners.c. */
const dd_scorer *const dd_scorers[] = {&dd_linear_scorer, &dd_neural_scorer, NULL};
