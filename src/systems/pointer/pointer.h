/* pointer.h - what the files of the pointer system share */
#ifndef DODONA_SYSTEMS_POINTER_POINTER_H
#define DODONA_SYSTEMS_POINTER_POINTER_H

#include "constraints/constraints.h"
#include "transition/system.h"

/* ---- the exact loss -------------------------------------------------------------------------- */

/* Every tree that has the arcs built so far is in reach. Add the gold arcs of the words still to
 * come to those arcs. No word has two heads in this graph, so its cycles are disjoint, and each has
 * a word still to come, as the arcs built so far close none. Exactly one gold arc of each cycle is
 * lost: its word can depend on 0 instead. Under the single-root rule it depends on the word that
 * has taken 0; if none has, a word of the cycle, or any word without a gold head, becomes the root.
 * So the rule has a cost only if a word has taken 0 and the gold root is still to come: that arc.
 * docs/theory/oracles.md has the proof. */

extern const dd_guard dd_pointer_guard;

#endif
