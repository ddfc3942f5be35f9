/* attardi_pushdown.h - attardi as a pushdown automaton, for whatever constraints there are
 *
 * The two topmost nodes of the stack and the front of the buffer are the control. Then SH pushes
 * one node, and each arc pops one. With i below the control (j, k, f):
 *
 *     SH   push j       (k, f, f + 1)
 *     LA   k -> j       (i, k, f)
 *     RA   j -> k       (i, j, f)
 *     LA2  k -> i       (j, k, f)
 *     RA2  i -> k       (i, j, f)
 *
 * What can happen between a push and the pop of what was pushed is tabulated once a sentence: which
 * controls can follow a SH with k on top at front f, given only the words from there on (Cohen,
 * Gomez-Rodriguez and Satta 2011 tabulate Attardi's parser so). A configuration can reach a tree
 * that satisfies the constraints if its stack can be emptied, down to 0, by such steps. For that
 * the controls are found, from the bottom of the stack upwards, from which what is below can be
 * emptied; configurations that have the lower part of their stacks in common share them.
 *
 * Sets of nodes are 64-bit words, and so a control's second node is a bit. There are O(n^4) words
 * in the tables for n nodes, made in O(n^6) steps: some 200 million for 64 nodes. */
#ifndef DODONA_SYSTEMS_ATTARDI_ATTARDI_PUSHDOWN_H
#define DODONA_SYSTEMS_ATTARDI_ATTARDI_PUSHDOWN_H

#include "constraints/outlook.h"

/* ---- nodes ---------------------------------------------------------------------------------- */

/* As few nodes as the constraints tell apart, and which of them may take which.
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

/* ---- the automaton -------------------------------------------------------------------------- */

/* A part of the stack, without the two topmost nodes: from where it can be emptied. */
typedef struct dd_attardi_level {
    int word;   /* the topmost of it; 0 also for the node below 0 */
    int kinds;  /* whether it may be the root of its span, and whether it may be another word */
    bool due;   /* the root of its span is on the stack, or may be */
    int lowest; /* for fronts from this one on */
} dd_attardi_level;

typedef struct dd_attardi_pushdown {
    dd_attardi_nodes nodes;
    bool single_root;
    /* A control is a bit, its second node, in a row for its top node and its front; rows of nodes
     * at later places come first. */
    int n_rows;
    int row_of[DD_ATTARDI_NODES];        /* the row of a top node with the lowest front */
    int lowest_front[DD_ATTARDI_NODES];  /* that */
    int rows_from[DD_ATTARDI_NODES + 1]; /* [n_places + 2] rows of nodes from that place on */
    uint64_t *rows;                      /* holds the tables */
    size_t *after; /* [top * n_fronts + front] the controls that can follow SH there */
    size_t *kept;  /* [top * n_fronts + front] second nodes that are second again when SH has been
                      undone */
    dd_attardi_level *levels;
    uint64_t *emptied; /* [2 * n_rows] for each level: no root of the span is due, or one is */
    int n_levels;
    size_t rows_capacity, after_capacity, kept_capacity, levels_capacity, emptied_capacity;
} dd_attardi_pushdown; /* {.nodes.most = DD_ATTARDI_NODES} is valid */

void dd_attardi_pushdown_free(dd_attardi_pushdown *pushdown);
/* Makes the tables for a sentence; plain: [n + 1] words that no constraint names, spans aside.
 * False if too many words are named; or if it takes too much effort or allocation failed, as the
 * effort tells. */
bool dd_attardi_pushdown_reset(dd_attardi_pushdown *pushdown, const dd_outlook *outlook,
                               const bool *plain);

typedef enum dd_verdict { DD_IMPOSSIBLE, DD_UNDECIDED, DD_POSSIBLE } dd_verdict;
/* attardi_levels.c: whether a tree that satisfies the constraints can be reached from a
 * configuration. The outlook has judged its heads. */
dd_verdict dd_attardi_pushdown_decide(dd_attardi_pushdown *pushdown, const dd_config *config);

/* ---- for attardi_pushdown.c and attardi_levels.c ------------------------------------------ */

static inline int dd_attardi_row(const dd_attardi_pushdown *pushdown, int top, int front)
{
    return pushdown->row_of[top] + front - pushdown->lowest_front[top];
}

static inline int dd_attardi_end(const dd_attardi_pushdown *pushdown)
{
    return pushdown->nodes.n_fronts - 1;
}

static inline size_t dd_attardi_entry(const dd_attardi_pushdown *pushdown, int top, int front)
{
    return (size_t)top * (size_t)pushdown->nodes.n_fronts + (size_t)front;
}

/* Nodes that may take a word when they are next below it, and with another between. */
static inline uint64_t dd_attardi_next_heads(const dd_attardi_pushdown *pushdown, int word,
                                             int front)
{
    bool last = front == dd_attardi_end(pushdown);
    uint64_t root = UINT64_C(1) << DD_ATTARDI_ROOT;
    return pushdown->nodes.heads[word] & ~(pushdown->single_root && !last ? root : 0);
}

static inline uint64_t dd_attardi_far_heads(const dd_attardi_pushdown *pushdown, int word)
{
    uint64_t root = UINT64_C(1) << DD_ATTARDI_ROOT;
    return pushdown->nodes.heads[word] & ~(pushdown->single_root ? root : 0);
}

#endif
