/* loss.h - losses of greedy training: each a dd_loss */
#ifndef DODONA_LEARN_LOSS_H
#define DODONA_LEARN_LOSS_H

#include "learn/learner.h"

/* The perceptron's: by how much the predicted transition leads over the best right one. */
dd_loss dd_perceptron_loss;
/* Minus the logarithm of the probability, by softmax over the moves, of all that the oracle allows
 * (Ballesteros et al. 2016). Each move counts with its best class; labels are the learner's own
 * affair. Where every move is right there is nothing to learn. */
dd_loss dd_softmax_loss;

#endif
