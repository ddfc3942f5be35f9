/* server.h - what all connections share, and the paths that are served */
#ifndef SERVE_SERVER_H
#define SERVE_SERVER_H

#include "serve/annotate/annotate.h"
#include "serve/ask.h"
#include "serve/head.h"
#include "serve/metrics.h"
#include "serve/pool.h"
#include "serve/watch.h"

#include <stdatomic.h>

typedef struct server {
    serve_limits limits;
    model_store models;
    annotator *annotator; /* NULL: nothing is trained */
    pool *workers;
    int n_workers;
    metrics counts;
    watch connections;
    pending waiting;
    char *token;      /* NULL: clients need none */
    const char *cors; /* NULL: pages of other sites may not ask */
    option_list hosts;
    struct MHD_Response *no_memory; /* what is answered where there is none for an answer */
    bool log_text, quiet;
    atomic_bool stops;           /* what has come is answered, and then the server ends */
    atomic_size_t open_requests; /* that have come and are not answered in full */
    atomic_size_t held;          /* bytes of bodies, of all connections */
    atomic_size_t unread;        /* bytes of answers that wait to be read */
} server;

typedef struct route {
    const char *path;
    bool takes_post; /* beside GET */
    bool is_public;  /* no token is asked for */
    const char *type;
    /* Answers at once, with an HTTP status; NULL: it is a job, or, without a plan, an asset. */
    int (*tell)(server *all, output *out);
    bool (*plan)(const ask *from, job *into, refusal *why);
} route;

/* NULL: there is no such path. */
const route *route_find(const char *path);
/* Whether it is for annotation tools: its body is read by a worker, and not as fields. */
bool route_is_annotation(const route *one);
/* The only method that it takes; NULL: GET and HEAD, and POST where takes_post says so. */
const char *route_only(const route *one);
/* Below METRIC_PATHS; of NULL, the next after the last. */
int route_number(const route *one);

/* Serves connections to the socket until it is told to stop. Says what is wrong; returns the exit
 * status. */
int http_serve(server *all, int socket);

#endif
