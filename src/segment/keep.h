/* keep.h - joins and cuts the pieces of a segmenter where rules know better: at what is one token
 * in every language (segment/whole.h), and at tokens that the user has listed
 * (segment/token_lists.h)
 *
 *     pieces -> what begins here and is whole -> pieces */
#ifndef DODONA_SEGMENT_KEEP_H
#define DODONA_SEGMENT_KEEP_H

#include "segment/segmenter.h"
#include "segment/token_lists.h"

/* Lists of the model and of the reader; each may be NULL. */
enum { DD_KNOWN_LISTS = 2 };
typedef struct dd_known_tokens {
    const dd_token_lists *lists[DD_KNOWN_LISTS];
} dd_known_tokens; /* {0} is empty and valid */

/* Joins and cuts the pieces of the first `size` characters. A listed token is joined if it was
 * split, and marked; where it is a part of one piece, that piece stays. No sentence ends behind an
 * abbreviation. *spare is room for the new pieces, which change places with the old ones. False if
 * allocation fails. */
bool dd_keep_whole(const dd_known_tokens *known, const dd_chars *chars, int size,
                   dd_segments *segments, dd_segments *spare);
/* Moves the end of a sentence behind the closing marks that follow it without white space: none
 * ends inside of `!!!`, or before the quote of `."`. */
void dd_keep_marks(const dd_chars *chars, int size, dd_segments *segments);
/* Marks the pieces that are listed tokens, where tokens are given. */
void dd_keep_mark(const dd_known_tokens *known, const dd_chars *chars, dd_segments *segments);

#endif
