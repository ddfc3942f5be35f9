/* attardi_forest.h - what is left of a gold tree in an attardi configuration, and whether the
 * system can build it
 *
 *     nodes   0 .. depth-1  |  depth .. size-1
 *             the stack        the buffer
 *
 * Words whose gold head has gone, or is not known, are *free*: any head is as good as any other. A
 * node is *complete* if no gold dependent of it is left. Two facts carry everything here
 * (docs/theory/oracles.md has the proofs):
 *
 * 1. Without a complete word x the rest can do all that it could with x: arcs that passed over x
 *    get shorter, and what x took was wrong and finds another head. So a transition that gives a
 *    complete word its gold head, or any head if it is free, has cost 0.
 * 2. So a forest can be built if and only if the parser that does so whenever it can, and shifts
 *    otherwise, ends with 0 alone. It makes no choices: linear time.
 *
 * The loss is the number of free words whose head is known plus the smallest number of gold arcs
 * that must be given up (their dependents set free) for the rest to be built. */
#ifndef DODONA_SYSTEMS_ATTARDI_FOREST_H
#define DODONA_SYSTEMS_ATTARDI_FOREST_H

#include <stdbool.h>
#include <stdint.h>

typedef struct dd_forest {
    bool single_root;
    int size, depth;
    int32_t *heads;   /* [size] DD_NONE: a free word, or node 0 */
    int32_t *missing; /* [size] gold dependents left */
    int32_t *stack;   /* [size] scratch of dd_forest_builds */
    int32_t *waiting; /* [size] scratch of dd_forest_builds: what `missing` becomes */
} dd_forest;

/* Whether all gold arcs of the forest can be built together. */
bool dd_forest_builds(const dd_forest *forest);

/* Takes out what can be attached without a choice: complete words that are free or reach their head
 * on top of the stack or next to it in the buffer. Leaves the loss as it is but for the free words
 * taken out. */
void dd_forest_shrink(dd_forest *forest);

#endif
