/* coder.h - words as symbols, that is, numbers in vocabularies: the inputs of the neural scorer
 *
 *     FORM, in lower case, LEMMA, UPOS and XPOS   a symbol each
 *     FEATS                                       a symbol for each Name=Value
 *     FORM                                        a symbol for each character */
#ifndef DODONA_NEURAL_CODER_H
#define DODONA_NEURAL_CODER_H

#include "core/strings.h"
#include "text/sentence.h"

/* What is known of a word. A word can have several features; its characters stand for themselves.
 */
typedef enum dd_input_kind {
    DD_INPUT_FORM = 0,
    DD_INPUT_LEMMA,
    DD_INPUT_UPOS,
    DD_INPUT_XPOS,
    DD_INPUT_VECTOR, /* pretrained, of the form; see neural/vectors.h */
    DD_INPUT_FEATS,
    DD_INPUT_CHARS,
    DD_INPUTS,
} dd_input_kind;

/* Symbols that every vocabulary has. */
enum { DD_SYMBOL_UNKNOWN = 0, DD_SYMBOL_ROOT = 1 };

typedef struct dd_coder {
    uint32_t columns;            /* others are taken for `_` */
    dd_vocab symbols[DD_INPUTS]; /* empty: the input is not used */
} dd_coder;                      /* {0} is empty and valid */

void dd_coder_free(dd_coder *coder);

/* A sentence as symbols; node 0 is the root. */
typedef struct dd_coded {
    int n;                                   /* words */
    const uint32_t *symbols[DD_INPUT_FEATS]; /* [n + 1] of form, lemma, UPOS, XPOS, vector */
    const uint32_t *features;      /* those of node i: first_feature[i] up to .. [i + 1] */
    const uint32_t *first_feature; /* [n + 2] */
    const uint32_t *types;         /* [n + 1] number of the form in dd_spellings */
} dd_coded;

/* The distinct forms of some sentences, and their characters. Type 0 is the root's. */
typedef struct dd_spellings {
    dd_vocab forms;
    uint32_t *characters;
    uint32_t *first; /* [count + 1] */
    uint32_t count;
    size_t characters_capacity, first_capacity, used;
} dd_spellings; /* {0} is empty and valid */

/* Some sentences. */
typedef struct dd_codes {
    dd_coded *sentences; /* [count] */
    size_t count;
    dd_spellings spellings;
    uint32_t *numbers; /* that the sentences point into */
    size_t used, sentences_capacity, numbers_capacity;
} dd_codes; /* {0} is empty and valid */

void dd_codes_free(dd_codes *codes);
/* False if allocation fails. */
bool dd_codes_set(dd_codes *codes, const dd_coder *coder, const dd_sentence *const *sentences,
                  size_t count);
/* Adds one more sentence, which need not outlive the call. False if allocation fails. */
bool dd_codes_add(dd_codes *codes, const dd_coder *coder, const dd_sentence *sentence);
/* Keeps the first `count` sentences, and forgets the others and the forms that only they have. */
void dd_codes_forget(dd_codes *codes, size_t count);

/* A node whose symbols the caller knows. */
enum { DD_MOST_NODE_FEATURES = 12 };
typedef struct dd_node_symbols {
    uint32_t symbols[DD_INPUT_FEATS];
    uint32_t features[DD_MOST_NODE_FEATURES];
    int n_features;
} dd_node_symbols;

/* No sentences, of which all that are added by dd_codes_add_nodes have the same empty form. False
 * if allocation fails. */
bool dd_codes_begin(dd_codes *codes);
/* One more sentence, of at least one node. False if allocation fails. */
bool dd_codes_add_nodes(dd_codes *codes, const dd_node_symbols *nodes, int count);

/* The symbols of a sentence's words are counted here, to make a coder of them. */
typedef struct dd_census {
    dd_vocab found[DD_INPUTS];
    uint32_t *counts[DD_INPUTS];
    size_t capacity[DD_INPUTS];
} dd_census; /* {0} is empty and valid */

void dd_census_free(dd_census *census);
bool dd_census_add(dd_census *census, const dd_sentence *sentence, uint32_t columns);
/* Symbols that were seen at least so many times, in the order in which they were; for inputs whose
 * bit is in `inputs` and whose column is there. */
bool dd_coder_set(dd_coder *coder, const dd_census *census, uint32_t columns, uint32_t inputs,
                  const uint32_t least[DD_INPUTS]);
/* The columns that such inputs are read from. */
uint32_t dd_coder_columns(uint32_t inputs);

/* The symbols of unknown words and of the root, into an empty vocabulary. */
bool dd_add_common_symbols(dd_vocab *symbols);
/* A form in lower case, as far as it is looked at: no word of a language is longer. */
enum { DD_MAX_CHARACTERS = 64, DD_MAX_LOWER = DD_MAX_CHARACTERS * 4 };
dd_text dd_lower(dd_text form, uint8_t room[DD_MAX_LOWER]);

/* As sections of a model file; the words that have vectors stand in one of their own. */
bool dd_coder_write(const dd_coder *coder, dd_buffer *section);
bool dd_coder_write_vectors(const dd_coder *coder, dd_buffer *section);
/* Inputs whose vocabulary should be empty are not used. */
dd_status dd_coder_read(dd_coder *coder, dd_text section, dd_text vector_words, uint32_t columns,
                        const uint32_t vocabulary[DD_INPUTS], dd_error *error);

#endif
