/* linear.h - the averaged perceptron (Collins 2002): learns what score/linear sums */
#ifndef DODONA_LEARN_LINEAR_LINEAR_H
#define DODONA_LEARN_LINEAR_LINEAR_H

#include "learn/learner.h"

extern const dd_learner dd_linear_learner;

#endif
