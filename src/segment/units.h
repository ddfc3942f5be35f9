/* units.h - a stretch of text as a network reads it
 *
 *     characters -> units, between which tokens can end -> hashes of what is known of each
 *                -> windows of units -> sequences of symbols (neural/coder.h)
 *
 * Where words stand between spaces a unit is a word or a punctuation mark; where they do not it is
 * a character. Among other things the network is told what the linear classifiers say, and how
 * long the longest words of the treebank are that begin and end here. */
#ifndef DODONA_SEGMENT_UNITS_H
#define DODONA_SEGMENT_UNITS_H

#include "neural/coder.h"
#include "segment/segmenter.h"

/* A node is a unit; the first and the last node of a sequence stand for its ends. */
typedef struct dd_unit {
    int start, end; /* in dd_chars */
    bool spaced;    /* white space or the end of the stretch follows */
} dd_unit;

/* ---- sets of hashes ------------------------------------------------------------------------ */

/* Numbers from `first` on for some hashes, 0 for others. */
typedef struct dd_hash_table {
    uint32_t *keys, *values; /* [size], a power of two */
    size_t size;
} dd_hash_table; /* {0} is empty and valid */

/* Hashes ascend. False if allocation fails. */
bool dd_hash_table_set(dd_hash_table *table, const uint32_t *hashes, size_t count, uint32_t first);
void dd_hash_table_free(dd_hash_table *table);

static inline uint32_t dd_hash_table_find(const dd_hash_table *table, uint32_t hash)
{
    if (table->size == 0) return 0;
    for (size_t at = hash & (table->size - 1);; at = (at + 1) & (table->size - 1)) {
        if (table->values[at] == 0) return 0;
        if (table->keys[at] == hash) return table->values[at];
    }
}

/* ---- units --------------------------------------------------------------------------------- */

/* Of a word of the treebank. */
enum { DD_LONGEST_LISTED = 8 /* characters */ };

typedef struct dd_unit_text {
    dd_unit *units;         /* [count] */
    dd_node_symbols *nodes; /* [count] hashes of what is known of each, not symbols yet */
    int count;
    dd_segments pieces; /* of the linear classifiers */
    int32_t *token_scores, *sentence_scores;
    uint8_t *begins, *ends; /* [characters] lengths of words that begin, or end, there */
    size_t units_capacity, nodes_capacity, token_capacity, sentence_capacity, begins_capacity,
        ends_capacity;
} dd_unit_text; /* {0} is empty and valid */

void dd_unit_text_free(dd_unit_text *text);

/* What the units of a text are made with. */
typedef struct dd_unit_maker {
    const dd_segmenter *linear;
    const uint8_t *pairs;       /* as in dd_segmenter: where units end */
    const dd_hash_table *words; /* values: 1, of one token; 2, of more. Empty: not looked at */
    const uint8_t *marks;       /* of dd_marked_paragraph: a token that is there alone does not
                                   know itself; NULL: all do */
} dd_unit_maker;

/* Makes units of the first `size` characters. False if allocation fails. */
bool dd_unit_text_make(dd_unit_text *text, const dd_unit_maker *maker, const dd_chars *chars,
                       int size);
uint32_t dd_word_hash(const dd_chars *chars, int start, int end);
/* Whether words are written without spaces. */
bool dd_pairs_are_unspaced(const uint8_t *pairs);

/* ---- windows ------------------------------------------------------------------------------- */

/* A long text is read in windows: each decides about its middle, and sees so many units more on
 * both sides. Windows are counted from the beginning of the stretch, so that nothing depends on how
 * text arrives. */
enum { DD_WINDOW_UNITS = 400, DD_WINDOW_CONTEXT = 40 };

typedef struct dd_unit_window {
    int first, last;   /* units it decides about, last excluded */
    int start, behind; /* units it sees, behind excluded */
} dd_unit_window;

static inline int dd_unit_windows(int units)
{
    return (units + DD_WINDOW_UNITS - 1) / DD_WINDOW_UNITS;
}

dd_unit_window dd_unit_window_at(int units, int window);
/* The node of a unit in its window. */
static inline int dd_unit_node(const dd_unit_window *window, int unit)
{
    return unit - window->start + 1;
}

/* Adds a window as a sequence of hashes; `room` must be kept from call to call. False if allocation
 * fails. */
typedef struct dd_window_room {
    dd_node_symbols *nodes;
    size_t capacity;
} dd_window_room; /* {0} is valid */
bool dd_codes_add_window(dd_codes *codes, const dd_unit_text *text, const dd_unit_window *window,
                         dd_window_room *room);

/* What is looked up in tables of symbols: four columns and the features. A hash that is not in the
 * table of pairs is replaced by that in the column of vectors, which are not used. */
enum {
    DD_UNIT_PAIRS = 3,
    DD_UNIT_COLUMNS,
    DD_UNIT_TABLES,
    DD_UNIT_OTHERWISE = DD_INPUT_VECTOR,
};
extern const dd_input_kind dd_unit_inputs[DD_UNIT_TABLES];
/* Replaces the hashes of all sequences from `first` on by symbols. */
void dd_codes_name_hashes(dd_codes *codes, size_t first, const dd_hash_table *tables);

#endif
