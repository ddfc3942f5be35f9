/* keep.h - overrules a segmenter where rules know better: joins and cuts its pieces so that web
 * addresses and the like (segment/whole.h), and tokens that the user has listed
 * (segment/token_lists.h), are one token
 *
 *     pieces -> the longest such token that begins here -> pieces */
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
 * split, and marked; if it is only a part of a piece, that piece stays. No sentence ends after an
 * abbreviation. *spare is used for the new pieces, and then swapped with the old ones. False if
 * allocation fails. */
bool dd_keep_whole(const dd_known_tokens *known, const dd_chars *chars, int size,
                   dd_segments *segments, dd_segments *spare);
/* Moves the end of a sentence after the closing marks that follow it without white space: none
 * ends inside of `!!!`, or before the quote of `."`. */
void dd_keep_marks(const dd_chars *chars, int size, dd_segments *segments);
/* Marks the pieces that are listed tokens, where tokens are given. */
void dd_keep_mark(const dd_known_tokens *known, const dd_chars *chars, dd_segments *segments);

#endif
