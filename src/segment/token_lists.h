/* token_lists.h - tokens that a user lists: those that are never split, and abbreviations, after
 * which no sentence ends merely because of their full stop
 *
 *     lines of a file or of a model -> forms and patterns -> where one that begins here ends
 *
 * A line is a form, or a pattern between slashes (segment/pattern.h), with an i after them if case
 * does not matter. White space around it is ignored, and so are empty lines and those that begin
 * with #. A backslash at the beginning of a form is dropped, so that a form can begin with any
 * character. docs/text.md has examples. */
#ifndef DODONA_SEGMENT_TOKEN_LISTS_H
#define DODONA_SEGMENT_TOKEN_LISTS_H

#include "core/sections.h"
#include "segment/pattern.h"
#include "segment/whole.h"

/* Bounds of one list, so that time and memory are bounded whatever it has. */
enum {
    DD_LIST_BYTES = 1 << 20,
    DD_LIST_PATTERNS = 200,
    DD_LIST_POSITIONS = 2000, /* of all patterns */
};

typedef struct dd_token_list {
    dd_vocab forms;
    int longest; /* characters of a form */
    dd_pattern **patterns;
    size_t n_patterns, patterns_capacity;
    int positions;
    dd_buffer text; /* the lines that were not ignored */
} dd_token_list;    /* {0} is empty and valid */

typedef struct dd_token_lists {
    dd_token_list keep, abbreviations;
} dd_token_lists; /* {0} is empty and valid */

void dd_token_lists_free(dd_token_lists *lists);
/* Adds the entries of the lines; `name` is used in messages. */
dd_status dd_token_list_read(dd_token_list *list, const char *name, dd_text lines, dd_error *error);
/* The same for a file; NULL: no file. */
dd_status dd_token_list_load(dd_token_list *list, const char *path, dd_error *error);
bool dd_token_lists_are_empty(const dd_token_lists *lists);
/* How many lines a list has. */
uint64_t dd_token_list_count(const dd_token_list *list);

/* ---- in a model ---------------------------------------------------------------------------- */

#define DD_TOKEN_LISTS "token-lists"

/* The section: two blocks, the lines of both lists. False if allocation fails. */
bool dd_token_lists_write(const dd_token_lists *lists, dd_buffer *section);
/* Adds the entries of a section. */
dd_status dd_token_lists_read(dd_token_lists *lists, dd_text section, dd_error *error);

/* ---- in a text ----------------------------------------------------------------------------- */

/* The end of the longest token of the list that begins at `at`; `at`: none does. It begins and ends
 * at the edge of a word. */
int dd_token_list_end(const dd_token_list *list, const dd_unspaced *in, int at);
/* The same for an abbreviation; its end includes the full stop, whether the entry has it or not. */
int dd_abbreviation_end(const dd_token_list *list, const dd_unspaced *in, int at);

#endif
