/* corpus.h - a file as the evaluation sees it
 *
 *     1-2  vámonos      text:   v á m o n o s a l m a r
 *     1    vamos        tokens: |------------|---|-----|   a multiword token is one token,
 *     2    nos          words:  |------------|             and each word in it has its stretch
 *     3-4  al                   |------------|
 *     ...                                    |---|...
 *
 * Strings are numbers in a vocabulary that the gold and the system's file share, so that words are
 * compared by comparing integers. */
#ifndef DODONA_EVAL_CORPUS_H
#define DODONA_EVAL_CORPUS_H

#include "core/strings.h"

#include <dodona_tools.h>

/* ---- strings.c: what is done to the text of a cell before it is compared ------------------ */

/* Each appends to `out`; false if allocation fails. Bytes that are not UTF-8 stay as they are. */

/* Without Unicode space characters (category Zs). */
bool dd_eval_strip(dd_buffer *out, dd_text text);
/* Lower case as Unicode's default algorithm has it, final sigma included. */
bool dd_eval_lower(dd_buffer *out, dd_text text);
/* The universal features of a FEATS cell, sorted. */
bool dd_eval_universal_feats(dd_buffer *out, dd_text feats);

/* Only punctuation characters (categories P*), and at least one. */
bool dd_eval_is_punctuation(dd_text text);
/* DEPREL up to the first ':'. */
dd_text dd_eval_cut_deprel(dd_text deprel);

/* ---- corpus.c ----------------------------------------------------------------------------- */

/* Numbers of the strings that the vocabulary starts with (dd_eval_vocab_init): the content
 * relations first, then the functional ones. */
enum { DD_EVAL_CONTENT_END = 29, DD_EVAL_FUNCTIONAL_END = 36, DD_EVAL_UNDERSCORE = 36 };

typedef struct dd_eval_span {
    size_t start, end; /* bytes in dd_eval_corpus.text */
    uint64_t line;     /* in the file, 1-based */
} dd_eval_span;

typedef struct dd_eval_word {
    size_t start, end; /* of the whole token for a word within a multiword token */
    uint64_t line;
    int32_t form; /* CoNLL 2018: lower-cased; CoNLL-X: as read */
    int32_t lemma, upos, xpos;
    int32_t feats;          /* universal features only, sorted */
    int32_t deprel;         /* CoNLL 2018: without its subtype */
    int32_t head;           /* index of a word in the corpus, -1: the root */
    int32_t child, sibling; /* first functional child, next one of the same head; -1: none */
    int32_t sentence;
    bool multiword;   /* within a multiword token */
    bool punctuation; /* FORM has only punctuation characters */
} dd_eval_word;

typedef struct dd_eval_corpus {
    char *name;     /* of the file, in messages */
    dd_buffer text; /* FORMs of all tokens without spaces */
    dd_eval_span *tokens, *sentences;
    dd_eval_word *words;
    size_t n_tokens, n_sentences, n_words;
    size_t tokens_capacity, sentences_capacity, words_capacity;
} dd_eval_corpus; /* {0} is empty and valid */

bool dd_eval_vocab_init(dd_vocab *vocab);

/* Reads to the end. DD_ERROR_FORMAT or _DATA, with file and line, for what the rule refuses. */
dd_status dd_eval_corpus_read(dd_eval_corpus *corpus, dd_vocab *vocab, dd_reader *reader,
                              const dd_eval_options *how, dd_error *error);
/* Asks the caller's options whether to continue; DD_INTERRUPTED: no. */
dd_status dd_eval_ask(const dd_eval_options *how, dd_error *error);
enum { DD_SENTENCES_PER_ASKING = 256 };
void dd_eval_corpus_free(dd_eval_corpus *corpus);

static inline bool dd_eval_is_content(const dd_eval_word *word)
{
    return word->deprel < DD_EVAL_CONTENT_END;
}

static inline bool dd_eval_is_functional(const dd_eval_word *word)
{
    return word->deprel >= DD_EVAL_CONTENT_END && word->deprel < DD_EVAL_FUNCTIONAL_END;
}

/* ---- align.c: which gold word is which word of the system's file -------------------------- */

typedef struct dd_eval_alignment {
    int32_t *system_of; /* [gold words] -1: none */
    int32_t *gold_of;   /* [system words] -1: none */
    size_t matched;
} dd_eval_alignment; /* {0} is valid */

/* CoNLL 2018: by characters, which must be the same in both files. */
dd_status dd_eval_align(dd_eval_alignment *alignment, const dd_eval_corpus *gold,
                        const dd_eval_corpus *system, dd_error *error);
/* CoNLL-X: word by word; sentences, words and FORMs must be the same. */
dd_status dd_eval_pair(dd_eval_alignment *alignment, const dd_vocab *vocab,
                       const dd_eval_corpus *gold, const dd_eval_corpus *system, dd_error *error);
void dd_eval_alignment_free(dd_eval_alignment *alignment);

#endif
