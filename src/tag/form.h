/* form.h - what tagger and lemmatizer see of a word's FORM: hashes of it and of its ends
 *
 *     "Re-Elected"  folded "re-elected"   suffixes "d" "ed" "ted" ..   shape "Xx-Xx"
 *
 * Folding makes letters lower case and every digit 0. */
#ifndef DODONA_TAG_FORM_H
#define DODONA_TAG_FORM_H

#include <dodona.h>

enum { DD_PREFIXES = 4, DD_SUFFIXES = 6 };

typedef struct dd_form {
    uint64_t exact, folded, shape;
    uint64_t
        prefixes[DD_PREFIXES]; /* of 1, 2, .. characters, folded; 0 where the form is shorter */
    uint64_t suffixes[DD_SUFFIXES];
    uint32_t length;                            /* characters */
    bool upper_first, upper_other, digit, mark; /* mark: neither letter nor digit */
} dd_form;

void dd_form_read(dd_form *form, dd_text text);

/* Cuts the first character off; bytes that are none give U+FFFD. */
uint32_t dd_next_character(dd_text *text);
uint32_t dd_fold_character(uint32_t character);

#endif
