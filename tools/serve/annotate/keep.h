/* keep.h - predicts what annotators left open: some columns of CoNLL-U are kept, completely or
 * where they are annotated, and the model predicts the others */
#ifndef SERVE_KEEP_H
#define SERVE_KEEP_H

#include "output.h"

typedef enum keep_rule {
    KEEP_NONE = 0, /* predicted again */
    KEEP_EXISTING, /* `_` is predicted */
    KEEP_ALL,      /* `_`, too, is kept */
} keep_rule;

/* Of LEMMA, UPOS, XPOS, FEATS, HEAD and DEPREL. A head that is kept is a constraint on the tree. */
typedef struct keep_rules {
    keep_rule column[DD_COLUMNS];
} keep_rules;

typedef struct keep_counts {
    uint64_t sentences, words;
    uint64_t refused; /* sentences that have no tree with the kept heads */
} keep_counts;

/* As annotation tools write CoNLL-U: without blanks at the ends of lines, and with `_` in empty
 * cells. NULL: out of memory. To be freed; NUL-terminated. */
char *keep_clean(const char *text, size_t *size);
/* Appends all sentences of a CoNLL-U text, filled. A sentence that no tree fits keeps its HEAD and
 * DEPREL, and has the reason in a comment. `cancel` is the parser's. */
dd_status keep_fill(dd_parser *parser, const dd_model *model, dd_text text, const keep_rules *rules,
                    output *out, keep_counts *counts, dd_error *error);

#endif
