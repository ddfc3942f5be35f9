/* whole.h - stretches of text that are one token in every language, whatever a segmenter makes of
 * them: addresses of the web and of mail, @names, #tags, emoji, emoticons, paths of files
 *
 *     characters between white space -> a stretch that stays whole (segment/keep.h)
 *
 * Each kind has a scanner that looks at a bounded number of characters before it says no, so that
 * the time is linear in the length of the text. */
#ifndef DODONA_SEGMENT_WHOLE_H
#define DODONA_SEGMENT_WHOLE_H

#include "segment/chars.h"

/* Characters between white space. */
typedef struct dd_unspaced {
    const dd_chars *chars;
    int start, end;
} dd_unspaced;

/* The end of what stays whole and begins at `at`; `at`: nothing does. */
int dd_whole_end(const dd_unspaced *in, int at);
/* Whether there can be anything in the stretch: most have none of these characters. */
bool dd_whole_is_likely(const dd_unspaced *in);

/* Emoji: joined ones, with skin tones, flags and keycaps; the end of the one that begins at `at`.
 */
int dd_emoji_end(const dd_unspaced *in, int at);
int dd_emoticon_end(const dd_unspaced *in, int at);
/* Whether a form is one emoji or emoticon. */
bool dd_is_picture(dd_text form);

#endif
