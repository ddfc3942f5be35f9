#include "score/linear/linear.h"

/* A new scorer is a folder and a row here, and a learner in learn/registry.c. */
const dd_scorer *const dd_scorers[] = {&dd_linear_scorer, NULL};
