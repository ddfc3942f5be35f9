/* pending.h - jobs whose answers connections wait for, looked at several times a second
 *
 * A worker that is at a long step cannot tell its client that it takes too long, and libmicrohttpd
 * does not look at connections that wait. So a clock does both: it ends the waiting when the answer
 * is due, and the work when the client has gone. */
#ifndef SERVE_PENDING_H
#define SERVE_PENDING_H

#include "serve/pool.h"

typedef struct pending {
    pthread_mutex_t lock;
    job *first;
} pending;

/* The job belongs to a connection with that socket, and must be removed before it is dropped. */
void pending_add(pending *all, job *one, int socket);
void pending_remove(pending *all, job *one);
/* Ends what is late, and what nobody waits for; goes on with what waited for others to be read, but
 * for so many seconds at most. */
void pending_look(pending *all, pool *workers, double seconds);

#endif
