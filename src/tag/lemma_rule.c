#include "tag/lemmatizer_parts.h"

#include "core/strings.h"
#include "tag/form.h"
#include "text/rules.h"
#include "text/utf8.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

/* Longer forms and lemmas are not compared: that takes quadratic time. */
enum { MOST_CHARACTERS = 100 };

typedef struct letters {
    uint32_t at[MOST_CHARACTERS];
    uint32_t count;
} letters;

static uint32_t to_upper(uint32_t character)
{
    if (character < 0x80)
        return character >= 'a' && character <= 'z' ? character - ('a' - 'A') : character;
    return (uint32_t)utf8proc_toupper((utf8proc_int32_t)character);
}

/* ---- finding a rule ----------------------------------------------------------------------- */

static bool split(dd_text text, letters *out)
{
    for (out->count = 0; text.size > 0; out->count++) {
        if (out->count == MOST_CHARACTERS) return false;
        out->at[out->count] = dd_next_character(&text);
    }
    return true;
}

static letters lowered(const letters *from)
{
    letters out = {.count = from->count};
    for (uint32_t i = 0; i < from->count; i++) out.at[i] = dd_char_lower(from->at[i]);
    return out;
}

static bool equal(const letters *a, const letters *b)
{
    return a->count == b->count && !memcmp(a->at, b->at, a->count * sizeof *a->at);
}

/* The longest stretch that two words share; of equally long ones the first. */
typedef struct stretch {
    uint32_t in_form, in_lemma, size;
} stretch;

static stretch longest_common(const letters *form, const letters *lemma)
{
    stretch best = {0, 0, 0};
    uint32_t row[MOST_CHARACTERS + 1] = {0}; /* common characters up to here and lemma's i-th */
    for (uint32_t i = 0; i < form->count; i++) {
        for (uint32_t k = lemma->count; k > 0; k--) {
            row[k] = form->at[i] == lemma->at[k - 1] ? row[k - 1] + 1 : 0;
            if (row[k] > best.size) best = (stretch){i + 1 - row[k], k - row[k], row[k]};
        }
    }
    return best;
}

/* The form's letters with both ends replaced by the lemma's. */
static letters replace_ends(const letters *form, const letters *lemma, stretch common)
{
    letters out = *lemma;
    memcpy(out.at + common.in_lemma, form->at + common.in_form, common.size * sizeof *out.at);
    return out;
}

static letters cased(const letters *lower, bool all)
{
    letters out = *lower;
    for (uint32_t i = 0; i < out.count && (all || i == 0); i++) out.at[i] = to_upper(out.at[i]);
    return out;
}

/* The casing that makes the lemma of the form; DD_LEMMA_WHOLE: none does. */
static dd_lemma_casing casing_of(const letters *form, const letters *lemma, stretch common)
{
    letters lower = lowered(lemma), kept = replace_ends(form, lemma, common);
    letters first = cased(&lower, false), upper = cased(&lower, true);
    if (equal(lemma, &lower)) return DD_LEMMA_LOWER;
    if (equal(lemma, &kept)) return DD_LEMMA_KEEP;
    if (equal(lemma, &first)) return DD_LEMMA_FIRST;
    return equal(lemma, &upper) ? DD_LEMMA_UPPER : DD_LEMMA_WHOLE;
}

static bool write_ends(const letters *form, const letters *lemma, stretch common, dd_buffer *line)
{
    uint32_t behind = common.in_lemma + common.size;
    bool ok = dd_buffer_printf(line, "\t%u\t", common.in_form);
    for (uint32_t i = 0; ok && i < common.in_lemma; i++) ok = dd_char_append(line, lemma->at[i]);
    ok = ok && dd_buffer_printf(line, "\t%u\t", form->count - common.in_form - common.size);
    for (uint32_t i = behind; ok && i < lemma->count; i++) ok = dd_char_append(line, lemma->at[i]);
    return ok && dd_buffer_text(line, "\n");
}

static bool write_whole(dd_text lemma, dd_buffer *line)
{
    return dd_buffer_text(line, "A\t") && dd_buffer_append(line, lemma.data, lemma.size) &&
           dd_buffer_text(line, "\n");
}

static bool is_letter_or_digit(uint32_t character)
{
    utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)character);
    return category <= UTF8PROC_CATEGORY_NO && category >= UTF8PROC_CATEGORY_LU;
}

/* The mark that the form has and the lemma has nowhere, if that is all that they differ in; else
 * 0. */
static uint32_t missing_mark(const letters *form, const letters *lemma)
{
    uint32_t at = 0, kept = 0;
    while (at < lemma->count && at < form->count && form->at[at] == lemma->at[at]) at++;
    if (at == form->count || is_letter_or_digit(form->at[at])) return 0;
    uint32_t mark = form->at[at];
    for (uint32_t i = 0; i < form->count; i++) {
        if (form->at[i] == mark) continue;
        if (kept == lemma->count || form->at[i] != lemma->at[kept++]) return 0;
    }
    return kept == lemma->count ? mark : 0;
}

static bool write_without(uint32_t mark, dd_buffer *line)
{
    return dd_buffer_text(line, "W\t") && dd_char_append(line, mark) && dd_buffer_text(line, "\n");
}

