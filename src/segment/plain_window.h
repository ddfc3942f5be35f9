/* plain_window.h - the window of plain text: characters from the source, up to the end of their
 * paragraph
 *
 *     bytes -> characters -> lines -> the window (plain_window.c) -> pieces, sentences (plain.c) */
#ifndef DODONA_SEGMENT_PLAIN_WINDOW_H
#define DODONA_SEGMENT_PLAIN_WINDOW_H

#include "segment/keep.h"
#include "segment/lines.h"
#include "segment/plain.h"

struct dd_plain {
    const dd_segmenter *segmenter;
    dd_segmenter_space *space; /* NULL without a segmenter */
    dd_input_options options;
    dd_buffer document, prefix; /* of ids; empty: none */
    dd_buffer comments;         /* to be written after `# newdoc` */
    dd_token_lists lists;       /* of the options */
    dd_known_tokens known;      /* these and those of the model */

    dd_buffer joint; /* the end of a chunk and the beginning of the next */
    bool source_ended;
    uint64_t offset;   /* of the next byte */
    uint64_t position; /* of the next character */
    uint64_t line_now; /* of the next character, from 1 */
    bool after_return; /* the last character was CR */
    uint64_t broken;
    dd_error first_broken;

    dd_chars window;
    bool line_empty; /* no character but white space in this line so far */
    bool indented;   /* and there was some */
    bool closed;     /* the window holds a paragraph or line up to its end */
    int end;         /* if it is closed: characters in it; the rest begins the next */
    bool ended;      /* no characters are left behind the window */

    dd_paragraphs paragraphs; /* AUTO: it is not decided yet */
    dd_lines lines;           /* until it is decided */
    dd_line line, before;     /* of wrapped text: this line and the one before in the paragraph */
    dd_line_kind block;       /* of the line that began the paragraph */
    int line_at;     /* where this line begins in the window; -1: it is known to continue */
    int line_number; /* in its paragraph, from 0 */

    dd_segments segments, spare;
    int next, ready; /* the next piece to hand out; the number of pieces that can be */
    bool new_paragraph, new_document;
    uint64_t sentences;
};

/* Whether the input itself tells where sentences end. */
static inline bool dd_plain_in_lines(const dd_plain *plain)
{
    return plain->options.given >= DD_GIVEN_SENTENCES ||
           plain->options.format == DD_FORMAT_VERTICAL;
}

/* Decides where paragraphs end, reading ahead as far as it needs. If no input is available, the
 * decision is left to the next call. */
dd_status dd_plain_decide(dd_plain *plain, dd_feed *feed, dd_error *error);
/* Fills the window up to the end of the paragraph or sentence, or until it is full. If input has
 * run dry, the next call continues. */
dd_status dd_plain_fill(dd_plain *plain, dd_feed *feed, dd_error *error);

#endif
