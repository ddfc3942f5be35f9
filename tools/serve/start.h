/* start.h - the options of `dodona serve`, and the way from them to a server */
#ifndef SERVE_START_H
#define SERVE_START_H

#include "options.h"

typedef struct serve_options {
    option_list models, hosts;
    const char *listen, *token_file, *cors;
    int64_t threads, max_body, max_sentence, max_beam, timeout, queue, connections, batch_wait;
    bool log_text, quiet;
} serve_options;

/* Serves until a signal ends it. Says what is wrong; returns the exit status. */
int serve_start(const serve_options *options);

#endif
