/* refusal.h - why a request is refused: an HTTP status and a reason for people. */
#ifndef SERVE_REFUSAL_H
#define SERVE_REFUSAL_H

#include "dodona_tools.h"
#include "message.h"

#include <stdbool.h>

enum { REFUSAL_SIZE = DD_MESSAGE_SIZE };

typedef struct refusal {
    int status; /* of HTTP; 0: nothing is refused */
    char reason[REFUSAL_SIZE];
} refusal;

/* Keeps the first reason. Always false, so that callers can return it. */
bool refuse(refusal *why, int status, const char *format, ...) MESSAGE_FORMAT(3, 4);
bool refuse_memory(refusal *why);
/* What a call of the library reported of what a client sent. */
bool refuse_error(refusal *why, const dd_error *error);

#endif
