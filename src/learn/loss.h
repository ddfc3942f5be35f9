/* loss.h - losses of greedy training: each a dd_loss */
#ifndef DODONA_LEARN_LOSS_H
#define DODONA_LEARN_LOSS_H

#include "learn/learner.h"

/* The perceptron's: by how much the predicted transition leads over the best right one. */
dd_loss dd_perceptron_loss;

#endif
