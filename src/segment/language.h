/* language.h - identifies the language of a text by its letters
 *
 *     treebank -> n-grams of 1 to 3 letters -> profile: the most frequent and their costs
 *     text     -> n-grams -> cost in the profile of each language -> the likeliest language
 *
 * The n-grams of Cavnar and Trenkle (1994, "N-gram-based text categorization") with logarithms of
 * probabilities instead of ranks. They are those of words in lower case with a space on either
 * side; whatever is neither letter nor mark separates words, so that running text and the forms of
 * CoNLL-U give the same n-grams. Ideographs and kana stand alone, since no spaces tell which of
 * them are a word. All numbers are integers, the same on every machine. */
#ifndef DODONA_SEGMENT_LANGUAGE_H
#define DODONA_SEGMENT_LANGUAGE_H

#include "core/strings.h"
#include "text/sentence.h"

#define DD_LANGUAGE "language" /* the section of a model */

enum {
    DD_PROFILE_GRAMS = 1500, /* at most */
    DD_PROFILE_UNSEEN = 128, /* cost of an n-gram that is not in the profile, in eighths of a bit */
    DD_SAMPLE_LETTERS = 2000 /* of a text, from which its language is identified */
};

/* The section: a header and the n-grams. */
typedef struct dd_profile_header {
    uint32_t version; /* 1 */
    uint32_t usual;   /* cost of 1,000 letters of the training text */
} dd_profile_header;

/* A view of a section. */
typedef struct dd_profile {
    const uint32_t *grams; /* [count] 24 bits of a hash, ascending, and 8 bits of cost */
    size_t count;          /* 0: there is no profile */
    uint32_t usual;
} dd_profile;

/* Appends the section that the text of the sentences gives; nothing if it has no letters. */
dd_status dd_profile_learn(dd_buffer *section, dd_sentence *const *sentences, size_t count,
                           dd_error *error);
/* The section must be aligned for numbers, and must outlive the profile. */
dd_status dd_profile_map(dd_profile *out, dd_text section, dd_error *error);

typedef struct dd_known_language {
    dd_text language;
    dd_profile profile;
} dd_known_language;

/* The candidate whose language the text has; of several, the likeliest. Only the first
 * DD_SAMPLE_LETTERS letters count. DD_ERROR_DATA: the language is not clear; the message names the
 * two likeliest ones. */
dd_status dd_language_pick(const dd_known_language *candidates, size_t count, dd_text text,
                           size_t *out, dd_error *error);

#endif
