/* metrics.h - counts of what was served, in Prometheus' text format */
#ifndef SERVE_METRICS_H
#define SERVE_METRICS_H

#include "output.h"
#include "serve/annotate/annotate.h"

#include "dodona_tools.h"
#include <pthread.h>

enum { METRIC_BUCKETS = 13, METRIC_STATUSES = 600, METRIC_PATHS = 24 };

/* Of requests that were answered, in full or not. */
typedef struct metric_request {
    int path;   /* below METRIC_PATHS */
    int status; /* of HTTP */
    double seconds;
    uint64_t bytes_in, sentences, words;
} metric_request;

typedef struct metrics {
    pthread_mutex_t lock;
    uint32_t requests[METRIC_PATHS][METRIC_STATUSES];
    uint64_t buckets[METRIC_BUCKETS]; /* not cumulative; the last has no bound */
    double seconds;                   /* of all requests */
    uint64_t answered, bytes_in, sentences, words;
    uint64_t batches, batched; /* steps of workers, and the requests in them */
} metrics;

/* What is counted elsewhere. */
typedef struct metric_gauges {
    size_t waiting, running, stuck, open_requests, connections, workers, models, unread;
    bool annotator; /* the next holds */
    annotate_state annotation;
} metric_gauges;

void metrics_add(metrics *all, const metric_request *one);
void metrics_add_batch(metrics *all, size_t requests);
/* `paths` are the names, [METRIC_PATHS]; NULL: not used. */
void metrics_write(metrics *all, const metric_gauges *now, const char *const *paths, output *out);

/* ---- one line of JSON on standard error for each request ------------------------------------- */

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
