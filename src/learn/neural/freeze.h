/* freeze.h - from weights that were learnt to a network of bytes (score/neural/frozen.h) */
#ifndef DODONA_LEARN_NEURAL_FREEZE_H
#define DODONA_LEARN_NEURAL_FREEZE_H

#include "core/sections.h"
#include "learn/neural/network.h"

/* Adds the sections of the scorer. False when memory is out. */
bool dd_network_freeze(const dd_network *network, const dd_real *weights, const dd_coder *coder,
                       const char *slots, bool normal, dd_draft *sections);

#endif
