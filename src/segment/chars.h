/* chars.h - characters of plain text: decoding, classes, and a window of them
 *
 *     bytes -> code points (broken bytes become U+FFFD) -> classes -> window
 *
 * White space is kept only as one character between others, however long it was. */
#ifndef DODONA_SEGMENT_CHARS_H
#define DODONA_SEGMENT_CHARS_H

#include "text/utf8.h"

/* What the classifiers know of a character besides itself: Unicode's general category, with
 * separate classes for the marks that often stand at the edge of a word or sentence. */
typedef enum dd_char_class {
    DD_CHAR_NONE = 0, /* outside of the text */
    DD_CHAR_SPACE,
    DD_CHAR_UPPER, /* Lu Lt */
    DD_CHAR_LOWER,
    DD_CHAR_LETTER,    /* Lm Lo, without case */
    DD_CHAR_IDEOGRAPH, /* letters of Chinese, Japanese and Korean */
    DD_CHAR_MARK,
    DD_CHAR_DIGIT,
    DD_CHAR_NUMBER, /* Nl No */
    DD_CHAR_STOP,   /* . and similar */
    DD_CHAR_ASKING, /* ! ? and similar */
    DD_CHAR_COMMA,
    DD_CHAR_COLON, /* : ; */
    DD_CHAR_APOSTROPHE,
    DD_CHAR_QUOTE, /* Pi Pf and " */
    DD_CHAR_DASH,
    DD_CHAR_OPEN,
    DD_CHAR_CLOSE,
    DD_CHAR_CONNECTOR, /* Pc */
    DD_CHAR_SLASH,
    DD_CHAR_PUNCTUATION,
    DD_CHAR_CURRENCY,
    DD_CHAR_SYMBOL,
    DD_CHAR_OTHER, /* Cc Cf Co Cn */
    DD_CHAR_CLASSES,
} dd_char_class;

/* The class of a character; white space is Zs, Zl, Zp and the controls that separate lines. */
dd_char_class dd_char_classify(uint32_t code);

/* LF, CR, and the line ends of Unicode; whoever asks takes CR LF for one. */
static inline bool dd_char_ends_line(uint32_t code)
{
    return code == '\n' || code == '\r' || code == 0x85 || code == 0x2028 || code == 0x2029;
}

static inline bool dd_char_is_letter(uint8_t class)
{
    return class >= DD_CHAR_UPPER && class <= DD_CHAR_MARK;
}

static inline bool dd_char_is_word(uint8_t class)
{
    return class >= DD_CHAR_UPPER && class <= DD_CHAR_NUMBER;
}

/* A stretch of text. All arrays have one more element, of class DD_CHAR_NONE, behind the last. */
typedef struct dd_chars {
    uint32_t *codes;     /* [count + 1] */
    uint8_t *classes;    /* [count + 1] */
    uint64_t *positions; /* [count + 1] in characters of the file, from 0 */
    uint64_t *lines;     /* [count + 1] of the file, from 1 */
    int count;
    size_t codes_capacity, classes_capacity, positions_capacity, lines_capacity;
} dd_chars;

void dd_chars_free(dd_chars *chars);
bool dd_chars_add(dd_chars *chars, uint32_t code, uint8_t class, uint64_t position, uint64_t line);
/* Forgets the first characters. */
void dd_chars_drop(dd_chars *chars, int count);
/* Forgets so many characters from `at` on. */
void dd_chars_remove(dd_chars *chars, int at, int count);

#endif
