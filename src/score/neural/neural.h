/* neural.h - scores by a network: a BiLSTM encoder over words, and a small layer over the nodes of
 * a configuration (docs/neural.md)
 *
 * Its sections: "network" (frozen.h), "symbols" (coder.h) and "slots" (slots.h). */
#ifndef DODONA_SCORE_NEURAL_NEURAL_H
#define DODONA_SCORE_NEURAL_NEURAL_H

#include "score/scorer.h"

extern const dd_scorer dd_neural_scorer;

#endif
