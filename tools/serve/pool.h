/* pool.h - the workers, and the bounded queue of jobs before them. Small jobs of one model,
 * whichever connections they came by, are taken and parsed together. */
#ifndef SERVE_POOL_H
#define SERVE_POOL_H

#include "serve/metrics.h"
#include "serve/work.h"

typedef struct pool pool;

typedef struct pool_options {
    int workers;
    const serve_limits *limits;
    size_t models; /* on the shelf */
    metrics *counts;
    /* How many connections are open: where there is only one, nothing is waited for. */
    size_t (*connections)(void *user);
    void *user;
} pool_options;

/* NULL: threads cannot be started. */
pool *pool_start(const pool_options *options);
/* false: the queue is full. The pool holds the job while it has it. */
bool pool_submit(pool *all, job *one);
/* A job that was parked goes on; it is not refused. */
void pool_resume(pool *all, job *one);
void pool_counts(pool *all, size_t *waiting, size_t *running);
/* From now on jobs are refused instead of being worked on. */
void pool_give_up(pool *all);
/* Waits for the workers, which end when nothing is left to do. */
void pool_stop(pool *all);

#endif
