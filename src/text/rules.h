/* rules.h - what a single cell may hold; https://universaldependencies.org/format.html */
#ifndef DODONA_TEXT_RULES_H
#define DODONA_TEXT_RULES_H

#include <dodona.h>

/* A decimal number without sign or leading zeros, at most INT32_MAX (larger ones become that);
 * -1 if it is none. */
int dd_rule_number(dd_text cell);

typedef enum dd_id_kind { DD_ID_WORD, DD_ID_RANGE, DD_ID_EMPTY, DD_ID_NONE } dd_id_kind;

/* `3`, `3-4` or `3.1`: first is 3, second 4 or 1. */
dd_id_kind dd_rule_id(dd_text cell, int *first, int *second);

static inline bool dd_rule_is_blank(dd_text cell)
{
    return cell.size == 1 && cell.data[0] == '_';
}

/* What may be written as DEPREL: well-formed UTF-8, not empty, without control characters. */
bool dd_rule_label(dd_text label);

/* `_`, or a|b|... with each item as said; the first item that is not goes to *bad. */
bool dd_rule_feats(dd_text cell, dd_text *bad); /* Name=Value */
bool dd_rule_deps(dd_text cell, dd_text *bad);  /* head:relation, head 3 or 3.1 */

/* Why the reader would refuse the value in LEMMA, UPOS, XPOS or FEATS, such as "is empty"; NULL if
 * it would not. */
const char *dd_rule_cell(dd_text value, int column, dd_format format);

#endif
