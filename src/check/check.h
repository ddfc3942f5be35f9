/* check.h - what is wrong with a CoNLL-U file, sentence by sentence
 *
 *     reader -> raw bytes -> lines and characters -> rows and comments -> IDs
 *                                 -> cells -> text -> heads -> DEPS -> relations -> faults
 *
 * The check does not use the reader's own errors, because the reader stops at the first broken rule
 * of a sentence. A step is left out if an earlier step found that its input is broken, so that one
 * mistake is reported once. */
#ifndef DODONA_CHECK_CHECK_H
#define DODONA_CHECK_CHECK_H

#include "core/status.h"
#include "core/strings.h"
#include "text/rules.h"
#include "text/sentence.h"
#include "tree/tree.h"

#include <dodona_tools.h>

/* ---- kinds of faults ---------------------------------------------------------------------- */

/* Their names never change; docs/check.md explains each. In the order of the table in check.c: by
 * level, and within it by what is checked first. */
typedef enum dd_fault_code {
    /* level 1 */
    DD_FAULT_BOM,
    DD_FAULT_UTF8,
    DD_FAULT_CHARACTER,
    DD_FAULT_NFC,
    DD_FAULT_CRLF,
    DD_FAULT_TRAILING_SPACE,
    DD_FAULT_WHITE_LINE,
    DD_FAULT_EMPTY_LINE,
    DD_FAULT_FINAL_LINE,
    DD_FAULT_NO_WORDS,
    DD_FAULT_COMMENT_PLACE,
    DD_FAULT_COLUMNS,
    DD_FAULT_EMPTY_CELL,
    DD_FAULT_SPACE,
    DD_FAULT_ID,
    DD_FAULT_ID_ORDER,
    DD_FAULT_RANGE_BACKWARD,
    DD_FAULT_RANGE_OVERLAP,
    DD_FAULT_RANGE_PLACE,
    DD_FAULT_RANGE_END,
    DD_FAULT_EMPTY_NODE_ORDER,
    DD_FAULT_EMPTY_NODE_PLACE,
    /* level 2 */
    DD_FAULT_SENT_ID_MISSING,
    DD_FAULT_SENT_ID_FORM,
    DD_FAULT_SENT_ID_SEVERAL,
    DD_FAULT_SENT_ID_REPEATED,
    DD_FAULT_TEXT_MISSING,
    DD_FAULT_TEXT_SEVERAL,
    DD_FAULT_TEXT_TOKENS,
    DD_FAULT_SPACE_AFTER,
    DD_FAULT_SPACE_AFTER_VALUE,
    DD_FAULT_SPACE_AFTER_PLACE,
    DD_FAULT_NEWPAR_SEVERAL,
    DD_FAULT_NEWPAR_SPACE,
    DD_FAULT_RANGE_CELLS,
    DD_FAULT_EMPTY_NODE_CELLS,
    DD_FAULT_UPOS,
    DD_FAULT_FEATS_FORM,
    DD_FAULT_FEATS_ORDER,
    DD_FAULT_FEATS_REPEATED,
    DD_FAULT_VALUE_ORDER,
    DD_FAULT_VALUE_REPEATED,
    DD_FAULT_MISC_REPEATED,
    DD_FAULT_HEAD_MISSING,
    DD_FAULT_HEAD_FORM,
    DD_FAULT_HEAD_BEYOND,
    DD_FAULT_HEAD_SELF,
    DD_FAULT_HEAD_CYCLE,
    DD_FAULT_ROOT_NONE,
    DD_FAULT_ROOT_SEVERAL,
    DD_FAULT_ROOT_LABEL,
    DD_FAULT_ROOT_HEAD,
    DD_FAULT_DEPREL_FORM,
    DD_FAULT_DEPREL_UNKNOWN,
    DD_FAULT_DEPS_FORM,
    DD_FAULT_DEPS_HEAD,
    DD_FAULT_DEPS_SELF,
    DD_FAULT_DEPS_ORDER,
    DD_FAULT_DEPS_REPEATED,
    DD_FAULT_DEPS_LABEL,
    DD_FAULT_DEPS_ROOT,
    DD_FAULT_DEPS_REACH,
    DD_FAULT_DEPS_SOME,
    /* level 3 */
    DD_FAULT_RELATION_UPOS,
    DD_FAULT_RELATION_DIRECTION,
    DD_FAULT_LEAF,
    DD_FAULT_SUBJECTS,
    DD_FAULT_OBJECTS,
    DD_FAULT_OBLIQUE,
    DD_FAULT_GOESWITH,
    DD_FAULT_PUNCT_CROSSING,
    DD_FAULT_KINDS,
} dd_fault_code;

