/* sentence.h - one sentence: its words, the lines they were read from, and what was changed since
 *
 *     raw:   # sent_id = a ⏎ 1 → Dogs → dog → ... ⏎ 2 → bark → ... ⏎ ⏎
 *     cells:                 ^   ^      ^               start of each column of each word, in raw
 *
 * Output is the raw bytes with the cells replaced that were set, so whatever the tagger and the
 * parser do not touch comes back byte for byte. Parsers and learners need only the words: n, gold,
 * heads and dd_cell. The rest is for readers and writers, which are in this folder; others use the
 * functions below. */
#ifndef DODONA_TEXT_SENTENCE_H
#define DODONA_TEXT_SENTENCE_H

#include "core/strings.h"

enum { DD_HEAD_UNKNOWN = -1 };

/* ---- the parts of a sentence -------------------------------------------------------------- */

/* The lines that the words were read from, or that were built with them. In the arrays of words
 * index 0 is unused, so that word numbers index them. */
typedef struct dd_sentence_origin {
    dd_buffer raw;     /* all lines, the closing blank line included */
    uint64_t line;     /* of raw's first byte in the file, 1-based */
    dd_format format;  /* of raw; AUTO: CoNLL-U */
    int ranges, empty; /* multiword tokens, empty nodes */
    uint32_t *cells;   /* [(n+1) * (DD_COLUMNS+1)] starts in raw; the extra one: 1 past the end */
    uint32_t *lines;   /* [n+1] line of the word, counted from `line` */
    uint32_t id_start, id_size; /* value of `# sent_id` in raw, size 0: none */
    char position_text[24];     /* its 1-based position in the file, for dd_sentence_id */
    size_t cells_capacity, lines_capacity;
} dd_sentence_origin;

/* A value that was set, in dd_sentence_edits.bytes; size 0: the cell in raw is valid. */
typedef struct dd_label_view {
    uint32_t start, size;
} dd_label_view;

/* LEMMA, UPOS, XPOS and FEATS, which dd_sentence_set_cell may set. */
enum { DD_SETTABLE = DD_FEATS - DD_LEMMA + 1 };

/* How sure a parser was of a word. */
typedef struct dd_word_score {
    float margin;      /* NAN: nothing is written */
    float probability; /* NAN: not known */
} dd_word_score;

/* What is written instead of the cells in raw, or besides them. */
typedef struct dd_sentence_edits {
    bool changed;           /* there is something to replace or to add */
    dd_label_view *deprels; /* [n+1] */
    bool any_set;           /* dd_sentence_set_cell was called */
    dd_label_view *set;     /* [(n+1) * DD_SETTABLE] LEMMA to FEATS, if any_set */
    dd_word_score *scores;  /* [n+1] */
    dd_buffer bytes;        /* of the values that were set */
    dd_buffer lead;         /* a comment that is written before raw, without its line end */
    dd_buffer list;         /* what dd_sentence_list_tree made; not empty: it is written */
    size_t deprels_capacity, set_capacity, scores_capacity;
} dd_sentence_edits;

/* Of a sentence of a document in JSON lines. */
typedef struct dd_sentence_document {
    bool begins, ends; /* it is the first one, the last one */
    dd_buffer members; /* of the first: those of the object, `"a":1,"b":2`, as they were read */
} dd_sentence_document;

/* A constraint as its text, "arc 3 nsubj 2"; see constraints/constraints.h. */
typedef struct dd_constraint_text {
    uint32_t start, size; /* in dd_constraint_texts.bytes */
    uint32_t line;        /* 1-based, counted from the sentence's first; 0: not from a comment */
} dd_constraint_text;

typedef struct dd_constraint_texts {
    dd_constraint_text *items; /* [count] */
    int count;
    size_t capacity;
    dd_buffer bytes;
    dd_buffer file; /* the name of the file whose comments gave constraints */
} dd_constraint_texts;

struct dd_sentence {
    int n;          /* words */
    int32_t *gold;  /* [n+1] HEAD as read, or DD_HEAD_UNKNOWN */
    int32_t *heads; /* [n+1] HEAD as read or as dd_sentence_attach has set it */
    size_t gold_capacity, heads_capacity;
    dd_sentence_origin origin;
    dd_sentence_edits edits;
    dd_sentence_document document;
    dd_constraint_texts constraints;
};

/* ---- words -------------------------------------------------------------------------------- */

/* As it was read. */
static inline dd_text dd_raw_cell(const dd_sentence *sentence, int word, int column)
{
    const uint32_t *at = sentence->origin.cells + (size_t)word * (DD_COLUMNS + 1) + column;
    return (dd_text){sentence->origin.raw.data + at[0], at[1] - 1 - at[0]};
}

/* LEMMA to FEATS as they were set, if they were; other columns as they were read. */
static inline dd_text dd_cell(const dd_sentence *sentence, int word, int column)
{
    if (sentence->edits.any_set && column >= DD_LEMMA && column <= DD_FEATS) {
        dd_label_view view =
            sentence->edits.set[(size_t)word * DD_SETTABLE + (size_t)(column - DD_LEMMA)];
        if (view.size) return (dd_text){sentence->edits.bytes.data + view.start, view.size};
    }
    return dd_raw_cell(sentence, word, column);
}

/* `_`, which stands for a missing value. */
static inline bool dd_is_missing(dd_text cell)
{
    return cell.size == 1 && cell.data[0] == '_';
}

