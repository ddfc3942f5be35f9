/* lemmatizer_parts.h - rules of lemmas, and what the lemmatizer and its trainer share
 *
 * A rule says how a lemma is made from a form: the middle stays, both ends are replaced.
 *
 *     "Flies" -> "fly":     lower case, cut 3 characters at the end, add "y"
 *     "went"  -> "go":      the lemma itself, as nothing stays
 *     "6,500" -> "6500":    all commas go
 *
 * As text, a line "L 0 . 3 y" with tabs and without the dot: casing, cut and add in front, cut and
 * add behind; or "A go"; or "W ,". A small letter at its beginning says that the rule is only for
 * the forms that it was seen with. */
#ifndef DODONA_TAG_LEMMATIZER_PARTS_H
#define DODONA_TAG_LEMMATIZER_PARTS_H

#include "core/strings.h"
#include "tag/form.h"
#include "tag/lemmatizer.h"
#include "tag/weights.h"
#include "text/sentence.h"

/* ---- rules -------------------------------------------------------------------------------- */

typedef enum dd_lemma_casing {
    DD_LEMMA_KEEP = 'K',    /* letters stay as they are */
    DD_LEMMA_LOWER = 'L',   /* all lower case */
    DD_LEMMA_FIRST = 'F',   /* the first upper case, the others lower case */
    DD_LEMMA_UPPER = 'U',   /* all upper case */
    DD_LEMMA_WHOLE = 'A',   /* `behind` is the lemma */
    DD_LEMMA_WITHOUT = 'W', /* the form without all characters that are `behind` */
} dd_lemma_casing;

typedef struct dd_lemma_rule {
    dd_lemma_casing casing;
    bool particular;                /* only for forms that it was seen with */
    uint32_t cut_front, cut_behind; /* characters */
    dd_text front, behind;          /* what is added, in the line that the rule was read from */
} dd_lemma_rule;

/* Appends the line of the rule that makes this lemma, its newline included. False: allocation
 * failed.
 */
bool dd_lemma_rule_find(dd_text form, dd_text lemma, dd_buffer *line);
/* Makes the rule of a line a particular one. */
void dd_lemma_rule_restrict(char *line);
/* Reads a rule from a line without its newline; false if the line is no rule. */
bool dd_lemma_rule_read(dd_lemma_rule *rule, dd_text line);
/* Whether the rule can be applied to a form of so many characters, and leaves something. */
bool dd_lemma_rule_fits(const dd_lemma_rule *rule, uint32_t length);
/* Makes the lemma in `lemma`; the rule must fit. False: allocation failed. */
bool dd_lemma_rule_apply(const dd_lemma_rule *rule, dd_text form, dd_buffer *lemma);

/* ---- the lemmatizer ----------------------------------------------------------------------- */

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
/* The key of a form as an exception in any casing; 0: it has digits, and such forms have too much
 * in common to be exceptions. */
uint64_t dd_lemma_folded(const dd_lemma_word *word);
/* The key of a known lemma. */
uint64_t dd_lemma_known(dd_text lemma, uint64_t upos);
/* The rule with the best score that fits and is not particular, other than `except` (-1: any); of
 * equal ones the first, -1 if none fits. */
int dd_lemmatizer_best(const dd_lemmatizer *lemmatizer, const int32_t *scores, uint32_t length,
                       int except);
/* Reads the rules from their lines. False: allocation failed, or, with *damaged, they are none. */
bool dd_lemmatizer_read_rules(dd_lemmatizer *lemmatizer, dd_text lines, bool *damaged);

#endif
