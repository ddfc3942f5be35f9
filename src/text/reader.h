/* reader.h - sentence after sentence out of a byte source */
#ifndef DODONA_TEXT_READER_H
#define DODONA_TEXT_READER_H

#include "core/buffer.h"
#include "text/source.h"

/* Offsets in a sentence are 32 bits wide, and an endless line must not take all memory. */
enum { DD_MAX_SENTENCE_BYTES = 1 << 30 };

struct dd_reader {
    dd_source *source;
    dd_format format;  /* not AUTO */
    dd_text chunk;     /* from the source, not consumed yet */
    uint64_t line;     /* of the next byte, 1-based */
    uint64_t position; /* sentences so far */
    size_t limit;      /* bytes of a sentence */
    dd_error failure;  /* why reading cannot go on; status DD_OK: it can */
    dd_buffer head;    /* bytes read ahead to see what they are */
    /* Plain text is read by segment/plain.h; NULL: the file is CoNLL. */
    struct dd_plain *plain;
    dd_status (*plain_next)(struct dd_plain *plain, dd_reader *reader, dd_sentence *sentence,
                            dd_error *error);
    void (*plain_free)(struct dd_plain *plain);
};

/* What DD_FORMAT_AUTO means for a file of that name (NULL: none). */
dd_format dd_format_of(const char *path);

#endif
