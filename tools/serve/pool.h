/* pool.h - the workers, and the bounded queue of jobs before them
 *
 * Small jobs of one model, whichever connections they came by, are taken and parsed together, and
 * go before others, but for one worker, which takes what has waited for longest.
 *
 * A job is heavy if one step of it can take long: it walks an oracle, traces, has a wider beam than
 * its model or constraints, begins with a long text, or was given up because a step took too long.
 * One worker never takes a heavy job, so that others are answered whatever heavy ones do. */
#ifndef SERVE_POOL_H
#define SERVE_POOL_H

#include "serve/metrics.h"
#include "serve/work.h"

typedef struct pool pool;

typedef struct pool_options {
    int workers;
    const serve_limits *limits;
    size_t models; /* in the store */
    metrics *counts;
    /* How many connections are open: where there is only one, nothing is waited for. */
    size_t (*connections)(void *user);
    void *user;
} pool_options;

/* NULL: threads cannot be started. */
pool *pool_start(const pool_options *options);
/* false: the queue is full. The pool holds the job while it has it. */
bool pool_submit(pool *all, job *one);
/* A job that was parked continues; it is not refused. */
void pool_resume(pool *all, job *one);
typedef struct pool_state {
    size_t workers, waiting, running;
    size_t stuck; /* workers that should have ended their step some seconds ago */
} pool_state;

pool_state pool_look(pool *all);
/* From now on jobs are refused instead of being worked on. */
void pool_give_up(pool *all);
/* Waits for the workers, which end when nothing is left to do. */
void pool_stop(pool *all);

/* Jobs whose answers connections wait for are checked several times a second. A worker cannot tell
 * its client during a long step that it takes too long, and libmicrohttpd does not check
 * connections that wait. So a clock does both: it ends the waiting when the answer is due, and the
 * work when the client has gone. */

typedef struct pending {
    pthread_mutex_t lock;
    job *first;
} pending;

/* The job belongs to a connection with that socket, and must be removed before it is dropped. */
void pending_add(pending *all, job *one, int socket);
void pending_remove(pending *all, job *one);
/* Ends jobs that are late or that no client waits for, and continues jobs that waited for other
 * answers to be read; these wait for at most that many seconds. */
void pending_look(pending *all, pool *workers, double seconds);

#endif
