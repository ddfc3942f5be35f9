#include "eval/corpus.h"

#include "core/memory.h"
#include "core/strings.h"
#include "text/utf8.h"
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

static utf8proc_category_t category(int32_t character)
{
    return character < 0 ? UTF8PROC_CATEGORY_CN : utf8proc_category(character);
}

bool dd_eval_strip(dd_buffer *out, dd_text text)
{
    for (size_t size; text.size; text = dd_text_skip(text, size)) {
        int32_t character = dd_char_first(text, &size);
        if (category(character) == UTF8PROC_CATEGORY_ZS) continue;
        if (!dd_buffer_append(out, text.data, size)) return false;
    }
    return true;
}

bool dd_eval_is_punctuation(dd_text text)
{
    if (!text.size) return false;
    for (size_t size; text.size; text = dd_text_skip(text, size)) {
        utf8proc_category_t of = category(dd_char_first(text, &size));
        if (of < UTF8PROC_CATEGORY_PC || of > UTF8PROC_CATEGORY_PO) return false;
    }
    return true;
}

dd_text dd_eval_cut_deprel(dd_text deprel)
{
    const char *colon = deprel.size ? memchr(deprel.data, ':', deprel.size) : NULL;
    if (colon) deprel.size = (size_t)(colon - deprel.data);
    return deprel;
}

/* ---- lower case ---- */

enum { SIGMA = 0x3A3, SMALL_SIGMA = 0x3C3, FINAL_SIGMA = 0x3C2, DOTTED_I = 0x130, DOT = 0x307 };

/* Unicode 3.13 D135: letters with a case, and the few other characters of one (Other_Lowercase and
 * Other_Uppercase) that are not ignorable: ordinal indicators, Roman numerals, letters in circles
 * and squares. */
static bool is_cased(int32_t character)
{
    static const int32_t others[][2] = {{0xAA, 0xAA},      {0xBA, 0xBA},       {0x2160, 0x217F},
                                        {0x24B6, 0x24E9},  {0x1F130, 0x1F149}, {0x1F150, 0x1F169},
                                        {0x1F170, 0x1F189}};
    utf8proc_category_t of = category(character);
    if (of == UTF8PROC_CATEGORY_LU || of == UTF8PROC_CATEGORY_LL || of == UTF8PROC_CATEGORY_LT)
        return true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (character >= others[i][0] && character <= others[i][1]) return true;
    return false;
}

/* Unicode 3.13 D136: the marks and modifiers, and the punctuation that stands within words. */
static bool is_case_ignorable(int32_t character)
{
    switch (character) {
    case '\'':
    case '.':
    case ':':
    case 0xB7:
    case 0x387:
    case 0x55F:
    case 0x5F4:
    case 0x2018:
    case 0x2019:
    case 0x2024:
    case 0x2027:
    case 0xFE13:
    case 0xFE52:
    case 0xFE55:
    case 0xFF07:
    case 0xFF0E:
    case 0xFF1A: return true;
    }
    switch (category(character)) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_SK: return true;
    default: return false;
    }
}

static bool cased_follows(dd_text text)
{
    for (size_t size; text.size; text = dd_text_skip(text, size)) {
        int32_t character = dd_char_first(text, &size);
        if (!is_case_ignorable(character)) return is_cased(character);
    }
    return false;
}

static bool append_character(dd_buffer *out, int32_t character)
{
    utf8proc_uint8_t bytes[4];
    utf8proc_ssize_t size = utf8proc_encode_char(character, bytes);
    return dd_buffer_append(out, bytes, (size_t)size);
}

bool dd_eval_lower(dd_buffer *out, dd_text text)
{
    bool after_cased = false, ok = true;
    for (size_t size; ok && text.size; text = dd_text_skip(text, size)) {
        int32_t character = dd_char_first(text, &size);
        if (character == SIGMA)
            ok = append_character(out, after_cased && !cased_follows(dd_text_skip(text, size))
                                           ? FINAL_SIGMA
                                           : SMALL_SIGMA);
        else if (character == DOTTED_I) /* the one letter whose lower case is two characters */
            ok = append_character(out, 'i') && append_character(out, DOT);
        else if (character < 0)
            ok = dd_buffer_append(out, text.data, size);
        else
            ok = append_character(out, utf8proc_tolower(character));
        if (!is_case_ignorable(character)) after_cased = is_cased(character);
    }
    return ok;
}

/* ---- features ---- */

static bool is_universal(dd_text feature)
{
    static const char *const names[] = {
        "PronType", "NumType", "Poss",  "Reflex",   "Foreign",  "Abbr",     "Gender",
        "Animacy",  "Number",  "Case",  "Definite", "Degree",   "VerbForm", "Mood",
        "Tense",    "Aspect",  "Voice", "Evident",  "Polarity", "Person",   "Polite",
    };
    dd_text name = dd_text_cut(&feature, '=');
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (dd_text_is(name, names[i])) return true;
    return false;
}

static int by_bytes(const void *left, const void *right)
{
    const dd_text *a = left, *b = right;
    int order = memcmp(a->data, b->data, a->size < b->size ? a->size : b->size);
    return order ? order : (a->size > b->size) - (a->size < b->size);
}

bool dd_eval_universal_feats(dd_buffer *out, dd_text feats)
{
    dd_text *list = NULL;
    size_t count = 0, capacity = 0;
    bool ok = true;
    while (ok && feats.size) {
        dd_text feature = dd_text_cut(&feats, '|');
        if (!is_universal(feature)) continue;
        ok = DD_RESERVE(&list, &capacity, count + 1);
        if (ok) list[count++] = feature;
    }
    if (count) qsort(list, count, sizeof *list, by_bytes);
    for (size_t i = 0; ok && i < count; i++)
        ok = (!i || dd_buffer_text(out, "|")) && dd_buffer_append(out, list[i].data, list[i].size);
    free(list);
    return ok;
}
