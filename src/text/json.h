/* json.h - JSON (RFC 8259), appended to a buffer piece by piece; a sentence as a line of JSON */
#ifndef DODONA_TEXT_JSON_H
#define DODONA_TEXT_JSON_H

#include "core/strings.h"
#include "text/sentence.h"

/* Whether the text could stand as a number. */
bool dd_json_is_number(dd_text text);

/* ---- a sentence as a line of JSON --------------------------------------------------------- */

/* What a caller keeps from one sentence to the next; {0} is valid. */
typedef struct dd_json_space {
    dd_buffer conllu; /* the sentence as it would be written, if it has changed */
    dd_buffer text;   /* of a sentence without `# text` */
    bool open;        /* a document was begun, and is not ended */
} dd_json_space;

/* Appends a line of JSON, or several where several trees would be written; false, and nothing, if
 * allocation fails. */
bool dd_sentence_append_json(const dd_sentence *sentence, dd_json_space *space, dd_buffer *out);
/* The same into the list of sentences of a document, which the sentence may begin and end. A line
 * that is no document comes back as it was. */
bool dd_sentence_append_document(const dd_sentence *sentence, dd_json_space *space, dd_buffer *out);
/* Ends the document that is open, if there is one; false if allocation fails. */
bool dd_document_close(dd_json_space *space, dd_buffer *out);
void dd_json_space_free(dd_json_space *space);

#endif
