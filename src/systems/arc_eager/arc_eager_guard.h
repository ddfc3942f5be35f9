/* eager.h - arc-eager under constraints (constrained-arc-eager-2014) */
#ifndef DODONA_SYSTEMS_ARC_EAGER_GUARD_H
#define DODONA_SYSTEMS_ARC_EAGER_GUARD_H

#include "constraints/constraints.h"

/* The kinds of arc-eager's moves, in the order of its rules. */
enum { DD_EAGER_SHIFT, DD_EAGER_LEFT, DD_EAGER_RIGHT, DD_EAGER_REDUCE };

extern const dd_guard dd_eager_guard;

#endif
