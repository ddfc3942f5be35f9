/* attardi_nodes.h - the nodes of a sentence for attardi_pushdown.h: as few as the constraints tell
 * apart, and which of them may take which
 *
 * A word in a span is two nodes: the root of the span, and any other word of it. One of the words
 * of each span must be the former; then each arc can be judged by itself.
 *
 * A word that no constraint names is plain. Plain words that stand side by side, in the same span
 * or in none, are a run. If a run is long, only the first words of it are listed:
 *
 *     words   a  B  c  c  c  c  D  e        B, D named, the others plain
 *     places  1  2  3  4        5  6
 *
 * What can be done with the listed words can be done with all: when a word is shifted, the next
 * one of the run can follow, and be taken by it. And 1 + w / 2 words of a run are enough (rounded
 * down) if w words, without 0, can be on the stack when it begins: those that are there now, each
 * named word that comes before the run, and one for each run. For of a run one word on the stack
 * can do all that several can. A word of it that goes before the next one comes is not needed if it
 * took nothing; and if nothing was done between that and the next word, it could have stayed in
 * its place. So all but one have taken a word from the stack, and another went after them.
 * docs/theory/constraints.md has the whole proof. */
#ifndef DODONA_SYSTEMS_ATTARDI_NODES_H
#define DODONA_SYSTEMS_ATTARDI_NODES_H

#include "constraints/outlook.h"

/* Sets of nodes are 64 bits. Below 0 there is a node that can do nothing. */
enum { DD_ATTARDI_NODES = 64, DD_ATTARDI_BELOW = 0, DD_ATTARDI_ROOT = 1 };

/* A run, or a named word. */
typedef struct dd_attardi_run {
    int first, last; /* words */
    int place;       /* of the first word that is listed */
    int listed;
} dd_attardi_run;

typedef struct dd_attardi_nodes {
    const dd_outlook *outlook;
    int most;  /* nodes that may be listed; fewer than DD_ATTARDI_NODES only in tests */
    int count; /* of nodes, in the order of their places */
    int32_t word[DD_ATTARDI_NODES];
    bool root[DD_ATTARDI_NODES]; /* it is the root of its span */
    int place[DD_ATTARDI_NODES]; /* 0: that of the word 0 */
    uint64_t dependents[DD_ATTARDI_NODES];
    uint64_t heads[DD_ATTARDI_NODES];

    int n_places;                         /* words that are listed, at the places from 1 on */
    int first_node[DD_ATTARDI_NODES + 1]; /* [n_places + 1] the root of a span is the second */

    /* The front of the buffer: a place, or the end; in spans twice, before and after their root. */
    int n_fronts; /* the last is the end */
    int first_front[DD_ATTARDI_NODES + 1];
    int place_of_front[2 * DD_ATTARDI_NODES];

    dd_attardi_run *runs;
    int n_runs;
    int32_t *run_of; /* [n + 1] */
    size_t runs_capacity, run_of_capacity;
} dd_attardi_nodes; /* {.most = DD_ATTARDI_NODES} is valid */

void dd_attardi_nodes_free(dd_attardi_nodes *nodes);
/* Lists the words of a sentence; plain: [n + 1] those that no constraint names, spans aside. 1; 0
 * if there are too many nodes, -1 if allocation fails. */
int dd_attardi_nodes_reset(dd_attardi_nodes *nodes, const dd_outlook *outlook, const bool *plain);

/* The node of a word on the stack. */
int dd_attardi_node(const dd_attardi_nodes *nodes, int word, bool root);
/* The front for a word, or n + 1, in front of the buffer. seen: the root of its span lies before.
 */
int dd_attardi_front(const dd_attardi_nodes *nodes, int word, bool seen);
/* Whether so many words are listed that none is missed behind that front, with so many words on the
 * stack. */
bool dd_attardi_enough(const dd_attardi_nodes *nodes, int front, int on_stack);

static inline int dd_attardi_span(const dd_attardi_nodes *nodes, int node)
{
    return nodes->outlook->constraints->span_of[nodes->word[node]];
}

#endif
