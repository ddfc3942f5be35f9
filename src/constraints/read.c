/* The text of a constraint:
 *
 *     arc HEAD DEPREL DEPENDENT | not-arc HEAD DEPENDENT | span FIRST LAST any|root|none | leaf
 * WORD
 *
 * Labels of CoNLL-X may have spaces, so DEPREL is all that stands between the two numbers. */
#include "constraints/constraints.h"
#include "core/strings.h"
#include "text/rules.h"
#include "text/utf8.h"

#include <stdio.h>

static bool is_space(char byte)
{
    return byte == ' ' || byte == '\t';
}

static dd_text trim(dd_text text)
{
    while (text.size && is_space(text.data[0])) text.data++, text.size--;
    while (text.size && is_space(text.data[text.size - 1])) text.size--;
    return text;
}

/* Cuts the first word off. */
static dd_text take_first(dd_text *text)
{
    dd_text rest = trim(*text);
    size_t size = 0;
    while (size < rest.size && !is_space(rest.data[size])) size++;
    *text = trim((dd_text){rest.data + size, rest.size - size});
    return (dd_text){rest.data, size};
}

/* Cuts the last word off. */
static dd_text take_last(dd_text *text)
{
    dd_text rest = trim(*text);
    size_t start = rest.size;
    while (start > 0 && !is_space(rest.data[start - 1])) start--;
    *text = trim((dd_text){rest.data, start});
    return (dd_text){rest.data + start, rest.size - start};
}

static bool refuse(char reason[DD_REASON_SIZE], const char *what)
{
    snprintf(reason, DD_REASON_SIZE, "%s", what);
    return false;
}

static bool read_number(int *out, dd_text text, char reason[DD_REASON_SIZE])
{
    *out = dd_rule_number(text);
    if (*out >= 0) return true;
    snprintf(reason, DD_REASON_SIZE, "'%s' is not a word number", dd_quote_text(text).text);
    return false;
}

static bool read_arc(dd_constraint *out, dd_text rest, char reason[DD_REASON_SIZE])
{
    dd_text head = take_first(&rest), dependent = take_last(&rest);
    if (rest.size == 0) return refuse(reason, "expected 'arc HEAD DEPREL DEPENDENT'");
    out->kind = DD_REQUIRE_ARC;
    out->deprel = rest;
    return read_number(&out->head, head, reason) && read_number(&out->dependent, dependent, reason);
}

static bool read_not_arc(dd_constraint *out, dd_text rest, char reason[DD_REASON_SIZE])
{
    dd_text head = take_first(&rest), dependent = take_first(&rest);
    if (dependent.size == 0 || rest.size > 0)
        return refuse(reason, "expected 'not-arc HEAD DEPENDENT'");
    out->kind = DD_FORBID_ARC;
    return read_number(&out->head, head, reason) && read_number(&out->dependent, dependent, reason);
}

static bool read_span(dd_constraint *out, dd_text rest, char reason[DD_REASON_SIZE])
{
    static const char *const modes[] = {
        [DD_SPAN_ANY] = "any", [DD_SPAN_ROOT] = "root", [DD_SPAN_NONE] = "none"};
    dd_text first = take_first(&rest), last = take_first(&rest), mode = take_first(&rest);
    if (mode.size == 0 || rest.size > 0)
        return refuse(reason, "expected 'span FIRST LAST any|root|none'");
    out->kind = DD_REQUIRE_SPAN;
    if (!read_number(&out->first, first, reason) || !read_number(&out->last, last, reason))
        return false;
    for (int m = DD_SPAN_ANY; m <= DD_SPAN_NONE; m++) {
        if (!dd_text_is(mode, modes[m])) continue;
        out->mode = (dd_span_mode)m;
        return true;
    }
    snprintf(reason, DD_REASON_SIZE, "'%s' is not one of any, root, none",
             dd_quote_text(mode).text);
    return false;
}

static bool read_leaf(dd_constraint *out, dd_text rest, char reason[DD_REASON_SIZE])
{
    dd_text word = take_first(&rest);
    if (word.size == 0 || rest.size > 0) return refuse(reason, "expected 'leaf WORD'");
    out->kind = DD_REQUIRE_LEAF;
    return read_number(&out->word, word, reason);
}

bool dd_constraint_read(dd_constraint *out, dd_text text, char reason[DD_REASON_SIZE])
{
    *out = (dd_constraint){0};
    dd_text kind = take_first(&text);
    if (dd_text_is(kind, "arc")) return read_arc(out, text, reason);
    if (dd_text_is(kind, "not-arc")) return read_not_arc(out, text, reason);
    if (dd_text_is(kind, "span")) return read_span(out, text, reason);
    if (dd_text_is(kind, "leaf")) return read_leaf(out, text, reason);
    snprintf(reason, DD_REASON_SIZE, "'%s' is not one of arc, not-arc, span, leaf",
             dd_quote_text(kind).text);
    return false;
}
