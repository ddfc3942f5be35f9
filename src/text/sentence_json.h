/* sentence_json.h - a sentence as a line of JSON */
#ifndef DODONA_TEXT_SENTENCE_JSON_H
#define DODONA_TEXT_SENTENCE_JSON_H

#include "text/sentence.h"

/* What a caller keeps from one sentence to the next; {0} is valid. */
typedef struct dd_json_space {
    dd_buffer conllu; /* the sentence as it would be written, if it has changed */
    dd_buffer text;   /* of a sentence without `# text` */
} dd_json_space;

/* Appends what dd_sentence_json does; false, and nothing, if allocation fails. */
bool dd_sentence_append_json(const dd_sentence *sentence, dd_json_space *space, dd_buffer *out);
void dd_json_space_free(dd_json_space *space);

#endif
