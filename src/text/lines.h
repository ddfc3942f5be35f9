/* lines.h - the lines of a sentence as it would be written, one after the other
 *
 * `rest` is what is left of the text of dd_sentence_text, behind a byte order mark. */
#ifndef DODONA_TEXT_LINES_H
#define DODONA_TEXT_LINES_H

#include "core/buffer.h"
#include "text/rules.h"

/* A word, a multiword token or an empty node. */
typedef struct dd_line {
    dd_id_kind kind;
    int first, second; /* of the ID, see dd_rule_id */
    dd_text cells[DD_COLUMNS];
} dd_line;

/* The next line without its end; false where the tree ends. */
bool dd_next_line(dd_text *rest, dd_text *line);
bool dd_next_comment(dd_text *rest, dd_text *comment);
/* The next line that is no comment. */
bool dd_next_row(dd_text *rest, dd_line *row);
/* The next row that stands for a stretch of text. *end is the last word of the latest range, at
 * first 0. */
bool dd_next_token(dd_text *rest, int *end, dd_line *token);

/* X of the first comment `# KEY = X`; false: there is none. */
bool dd_find_comment(dd_text tree, const char *key, dd_text *value);
/* What stands behind `NAME=` in MISC; false: nothing does. */
bool dd_misc_value(dd_text misc, const char *name, dd_text *value);
/* `# text`, or else the forms with a space between them, unless SpaceAfter=No, which are put
 * together in `space`. False when memory is out. */
bool dd_running_text(dd_text tree, dd_buffer *space, dd_text *text);

#endif
