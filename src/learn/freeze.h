/* freeze.h - from weights that were learnt to weights as they lie in a model file (packed.h) */
#ifndef DODONA_LEARN_FREEZE_H
#define DODONA_LEARN_FREEZE_H

#include "core/buffer.h"
#include "learn/weights.h"

/* Appends the section of averaged weights. Features none of whose weights reaches `prune` per cent
 * of the largest weight are left out, and so are weights that do not reach a quarter of that. False
 * when memory is out. */
bool dd_freeze(const dd_weights *weights, int n_templates, double prune, dd_buffer *section);

#endif
