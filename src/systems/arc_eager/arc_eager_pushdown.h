/* pushdown.h - arc-eager as a pushdown automaton, for whatever constraints there are
 *
 * With forbidden arcs no closed form tells whether a configuration is a dead end, so all that can
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
#ifndef DODONA_SYSTEMS_ARC_EAGER_PUSHDOWN_H
#define DODONA_SYSTEMS_ARC_EAGER_PUSHDOWN_H

#include "constraints/constraints.h"

typedef struct dd_pushdown dd_pushdown;

/* Makes *pushdown (NULL: a new one) ready for a sentence. False if allocation fails. Once the work
 * is cancelled neither this nor what it allows counts. */
bool dd_pushdown_set(dd_pushdown **pushdown, const dd_constraints *constraints);
/* Roughly what a sentence takes, for dd_effort. */
uint64_t dd_pushdown_steps(const dd_constraints *constraints);
void dd_pushdown_free(dd_pushdown *pushdown);
/* Whether a tree that satisfies the constraints can be reached behind a permissible move. */
bool dd_pushdown_allows(dd_pushdown *pushdown, const dd_constraints *constraints,
                        const dd_config *config, dd_move move);

#endif
