/* sentence.h - one sentence: the bytes it was read from, and its columns as arrays
 *
 *     raw:   # sent_id = a ⏎ 1 → Dogs → dog → ... ⏎ 2 → bark → ... ⏎ ⏎
 *     cells:                 ^   ^      ^               start of each column of each word, in raw
 *
 * Output is the raw bytes with the cells replaced that were set, so whatever the tagger and the
 * parser do not touch comes back byte for byte. */
#ifndef DODONA_TEXT_SENTENCE_H
#define DODONA_TEXT_SENTENCE_H

#include "core/strings.h"

enum { DD_HEAD_UNKNOWN = -1 };

typedef struct dd_label_view {
    uint32_t start, size; /* in dd_sentence.labels; size 0: the DEPREL in raw stands */
} dd_label_view;

/* LEMMA, UPOS, XPOS and FEATS, which dd_sentence_set_cell may set. */
enum { DD_SETTABLE = DD_FEATS - DD_LEMMA + 1 };

/* A constraint as its text, "arc 3 nsubj 2"; see constraints/constraints.h. */
typedef struct dd_constraint_text {
    uint32_t start, size; /* in dd_sentence.constraint_bytes */
    uint32_t line;        /* 1-based, counted from the sentence's first; 0: not from a comment */
} dd_constraint_text;

/* How sure a parser was of a word. */
typedef struct dd_word_score {
    float margin;      /* NAN: nothing is written */
    float probability; /* NAN: not known */
} dd_word_score;

struct dd_sentence {
    dd_buffer raw;     /* all lines, the closing blank line included */
    uint64_t line;     /* of raw's first byte in the file, 1-based */
    dd_format format;  /* that raw is in; AUTO: CoNLL-U */
    int n;             /* words */
    int ranges, empty; /* multiword tokens, empty nodes */

    /* Index 0 is unused in the word arrays, so that word numbers index them. */
    uint32_t *cells; /* [(n+1) * (DD_COLUMNS+1)] starts in raw; the extra one: 1 past the end */
    uint32_t *lines; /* [n+1] line of the word, counted from `line` */
    int32_t *gold;   /* [n+1] HEAD as read, or DD_HEAD_UNKNOWN */
    int32_t *heads;  /* [n+1] HEAD in force */
    dd_label_view *deprels; /* [n+1] DEPREL in force */
    dd_word_score *scores;  /* [n+1] to write */
    dd_label_view *set;     /* [(n+1) * DD_SETTABLE] LEMMA to FEATS in force, if any_set */
    size_t cells_capacity, lines_capacity, gold_capacity, heads_capacity, deprels_capacity,
        scores_capacity, set_capacity;
    dd_buffer labels; /* bytes of what dd_sentence_attach and _set_cell have set */
    bool any_set;     /* dd_sentence_set_cell was called */
    bool changed;     /* anything to replace in raw */

    uint32_t id_start, id_size; /* value of `# sent_id` in raw, size 0: none */
    char position_text[24];     /* its 1-based position in the file, for dd_sentence_id */
    dd_buffer lead;             /* a comment that is written before raw, without its line end */
    dd_buffer list;             /* what dd_sentence_list_tree made; not empty: it is written */

    dd_constraint_text *constraints; /* [n_constraints] */
    int n_constraints;
    size_t constraints_capacity;
    dd_buffer constraint_bytes;
    dd_buffer constraint_file; /* the name of the file whose comments gave constraints */
};

/* Room for n words; arrays keep what they held. */
bool dd_sentence_reserve(dd_sentence *sentence, int n);
/* Makes word n + 1 of the line's eleven offsets; false if allocation fails. */
bool dd_sentence_add_word(dd_sentence *sentence, const uint32_t *cells, uint32_t line, int head);
/* Its 1-based position in the file, which is its id if it has no `# sent_id`. */
void dd_sentence_set_position(dd_sentence *sentence, uint64_t position);
/* `Score=` and `Prob=` of the word in MISC on output. Word 1..n. */
void dd_sentence_set_score(dd_sentence *sentence, int word, dd_word_score score);
/* The sentence as it would be written, without a copy where its bytes stand as they are; else they
 * are put together in `space`, whatever that held. False if allocation fails. */
bool dd_sentence_text(const dd_sentence *sentence, dd_buffer *space, dd_text *out);
/* Appends the same; false, and nothing, if allocation fails. */
bool dd_sentence_append_conll(const dd_sentence *sentence, dd_buffer *out);
/* Likewise for the sentence as it stands, whatever is listed. */
bool dd_sentence_tree_text(const dd_sentence *sentence, dd_buffer *space, dd_text *out);
/* Lists the sentence as it stands, with the comments `# nbest` and `# score`; rank 1 begins a list.
 * From then on it is the list that is formatted and written. `space` as above. */
dd_status dd_sentence_list_tree(dd_sentence *sentence, dd_buffer *space, int rank, double score,
                                dd_error *error);
/* The end of the text's first line: "\r\n" or "\n". */
const char *dd_line_end(dd_text text);
/* The line ends that a text lacks behind its last word. */
const char *dd_missing_line_ends(dd_text text);
/* Appends a constraint; line 0 if it has none. False if allocation fails. */
bool dd_sentence_add_constraint(dd_sentence *sentence, dd_text text, uint32_t line);
/* Forgets all words, bytes and changes but keeps the memory. */
void dd_sentence_clear(dd_sentence *sentence);

/* dd_sentence_set_cell without its checks, for values known to be good. False: allocation failed.
 */
bool dd_sentence_put_cell(dd_sentence *sentence, int word, int column, dd_text value);

/* As it was read. */
static inline dd_text dd_raw_cell(const dd_sentence *sentence, int word, int column)
{
    const uint32_t *at = sentence->cells + (size_t)word * (DD_COLUMNS + 1) + column;
    return (dd_text){sentence->raw.data + at[0], at[1] - 1 - at[0]};
}

/* LEMMA to FEATS as they are in force, other columns as they were read. */
static inline dd_text dd_cell(const dd_sentence *sentence, int word, int column)
{
    if (sentence->any_set && column >= DD_LEMMA && column <= DD_FEATS) {
        dd_label_view view =
            sentence->set[(size_t)word * DD_SETTABLE + (size_t)(column - DD_LEMMA)];
        if (view.size) return (dd_text){sentence->labels.data + view.start, view.size};
    }
    return dd_raw_cell(sentence, word, column);
}

/* Words first..last as a sentence of their own, for reading only; it lives as long as the whole and
 * is not freed. Without constraints. */
dd_sentence dd_sentence_part(const dd_sentence *sentence, int first, int last);
/* Those of these columns, as bits, that are not `_` in some word. */
uint32_t dd_sentence_columns(const dd_sentence *sentence, uint32_t columns);

/* `_`, which stands for a missing value. */
static inline bool dd_is_missing(dd_text cell)
{
    return cell.size == 1 && cell.data[0] == '_';
}

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
    if (!builder->failed) builder->failed = !dd_buffer_append(&builder->sentence->raw, data, size);
}

#endif
