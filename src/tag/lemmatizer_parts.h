/* lemmatizer_parts.h - what the lemmatizer and its trainer share */
#ifndef DODONA_TAG_LEMMATIZER_PARTS_H
#define DODONA_TAG_LEMMATIZER_PARTS_H

#include "tag/form.h"
#include "tag/lemma_rule.h"
#include "tag/lemmatizer.h"
#include "tag/slots.h"
#include "tag/weights.h"
#include "text/sentence.h"

enum { DD_LEMMATIZER_VERSION = 1, DD_MAX_LEMMA_RULES = 65535, DD_MAX_LEMMA_FEATURES = 24 };

struct dd_lemmatizer {
    dd_lemma_rule *rules; /* [count] */
    int count;
    size_t rules_capacity;
    dd_tag_weights weights;  /* parts are rules */
    dd_tag_slots exceptions; /* forms, or forms with their tags, whose rule is known */
};

/* A word as the lemmatizer sees it. */
typedef struct dd_lemma_word {
    dd_form form;
    uint64_t head;     /* hash of UPOS and XPOS */
    uint64_t tag;      /* and FEATS */
    uint64_t identity; /* of form and tag */
    uint64_t alone;    /* of the form whatever its tag; 0: the tag may decide on its casing */
    uint64_t upos;
} dd_lemma_word;

void dd_lemma_word_read(dd_lemma_word *word, const dd_sentence *sentence, int at);
/* Returns how many, at most DD_MAX_LEMMA_FEATURES. */
int dd_lemma_features(const dd_lemma_word *word, uint64_t *features);
/* Under which a form is an exception in any casing; 0: forms with digits, which have too much in
 * common, are not. */
uint64_t dd_lemma_folded(const dd_lemma_word *word);
/* Under which a lemma is known to be one. */
uint64_t dd_lemma_known(dd_text lemma, uint64_t upos);
/* The rule with the best score that fits and is not particular, other than `except` (-1: any); of
 * equal ones the first, -1 if none fits. */
int dd_lemmatizer_best(const dd_lemmatizer *lemmatizer, const int32_t *scores, uint32_t length,
                       int except);
/* Reads the rules from their lines. False: allocation failed, or, with *damaged, they are none. */
bool dd_lemmatizer_read_rules(dd_lemmatizer *lemmatizer, dd_text lines, bool *damaged);

#endif
