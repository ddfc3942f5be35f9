/* place.h - where tokens are in the text that they are of */
#ifndef DODONA_TEXT_PLACE_H
#define DODONA_TEXT_PLACE_H

#include <dodona.h>

/* What is left of the text, and what stands before it. */
typedef struct dd_place {
    dd_text rest;
    int64_t character, byte;
    bool lost; /* the tokens are not those of the text */
} dd_place;

/* Characters of well-formed text. */
int64_t dd_count_characters(dd_text text);
/* Goes behind the form, over white space before it; false, from then on, if the text goes on
 * otherwise. */
bool dd_place_pass(dd_place *at, dd_text form);

#endif
