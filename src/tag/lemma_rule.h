/* lemma_rule.h - how a lemma is made from a form: the middle stays, both ends are replaced
 *
 *     "Flies" -> "fly":     lower case, cut 3 characters at the end, add "y"
 *     "went"  -> "go":      the lemma itself, as nothing stays
 *     "6,500" -> "6500":    all commas go
 *
 * As text, a line "L 0 . 3 y" with tabs and without the dot: casing, cut and add in front, cut and
 * add behind; or "A go"; or "W ,". A small letter at its beginning says that the rule is only for
 * the forms that it was seen with. */
#ifndef DODONA_TAG_LEMMA_RULE_H
#define DODONA_TAG_LEMMA_RULE_H

#include "core/strings.h"

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
/* From a line without its newline; false if it is of another form. */
bool dd_lemma_rule_read(dd_lemma_rule *rule, dd_text line);
/* Whether a form of so many characters has what the rule cuts, and something is left. */
bool dd_lemma_rule_fits(const dd_lemma_rule *rule, uint32_t length);
/* Makes the lemma in `lemma`; the rule must fit. False: allocation failed. */
bool dd_lemma_rule_apply(const dd_lemma_rule *rule, dd_text form, dd_buffer *lemma);

#endif
