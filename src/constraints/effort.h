/* effort.h - the work that the constraints of one sentence have taken
 *
 * Whether a tree is left behind a move is mostly told by a tree that is known, but where
 * constraints are many and a sentence is long, the search for another one may take hours. So work
 * is counted, in steps of roughly a nanosecond, and a sentence that takes too many is refused.
 * Steps are counted rather than timed so that the same sentence is refused everywhere or nowhere.
 */
#ifndef DODONA_CONSTRAINTS_EFFORT_H
#define DODONA_CONSTRAINTS_EFFORT_H

#include "core/cancel.h"

#define DD_MOST_EFFORT (UINT64_C(20) * 1000 * 1000 * 1000)

typedef struct dd_effort {
    uint64_t spent;
    bool no_memory;    /* a search ended because allocation failed */
    dd_ticker *ticker; /* NULL: it is not cancelled */
} dd_effort;           /* {0}: nothing yet */

static inline void dd_effort_reset(dd_effort *effort)
{
    *effort = (dd_effort){.ticker = effort->ticker};
}

static inline bool dd_effort_is_over(const dd_effort *effort)
{
    return effort->spent > DD_MOST_EFFORT || effort->no_memory || dd_is_cancelled(effort->ticker);
}

/* Before the work. False if it would be too much. */
static inline bool dd_effort_spend(dd_effort *effort, uint64_t steps)
{
    effort->spent += steps;
    return !dd_effort_is_over(effort) && dd_tick(effort->ticker, (int64_t)steps);
}

#endif
