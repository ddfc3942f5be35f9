/* neural.h - scores by a network: an encoder over words, and a small layer over the nodes of
 * a configuration (docs/neural.md)
 *
 * Its sections: "network" (frozen.h), "symbols" (coder.h) and "slots". */
#ifndef DODONA_NEURAL_NEURAL_H
#define DODONA_NEURAL_NEURAL_H

#include "linear/extract.h"
#include "neural/network.h"
#include "score/learner.h"
#include "score/scorer.h"

#include <stdint.h>

extern const dd_scorer dd_neural_scorer;

extern const dd_learner dd_neural_learner;

/* Takes off what makes the probabilities of all `count` add up to 1; a score of 1 is worth `unit`.
 * Only operations that IEEE 754 rounds exactly: all processors give the same numbers. */
void dd_normalise(int32_t *scores, int count, double unit);

/* The nodes of a configuration that the network looks at, named as in templates. */
typedef struct dd_slots {
    dd_templates *templates; /* one for each slot, of which only the nodes matter */
    int count;
    int node[DD_MAX_SLOTS]; /* of each slot, in templates->nodes */
    int heads;              /* the last slots: H, the head of the arc that a move would build */
} dd_slots;                 /* {0} is valid */

void dd_slots_free(dd_slots *slots);
/* "S1 S0 B0 S0.h": names with spaces between them; H comes last. */
dd_status dd_slots_read(dd_slots *slots, dd_text names, dd_error *error);
/* nodes[count]; DD_NONE: not there, as is every H. */
void dd_slots_find(const dd_slots *slots, const dd_config *config, int *nodes);
/* The same for one move, after that. */
static inline void dd_slots_take_move(const dd_slots *slots, dd_candidate arc, int *nodes)
{
    for (int i = slots->count - slots->heads; i < slots->count; i++) nodes[i] = arc.head;
}

#endif
