/* covington_loss.h - the exact loss of Covington's parser (covington-oracle-2015, Theorem 1)
 *
 * The gold arcs are laid over the arcs built so far: a word keeps its head, and a headless word
 * waits for its gold head if that is known and the pair of them is still to come. No node has two
 * heads in this graph, so its cycles do not touch each other, and each costs one gold arc beside
 * those that are out of reach already.
 *
 * The paper also calls an arc x -> y unreachable when x and y are weakly connected. Then y, which
 * is headless, is the root of its tree and the arc would close a cycle, so that it costs the same
 * whether it counts as unreachable or as a cycle. It counts as a cycle here. */
#ifndef DODONA_SYSTEMS_COVINGTON_LOSS_H
#define DODONA_SYSTEMS_COVINGTON_LOSS_H

#include "transition/system.h"

/* A configuration, perhaps after a move that is not made. */
typedef struct dd_covington_view {
    const dd_config *config;
    const dd_gold *gold;
    int focus, front;
    dd_arc added; /* DD_NONE: no arc beside the configuration's own */
} dd_covington_view;

static inline dd_covington_view dd_covington_now(const dd_config *config, const dd_gold *gold)
{
    return (dd_covington_view){config, gold, config->focus, config->front, {DD_NONE, DD_NONE}};
}

static inline int dd_covington_head(const dd_covington_view *view, int word)
{
    return word == view->added.dependent ? view->added.head : view->config->nodes[word].head;
}

/* Whether the two words will still be in focus together. */
static inline bool dd_covington_open(int focus, int front, int word, int other)
{
    int left = word < other ? word : other, right = word < other ? other : word;
    return right > front || (right == front && left <= focus);
}

/* The head of a word in the graph: its own, or the gold one that it waits for; else DD_NONE. */
static inline int dd_covington_parent(const dd_covington_view *view, int word)
{
    int head = dd_covington_head(view, word), gold = view->gold->heads[word];
    if (head != DD_NONE || gold <= 0) return head != DD_NONE ? head : gold;
    return dd_covington_open(view->focus, view->front, word, gold) ? gold : DD_NONE;
}

/* Whether `ancestor` is `word` or above it in the graph. */
bool dd_covington_climbs(const dd_covington_view *view, int word, int ancestor);
/* Whether the word is part of a cycle. */
bool dd_covington_in_cycle(const dd_covington_view *view, int word);
/* Theorem 1, with any number of roots. False if allocation fails. */
bool dd_covington_loss(dd_loss_space *space, const dd_covington_view *view, int *loss);

#endif
