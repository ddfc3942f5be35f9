/* outlook.h - what constraints say about a configuration in which some heads are settled: for good,
 * while the other words can still get any of the heads that the system leaves open to them */
#ifndef DODONA_CONSTRAINTS_OUTLOOK_H
#define DODONA_CONSTRAINTS_OUTLOOK_H

#include "constraints/constraints.h"

typedef struct dd_outlook {
    const dd_constraints *constraints;
    dd_effort *effort;  /* the constraints' own */
    int32_t *settled;   /* [n + 1] the head that a word has for good, DD_NONE: open */
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

#endif
