/* plain.h - sentences out of plain text, whatever its bytes
 *
 *     source -> characters -> window -> pieces -> words and lines of a sentence
 *
 * The window holds a paragraph. One that does not end is worked off sentence by sentence, so that
 * memory is bounded however long lines, paragraphs and words are. */
#ifndef DODONA_SEGMENT_PLAIN_H
#define DODONA_SEGMENT_PLAIN_H

#include "segment/segmenter.h"
#include "text/reader.h"

typedef struct dd_plain dd_plain;

/* The segmenter may be NULL where words are given. Ids in the options are copied. */
dd_status dd_plain_new(dd_plain **out, const dd_segmenter *segmenter,
                       const dd_input_options *options, dd_error *error);
/* Before the first sentence: so much of the file stands before the text, which then begins no
 * document. */
void dd_plain_continue(dd_plain *plain, uint64_t bytes, uint64_t characters, uint64_t lines);
/* Begins another text, of which `feed` then has all bytes, with a document and ids of its own,
 * whose comments follow `# newdoc`. False if allocation fails. */
bool dd_plain_restart(dd_plain *plain, dd_text document, dd_text prefix, dd_text comments);
/* Whether a sentence follows: DD_OK, DD_END, or a failure. */
dd_status dd_plain_more(dd_plain *plain, dd_feed *feed, dd_error *error);
/* As `next` of a dd_sentence_maker. */
dd_status dd_plain_next(dd_plain *plain, dd_feed *feed, dd_sentence *sentence, dd_error *error);
/* For dd_reader_use_maker, whose reader then owns it. */
dd_sentence_maker dd_plain_maker(dd_plain *plain);

/* ---- composing a sentence (compose.c) ----------------------------------------------------- */

/* What a sentence is made of. */
typedef struct dd_plain_sentence {
    const dd_chars *chars;
    const dd_piece *pieces; /* [count] */
    int count;
    const dd_multiword *multiword; /* NULL: every piece is one word */
    uint64_t number;               /* of the sentence in its file, from 1 */
    bool new_document, new_paragraph;
    dd_text document; /* its id; empty: none */
    dd_text prefix;   /* of the sentence's id; empty: none */
    dd_text comments; /* of a new document, whole lines */
    bool ranges;      /* TokenRange=START:END in MISC, in characters of the file */
    bool spaced;      /* a space between all tokens, whatever the text has */
    bool closed;      /* the paragraph or file ends behind the last character of the window */
} dd_plain_sentence;

/* Makes an empty sentence of it, without tags and tree. False if allocation fails. */
bool dd_plain_compose(dd_sentence *sentence, const dd_plain_sentence *from);

#endif
