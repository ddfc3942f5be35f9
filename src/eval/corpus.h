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
#include "core/vocab.h"

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
/* Whether to go on; DD_INTERRUPTED: the caller's options say no. */
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

#endif
