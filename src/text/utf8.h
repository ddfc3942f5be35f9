/* utf8.h - well-formed UTF-8 (Unicode 15, table 3-7), characters, and text quoted in messages */
#ifndef DODONA_TEXT_UTF8_H
#define DODONA_TEXT_UTF8_H

#include "core/strings.h"

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

enum { DD_CHAR_REPLACEMENT = 0xFFFD };

/* Decodes the character at the start of the bytes, at least one. Broken bytes and NUL give U+FFFD,
 * one for each longest beginning of a character (Unicode 15, 3.9, "maximal subpart"); then *broken
 * is set. Returns the bytes used. */
size_t dd_char_decode(const char *bytes, size_t size, uint32_t *code, bool *broken);
/* Appends the character in UTF-8. */
bool dd_char_append(dd_buffer *out, uint32_t code);
/* Bytes of the white space character at the start of well-formed text; 0: none. */
size_t dd_white_size(dd_text text);
uint32_t dd_char_lower(uint32_t code);
/* The character at the start of a text that is not empty, and its bytes; -1 and 1 byte if that is
 * not UTF-8. */
int32_t dd_char_first(dd_text text, size_t *size);

#endif
