/* soft_stack.h - the greatest weight of a tree in reach, for systems whose arcs join the stack and
 * the buffer: arc-hybrid, arc-eager and arc-eager-nm
 *
 * With s0 s1 .. the stack, bottom first, the trees in reach are the projective trees that have the
 * arcs of all words that are gone, and in which
 *
 *     sk            hangs from sk-1 or from a node in the buffer; in arc-eager only from sk-1 if it
 *                   has a head, and otherwise only from the buffer
 *     buffer words  hang from any node on the stack or in the buffer
 *
 * So Eisner's tables serve, with few arcs between words on the stack. Those of the buffer alone are
 * the same in all configurations of a sentence (transition/soft.h). For each sk there is a row of
 *
 *     right[last]   best tree of sk.. last, of which sk is the root
 *     left[head]    best tree of sk.. head, of which `head`, in the buffer, is the root
 *
 * from the top of the stack down: O(|stack| |buffer| (|stack| + |buffer|)). */
#ifndef DODONA_SYSTEMS_SOFT_STACK_H
#define DODONA_SYSTEMS_SOFT_STACK_H

#include "transition/soft.h"

/* dd_system_oracle.best of arc-eager, whose heads stay, and of the other two. */
bool dd_soft_best_eager(dd_soft *soft, const dd_config *config, int32_t *best);
bool dd_soft_best_hybrid(dd_soft *soft, const dd_config *config, int32_t *best);

#endif
