/* documents.h - sentences out of documents in JSON lines
 *
 *     line -> object -> the text in one of its fields -> plain text (plain.h) -> sentences
 *                   `-> id and other members -> the first sentence
 *
 * A document is held in memory as a whole, like a sentence of CoNLL-U. */
#ifndef DODONA_SEGMENT_DOCUMENTS_H
#define DODONA_SEGMENT_DOCUMENTS_H

#include "segment/plain.h"

typedef struct dd_documents dd_documents;

/* What the options name is copied. */
dd_status dd_documents_new(dd_documents **out, const dd_segmenter *segmenter,
                           const dd_input_options *options, dd_error *error);
/* Before the first document: so many lines of the file stand before it. */
void dd_documents_continue(dd_documents *documents, uint64_t lines);
/* For dd_reader_use_maker, whose reader then owns it. */
dd_sentence_maker dd_documents_maker(dd_documents *documents);

#endif
