/* start.h - the options of `dodona serve`, and the way from them to a server */
#ifndef SERVE_START_H
#define SERVE_START_H

#include "options.h"

typedef struct serve_options {
    option_list models, hosts;
    const char *listen, *token_file, *cors;
    int64_t threads, max_body, max_sentence, max_beam, timeout, queue, connections, batch_wait;
    const char *train; /* folder; NULL: nothing is trained */
    const char *train_scorer;
    int64_t train_jobs, train_body, train_time, train_disk;
    bool check, log_text, quiet;
} serve_options;

/* Serves until a signal ends it. Says what is wrong; returns the exit status. */
int serve_start(const serve_options *options);

/* ---- the socket that clients connect to ------------------------------------------------------ */

/* "ADDRESS:PORT", "[ADDRESS]:PORT" of IPv6, or "PORT" of 127.0.0.1; port 0 is any that is free.
 * Says what is wrong; returns the exit status. */
int listen_at(const char *where, int *socket);
/* Whether a server listens there and answers; does as listen_at. */
int listen_check(const char *where);
/* The socket that systemd opened (sd_listen_fds(3)); -1: it did not, -2: after saying what is
 * wrong. */
int listen_inherited(void);

enum { LISTEN_NAME = 80 };
/* "127.0.0.1:8000" */
void listen_name(int socket, char out[LISTEN_NAME]);

#endif
