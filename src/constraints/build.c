/* build.c - from the texts of a sentence's constraints to tables by word */
#include "constraints/constraints.h"
#include "core/memory.h"
#include "core/strings.h"
#include "text/rules.h"
#include "text/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the text of a constraint --------------------------------------------------------------- */

/*     arc HEAD DEPREL DEPENDENT
 *     not-arc HEAD DEPENDENT
 *     span FIRST LAST any|root|none
 *     leaf WORD
 *
 * Labels of CoNLL-X may have spaces, so DEPREL is all that stands between the two numbers. */

/* Cuts the first word off. */
static dd_text take_first(dd_text *text)
{
    dd_text rest = dd_text_trim(*text);
    size_t size = 0;
    while (size < rest.size && !dd_is_blank(rest.data[size])) size++;
    *text = dd_text_trim((dd_text){rest.data + size, rest.size - size});
    return (dd_text){rest.data, size};
}

/* Cuts the last word off. */
static dd_text take_last(dd_text *text)
{
    dd_text rest = dd_text_trim(*text);
    size_t start = rest.size;
    while (start > 0 && !dd_is_blank(rest.data[start - 1])) start--;
    *text = dd_text_trim((dd_text){rest.data, start});
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

/* ---- memory and messages -------------------------------------------------------------------- */

void dd_constraints_free(dd_constraints *constraints)
{
    if (constraints->guard) dd_guard_of(constraints->system)->release(constraints->guard);
    free(constraints->heads);
    free(constraints->labels);
    free(constraints->span_of);
    free(constraints->spans);
    free(constraints->forbidden_first);
    free(constraints->forbidden_heads);
    free(constraints->leaf);
    free(constraints->leftmost);
    free(constraints->rightmost);
    free(constraints->arc_items);
    free(constraints->span_items);
    free(constraints->items);
    free(constraints->moves);
    free(constraints->scratch);
    dd_config_free(&constraints->trial);
    *constraints = (dd_constraints){0};
}

static dd_quote quote_item(const dd_sentence *sentence, int item)
{
    dd_text text = {"", 0};
    dd_sentence_constraint(sentence, (size_t)item, &text);
    return dd_quote_text(text);
}

dd_status dd_constraint_fail(const dd_sentence *sentence, int item, dd_error *error,
                             const char *format, ...)
{
    char reason[320];
    va_list args;
    va_start(args, format);
    dd_format_message(reason, sizeof reason, format, args);
    va_end(args);
    uint32_t line = sentence->constraints.items[item].line;
    dd_quote id = dd_quote_text(dd_sentence_id(sentence)), text = quote_item(sentence, item);
    if (line == 0)
        return dd_fail(error, DD_ERROR_DATA, "sentence '%s': constraint '%s': %s", id.text,
                       text.text, reason);
    return dd_fail_at(error, DD_ERROR_DATA, sentence->constraints.file.data,
                      dd_sentence_line(sentence) + line - 1, 0,
                      "sentence '%s': constraint '%s': %s", id.text, text.text, reason);
}

static bool reserve(dd_constraints *c, int n, int n_items)
{
    size_t nodes = (size_t)n + 1, items = (size_t)n_items;
    return DD_RESERVE(&c->heads, &c->heads_capacity, nodes) &&
           DD_RESERVE(&c->labels, &c->labels_capacity, nodes) &&
           DD_RESERVE(&c->span_of, &c->span_of_capacity, nodes) &&
           DD_RESERVE(&c->forbidden_first, &c->forbidden_first_capacity, nodes + 1) &&
           DD_RESERVE(&c->leaf, &c->leaf_capacity, nodes) &&
           DD_RESERVE(&c->leftmost, &c->leftmost_capacity, nodes) &&
           DD_RESERVE(&c->rightmost, &c->rightmost_capacity, nodes) &&
           DD_RESERVE(&c->arc_items, &c->arc_items_capacity, nodes) &&
           DD_RESERVE(&c->scratch, &c->scratch_capacity, 3 * nodes) &&
           DD_RESERVE(&c->spans, &c->spans_capacity, items) &&
           DD_RESERVE(&c->span_items, &c->span_items_capacity, items) &&
           DD_RESERVE(&c->forbidden_heads, &c->forbidden_heads_capacity, items) &&
           DD_RESERVE(&c->items, &c->items_capacity, items);
}

static void clear(dd_constraints *c, int n)
{
    c->n = n;
    c->n_arcs = c->n_spans = c->n_forbidden = c->n_leaves = 0;
    memset(c->leaf, 0, ((size_t)n + 1) * sizeof *c->leaf);
    for (int node = 0; node <= n; node++)
        c->heads[node] = c->labels[node] = c->span_of[node] = c->leftmost[node] =
            c->rightmost[node] = c->arc_items[node] = DD_NONE;
}

/* ---- items -------------------------------------------------------------------------------- */

/* What all steps below work on. */
typedef struct builder {
    dd_constraints *c;
    const dd_sentence *sentence;
    const dd_inventory *inventory;
    dd_error *error;
} builder;

#define REFUSE(b, item, ...) dd_constraint_fail((b)->sentence, item, (b)->error, __VA_ARGS__)

static dd_status check_nodes(const builder *b, int item)
{
    const dd_constraint *it = &b->c->items[item];
    bool span = it->kind == DD_REQUIRE_SPAN, leaf = it->kind == DD_REQUIRE_LEAF;
    int left = span ? it->first : leaf ? it->word : it->head;
    int right = span ? it->last : leaf ? it->word : it->dependent, n = b->c->n;
    if (left > n || right > n)
        return REFUSE(b, item, "there is no word %d in a sentence of %d", left > n ? left : right,
                      n);
    if (span && left == 0) return REFUSE(b, item, "the root, 0, cannot be part of a span");
    if (span && left > right) return REFUSE(b, item, "the last word lies before the first");
    if (leaf && left == 0) return REFUSE(b, item, "the root, 0, cannot be a leaf");
    if (!span && right == 0) return REFUSE(b, item, "the root, 0, has no head");
    if (it->kind == DD_REQUIRE_ARC && left == right)
        return REFUSE(b, item, "a word cannot be its own head");
    return DD_OK;
}

static dd_status add_arc(const builder *b, int item)
{
    dd_constraints *c = b->c;
    const dd_constraint *it = &c->items[item];
    int label = DD_NONE;
    if (it->deprel.size != 1 || it->deprel.data[0] != '_') {
        label = dd_rule_label(it->deprel) ? dd_vocab_find(&b->inventory->labels, it->deprel) : -1;
        if (label < 0) return REFUSE(b, item, "unknown label '%s'", dd_quote_text(it->deprel).text);
    }
    int other = c->arc_items[it->dependent];
    if (other != DD_NONE && c->heads[it->dependent] != it->head)
        return REFUSE(b, item, "two heads for word %d; the other is in '%s'", it->dependent,
                      quote_item(b->sentence, other).text);
    if (other != DD_NONE && label != DD_NONE && c->labels[it->dependent] != DD_NONE &&
        c->labels[it->dependent] != label)
        return REFUSE(b, item, "two labels for one arc; the other is in '%s'",
                      quote_item(b->sentence, other).text);
    c->n_arcs += other == DD_NONE;
    c->heads[it->dependent] = it->head;
    if (label != DD_NONE) c->labels[it->dependent] = label;
    if (other == DD_NONE || label != DD_NONE) c->arc_items[it->dependent] = item;
    return DD_OK;
}

/* Marks the words of each span first; spans[] is made in order of position later. */
static dd_status add_span(const builder *b, int item)
{
    dd_constraints *c = b->c;
    const dd_constraint *it = &c->items[item];
    for (int word = it->first; word <= it->last; word++) {
        if (c->span_of[word] == DD_NONE) continue;
        int other = c->span_of[word];
        const dd_constraint *old = &c->items[other];
        if (old->first == it->first && old->last == it->last && old->mode == it->mode) return DD_OK;
        return REFUSE(b, item, "overlaps the span of '%s'", quote_item(b->sentence, other).text);
    }
    for (int word = it->first; word <= it->last; word++) c->span_of[word] = item;
    c->n_spans++;
    return DD_OK;
}

static void add_leaf(dd_constraints *c, int word)
{
    c->n_leaves += !c->leaf[word];
    c->leaf[word] = true;
}

static dd_status add_item(const builder *b, int item)
{
    dd_constraints *c = b->c;
    dd_text text;
    char reason[DD_REASON_SIZE];
    dd_sentence_constraint(b->sentence, (size_t)item, &text);
    if (!dd_constraint_read(&c->items[item], text, reason)) return REFUSE(b, item, "%s", reason);
    dd_status status = check_nodes(b, item);
    if (status != DD_OK || (c->left_out && c->left_out[item])) return status;
    switch (c->items[item].kind) {
    case DD_REQUIRE_ARC: return add_arc(b, item);
    case DD_REQUIRE_SPAN: return add_span(b, item);
    case DD_REQUIRE_LEAF: add_leaf(c, c->items[item].word); break;
    case DD_FORBID_ARC: break; /* see collect_forbidden */
    }
    return DD_OK;
}

/* ---- tables ------------------------------------------------------------------------------- */

static void number_spans(dd_constraints *c)
{
    int count = 0;
    for (int word = 1; word <= c->n; word++) {
        int item = c->span_of[word];
        if (item == DD_NONE) continue;
        const dd_constraint *it = &c->items[item];
        c->span_items[count] = item;
        c->spans[count] = (dd_span){it->first, it->last, it->mode};
        for (; word < it->last; word++) c->span_of[word] = count;
        c->span_of[word] = count++;
    }
}

static int compare_heads(const void *a, const void *b)
{
    int32_t left = *(const int32_t *)a, right = *(const int32_t *)b;
    return (left > right) - (left < right);
}

static bool takes_part(const dd_constraints *c, int item)
{
    return c->items[item].kind == DD_FORBID_ARC && !(c->left_out && c->left_out[item]);
}

static void collect_forbidden(dd_constraints *c)
{
    int32_t *first = c->forbidden_first;
    for (int node = 0; node <= c->n + 1; node++) first[node] = 0;
    for (int i = 0; i < c->n_items; i++)
        if (takes_part(c, i)) first[c->items[i].dependent]++;
    for (int node = 0, sum = 0; node <= c->n + 1; node++) {
        sum += first[node];
        first[node] = sum;
    }
    /* Each list is filled from its end, which moves its start to where it belongs. */
    for (int i = 0; i < c->n_items; i++)
        if (takes_part(c, i)) c->forbidden_heads[--first[c->items[i].dependent]] = c->items[i].head;
    int kept = 0;
    for (int word = 0; word <= c->n; word++) {
        int start = first[word], end = first[word + 1];
        int32_t *list = c->forbidden_heads;
        if (end > start) qsort(list + start, (size_t)(end - start), sizeof *list, compare_heads);
        first[word] = kept;
        for (int i = start; i < end; i++)
            if (i == start || list[i] != list[i - 1]) list[kept++] = list[i];
    }
    first[c->n + 1] = kept;
    c->n_forbidden = kept;
}

static void note_dependents(dd_constraints *c)
{
    for (int word = 1; word <= c->n; word++) {
        int head = c->heads[word];
        if (head == DD_NONE) continue;
        if (c->leftmost[head] == DD_NONE) c->leftmost[head] = word;
        c->rightmost[head] = word;
    }
}

static void note_leaves(dd_constraints *c)
{
    for (int word = 1; c->wished && word <= c->n; word++)
        if (c->wished[word]) add_leaf(c, word);
    c->last_head = c->n;
    while (c->last_head > 0 && c->leaf[c->last_head]) c->last_head--;
    c->only_leaves = c->n_leaves > 0 && c->n_arcs + c->n_spans + c->n_forbidden == 0 &&
                     !dd_guard_of(c->system)->searches_leaves;
}

dd_status dd_constraints_build(dd_constraints *constraints, const dd_sentence *sentence,
                               const dd_inventory *inventory, bool single_root, dd_error *error)
{
    builder b = {constraints, sentence, inventory, error};
    if (!reserve(constraints, sentence->n, dd_constraint_count(sentence)))
        return dd_fail_memory(error);
    clear(constraints, sentence->n);
    constraints->system = inventory->system;
    constraints->single_root = single_root;
    constraints->n_items = dd_constraint_count(sentence);
    for (int item = 0; item < constraints->n_items; item++) {
        dd_status status = add_item(&b, item);
        if (status != DD_OK) return status;
    }
    number_spans(constraints);
    collect_forbidden(constraints);
    note_dependents(constraints);
    note_leaves(constraints);
    return DD_OK;
}
