/* neural.h - trains the network that score/neural runs */
#ifndef DODONA_LEARN_NEURAL_NEURAL_H
#define DODONA_LEARN_NEURAL_NEURAL_H

#include "learn/learner.h"

extern const dd_learner dd_neural_learner;

#endif
