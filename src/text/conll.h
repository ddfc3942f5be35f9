/* conll.h - CoNLL-U and CoNLL-X as text: the words of a block of lines, whose rules are checked;
 * and trees line by line, which have passed the reader, so that no rule is checked again */
#ifndef DODONA_TEXT_CONLL_H
#define DODONA_TEXT_CONLL_H

#include "core/strings.h"
#include "text/rules.h"
#include "text/sentence.h"

#include <dodona.h>

/* ---- from the lines of one sentence to its words ------------------------------------------ */

/* Fills the words from the raw lines in sentence->origin. DD_ERROR_FORMAT, with the first broken
 * rule, leaves them as they are, and no words. `name` is the file in messages. */
dd_status dd_block_parse(dd_sentence *sentence, dd_format format, const char *name,
                         dd_error *error);

/* X of a line `# KEY = X`, which starts with `#`; false if it is no such comment. */
bool dd_comment_value(dd_text line, const char *key, dd_text *value);

/* Whether the comment begins a document: `# newdoc` or `# newdoc id = X`; X is empty if absent. */
bool dd_comment_newdoc(dd_text line, dd_text *id);
/* What a comment begins with that carries a field of a document in JSON lines. */
#define DD_CARRIED_COMMENT "# meta::"

/* A byte order mark is kept in raw but is no part of the first line. */
enum { DD_BOM_SIZE = 3 };
bool dd_has_bom(const dd_sentence *sentence);

/* ---- the lines of one tree ---------------------------------------------------------------- */

typedef struct dd_conll_row {
    dd_id_kind kind;
    int first, second; /* of the ID, see dd_rule_id */
    dd_text cells[DD_COLUMNS];
} dd_conll_row;

/* Each returns the next item and cuts it, with all before it, off *rest; false at the end. */

/* The next line without its end; false where the tree ends. */
bool dd_conll_line(dd_text *rest, dd_text *line);
/* The next line, which is a comment; false after the last comment. */
bool dd_conll_comment(dd_text *rest, dd_text *line);
bool dd_conll_next(dd_text *rest, dd_conll_row *out);
/* The next row that stands for a stretch of text. *end is the last word of the latest range, at
 * first 0. */
bool dd_conll_token(dd_text *rest, int *end, dd_conll_row *out);

/* The value of an item `NAME=value` in MISC; `name` ends with the `=`. */
bool dd_conll_misc(dd_text misc, const char *name, dd_text *value);
/* The first comment `# KEY = X` of a tree. */
bool dd_conll_find_comment(dd_text tree, const char *key, dd_text *value);
/* Whether a comment of the tree begins a document, as above. */
bool dd_conll_newdoc(dd_text tree, dd_text *id);
/* The text of a tree: that of its comment, or else its tokens, put together in `space` with a space
 * between them, unless SpaceAfter=No. False if allocation fails. */
bool dd_conll_text(dd_text tree, dd_buffer *space, dd_text *out);

/* ---- where tokens are in the text --------------------------------------------------------- */

/* A place in the text: the rest of it, and how much stands before. */
typedef struct dd_place {
    dd_text rest;
    int64_t character, byte;
    bool lost; /* the tokens are not those of the text */
} dd_place;

/* Characters of well-formed text. */
int64_t dd_count_characters(dd_text text);
/* Moves past the form, skipping white space before it. If the text continues differently, it
 * returns false now and in all later calls. */
bool dd_place_pass(dd_place *at, dd_text form);

#endif
