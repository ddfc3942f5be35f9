/* words.h - what the tagger knows of a sentence, and the features of a word in it
 *
 *     words:  [before] [before] [word 0] [word 1] .. [behind] [behind]
 *
 * Tags are chosen from left to right: features see the tags of the two words before, and forms and
 * classes on both sides. */
#ifndef DODONA_TAG_WORDS_H
#define DODONA_TAG_WORDS_H

#include "tag/lexicon.h"

enum { DD_WORDS_AROUND = 2, DD_MAX_TAG_FEATURES = 48 };

typedef struct dd_tag_word {
    dd_form form;   /* its folded hash is 0 if the lexicon does not have it */
    uint64_t looks; /* hash of the class, or of the end of an unknown form */
    uint32_t list;  /* of the lexicon: tags to choose from */
    bool frequent;  /* that list is the form's own */
    uint32_t tag;   /* chosen; the number of tags for words before the first */
    uint32_t head;  /* of that tag */
} dd_tag_word;

typedef struct dd_tag_words {
    dd_tag_word *words; /* [n + 2 * DD_WORDS_AROUND] */
    size_t capacity;
    int n;
} dd_tag_words; /* {0} is empty and valid */

void dd_tag_words_free(dd_tag_words *words);
/* False: allocation failed. */
bool dd_tag_words_read(dd_tag_words *words, const dd_sentence *sentence, const dd_lexicon *lexicon,
                       const dd_tagset *tagset);

/* Word 0..n-1. */
static inline dd_tag_word *dd_tag_word_at(const dd_tag_words *words, int at)
{
    return words->words + DD_WORDS_AROUND + at;
}

/* Those of the word alone, which depend on its form and on whether it is the first, and those of
 * its surroundings. Each returns how many; together at most DD_MAX_TAG_FEATURES. */
int dd_tag_form_features(const dd_tag_words *words, int at, uint64_t *features);
int dd_tag_context_features(const dd_tag_words *words, int at, uint64_t *features);

#endif
