/* reader.h - sentence after sentence out of a byte source */
#ifndef DODONA_TEXT_READER_H
#define DODONA_TEXT_READER_H

#include "core/strings.h"
#include "text/io.h"

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
    bool wait;         /* this call may wait for bytes */
    bool dry;          /* and this one, which may not, found none where a sentence is not whole */
    dd_buffer begun;   /* what there was of that sentence, if it is CoNLL */
    uint64_t begun_line;
    bool begun_white;   /* nothing but white space in the line so far */
    dd_buffer document; /* the id of the document that the next sentence begins; empty: none */
    dd_buffer prefix;   /* of the ids of sentences of plain text; empty: none */
    /* Plain text is read by segment/plain.h; NULL: the file is CoNLL. */
    struct dd_plain *plain;
    dd_status (*plain_next)(struct dd_plain *plain, dd_reader *reader, dd_sentence *sentence,
                            dd_error *error);
    void (*plain_free)(struct dd_plain *plain);
};

/* As dd_reader_next, but without waiting: DD_OK and *dry where a terminal or pipe has run dry
 * before a sentence is whole; the sentence is then empty, and a later call goes on with it. */
dd_status dd_reader_next_now(dd_reader *reader, dd_sentence *sentence, bool *dry, dd_error *error);
/* Replaces the chunk by the source's next; sets `dry` and leaves it where there is none now. */
dd_status dd_reader_refill(dd_reader *reader, dd_error *error);

/* Of the bytes that a function gives, in CoNLL-U or CoNLL-X. */
dd_status dd_reader_open_chunks(dd_reader **out, const char *name, dd_source_function *give,
                                void *user, dd_format format, dd_error *error);

/* What DD_FORMAT_AUTO means for a file of that name (NULL: none). */
dd_format dd_format_of(const char *path);

/* The line ends that the last sentence lacks, which are written before those of another file. */
const char *dd_writer_owed(const dd_writer *writer);

#endif
