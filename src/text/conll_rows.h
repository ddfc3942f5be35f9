/* conll_rows.h - one tree in CoNLL, line by line: comments, and rows of ten cells. It has passed
 * the reader, so no rule of the format is checked here. */
#ifndef DODONA_TEXT_CONLL_ROWS_H
#define DODONA_TEXT_CONLL_ROWS_H

#include "core/strings.h"
#include "text/rules.h"

typedef struct dd_conll_row {
    dd_id_kind kind;
    int first, second; /* of the ID, see dd_rule_id */
    dd_text cells[DD_COLUMNS];
} dd_conll_row;

/* Each cuts what it hands out, and all before it, off the rest; false where there is no more. */

/* The next line without its end; false where the tree ends. */
bool dd_conll_line(dd_text *rest, dd_text *line);
/* The next line, which is a comment; false behind the last comment. */
bool dd_conll_comment(dd_text *rest, dd_text *line);
bool dd_conll_next(dd_text *rest, dd_conll_row *out);
/* The next row that stands for a stretch of text. *end is the last word of the latest range, at
 * first 0. */
bool dd_conll_token(dd_text *rest, int *end, dd_conll_row *out);

/* What stands behind `NAME=`, which `name` ends with, in MISC. */
bool dd_conll_misc(dd_text misc, const char *name, dd_text *value);
/* The first comment `# KEY = X` of a tree. */
bool dd_conll_find_comment(dd_text tree, const char *key, dd_text *value);
/* The text of a tree: that of its comment, or else its tokens, put together in `space` with a space
 * between them, unless SpaceAfter=No. False if allocation fails. */
bool dd_conll_text(dd_text tree, dd_buffer *space, dd_text *out);

#endif
