/* suggest.h - the nearest known word to a misspelt one. */
#ifndef TOOLS_SUGGEST_H
#define TOOLS_SUGGEST_H

#include <stddef.h>

typedef struct suggestion {
    const char *wanted;  /* what the user wrote */
    size_t size;         /* of it, in bytes */
    const char *nearest; /* NULL: nothing near enough so far */
    int slips;           /* that make the one of the other */
} suggestion;

suggestion suggest_for(const char *wanted, size_t size);
/* Takes `known` if it is nearer than all before it. */
void suggest_consider(suggestion *best, const char *known);

#endif
