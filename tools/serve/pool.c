#include "serve/pool.h"

#include "heap.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    BATCH = 64,        /* jobs taken together */
    SMALL_TEXT = 8192, /* bytes of a job that is taken together with others */
};

struct pool {
    pool_options options;
    pthread_mutex_t lock;
    pthread_cond_t more;
    job *first, *last;
    size_t waiting;
    size_t fresh; /* of these, those that no worker has had yet: they are bounded */
    size_t idle, running;
    bool stopping, gives_up;
    size_t started; /* threads */
    pthread_t threads[];
};

/* ---- the queue, under the lock ------------------------------------------------------------ */

static void push(pool *all, job *one)
{
    one->next = NULL;
    if (all->last)
        all->last->next = one;
    else
        all->first = one;
    all->last = one;
    all->waiting++;
    pthread_cond_signal(&all->more);
}

/* The job behind `before`, or the first if that is NULL. */
static job *take_behind(pool *all, job *before)
{
    job *one = before ? before->next : all->first;
    if (before)
        before->next = one->next;
    else
        all->first = one->next;
    if (all->last == one) all->last = before;
    all->waiting--;
    if (one->begun == 0) all->fresh--;
    return one;
}

static bool is_small(const job *one)
{
    return one->begun == 0 && one->plan.kind == JOB_PARSE && one->text.size <= SMALL_TEXT;
}

/* Takes what can be parsed together with the first, leaving their share to idle workers. */
static size_t take_alike(pool *all, job **batch, size_t count)
{
    size_t share = (all->waiting + all->idle) / (all->idle + 1);
    job *before = NULL;
    for (job *at = all->first, *next; at && count < BATCH && share > 0; at = next) {
        next = at->next;
        if (is_small(at) && work_is_alike(batch[0], at)) {
            batch[count++] = take_behind(all, before);
            share--;
        } else {
            before = at;
        }
    }
    return count;
}

static struct timespec time_after(double seconds)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    long long nanoseconds = at.tv_nsec + (long long)(seconds * 1e9);
    at.tv_sec += (time_t)(nanoseconds / 1000000000);
    at.tv_nsec = (long)(nanoseconds % 1000000000);
    return at;
}

/* One client alone would wait in vain, and only some models gain. */
static bool may_wait(const pool *all, const job *first)
{
    return all->options.limits->batch_wait > 0 && first->plan.parse && first->plan.model->neural &&
           all->options.connections(all->options.user) > 1;
}

static size_t wait_for_alike(pool *all, job **batch, size_t count)
{
    struct timespec end = time_after(all->options.limits->batch_wait);
    while (count < BATCH && !all->stopping &&
           pthread_cond_timedwait(&all->more, &all->lock, &end) == 0) {
        size_t before = count;
        count = take_alike(all, batch, count);
        /* What woke this worker may be for another. */
        if (count == before && all->first) break;
    }
    return count;
}

/* 0: nothing is left, and nothing will come. */
static size_t take(pool *all, job *batch[BATCH])
{
    size_t count = 0;
    pthread_mutex_lock(&all->lock);
    all->idle++;
    while (!all->first && !all->stopping) pthread_cond_wait(&all->more, &all->lock);
    all->idle--;
    if (all->first) {
        bool small = is_small(all->first);
        batch[count++] = take_behind(all, NULL);
        if (small) count = take_alike(all, batch, count);
        if (small && may_wait(all, batch[0])) count = wait_for_alike(all, batch, count);
        if (all->first) pthread_cond_signal(&all->more);
        all->running++;
    }
    pthread_mutex_unlock(&all->lock);
    return count;
}

/* ---- workers ------------------------------------------------------------------------------ */

static void put_back(pool *all, job *const *batch, size_t count, const job_next *next)
{
    pthread_mutex_lock(&all->lock);
    all->running--;
    for (size_t i = 0; i < count; i++)
        if (next[i] == JOB_GO_ON) push(all, batch[i]);
    pthread_mutex_unlock(&all->lock);
    for (size_t i = 0; i < count; i++)
        if (next[i] != JOB_GO_ON) job_drop(batch[i]);
}

static bool is_given_up(pool *all)
{
    pthread_mutex_lock(&all->lock);
    bool gives_up = all->gives_up;
    pthread_mutex_unlock(&all->lock);
    return gives_up;
}

/* Those whose client went away, too. */
static void refuse_some(pool *all, job *const *batch, size_t count)
{
    bool gives_up = is_given_up(all);
    for (size_t i = 0; i < count; i++) {
        if (gives_up) refuse(&batch[i]->why, 503, "the server is shutting down");
        if (job_is_cancelled(batch[i])) refuse(&batch[i]->why, 503, "the client went away");
    }
}

static void *run_worker(void *user)
{
    pool *all = user;
    bench own = {.limits = all->options.limits, .models = all->options.models};
    job *batch[BATCH];
    job_next next[BATCH];
    own.parsers = heap_zeroed(own.models, sizeof(dd_parser *));
    for (size_t count; (count = take(all, batch)) > 0;) {
        refuse_some(all, batch, count);
        work_on(&own, batch, count, next);
        metrics_add_batch(all->options.counts, count);
        put_back(all, batch, count, next);
    }
    bench_free(&own);
    return NULL;
}

static bool init_locks(pool *all)
{
    pthread_condattr_t forward;
    if (pthread_condattr_init(&forward) != 0) return false;
    pthread_condattr_setclock(&forward, CLOCK_MONOTONIC);
    bool good =
        pthread_cond_init(&all->more, &forward) == 0 && pthread_mutex_init(&all->lock, NULL) == 0;
    pthread_condattr_destroy(&forward);
    return good;
}

pool *pool_start(const pool_options *options)
{
    size_t workers = (size_t)options->workers;
    pool *all = heap_zeroed(1, sizeof *all + workers * sizeof *all->threads);
    all->options = *options;
    if (!init_locks(all)) {
        free(all);
        return NULL;
    }
    while (all->started < workers &&
           pthread_create(&all->threads[all->started], NULL, run_worker, all) == 0)
        all->started++;
    if (all->started == workers) return all;
    pool_stop(all);
    return NULL;
}

bool pool_submit(pool *all, job *one)
{
    pthread_mutex_lock(&all->lock);
    bool room = all->fresh < all->options.limits->queue && !all->stopping;
    if (room) {
        job_hold(one);
        all->fresh++;
        push(all, one);
    }
    pthread_mutex_unlock(&all->lock);
    return room;
}

void pool_resume(pool *all, job *one)
{
    job_hold(one);
    pthread_mutex_lock(&all->lock);
    push(all, one);
    pthread_mutex_unlock(&all->lock);
}

void pool_counts(pool *all, size_t *waiting, size_t *running)
{
    pthread_mutex_lock(&all->lock);
    *waiting = all->waiting;
    *running = all->running;
    pthread_mutex_unlock(&all->lock);
}

void pool_give_up(pool *all)
{
    pthread_mutex_lock(&all->lock);
    all->gives_up = true;
    pthread_mutex_unlock(&all->lock);
}

void pool_stop(pool *all)
{
    pthread_mutex_lock(&all->lock);
    all->stopping = true;
    pthread_cond_broadcast(&all->more);
    pthread_mutex_unlock(&all->lock);
    for (size_t i = 0; i < all->started; i++) pthread_join(all->threads[i], NULL);
    pthread_cond_destroy(&all->more);
    pthread_mutex_destroy(&all->lock);
    free(all);
}
