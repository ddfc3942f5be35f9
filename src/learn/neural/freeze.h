/* freeze.h - from weights that were learnt to a network of bytes (score/neural/frozen.h) */
#ifndef DODONA_LEARN_NEURAL_FREEZE_H
#define DODONA_LEARN_NEURAL_FREEZE_H

#include "core/sections.h"
#include "learn/neural/network.h"

/* Adds the network's sections, and those of vectors if it has any. False if allocation fails. */
bool dd_network_freeze(const dd_network *network, const dd_real *weights, const dd_coder *coder,
                       const dd_network_names *names, bool normal, dd_draft *sections);

#endif
