/* utf8.h - well-formed UTF-8 (Unicode 15, table 3-7), and text quoted in messages */
#ifndef DODONA_TEXT_UTF8_H
#define DODONA_TEXT_UTF8_H

#include <dodona.h>

/* Offset of the first byte that does not start a well-formed character, or that is NUL; the size if
 * there is none. */
size_t dd_utf8_check(dd_text text);
/* What is wrong with the bytes that start there. */
const char *dd_utf8_fault(dd_text text);

/* For messages: at most about 40 bytes of well-formed text, control characters as `?`. */
typedef struct dd_quote {
    char text[48];
} dd_quote;

dd_quote dd_quote_text(dd_text text);

#endif
