/* limits.h - how much a client may ask for */
#ifndef SERVE_LIMITS_H
#define SERVE_LIMITS_H

#include <stddef.h>

typedef struct serve_limits {
    size_t body;       /* bytes of a request */
    int sentence;      /* words */
    double seconds;    /* until a request has come, and until its answer begins */
    size_t queue;      /* requests that wait for a worker */
    int connections;   /* at a time */
    int beam;          /* derivations kept side by side */
    double batch_wait; /* seconds that a worker waits for more sentences to parse together */
} serve_limits;

#endif
