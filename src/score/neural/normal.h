/* normal.h - scores as logarithms of probabilities, so that those of a derivation can be added */
#ifndef DODONA_SCORE_NEURAL_NORMAL_H
#define DODONA_SCORE_NEURAL_NORMAL_H

#include <stdint.h>

/* Takes off what makes the probabilities of all `count` add up to 1; a score of 1 is worth `unit`.
 * Only operations that IEEE 754 rounds exactly: all processors give the same numbers. */
void dd_normalise(int32_t *scores, int count, double unit);

#endif
