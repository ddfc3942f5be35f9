/* exchange.h - one request and its answer, as the connection sees them; libmicrohttpd's side */
#ifndef SERVE_EXCHANGE_H
#define SERVE_EXCHANGE_H

#include "serve/server.h"

#include <microhttpd.h>

typedef struct exchange {
    server *all;
    struct MHD_Connection *connection;
    char *query;        /* what follows the '?'; NULL: nothing */
    bool begun;         /* its headers have come */
    bool closes;        /* it is refused for them, and the connection closed */
    const route *route; /* NULL: there is no such path */
    char method[16], path[512];
    double start;
    char *body; /* [size]; NULL once the job has it */
    size_t size, room;
    uint64_t received; /* bytes, those of a refused body too */
    refusal why;       /* known before the body has come */
    bool whole;        /* the request has come */
    job *work;         /* NULL: it is answered without one */
    int status;        /* of the answer; 0: there is none yet */
    uint64_t bytes_out;
} exchange;

/* A request begins: its first line has come. NULL: out of memory. */
exchange *exchange_new(server *all, struct MHD_Connection *connection, const char *query);
/* Its headers have come. */
void exchange_begin(exchange *x, const char *url, const char *method, const char *version);
/* Logs and counts it, if it was begun, and lets its job go. */
void exchange_end(exchange *x);
/* Answers at once if it is refused, and reading its body first would take long. */
bool exchange_is_hopeless(const exchange *x);
/* false: the connection is to be closed. */
bool exchange_take(exchange *x, const char *data, size_t size);
/* The whole request has come, or its job has something to tell. */
enum MHD_Result exchange_go_on(exchange *x);

/* `data` is the answer's, and freed with it. */
enum MHD_Result exchange_answer(exchange *x, int status, const char *type, char *data, size_t size);
enum MHD_Result exchange_refuse(exchange *x, const refusal *why);
/* The job's answer, as it comes. */
enum MHD_Result exchange_stream(exchange *x);
/* The open connection that it came by. */
watched *exchange_watched(const exchange *x);
int exchange_socket(const exchange *x);
const char *exchange_header(const exchange *x, const char *name);

#endif
