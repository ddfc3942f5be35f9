/* pace.h - how far a file has come, on a terminal */
#ifndef MODELS_PACE_H
#define MODELS_PACE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct pace {
    bool shown, drawn; /* whether to, and whether the line stands */
    double start, last;
    uint64_t first; /* bytes that were there at the start */
} pace;

/* Nothing is shown where standard error is no terminal. */
void pace_start(pace *p, bool wanted, uint64_t done);
void pace_show(pace *p, const char *name, uint64_t done, uint64_t all);
void pace_clear(pace *p);

#endif
