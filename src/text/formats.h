/* formats.h - the formats of sentences, one row each
 *
 * A new format that is written is a value of dd_format, a row in formats.c, and the function that
 * the row names. A writer, `dodona parse --to`, `dodona corpus plan --to`, the server's field `to`
 * and Python's plan(to=) follow. */
#ifndef DODONA_TEXT_FORMATS_H
#define DODONA_TEXT_FORMATS_H

#include "text/json.h"
#include "text/sentence.h"

#include <dodona_tools.h>

typedef struct dd_format_row {
    dd_format_info is;
    /* Appends a sentence; false, and nothing, if allocation fails. NULL: the bytes of its CoNLL. */
    bool (*append)(const dd_sentence *sentence, dd_json_space *space, dd_buffer *out);
} dd_format_row;

/* NULL: there is no such format, or it is not written. AUTO is CoNLL, as the sentence was read. */
const dd_format_row *dd_format_written(dd_format format);

#endif
