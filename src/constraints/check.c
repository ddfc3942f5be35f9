/* check.c - contradictions between constraints for which there is a simple message. They are looked
 * for first, because such a message is easier to understand; what passes here may still be
 * impossible, which the search for a tree finds out. */
#include "constraints/constraints.h"
#include "text/utf8.h"

typedef struct checker {
    dd_constraints *c;
    const dd_sentence *sentence;
    dd_error *error;
} checker;

#define REFUSE(k, item, ...) dd_constraint_fail((k)->sentence, item, (k)->error, __VA_ARGS__)

static dd_quote quote_item(const checker *k, int item)
{
    dd_text text = {"", 0};
    dd_sentence_constraint(k->sentence, (size_t)item, &text);
    return dd_quote_text(text);
}

static dd_quote quote_arc(const checker *k, int dependent)
{
    return quote_item(k, k->c->arc_items[dependent]);
}

/* ---- forbidden arcs ----------------------------------------------------------------------- */

static int last_forbidding(const dd_constraints *c, int head, int dependent)
{
    int item = c->n_items - 1;
    while (item > 0 &&
           (c->items[item].kind != DD_FORBID_ARC || c->items[item].dependent != dependent ||
            (head != DD_NONE && c->items[item].head != head)))
        item--;
    return item;
}

static int find_leaf(const dd_constraints *c, int word)
{
    int item = c->n_items - 1;
    while (item > 0 && (c->items[item].kind != DD_REQUIRE_LEAF || c->items[item].word != word))
        item--;
    return item;
}

static dd_status check_length(const checker *k)
{
    const dd_constraints *c = k->c;
    int longest = dd_guard_of(c->system)->longest, item = 0;
    if (c->only_leaves) return DD_OK;
    if (longest > 0 && c->n > longest)
        return REFUSE(k, 0, "%s obeys constraints in sentences of up to %d words, this one has %d",
                      c->system->name, longest, c->n);
    longest = dd_guard_of(c->system)->longest_forbidding;
    if (c->n_forbidden == 0 || longest == 0 || c->n <= longest) return DD_OK;
    while (c->items[item].kind != DD_FORBID_ARC) item++;
    return REFUSE(k, item, "%s can forbid arcs in sentences of up to %d words, this one has %d",
                  c->system->name, longest, c->n);
}

/* Nodes that are neither forbidden as heads of the word nor leaves. */
static int count_heads(const dd_constraints *c, int word)
{
    int count = c->n - (c->n_leaves - c->leaf[word]);
    for (int at = c->forbidden_first[word]; at < c->forbidden_first[word + 1]; at++)
        count -= c->forbidden_heads[at] != word && !c->leaf[c->forbidden_heads[at]];
    return count;
}

static dd_status check_forbidden(const checker *k, int word)
{
    const dd_constraints *c = k->c;
    int head = c->heads[word];
    if (head != DD_NONE && c->leaf[head])
        return REFUSE(k, c->arc_items[word], "word %d has no dependents by '%s'", head,
                      quote_item(k, find_leaf(c, head)).text);
    if (head != DD_NONE && dd_forbids_arc(c, head, word))
        return REFUSE(k, c->arc_items[word], "the arc is forbidden by '%s'",
                      quote_item(k, last_forbidding(c, head, word)).text);
    if (count_heads(c, word) > 0) return DD_OK;
    return REFUSE(k, last_forbidding(c, DD_NONE, word), "every head of word %d is forbidden%s",
                  word, c->n_leaves > c->leaf[word] ? " or has no dependents" : "");
}

/* ---- leaves ------------------------------------------------------------------------------- */

/* The last constraint that makes a word a leaf. */
static int last_leaf(const dd_constraints *c)
{
    int item = c->n_items - 1;
    while (item > 0 && c->items[item].kind != DD_REQUIRE_LEAF) item--;
    return item;
}

static bool is_all_leaves(const dd_constraints *c, int first, int last)
{
    while (first <= last && c->leaf[first]) first++;
    return first > last;
}

/* Where several words make one tree, one of them has dependents. */
static dd_status check_leaves(const checker *k)
{
    const dd_constraints *c = k->c;
    if (c->n_leaves == 0) return DD_OK;
    if (c->single_root && c->n > 1 && c->last_head == 0)
        return REFUSE(k, last_leaf(c),
                      "no word of the sentence is left to be the head of the others");
    for (int s = 0; s < c->n_spans; s++) {
        const dd_span *span = &c->spans[s];
        if (span->last > span->first && is_all_leaves(c, span->first, span->last))
            return REFUSE(k, c->span_items[s],
                          "no word of it is left to be the head of the others");
    }
    return DD_OK;
}

/* ---- arcs --------------------------------------------------------------------------------- */

static dd_status check_roots(const checker *k)
{
    const dd_constraints *c = k->c;
    int first = DD_NONE;
    for (int word = 1; word <= c->n && c->single_root; word++) {
        if (c->heads[word] != 0) continue;
        if (first != DD_NONE)
            return REFUSE(k, c->arc_items[word],
                          "several roots: the model's trees have one, and '%s' requires another",
                          quote_arc(k, first).text);
        first = word;
    }
    return DD_OK;
}

/* Follows heads from each word; words seen on an earlier path are marked with the word at which
 * that path began.
 */
