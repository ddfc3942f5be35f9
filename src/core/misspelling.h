/* misspelling.h - the nearest known word to a misspelt one, for messages */
#ifndef DODONA_CORE_MISSPELLING_H
#define DODONA_CORE_MISSPELLING_H

#include <dodona.h>

typedef struct dd_guess {
    const char *word; /* NULL: nothing near enough so far */
    int slips;
} dd_guess; /* {0} is empty */

/* Takes `known` if it is nearer than all before it. */
void dd_guess_consider(dd_guess *guess, const char *written, size_t size, const char *known);

typedef struct dd_hint {
    char text[80];
} dd_hint;

/* "; did you mean 'beam'?" for the end of a message, with "the set " or the like before the word;
 * nothing if there is no guess. */
dd_hint dd_guess_hint(dd_guess guess, const char *before);

#endif