extern const dd_fault_kind dd_fault_kinds[DD_FAULT_KINDS];

/* The 37 relations of Universal Dependencies, and the 17 tags. */
bool dd_is_universal_relation(dd_text relation);
bool dd_is_universal_tag(dd_text tag);

/* ---- a check ------------------------------------------------------------------------------ */

/* A line with ten columns: a word, range or empty node. */
typedef struct dd_check_row {
    dd_text cells[DD_COLUMNS];
    uint64_t line;
    dd_id_kind kind;   /* NONE: ID is none of them */
    int first, second; /* as in dd_rule_id */
} dd_check_row;

typedef struct dd_check_comment {
    dd_text text; /* without the `#` and white space around */
    uint64_t line;
} dd_check_comment;

/* A fault that waits for those of the lines before it. */
typedef struct dd_check_pending {
    uint64_t line;
    size_t reason; /* in dd_check.reasons, NUL-terminated */
    int column;
    dd_fault_code code;
} dd_check_pending;

typedef struct dd_check {
    int level;
    bool (*fault)(void *user, const dd_fault *fault);
    void *user;
    dd_status status; /* DD_OK, DD_INTERRUPTED or DD_ERROR_MEMORY */

    /* of the sentence */
    const dd_sentence *sentence;
    dd_check_row *rows; /* [n_rows] */
    int n_rows;
    dd_check_comment *comments; /* [n_comments] */
    int n_comments;
    bool rows_whole; /* no line is missing in rows */
    bool ids_whole;  /* words are 1..n, and empty nodes stand in order: HEAD and DEPS make sense */
    bool ranges_whole;
    int n;            /* words; the arrays below hold if ids_whole */
    int32_t *words;   /* [n + 1] their rows; words[0] is -1 */
    int32_t *empties; /* [n + 2] in nodes: where those that follow the word start */
    int32_t *nodes;   /* rows of the empty nodes */
    int32_t *heads;   /* [n + 1] HEAD, or -1 where it cannot be used */
    bool is_tree;     /* one root, no cycle */

    /* of the file */
    dd_vocab ids;                     /* sent_id */
    uint64_t *id_lines;               /* [ids.count] */
    uint64_t deps_line, no_deps_line; /* of the first sentence with DEPS, and without; 0: none */
    bool some_reported;
    bool glued; /* the last token says SpaceAfter=No */

    dd_check_pending *pending; /* [n_pending] */
    size_t n_pending;
    dd_buffer reasons;
    int32_t *codes; /* for normal forms */
    dd_text *items; /* parts of a cell */
    int32_t *marks; /* working memory */
    dd_tree_space space;
    size_t rows_capacity, comments_capacity, words_capacity, empties_capacity, nodes_capacity,
        heads_capacity, id_lines_capacity, pending_capacity, codes_capacity, items_capacity,
        marks_capacity;
} dd_check;

/* Notes a fault; `column` is a dd_column or DD_NO_COLUMN. */
enum { DD_NO_COLUMN = -1 };
void dd_check_found(dd_check *check, dd_fault_code code, uint64_t line, int column,
                    const char *format, ...) DD_PRINTF(5, 6);
/* False: allocation failed, which is noted. */
bool dd_check_room(dd_check *check, bool made);

/* The steps, in this order. Each returns early where check->status is not DD_OK. */
void dd_check_lines(dd_check *check);
void dd_check_ids(dd_check *check);
void dd_check_comments(dd_check *check);
void dd_check_cells(dd_check *check);
void dd_check_text(dd_check *check);
void dd_check_heads(dd_check *check);
void dd_check_deps(dd_check *check);
void dd_check_relations(dd_check *check);

/* ---- what several steps need -------------------------------------------------------------- */

/* Bytes of the white space character at the end of well-formed text; 0: none. */
size_t dd_check_white_end(dd_text text);

bool dd_check_equals(dd_text text, const char *word);
/* The parts of a cell between separators into check->items; -1 if allocation fails. */
int dd_check_split(dd_check *check, dd_text cell, char separator);
/* Whether MISC or FEATS has that item, such as SpaceAfter=No. */
bool dd_check_has(dd_text cell, const char *item);
/* A relation without its subtype. */
dd_text dd_check_universal(dd_text relation);

static inline const dd_check_row *dd_check_word(const dd_check *check, int word)
{
    return &check->rows[check->words[word]];
}

#define DD_QUOTE(of) (dd_quote_text(of).text)

#endif
