/* slots.h - the nodes of a configuration that the neural scorer looks at, named as in templates */
#ifndef DODONA_NEURAL_SLOTS_H
#define DODONA_NEURAL_SLOTS_H

#include "linear/extract.h"

enum { DD_MAX_SLOTS = 16 };

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
