/* plain.h - sentences out of plain text, whatever its bytes
 *
 *     source -> characters -> window -> pieces -> sentence as CoNLL-U text -> words
 *
 * The window holds a paragraph. One that does not end is worked off sentence by sentence; so memory
 * is bounded however long lines, paragraphs and words are. */
#ifndef DODONA_SEGMENT_PLAIN_H
#define DODONA_SEGMENT_PLAIN_H

#include "segment/segmenter.h"
#include "text/reader.h"

typedef struct dd_plain dd_plain;

/* Reads from the reader's source; the segmenter may be NULL for vertical text. */
dd_status dd_plain_new(dd_plain **out, const dd_segmenter *segmenter,
                       const dd_input_options *options, dd_error *error);
/* The text goes on from where so much of its file was read, and begins no document. */
void dd_plain_continue(dd_plain *plain, uint64_t bytes, uint64_t characters, uint64_t lines);
dd_format dd_plain_format(const dd_plain *plain);
void dd_plain_free(dd_plain *plain);
/* As dd_reader_next; the sentence is clear. */
dd_status dd_plain_next(dd_plain *plain, dd_reader *reader, dd_sentence *sentence, dd_error *error);
uint64_t dd_plain_broken(const dd_plain *plain, dd_error *first);

#endif
