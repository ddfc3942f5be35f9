/* cycles.h - elementary cycles of a graph in which a node has at most two heads
 *
 * Johnson (1975), "Finding all the elementary circuits of a directed graph", walking from nodes to
 * their heads. Nodes that cannot lie on a cycle are peeled off first, so that a graph without
 * cycles costs one linear pass. The number of cycles can grow exponentially with the nodes (a chain
 * of n words whose heads can be skipped has about 2^(n/2)), so the count ends at a limit. */
#ifndef DODONA_SYSTEMS_CYCLES_H
#define DODONA_SYSTEMS_CYCLES_H

#include "core/cancel.h"

/* Working memory in int32_t for n nodes. */
enum { DD_CYCLE_MEMORY = 12 };

typedef struct dd_cycle_graph {
    int n;                   /* nodes 1..n */
    const int32_t *heads[2]; /* [n + 1] each; 0 or less: none. The two of a node differ. */
    dd_ticker *ticker;       /* ends the count, which is then not complete; NULL: nothing does */
} dd_cycle_graph;

/* An elementary cycle: path[k] has the head path[k + 1], by heads[via[k]]; the last has path[0]. */
typedef struct dd_cycle {
    const int32_t *path, *via; /* [length] */
    int length;
} dd_cycle;

typedef struct dd_cycle_count {
    int all, chosen; /* chosen: those that `chooses` says true of */
    bool complete;   /* false: stopped at the limit, or cancelled */
} dd_cycle_count;

/* Whether there is none. memory: as below. */
bool dd_cycles_none(const dd_cycle_graph *graph, int32_t *memory);
/* memory: [DD_CYCLE_MEMORY * (n + 1)]. `chooses` may be NULL. */
dd_cycle_count dd_cycles_count(const dd_cycle_graph *graph, int32_t *memory, int limit,
                               bool (*chooses)(const void *user, dd_cycle cycle), const void *user);

#endif
