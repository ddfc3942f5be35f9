/* outlook.h - what guards share: what constraints say about a configuration, and trees that are
 * known to satisfy them */
#ifndef DODONA_CONSTRAINTS_OUTLOOK_H
#define DODONA_CONSTRAINTS_OUTLOOK_H

#include "constraints/constraints.h"

/* ---- outlook -------------------------------------------------------------------------------- */

/* A configuration in which the heads of some words are final, and the others can still get any of
 * the heads that the system leaves open to them. */
typedef struct dd_outlook {
    const dd_constraints *constraints;
    dd_effort *effort;  /* the constraints' own */
    int32_t *settled;   /* [n + 1] the final head of a word, DD_NONE: open */
    int32_t *span_root; /* [n_spans] the word that is known to be the span's root, DD_NONE: any */
    size_t settled_capacity, span_root_capacity;
} dd_outlook; /* {0} is valid */

void dd_outlook_free(dd_outlook *outlook);
/* All heads open. False if allocation fails. */
bool dd_outlook_reset(dd_outlook *outlook, dd_constraints *constraints);
/* Whether the settled heads alone break no constraint; finds the roots of spans that they fix. */
bool dd_outlook_judge(dd_outlook *outlook);

/* Whether no constraint excludes the arc by itself. */
bool dd_outlook_allows(const dd_outlook *outlook, int head, int dependent);

/* Whether the word has a settled head in its own span, and so cannot be its root. */
static inline bool dd_outlook_inner(const dd_outlook *outlook, int word)
{
    int head = outlook->settled[word];
    const int32_t *span_of = outlook->constraints->span_of;
    return head != DD_NONE && span_of[word] != DD_NONE && span_of[head] == span_of[word];
}

/* ---- witnesses ------------------------------------------------------------------------------ */

/* Trees that satisfy the constraints of a sentence, kept from move to move. A move is allowed if a
 * witness can be reached after it. Usually the witness of the last configuration can still be
 * reached, so a new one is seldom searched for. */

typedef struct dd_witnesses {
    size_t row;      /* numbers that are kept of each: heads[0..n], and what else a guard wants */
    int count, most; /* trees held, and how many there is room for */
    int32_t *heads;  /* [most * row] */
    int32_t *order;  /* [most] the most recently used first */
    /* [most] Each tree that is added gets a number that no other ever had, so that a configuration
     * can name the one that is known to be in its reach; 0: none. */
    uint64_t *numbers;
    uint64_t last_number;
    size_t heads_capacity, order_capacity, numbers_capacity;
} dd_witnesses; /* {0} is valid */

void dd_witnesses_free(dd_witnesses *witnesses);
/* Empty, with room for that many. False if allocation fails. */
bool dd_witnesses_reset(dd_witnesses *witnesses, size_t row, int most);

static inline const int32_t *dd_witness(const dd_witnesses *witnesses, int i)
{
    return witnesses->heads + (size_t)witnesses->order[i] * witnesses->row;
}

static inline uint64_t dd_witness_number(const dd_witnesses *witnesses, int i)
{
    return witnesses->numbers[witnesses->order[i]];
}

/* The tree of a number, NULL: it is not held. */
const int32_t *dd_witness_find(const dd_witnesses *witnesses, uint64_t number);
/* The i-th was used: it becomes the first. */
void dd_witness_served(dd_witnesses *witnesses, int i);
/* Room for a new first one; if all rows are taken, the least recently used is replaced. */
int32_t *dd_witness_add(dd_witnesses *witnesses);
/* Takes back the first one. */
void dd_witness_drop(dd_witnesses *witnesses);

#endif
