#define _GNU_SOURCE /* POLLRDHUP */
#include "serve/pool.h"

#include "heap.h"
#include "number.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    LEAST_WORKERS = 2,
    BATCH = 64,           /* jobs taken together */
    SMALL_TEXT = 8192,    /* bytes of a job that is taken together with others */
    BATCH_TEXT = 1 << 15, /* bytes of jobs that are taken together, from which on no more are */
    LONG_TEXT = 1 << 18,  /* bytes that take long to be read and checked before the first slice */
    STUCK_AFTER = 5,      /* seconds behind the time that a step has */
};

typedef struct worker {
    pool *all;
    pthread_t thread;
    workspace own;
    bool takes_oldest; /* else small jobs first */
    bool heavy;        /* what it is at */
    double due;        /* when its step must have ended; 0: it waits */
} worker;

struct pool {
    pool_options options;
    pthread_mutex_t lock;
    pthread_cond_t more;
    job *first, *last;
    size_t waiting;
    size_t fresh; /* of these, those that no worker has had yet: they are bounded */
    size_t idle, running;
    size_t heavy; /* workers that are at heavy jobs */
    bool stopping, gives_up;
    size_t n_workers, started; /* threads */
    worker workers[];
};

/* ---- the queue, under the lock ------------------------------------------------------------ */

static bool is_heavy(const job *one)
{
    return one->heavy || (one->begun == 0 && one->text.size > LONG_TEXT);
}

static void push(pool *all, job *one)
{
    one->next = NULL;
    if (all->last)
        all->last->next = one;
    else
        all->first = one;
    all->last = one;
    all->waiting++;
    /* Not every worker may take a heavy job. */
    if (is_heavy(one))
        pthread_cond_broadcast(&all->more);
    else
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
    return one->begun == 0 && !one->heavy && one->text.size <= SMALL_TEXT;
}

/* Takes the oldest job that it may have; NULL: there is none. */
static job *take_next(pool *all, const worker *self)
{
    bool any = all->heavy + 1 < all->n_workers;
    job *before_chosen = NULL, *chosen = NULL;
    for (job *at = all->first, *before = NULL; at; before = at, at = at->next) {
        bool small = is_small(at);
        if ((chosen && !small) || (!any && is_heavy(at))) continue;
        before_chosen = before;
        chosen = at;
        if (small || self->takes_oldest) break;
    }
    return chosen ? take_behind(all, before_chosen) : NULL;
}