static dd_status check_cycles(const checker *k)
{
    const dd_constraints *c = k->c;
    int32_t *seen = c->scratch;
    for (int word = 0; word <= c->n; word++) seen[word] = DD_NONE;
    for (int word = 1; word <= c->n; word++) {
        int node = word;
        while (node > 0 && seen[node] == DD_NONE) {
            seen[node] = word;
            node = c->heads[node];
        }
        if (node > 0 && seen[node] == word)
            return REFUSE(k, c->arc_items[node], "the required arcs form a cycle through word %d",
                          node);
    }
    return DD_OK;
}

static int left_end(const dd_constraints *c, int arc)
{
    return c->heads[arc] < arc ? c->heads[arc] : arc;
}

static int right_end(const dd_constraints *c, int arc)
{
    return c->heads[arc] < arc ? arc : c->heads[arc];
}

/* Lists of arcs, named by their dependents, by left end, those that reach farthest first. */
static void list_by_left_end(const dd_constraints *c, int32_t *start, int32_t *next)
{
    for (int node = 0; node <= c->n; node++) start[node] = DD_NONE;
    /* Arcs to the right, then those to the left, each by ascending right end. */
    for (int word = 1; word <= c->n; word++) {
        if (c->heads[word] == DD_NONE || c->heads[word] > word) continue;
        next[word] = start[c->heads[word]];
        start[c->heads[word]] = word;
    }
    for (int word = 1; word <= c->n; word++) {
        if (c->heads[word] < word) continue;
        int32_t *place = &start[word];
        while (*place != DD_NONE && right_end(c, *place) > c->heads[word]) place = &next[*place];
        next[word] = *place;
        *place = word;
    }
}

/* The open arcs form a stack with the innermost on top. An arc that ends before one that begins
 * inside of it crosses that arc.
 */
static dd_status check_crossings(const checker *k)
{
    const dd_constraints *c = k->c;
    int32_t *start = c->scratch, *next = start + c->n + 1, *open = next + c->n + 1;
    int depth = 0;
    list_by_left_end(c, start, next);
    for (int node = 0; node <= c->n; node++) {
        while (depth > 0 && right_end(c, open[depth - 1]) <= node) depth--;
        for (int arc = start[node]; arc != DD_NONE; arc = next[arc]) {
            int outer = depth > 0 ? open[depth - 1] : DD_NONE;
            if (outer != DD_NONE && left_end(c, outer) < node &&
                right_end(c, outer) < right_end(c, arc))
                return REFUSE(k, c->arc_items[arc], "crosses '%s', and %s builds projective trees",
                              quote_arc(k, outer).text, c->system->name);
            open[depth++] = arc;
        }
    }
    return DD_OK;
}

/* ---- arcs and spans ----------------------------------------------------------------------- */

static bool crosses_border(const dd_constraints *c, int word)
{
    return c->heads[word] != DD_NONE && c->span_of[word] != c->span_of[c->heads[word]];
}

static dd_status check_outside_heads(const checker *k, int32_t *roots)
{
    const dd_constraints *c = k->c;
    for (int s = 0; s < c->n_spans; s++) roots[s] = DD_NONE;
    for (int word = 1; word <= c->n; word++) {
        int span = c->span_of[word];
        if (span == DD_NONE || !crosses_border(c, word)) continue;
        if (roots[span] != DD_NONE)
            return REFUSE(k, c->arc_items[word],
                          "a second head outside of '%s'; the first is in '%s'",
                          quote_item(k, c->span_items[span]).text, quote_arc(k, roots[span]).text);
        roots[span] = word;
    }
    return DD_OK;
}

static dd_status check_outside_dependent(const checker *k, int32_t *roots, int word)
{
    const dd_constraints *c = k->c;
    int head = c->heads[word], span = c->span_of[head];
    dd_span_mode mode = c->spans[span].mode;
    if (mode == DD_SPAN_ANY) return DD_OK;
    dd_quote text = quote_item(k, c->span_items[span]);
    if (mode == DD_SPAN_NONE)
        return REFUSE(k, c->arc_items[word], "leaves '%s', whose words have no dependents outside",
                      text.text);
    bool inside = c->heads[head] != DD_NONE && !crosses_border(c, head);
    if (inside || (roots[span] != DD_NONE && roots[span] != head))
        return REFUSE(k, c->arc_items[word],
                      "leaves '%s', whose root has dependents outside, but word %d is not the root",
                      text.text, head);
    roots[span] = head;
    return DD_OK;
}

static dd_status check_spans(const checker *k)
{
    const dd_constraints *c = k->c;
    int32_t *roots = c->scratch;
    if (c->n_spans > 0 && dd_guard_of(c->system)->refuses_spans)
        return REFUSE(k, c->span_items[0], "%s takes no spans, as it scores each arc for itself",
                      c->system->name);
    dd_status status = check_outside_heads(k, roots);
    for (int word = 1; word <= c->n && status == DD_OK; word++)
        if (crosses_border(c, word) && c->span_of[c->heads[word]] != DD_NONE)
            status = check_outside_dependent(k, roots, word);
    return status;
}

dd_status dd_constraints_check(dd_constraints *constraints, const dd_sentence *sentence,
                               dd_error *error)
{
    checker k = {constraints, sentence, error};
    dd_status status = check_length(&k);
    for (int word = 1; word <= constraints->n && status == DD_OK; word++)
        status = check_forbidden(&k, word);
    if (status == DD_OK) status = check_leaves(&k);
    if (status == DD_OK) status = check_roots(&k);
    if (status == DD_OK) status = check_cycles(&k);
    if (status == DD_OK && dd_guard_of(constraints->system)->projective)
        status = check_crossings(&k);
    if (status == DD_OK) status = check_spans(&k);
    return status;
}
