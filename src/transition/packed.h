/* packed.h - configurations as small arrays, to be kept in large numbers, compared and made again
 *
 *     front | focus | for each node 0..n its head, and whether it is on the stack
 *
 * Stacks hold their nodes in the order of the sentence. Labels are not kept. */
#ifndef DODONA_TRANSITION_PACKED_H
#define DODONA_TRANSITION_PACKED_H

#include "transition/config.h"

static inline size_t dd_packed_size(int n)
{
    return (size_t)n + 3;
}

void dd_config_pack(const dd_config *config, int32_t *packed);
/* Says that a word's head, which it has, is 0. */
void dd_packed_forget_head(int32_t *packed, int word);
/* The configuration has been reset for this sentence before; arcs get label 0. */
void dd_config_unpack(dd_config *config, const int32_t *packed);

#endif
