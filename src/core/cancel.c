#include "core/cancel.h"

#include "core/memory.h"
#include "core/status.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

enum {
    STEPS_BETWEEN_LOOKS = 1000000, /* that is, about a millisecond */
    ASK_AFTER = 50,                /* milliseconds: the function may be slow */
};

#define NEVER  INT64_MAX
#define SECOND INT64_C(1000000000)

struct dd_cancel {
    atomic_bool now;
    atomic_llong deadline; /* nanoseconds of the monotonic clock */
    bool (*go_on)(void *user);
    void *user;
    pthread_t asks;      /* the thread that asks the function */
    atomic_llong ask_at; /* when it does so next */
    int64_t between;     /* steps between checks */
    atomic_llong looks;  /* checks that are left, see dd_cancel_at_look; below 0: any number */
};

static int64_t nanoseconds_now(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) return 0;
    return (int64_t)now.tv_sec * SECOND + now.tv_nsec;
}

dd_status dd_cancel_new(dd_cancel **out, dd_error *error)
{
    dd_cancel *cancel = dd_calloc(1, sizeof *cancel);
    if (!cancel) return dd_fail_memory(error);
    cancel->between = STEPS_BETWEEN_LOOKS;
    atomic_init(&cancel->looks, -1);
    dd_cancel_reset(cancel);
    *out = cancel;
    return DD_OK;
}

void dd_cancel_free(dd_cancel *cancel)
{
    free(cancel);
}

void dd_cancel_reset(dd_cancel *cancel)
{
    atomic_store(&cancel->now, false);
    atomic_store(&cancel->deadline, NEVER);
}

void dd_cancel_now(dd_cancel *cancel)
{
    atomic_store(&cancel->now, true);
}

void dd_cancel_after(dd_cancel *cancel, double seconds)
{
    int64_t deadline = NEVER;
    if (!(seconds > 0))
        deadline = 0;
    else if (seconds < (double)(NEVER / SECOND / 2))
        deadline = nanoseconds_now() + (int64_t)(seconds * (double)SECOND);
    atomic_store(&cancel->deadline, deadline);
}

void dd_cancel_when(dd_cancel *cancel, bool (*go_on)(void *user), void *user)
{
    cancel->go_on = go_on;
    cancel->user = user;
    cancel->asks = pthread_self();
    atomic_store(&cancel->ask_at, nanoseconds_now() + ASK_AFTER * (SECOND / 1000));
}

static void ask(dd_cancel *cancel, int64_t now)
{
    if (now < atomic_load(&cancel->ask_at) || !pthread_equal(cancel->asks, pthread_self())) return;
    atomic_store(&cancel->ask_at, now + ASK_AFTER * (SECOND / 1000));
    if (!cancel->go_on(cancel->user)) dd_cancel_now(cancel);
}

void dd_cancel_at_look(dd_cancel *cancel, int64_t n)
{
    cancel->between = 1;
    atomic_store(&cancel->looks, n);
}

int64_t dd_cancel_looks_left(const dd_cancel *cancel)
{
    return atomic_load(&cancel->looks);
}

bool dd_cancel_is_due(dd_cancel *cancel)
{
    if (atomic_load(&cancel->looks) > 0 && atomic_fetch_sub(&cancel->looks, 1) == 1)
        dd_cancel_now(cancel);
    if (atomic_load(&cancel->now)) return true;
    int64_t deadline = atomic_load(&cancel->deadline);
    if (deadline == NEVER && !cancel->go_on) return false;
    int64_t now = nanoseconds_now();
    if (cancel->go_on) ask(cancel, now);
    return atomic_load(&cancel->now) || now >= deadline;
}

void dd_ticker_start(dd_ticker *ticker, dd_cancel *cancel)
{
    *ticker = (dd_ticker){.cancel = cancel, .left = 0};
}

bool dd_ticker_look(dd_ticker *ticker)
{
    if (ticker->cancelled) return false;
    ticker->left = ticker->cancel ? ticker->cancel->between : STEPS_BETWEEN_LOOKS;
    ticker->cancelled = ticker->cancel && dd_cancel_is_due(ticker->cancel);
    if (ticker->cancelled) ticker->left = 0;
    return !ticker->cancelled;
}

dd_status dd_fail_cancelled(dd_error *error)
{
    return dd_fail(error, DD_INTERRUPTED, "cancelled before it was done");
}

dd_status dd_fail_unfinished(const dd_ticker *ticker, dd_error *error)
{
    return dd_is_cancelled(ticker) ? dd_fail_cancelled(error) : dd_fail_memory(error);
}