/* Gives a word its head and label, which is copied. */
dd_status dd_sentence_attach(dd_sentence *sentence, int word, int head, dd_text deprel,
                             dd_error *error);
/* dd_sentence_set_cell without its checks, for values known to be good. False if allocation fails.
 */
bool dd_sentence_put_cell(dd_sentence *sentence, int word, int column, dd_text value);
/* Sets `Score=` and `Prob=` of the word (1..n) in MISC on output. */
void dd_sentence_set_score(dd_sentence *sentence, int word, dd_word_score score);
/* Words first..last as a sentence of their own, for reading only, without constraints. The whole
 * must outlive it; it is not freed. */
dd_sentence dd_sentence_part(const dd_sentence *sentence, int first, int last);
/* Those of these columns, as bits, that are not `_` in some word. */
uint32_t dd_sentence_columns(const dd_sentence *sentence, uint32_t columns);

/* ---- where they were read ----------------------------------------------------------------- */

/* The lines as they were read. */
static inline dd_text dd_sentence_raw(const dd_sentence *sentence)
{
    return (dd_text){sentence->origin.raw.data, sentence->origin.raw.size};
}

/* The line of the file that the word stands in, 1-based. */
static inline uint64_t dd_word_line(const dd_sentence *sentence, int word)
{
    return sentence->origin.line + sentence->origin.lines[word];
}

static inline bool dd_is_conllx(const dd_sentence *sentence)
{
    return sentence->origin.format == DD_FORMAT_CONLLX;
}

static inline int dd_constraint_count(const dd_sentence *sentence)
{
    return sentence->constraints.count;
}

/* ---- for readers -------------------------------------------------------------------------- */

/* Adds word n + 1, given the offsets of its cells in raw. False if allocation fails, here and
 * below.
 */
bool dd_sentence_add_word(dd_sentence *sentence, const uint32_t *cells, uint32_t line, int head);
/* Appends a constraint; line 0 if it has none. */
bool dd_sentence_add_constraint(dd_sentence *sentence, dd_text text, uint32_t line);
/* Its 1-based position in the file, which is its id if it has no `# sent_id`. */
void dd_sentence_set_position(dd_sentence *sentence, uint64_t position);
/* The bytes of text that it has room for, as read or as a list of trees. */
size_t dd_sentence_room(const dd_sentence *sentence);
/* Forgets all words, bytes and changes but keeps the memory. */
void dd_sentence_clear(dd_sentence *sentence);

/* ---- for writers -------------------------------------------------------------------------- */

/* The sentence, or the list of its trees, as it is written: without a copy if nothing has changed,
 * else in `space`, whose contents are replaced. False if allocation fails. */
bool dd_sentence_text(const dd_sentence *sentence, dd_buffer *space, dd_text *out);
/* Appends the same; false, and nothing, if allocation fails. */
bool dd_sentence_append_conll(const dd_sentence *sentence, dd_buffer *out);
/* As dd_sentence_text, but the current tree even if trees were listed. */
bool dd_sentence_tree_text(const dd_sentence *sentence, dd_buffer *space, dd_text *out);
/* Adds the current tree to the list, with the comments `# nbest` and `# score`; rank 1 begins a new
 * list. From then on the list is formatted and written instead of the sentence. `space` as above.
 */
dd_status dd_sentence_list_tree(dd_sentence *sentence, dd_buffer *space, int rank, double score,
                                dd_error *error);
/* The end of the text's first line: "\r\n" or "\n". */
const char *dd_line_end(dd_text text);
/* The line ends that a text lacks behind its last word. */
const char *dd_missing_line_ends(dd_text text);

/* ---- building ----------------------------------------------------------------------------- */

/* Puts an empty sentence together in CoNLL-U, line by line, without parsing the lines:
 *
 *     # sent_id = 7 ⏎             dd_build_sent_id; other comments: _text, .., _end_line
 *     1-2 → du → _ .. _ → _ ⏎     dd_build_row, FORM, dd_build_blanks, MISC, dd_build_end_row
 *     1 → de → _ .. _ → _ ⏎
 *     ⏎                           dd_build_end_line
 *
 * What is appended must keep to the rules of its cell: no tab, no line end, not empty. */
typedef struct dd_builder {
    dd_sentence *sentence;
    bool failed;                    /* allocation failed; nothing is appended any more */
    uint32_t line;                  /* in hand, counted from the sentence's first */
    bool is_range;                  /* the row in hand is a multiword token */
    uint32_t cells[DD_COLUMNS + 1]; /* of the row in hand, as in dd_sentence */
} dd_builder;

void dd_build_start(dd_builder *builder, dd_sentence *sentence, uint64_t line, uint64_t position);
void dd_build_text(dd_builder *builder, const char *text);
void dd_build_number(dd_builder *builder, uint64_t number);
void dd_build_end_line(dd_builder *builder);
/* The comment `# sent_id = PREFIX-NUMBER`; an empty prefix: the number alone. */
void dd_build_sent_id(dd_builder *builder, dd_text prefix, uint64_t number);
/* Begins the row of word `first`, or of the multiword token `first` to `last`, with its ID. */
void dd_build_row(dd_builder *builder, int first, int last);
/* LEMMA to DEPS, which are `_`. */
void dd_build_blanks(dd_builder *builder);
void dd_build_end_row(dd_builder *builder);

static inline void dd_build_bytes(dd_builder *builder, const char *data, size_t size)
{
    if (!builder->failed)
        builder->failed = !dd_buffer_append(&builder->sentence->origin.raw, data, size);
}

#endif
