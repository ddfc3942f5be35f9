/* cancel.h - work that can be ended before it is done
 *
 *     program: dd_cancel_now, dd_cancel_after, dd_cancel_when -> dd_cancel
 *     library: loops -> dd_tick(ticker, steps) -- now and then --> dd_ticker_look -> dd_cancel
 *
 * A loop whose length depends on a sentence says how much it is about to do, in steps of roughly a
 * nanosecond. If dd_tick returns false, the loop ends as if allocation had failed, and the call
 * that it belongs to tells the two apart with dd_fail_unfinished. */
#ifndef DODONA_CORE_CANCEL_H
#define DODONA_CORE_CANCEL_H

#include <dodona.h>

/* How one thread counts its steps, and checks now and then whether it is cancelled. */
typedef struct dd_ticker {
    dd_cancel *cancel; /* NULL: nothing ends the work */
    int64_t left;      /* steps until it looks again */
    bool cancelled;
} dd_ticker; /* {0} is valid */

/* Begins a call; `cancel` may be NULL. The first tick checks. */
void dd_ticker_start(dd_ticker *ticker, dd_cancel *cancel);
bool dd_ticker_look(dd_ticker *ticker);

/* To be called before work of so many steps. False: the call is cancelled, and neither this work
 * nor the rest of the call is to be done. `ticker` may be NULL. */
static inline bool dd_tick(dd_ticker *ticker, int64_t steps)
{
    if (!ticker || (ticker->left -= steps) > 0) return true;
    return dd_ticker_look(ticker);
}

static inline bool dd_is_cancelled(const dd_ticker *ticker)
{
    return ticker && ticker->cancelled;
}

/* For tests: every tick checks, and the n-th check, from 1, cancels. */
void dd_cancel_at_look(dd_cancel *cancel, int64_t n);
/* How many of these checks are left. */
int64_t dd_cancel_looks_left(const dd_cancel *cancel);

dd_status dd_fail_cancelled(dd_error *error);
/* DD_INTERRUPTED if the work was cancelled, else DD_ERROR_MEMORY. */
dd_status dd_fail_unfinished(const dd_ticker *ticker, dd_error *error);

#endif
