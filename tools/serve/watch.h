/* watch.h - open connections, and those that take too long to send a request
 *
 * A connection has so many seconds from its start, or from the end of its last answer, until its
 * next request has come whole. libmicrohttpd's own limit is on silence alone, so a client could
 * send a byte now and then for ever. */
#ifndef SERVE_WATCH_H
#define SERVE_WATCH_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct watched {
    struct watched *before, *next;
    int socket;
    double since;   /* 0: a request has come and is not answered yet */
    bool in_body;   /* so that an answer is expected */
    bool shut_down; /* already */
} watched;

typedef struct watch {
    pthread_mutex_t lock;
    watched *first;
    size_t count;
} watch;

/* NULL: out of memory, and the connection is not watched. */
watched *watch_begin(watch *all, int socket);
void watch_end(watch *all, watched *one);
/* Each takes NULL, too. */
void watch_body(watch *all, watched *one);  /* the headers have come */
void watch_whole(watch *all, watched *one); /* the request has come */
void watch_idle(watch *all, watched *one);  /* it has been answered */
size_t watch_count(watch *all);
/* Ends those that take longer. */
void watch_shut_slow(watch *all, double seconds);

#endif
