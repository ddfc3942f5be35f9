/* neural.h - scores by a network: a BiLSTM encoder over words, and a small layer over the nodes of
 * a configuration (docs/neural.md)
 *
 * Its sections: "network" (frozen.h), "symbols" (coder.h) and "slots" (slots.h). */
#ifndef DODONA_NEURAL_NEURAL_H
#define DODONA_NEURAL_NEURAL_H

#include "score/learner.h"
#include "score/scorer.h"

#include <stdint.h>

extern const dd_scorer dd_neural_scorer;

extern const dd_learner dd_neural_learner;

/* Takes off what makes the probabilities of all `count` add up to 1; a score of 1 is worth `unit`.
 * Only operations that IEEE 754 rounds exactly: all processors give the same numbers. */
void dd_normalise(int32_t *scores, int count, double unit);

#endif
