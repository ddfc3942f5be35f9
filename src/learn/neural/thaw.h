/* thaw.h - the way back from a network of bytes to numbers that can be learnt on */
#ifndef DODONA_LEARN_NEURAL_THAW_H
#define DODONA_LEARN_NEURAL_THAW_H

#include "learn/neural/network.h"

/* The shape of a network that was frozen. False if it is too large to be learnt on. */
bool dd_network_shape_of(const dd_frozen_header *header, dd_network_shape *shape);
/* Fills in the weights of a network of that shape, which may have more labels: those beyond the
 * frozen ones keep their weights. False if allocation fails. */
bool dd_network_thaw(const dd_network *network, const dd_frozen *frozen, dd_real *weights);

#endif
