/* pattern.h - regular expressions over the characters of a token
 *
 *     text -> positions, first, last, follow -> lengths that match
 *
 * A pattern is compiled to its position automaton (Glushkov 1961): each character that it can match
 * is a position, and sets of positions say where a match begins, ends and continues. All matches
 * from a place are found in one pass, so that the time is bounded by the positions times the
 * characters looked at, whatever pattern and text are. The C library's regular expressions give no
 * such bound, depend on the locale, and do not tell where a mistake is.
 *
 *     c  .  [abc]  [^a-z]  [[:upper:]]  \d  \w  \.  (..)  a|b  a*  a+  a?  a{2}  a{2,}  a{2,4} */
#ifndef DODONA_SEGMENT_PATTERN_H
#define DODONA_SEGMENT_PATTERN_H

#include "segment/chars.h"

enum {
    DD_PATTERN_BYTES = 256,     /* of its text */
    DD_PATTERN_POSITIONS = 256, /* with what {..} repeats written out */
    DD_PATTERN_LONGEST = 100,   /* characters of a match */
};

typedef struct dd_pattern dd_pattern;

/* DD_ERROR_FORMAT: the error says why, and *where is the byte of the text. */
dd_status dd_pattern_compile(dd_pattern **out, dd_text text, bool ignore_case, size_t *where,
                             dd_error *error);
void dd_pattern_free(dd_pattern *pattern);
int dd_pattern_positions(const dd_pattern *pattern);

/* Lengths from 1 to DD_PATTERN_LONGEST, each as a bit. */
typedef struct dd_lengths {
    uint64_t bits[DD_PATTERN_LONGEST / 64 + 1];
} dd_lengths; /* {0} is empty; see core/bits.h */

/* Adds the lengths of all matches that begin at `at` and end no later than at `end`. */
void dd_pattern_match(const dd_pattern *pattern, const dd_chars *chars, int at, int end,
                      dd_lengths *lengths);

#endif
