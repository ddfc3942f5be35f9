/* reader.h - sentence after sentence out of a byte source
 *
 *     source -> feed -> lines of CoNLL -> words
 *                    -> a sentence maker (segment/plain.h) -> words */
#ifndef DODONA_TEXT_READER_H
#define DODONA_TEXT_READER_H

#include "text/io.h"

/* Offsets in a sentence are 32 bits wide, and an endless line must not take all memory. */
enum { DD_MAX_SENTENCE_BYTES = 1 << 30 };

/* ---- the bytes of a reader ---------------------------------------------------------------- */

typedef struct dd_feed {
    dd_source *source;
    dd_text chunk; /* what is not consumed yet of the source's latest chunk */
    bool wait;     /* whether dd_feed_refill may wait for bytes */
    bool dry;      /* it may not, and there were none before the sentence was whole */
} dd_feed;

/* Replaces the chunk by the source's next; DD_END after the last. If there is no chunk to read now,
 * sets `dry` and leaves the chunk as it is. */
dd_status dd_feed_refill(dd_feed *feed, dd_error *error);

static inline void dd_feed_consume(dd_feed *feed, size_t size)
{
    feed->chunk = (dd_text){feed->chunk.data + size, feed->chunk.size - size};
}

/* ---- other formats than CoNLL ------------------------------------------------------------- */

/* What makes sentences of bytes that are not CoNLL. */
typedef struct dd_sentence_maker {
    dd_format format;
    void *state;
    /* As dd_reader_next; the sentence is empty. DD_OK with feed->dry: it is not whole yet, and a
     * later call continues it. */
    dd_status (*next)(void *state, dd_feed *feed, dd_sentence *sentence, dd_error *error);
    uint64_t (*broken)(const void *state, dd_error *first); /* as dd_reader_broken */
    /* As dd_reader_paragraphs. */
    dd_status (*paragraphs)(void *state, dd_feed *feed, dd_paragraphs *out, dd_error *error);
    void (*free)(void *state);
} dd_sentence_maker;

/* From now on the reader's sentences are those of the maker, whose state it owns. */
void dd_reader_use_maker(dd_reader *reader, dd_sentence_maker maker);
/* The format that is read: neither AUTO nor JSON. */
dd_format dd_reader_format(const dd_reader *reader);
/* Call it before the first sentence: what ends paragraphs of plain text. Looks ahead if the options
 * leave that open. CoNLL has no paragraphs: DD_PARAGRAPHS_AUTO. */
dd_status dd_reader_paragraphs(dd_reader *reader, dd_paragraphs *out, dd_error *error);
/* Reads one more chunk ahead. *seen are all bytes read ahead so far, which are still to be read;
 * *ended: there are no more. */
dd_status dd_reader_look_ahead(dd_reader *reader, dd_text *seen, bool *ended, dd_error *error);

/* ---- reading ------------------------------------------------------------------------------ */

/* Of the bytes that a function gives, in CoNLL-U or CoNLL-X. */
dd_status dd_reader_open_chunks(dd_reader **out, const char *name, dd_source_function *give,
                                void *user, dd_format format, dd_error *error);
/* Of an open file, and of a function of the program; see dd_input. */
dd_status dd_reader_open_fd(dd_reader **out, const char *name, int file, dd_format format,
                            dd_error *error);
dd_status dd_reader_open_from(dd_reader **out, const char *name, dd_read_function *read, void *user,
                              dd_format format, dd_error *error);
/* Call it before the first sentence: how many lines and sentences of the file precede it. */
void dd_reader_continue(dd_reader *reader, uint64_t lines, uint64_t sentences);
/* The first well-formed sentence of CoNLL-U begins the document of that id. */
dd_status dd_reader_set_document(dd_reader *reader, const char *id, dd_error *error);
/* Before anything is read; as dd_source_set_encoding. */
dd_status dd_reader_set_encoding(dd_reader *reader, const char *encoding, dd_error *error);
/* The bytes that a sentence may have; for tests. */
void dd_reader_set_limit(dd_reader *reader, size_t bytes);
/* As dd_reader_next, but without waiting: DD_OK and *dry where a terminal or pipe has run dry
 * before a sentence is whole; the sentence is then empty, and a later call continues it. */
dd_status dd_reader_next_now(dd_reader *reader, dd_sentence *sentence, bool *dry, dd_error *error);
/* As dd_source_may_run_dry, dd_source_is_terminal and dd_source_wait. */
bool dd_reader_may_run_dry(const dd_reader *reader);
bool dd_reader_is_terminal(const dd_reader *reader);
bool dd_reader_wait(const dd_reader *reader, int wake);

/* What DD_FORMAT_AUTO means for a file of that name (NULL: none). */
dd_format dd_format_of(const char *path);

/* Writes to a file that the caller compresses: the writer does not, whatever the name. */
dd_status dd_writer_open_plain(dd_writer **out, const char *path, dd_error *error);
/* As dd_writer_open_to, but packed. */
dd_status dd_writer_open_packed(dd_writer **out, dd_packing packing, dd_write_function *write,
                                void *user, dd_error *error);
/* The line ends that the last sentence lacks; they are written before the sentences of another
 * file. */
const char *dd_writer_owed(const dd_writer *writer);

#endif
