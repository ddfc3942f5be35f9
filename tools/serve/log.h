/* log.h - one line of JSON on standard error for each request */
#ifndef SERVE_LOG_H
#define SERVE_LOG_H

#include "dodona_tools.h"

typedef struct log_line {
    const char *client, *method, *path, *model; /* model NULL: none */
    int status;                                 /* of HTTP; 0: the client went away before */
    uint64_t bytes_in, bytes_out, sentences, words;
    double seconds, waited; /* of these, in the queue */
    const char *reason;     /* of a refusal; NULL: there is none. It can quote what was sent */
    dd_text text;           /* that was sent; its beginning is shown. Empty: it is not */
} log_line;

void log_request(const log_line *line);
/* {"time":..., "event": event, key: value}; key NULL: without it. */
void log_event(const char *event, const char *key, const char *value);

#endif