void dd_lemma_rule_restrict(char *line)
{
    *line = (char)(*line | 0x20);
}

bool dd_lemma_rule_find(dd_text form_text, dd_text lemma_text, dd_buffer *line)
{
    letters form, lemma;
    if (!split(form_text, &form) || !split(lemma_text, &lemma))
        return write_whole(lemma_text, line);
    uint32_t mark = missing_mark(&form, &lemma);
    if (mark && lemma.count > 0) return write_without(mark, line);
    letters lower_form = lowered(&form), lower_lemma = lowered(&lemma);
    stretch common = longest_common(&lower_form, &lower_lemma);
    dd_lemma_casing casing = casing_of(&form, &lemma, common);
    if (common.size == 0 || casing == DD_LEMMA_WHOLE) return write_whole(lemma_text, line);
    const char letter = (char)casing;
    const letters *ends = casing == DD_LEMMA_KEEP ? &lemma : &lower_lemma;
    return dd_buffer_append(line, &letter, 1) && write_ends(&form, ends, common, line);
}

/* ---- reading and applying ----------------------------------------------------------------- */

static bool cut_number(dd_text *line, uint32_t *number)
{
    dd_text cell;
    if (!dd_text_cut_at(line, '\t', &cell)) return false;
    int value = dd_rule_number(cell);
    *number = (uint32_t)value;
    return value >= 0 && value <= MOST_CHARACTERS;
}

static bool is_text(dd_text text)
{
    return text.size == 0 ||
           (!memchr(text.data, '\t', text.size) && !memchr(text.data, '\n', text.size) &&
            dd_utf8_check(text) == text.size);
}

bool dd_lemma_rule_read(dd_lemma_rule *rule, dd_text line)
{
    dd_text casing;
    *rule = (dd_lemma_rule){.casing = DD_LEMMA_WHOLE};
    if (!dd_text_cut_at(&line, '\t', &casing) || casing.size != 1) return false;
    char letter = (char)(casing.data[0] & ~0x20);
    if (!memchr("KLFUAW", letter, 6)) return false;
    rule->casing = (dd_lemma_casing)letter;
    rule->particular = letter != casing.data[0];
    bool has_ends = letter != DD_LEMMA_WHOLE && letter != DD_LEMMA_WITHOUT;
    if (has_ends &&
        (!cut_number(&line, &rule->cut_front) || !dd_text_cut_at(&line, '\t', &rule->front) ||
         !cut_number(&line, &rule->cut_behind)))
        return false;
    rule->behind = line;
    return is_text(rule->front) && is_text(rule->behind) && (has_ends || rule->behind.size > 0);
}

bool dd_lemma_rule_fits(const dd_lemma_rule *rule, uint32_t length)
{
    return rule->casing == DD_LEMMA_WHOLE || rule->cut_front + rule->cut_behind < length;
}

static bool append_without(dd_text form, dd_text mark, dd_buffer *lemma)
{
    while (form.size > 0) {
        bool is_mark = form.size >= mark.size && !memcmp(form.data, mark.data, mark.size);
        size_t size = is_mark ? mark.size : 1;
        if (!is_mark && !dd_buffer_append(lemma, form.data, size)) return false;
        form = (dd_text){form.data + size, form.size - size};
    }
    return true;
}

/* The bytes between the ends that are cut. */
static dd_text middle_of(const dd_lemma_rule *rule, dd_text form)
{
    for (uint32_t i = 0; i < rule->cut_front; i++) dd_next_character(&form);
    for (uint32_t i = 0; i < rule->cut_behind && form.size > 0; i++) do
            form.size--;
        while (form.size > 0 && (form.data[form.size] & 0xC0) == 0x80);
    return form;
}

/* The lemma's letters from `from` on in the rule's casing. */
static bool append_cased(const dd_lemma_rule *rule, dd_text text, dd_buffer *lemma)
{
    while (text.size > 0) {
        bool first = lemma->size == 0;
        uint32_t letter = dd_next_character(&text);
        bool upper = rule->casing == DD_LEMMA_UPPER || (rule->casing == DD_LEMMA_FIRST && first);
        if (!dd_char_append(lemma, upper ? to_upper(letter) : dd_char_lower(letter))) return false;
    }
    return true;
}

bool dd_lemma_rule_apply(const dd_lemma_rule *rule, dd_text form, dd_buffer *lemma)
{
    lemma->size = 0;
    if (rule->casing == DD_LEMMA_WHOLE)
        return dd_buffer_append(lemma, rule->behind.data, rule->behind.size);
    if (rule->casing == DD_LEMMA_WITHOUT) return append_without(form, rule->behind, lemma);
    const dd_text pieces[] = {rule->front, middle_of(rule, form), rule->behind};
    for (int i = 0; i < 3; i++) {
        if (pieces[i].size == 0) continue;
        bool ok = rule->casing == DD_LEMMA_KEEP
                      ? dd_buffer_append(lemma, pieces[i].data, pieces[i].size)
                      : append_cased(rule, pieces[i], lemma);
        if (!ok) return false;
    }
    return true;
}
