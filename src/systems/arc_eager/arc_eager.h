/* arc_eager.h - what the files of arc-eager's guard share (constrained-arc-eager-2014) */
#ifndef DODONA_SYSTEMS_ARC_EAGER_ARC_EAGER_H
#define DODONA_SYSTEMS_ARC_EAGER_ARC_EAGER_H

#include "constraints/constraints.h"
#include "transition/config.h"
#include "tree/gold.h"

/* The kinds of arc-eager's moves, in the order of its rules. */
enum { DD_EAGER_SHIFT, DD_EAGER_LEFT, DD_EAGER_RIGHT, DD_EAGER_REDUCE };

extern const dd_guard dd_eager_guard;

/* ---- constraints: tables that the preconditions look up, made once a sentence --------------- */

/* Spans are contracted to one node where arcs between words of different spans are concerned; a
 * node that must not have dependents (a span in mode none) is a leaf. Words within a span, and
 * nodes between spans, then pose the same question: a word on the stack that lacks a head can get
 * it only from a free word still to come, one that no required arc covers and that has no required
 * head. The last such word of each region is therefore the one to watch. */

/* A region of words or nodes, covered by a required arc from the anchor to something that cannot be
 * the head of any of them: a leaf, or, for words of a span, anything behind the span. */
typedef struct dd_eager_region {
    int anchor;
    int last_free; /* the last free one that is no leaf; the anchor: there is none */
} dd_eager_region;

typedef struct dd_eager_span {
    int root;      /* known from the constraints, DD_NONE: not yet */
    int last_free; /* last word that is free within the span; DD_NONE: there is none */
} dd_eager_span;

/* Of a word, and of the node that it belongs to. */
typedef struct dd_eager_word {
    bool free;       /* word: within its span */
    bool node_free;  /* a required arc from 0 does not bind it */
    int region;      /* index in regions: within its span; DD_NONE: it may wait for its head */
    int node_region; /* the same of its node among the nodes */
} dd_eager_word;

typedef struct dd_eager_tables {
    dd_eager_word *words;     /* [n + 1] */
    dd_eager_region *regions; /* [2 * (n + 1)] of the arc into each word: in a span, among nodes */
    dd_eager_span *spans;     /* [n_spans] */
    int last_free;            /* first word of the last free node that is no leaf */
    int32_t *memory;          /* [4 * (n + 2)] while they are made */
    size_t words_capacity, regions_capacity, spans_capacity, memory_capacity;
} dd_eager_tables; /* {0} is valid */

void dd_eager_tables_free(dd_eager_tables *tables);
/* False if allocation fails. */
bool dd_eager_tables_set(dd_eager_tables *tables, const dd_constraints *constraints);

static inline bool dd_same_span(const dd_constraints *constraints, int a, int b)
{
    return constraints->span_of[a] != DD_NONE && constraints->span_of[a] == constraints->span_of[b];
}

/* First and last word of a word's node. */
static inline int dd_node_first(const dd_constraints *constraints, int word)
{
    int span = constraints->span_of[word];
    return span == DD_NONE ? word : constraints->spans[span].first;
}

static inline int dd_node_last(const dd_constraints *constraints, int word)
{
    int span = constraints->span_of[word];
    return span == DD_NONE ? word : constraints->spans[span].last;
}

/* ---- constraints: a pushdown automaton, for whatever there is ------------------------------- */

/* With forbidden arcs no closed form tells whether a configuration is a dead end, so all that can
 * happen to a word on the stack is tabulated once a sentence: which fronts of the buffer it can see
 * when it is on top (`run`), given only the words behind it. A configuration can reach a tree that
 * satisfies the constraints if its stack can be emptied, from the top down, by such steps.
 *
 * A control is the front of the buffer and where the root of its span is: before it, at it, or
 * behind it. It is guessed when the span begins; then each arc can be judged by itself. Two guesses
 * are about the stack: of a span that has begun, only the lowest word on the stack can be the
 * root, and under the single-root rule only the lowest word on the stack can depend on 0, as arcs
 * into the words below would otherwise cross theirs.
 *
 * O(n^3 / 64) a sentence: O(n^2 / 64) for each word of the tables, and for each push. Three times
 * as much with spans. */

typedef struct dd_pushdown dd_pushdown;

/* Makes *pushdown (NULL: a new one) ready for a sentence. False if allocation fails. Once the work
 * is cancelled, neither the result nor the moves that it allows are valid. */
bool dd_pushdown_set(dd_pushdown **pushdown, const dd_constraints *constraints);
/* Roughly what a sentence takes, for dd_effort. */
uint64_t dd_pushdown_steps(const dd_constraints *constraints);
void dd_pushdown_free(dd_pushdown *pushdown);
/* Whether a tree that satisfies the constraints can be reached after a permissible move. */
bool dd_pushdown_allows(dd_pushdown *pushdown, const dd_constraints *constraints,
                        const dd_config *config, dd_move move);

#endif
