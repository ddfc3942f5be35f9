/* watch.h - open connections: which ones take too long to send a request, and which ones are closed
 * when there are too many
 *
 *     begin --> idle --headers--> body --all of it--> answer --> idle ...
 *
 * A connection has so many seconds from its start, or from the end of its last answer, until its
 * next request has come whole. libmicrohttpd's own timeout only limits silence, so a client could
 * send a byte now and then for ever.
 *
 * Where there are more connections than there may be, the one that has been idle for longest is
 * shut, or if none is, the one whose body was begun first; never one that waits for its answer. */
#ifndef SERVE_WATCH_H
#define SERVE_WATCH_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum watch_state {
    WATCH_IDLE = 0, /* no request has come, or not all of its headers */
    WATCH_BODY,     /* an answer is expected */
    WATCH_ANSWER,
    WATCH_SHUT, /* not closed yet */
    WATCH_STATES,
} watch_state;

typedef struct watched {
    struct watched *before, *next; /* of the same state */
    int socket;
    watch_state state;
    double since; /* when it began to wait for a request */
} watched;

typedef struct watch_list {
    watched *first, *last; /* the first has been in it for longest */
} watch_list;

typedef struct watch {
    pthread_mutex_t lock;
    watch_list lists[WATCH_STATES];
    size_t count, shut;
    size_t most; /* beyond these, others are shut */
} watch;

/* Connections beyond the most that are accepted, so that each can take the place of another. */
enum { WATCH_SPARE = 100 };

/* NULL: out of memory, and the connection is not watched. */
watched *watch_begin(watch *all, int socket);
void watch_end(watch *all, watched *one);
/* Each takes NULL, too. */
void watch_body(watch *all, watched *one);  /* the headers have come */
void watch_whole(watch *all, watched *one); /* the request has come */
void watch_idle(watch *all, watched *one);  /* it has been answered */
size_t watch_count(watch *all);
/* Shuts those that take longer than the seconds, and as many as there are too many where they have
 * had the time to send a request; if there are very many, some of them, and the others when it is
 * called again. */
void watch_shut_some(watch *all, double seconds);

#endif
