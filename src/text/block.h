/* block.h - from the lines of one sentence to its words */
#ifndef DODONA_TEXT_BLOCK_H
#define DODONA_TEXT_BLOCK_H

#include "text/sentence.h"

/* Fills the words from sentence->raw and ->line. DD_ERROR_FORMAT, with the first broken rule,
 * leaves raw as it is and no words. `name` stands in messages. */
dd_status dd_block_parse(dd_sentence *sentence, dd_format format, const char *name,
                         dd_error *error);

/* X of a line `# KEY = X`, which starts with `#`; false if it is no such comment. */
bool dd_comment_value(dd_text line, const char *key, dd_text *value);

/* A byte order mark is kept in raw but is no part of the first line. */
enum { DD_BOM_SIZE = 3 };
bool dd_has_bom(const dd_sentence *sentence);

#endif
