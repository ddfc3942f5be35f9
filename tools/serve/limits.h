/* limits.h - how much a client may ask for
 *
 * Those of serve_limits are options of the program. The others bound what grows faster than the
 * text: time and memory of searches, and the size of answers. */
#ifndef SERVE_LIMITS_H
#define SERVE_LIMITS_H

#include <stddef.h>

enum {
    MOST_STEP_WORDS = 500,         /* of a sentence whose steps are shown */
    MOST_CONSTRAINED_WORDS = 1000, /* of a sentence with constraints */
    MOST_BEAM_WORDS = 50000,       /* words of a sentence times the width of the beam */
    MOST_DRAWING = 4 << 20,        /* bytes of a drawing */
    MOST_STEP_BYTES = 8 << 20,     /* bytes of the steps of one answer */
    MOST_UNREAD = 128 << 20,       /* bytes of all answers that wait to be read */
    SMALL_ANSWER = 64 << 10,       /* bytes of an answer that is made in any case */
};

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
