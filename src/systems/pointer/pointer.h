/* pointer.h - what the files of the pointer system share */
#ifndef DODONA_SYSTEMS_POINTER_POINTER_H
#define DODONA_SYSTEMS_POINTER_POINTER_H

#include "constraints/constraints.h"
#include "transition/system.h"

/* ---- the exact loss -------------------------------------------------------------------------- */

/* Every tree that has the arcs built so far is in reach. Lay the gold arcs of the words still to
 * come over those arcs: no word has two heads in this graph, so its cycles do not touch each other,
 * and each has a word still to come, as arcs built close none. One gold arc of each cycle is lost,
 * and no more: that word can depend on 0 instead. Under the single-root rule, where 0 has its word,
 * it depends on that one; where it has none, a word of the cycle, or any word without a gold head,
 * becomes the root. So the rule costs something only if 0 has its word and the gold root is still
 * to come: that arc. docs/theory/oracles.md has the proof. */

extern const dd_guard dd_pointer_guard;

#endif