/* Takes what can be parsed together with the first, leaving their share to idle workers. */
static size_t take_alike(pool *all, job **batch, size_t count)
{
    size_t share = (all->waiting + all->idle) / (all->idle + 1), bytes = 0;
    job *before = NULL;
    for (size_t i = 0; i < count; i++) bytes += batch[i]->text.size;
    for (job *at = all->first, *next; at && count < BATCH && share > 0 && bytes < BATCH_TEXT;
         at = next) {
        next = at->next;
        if (is_small(at) && work_is_alike(batch[0], at)) {
            batch[count++] = take_behind(all, before);
            bytes += at->text.size;
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

/* With one client alone waiting gains nothing, and only some models gain from batches. */
static bool may_wait(const pool *all, const job *first)
{
    return all->options.limits->batch_wait > 0 && first->plan.parse && first->plan.model->batches &&
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

/* 0: nothing is left that this worker may take, and nothing will come. */
static size_t take(worker *self, job *batch[BATCH])
{
    pool *all = self->all;
    size_t count = 0;
    pthread_mutex_lock(&all->lock);
    all->idle++;
    while (!(batch[0] = take_next(all, self)) && !all->stopping)
        pthread_cond_wait(&all->more, &all->lock);
    all->idle--;
    if (batch[0]) {
        bool small = is_small(batch[count++]);
        self->heavy = is_heavy(batch[0]);
        self->due =
            number_seconds_now() + all->options.limits->seconds; /* see give_time in work.c */
        all->heavy += self->heavy;
        all->running++;
        if (small) count = take_alike(all, batch, count);
        if (small && may_wait(all, batch[0])) count = wait_for_alike(all, batch, count);
        if (all->first) pthread_cond_signal(&all->more);
    }
    pthread_mutex_unlock(&all->lock);
    return count;
}

/* ---- workers ------------------------------------------------------------------------------ */

static void put_back(worker *self, job *const *batch, size_t count, const job_next *next)
{
    pool *all = self->all;
    pthread_mutex_lock(&all->lock);
    all->running--;
    all->heavy -= self->heavy;
    self->heavy = false;
    self->due = 0;
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
    worker *self = user;
    pool *all = self->all;
    job *batch[BATCH];
    job_next next[BATCH];
    for (size_t count; (count = take(self, batch)) > 0;) {
        refuse_some(all, batch, count);
        work_on(&self->own, batch, count, next);
        metrics_add_batch(all->options.counts, count);
        put_back(self, batch, count, next);
    }
    workspace_free(&self->own);
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

static bool start_worker(pool *all)
{
    worker *one = &all->workers[all->started];
    *one = (worker){.all = all, .takes_oldest = all->started == 0};
    if (workspace_init(&one->own, all->options.limits, all->options.models) &&
        pthread_create(&one->thread, NULL, run_worker, one) == 0)
        return true;
    workspace_free(&one->own);
    return false;
}

pool *pool_start(const pool_options *options)
{
    size_t workers = (size_t)options->workers;
    if (workers < LEAST_WORKERS) workers = LEAST_WORKERS;
    pool *all = heap_zeroed(1, sizeof *all + workers * sizeof *all->workers);
    all->options = *options;
    all->n_workers = workers;
    if (!init_locks(all)) {
        free(all);
        return NULL;
    }
    while (all->started < workers && start_worker(all)) all->started++;
    if (all->started == workers) return all;
    pool_stop(all);
    return NULL;
}

bool pool_submit(pool *all, job *one)
{
    one->heavy = one->plan.kind != JOB_PARSE || work_is_hard(one);
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

pool_state pool_look(pool *all)
{
    double now = number_seconds_now();
    pthread_mutex_lock(&all->lock);
    pool_state state = {
        .workers = all->n_workers, .waiting = all->waiting, .running = all->running};
    for (size_t i = 0; i < all->started; i++) {
        double due = all->workers[i].due;
        state.stuck += due > 0 && now > due + STUCK_AFTER;
    }
    pthread_mutex_unlock(&all->lock);
    return state;
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
    for (size_t i = 0; i < all->started; i++) pthread_join(all->workers[i].thread, NULL);
    pthread_cond_destroy(&all->more);
    pthread_mutex_destroy(&all->lock);
    free(all);
}

/* ---- jobs that are waited for ---------------------------------------------------------------- */

#ifndef POLLRDHUP
#define POLLRDHUP 0
#endif

void pending_add(pending *all, job *one, int socket)
{
    pthread_mutex_lock(&all->lock);
    one->pending = (job_link){.next = all->first, .socket = socket, .listed = true};
    if (all->first) all->first->pending.before = one;
    all->first = one;
    pthread_mutex_unlock(&all->lock);
}

void pending_remove(pending *all, job *one)
{
    pthread_mutex_lock(&all->lock);
    job_link *link = &one->pending;
    if (link->listed) {
        if (link->before)
            link->before->pending.next = link->next;
        else
            all->first = link->next;
        if (link->next) link->next->pending.before = link->before;
    }
    *link = (job_link){0};
    pthread_mutex_unlock(&all->lock);
}

static bool has_gone(int socket)
{
    struct pollfd client = {.fd = socket, .events = POLLRDHUP};
    return socket >= 0 && poll(&client, 1, 0) > 0;
}

void pending_look(pending *all, pool *workers, double seconds)
{
    double now = number_seconds_now();
    pthread_mutex_lock(&all->lock);
    for (job *one = all->first; one; one = one->pending.next) {
        if (now > one->deadline) job_expire(one);
        if (has_gone(one->pending.socket)) job_abandon(one);
        if (job_unstall(one, seconds)) pool_resume(workers, one);
    }
    pthread_mutex_unlock(&all->lock);
}
