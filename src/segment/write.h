/* write.h - a sentence of plain text as CoNLL-U, without tags and tree */
#ifndef DODONA_SEGMENT_WRITE_H
#define DODONA_SEGMENT_WRITE_H

#include "segment/features.h"
#include "segment/multiword.h"

typedef struct dd_plain_sentence {
    const dd_chars *chars;
    const dd_piece *pieces; /* [count] */
    int count;
    const dd_multiword *multiword; /* NULL: every piece is one word */
    uint64_t number;               /* of the sentence in its file, from 1 */
    bool new_document, new_paragraph;
    dd_text document; /* its id; empty: none */
    dd_text prefix;   /* of the sentence's id; empty: none */
    bool ranges;      /* TokenRange=START:END in MISC, in characters of the file */
    bool spaced;      /* a space between all tokens, whatever the text has */
    bool closed;      /* behind the last character there is none, and not only none yet */
} dd_plain_sentence;

/* False if allocation fails. */
bool dd_plain_write(dd_buffer *out, const dd_plain_sentence *sentence);

#endif
