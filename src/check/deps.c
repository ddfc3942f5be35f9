/* deps.c - DEPS: the enhanced graph over words and empty nodes */
#include "check/check.h"
#include "core/memory.h"
#include "text/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

/* One relation of DEPS. */
typedef struct arc {
    int first, second; /* of the head's ID; second 0: a word, or the root */
    dd_text label;
} arc;

typedef struct graph {
    dd_check *check;
    int32_t *arcs; /* [2 * count] rows of head and dependent; -1 is the root */
    size_t count, capacity;
    bool any;   /* some node has DEPS, or there are empty nodes */
    bool whole; /* all of them can be used */
} graph;

/* ---- relations ----------------------------------------------------------------------------- */

static bool is_small(dd_text part)
{
    for (size_t i = 0; i < part.size; i++)
        if (part.data[i] < 'a' || part.data[i] > 'z') return false;
    return part.size > 0;
}

static bool is_letter(int32_t code)
{
    switch (utf8proc_category(code)) {
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME: return true;
    default: return false;
    }
}

/* A lemma: letters of any script but no capitals, with single underscores between them. */
static bool is_lemma(dd_text part)
{
    bool letter = false;
    for (size_t at = 0; at < part.size;) {
        size_t size;
        int32_t code = dd_char_first(dd_text_skip(part, at), &size);
        if (code < 0 || (code == '_' && !letter) || (code != '_' && !is_letter(code))) return false;
        letter = code != '_';
        at += size;
    }
    return letter;
}

/* relation(:subtype)?(:lemma)?(:case)?, where each may be left out but the first. */
static bool is_enhanced_relation(dd_check *check, dd_text label)
{
    int count = dd_check_split(check, label, ':'), lemmas = 0;
    const dd_text *parts = check->items;
    if (count < 1 || count > 4 || !is_small(parts[0])) return false;
    for (int i = 1; i < count; i++) {
        if (is_small(parts[i])) continue;
        if (!is_lemma(parts[i]) || ++lemmas > 1 || (count == 4 && i != 2)) return false;
    }
    return dd_is_universal_relation(parts[0]) || dd_check_equals(parts[0], "ref");
}

static void check_label(dd_check *check, const dd_check_row *row, const arc *of)
{
    if (!is_enhanced_relation(check, of->label))
        dd_check_found(check, DD_FAULT_DEPS_LABEL, row->line, DD_DEPS,
                       "'%s' is no relation of DEPS", DD_QUOTE(of->label));
    bool root = dd_check_equals(dd_check_universal(of->label), "root");
    bool zero = of->first == 0 && of->second == 0;
    if (root != zero)
        dd_check_found(check, DD_FAULT_DEPS_ROOT, row->line, DD_DEPS,
                       zero ? "head 0 has the relation '%s' in DEPS"
                            : "the relation '%s' has another head than 0 in DEPS",
                       DD_QUOTE(of->label));
}

/* ---- heads --------------------------------------------------------------------------------- */

static bool read_arc(dd_text item, arc *out)
{
    const char *colon = item.size ? memchr(item.data, ':', item.size) : NULL;
    if (!colon || colon + 1 == item.data + item.size) return false;
    dd_text head = {item.data, (size_t)(colon - item.data)};
    out->label = (dd_text){colon + 1, item.size - head.size - 1};
    out->second = 0;
    out->first = dd_rule_number(head);
    if (out->first >= 0) return true;
    return dd_rule_id(head, &out->first, &out->second) == DD_ID_EMPTY;
}

/* The row of the head, -1 for the root, -2 if there is no such node. */
static int row_of(const dd_check *check, const arc *of)
{
    if (of->first > check->n) return -2;
    if (of->second == 0) return check->words[of->first];
    int start = check->empties[of->first], end = check->empties[of->first + 1];
    return of->second <= end - start ? check->nodes[start + of->second - 1] : -2;
}

static int by_head(const arc *a, const arc *b)
{
    if (a->first != b->first) return a->first < b->first ? -1 : 1;
    return (a->second > b->second) - (a->second < b->second);
}

static int by_label(dd_text a, dd_text b)
{
    int order = memcmp(a.data, b.data, a.size < b.size ? a.size : b.size);
    return order ? order : (a.size > b.size) - (a.size < b.size);
}

static void add_arc(graph *g, int head, int row)
{
    size_t at = 2 * g->count;
    if (!dd_check_room(g->check, DD_RESERVE(&g->arcs, &g->capacity, at + 2))) return;
    g->arcs[at] = head;
    g->arcs[at + 1] = row;
    g->count++;
}

static void check_arc(graph *g, int at, const arc *of)
{
    dd_check *check = g->check;
    const dd_check_row *row = &check->rows[at];
    check_label(check, row, of);
    int head = row_of(check, of);
    if (head == -2) {
        g->whole = false;
        dd_check_found(check, DD_FAULT_DEPS_HEAD, row->line, DD_DEPS,
                       of->second ? "DEPS: there is no node %d.%d" : "DEPS: there is no word %d",
                       of->first, of->second);
        return;
    }
    if (head == at)
        dd_check_found(check, DD_FAULT_DEPS_SELF, row->line, DD_DEPS,
                       "DEPS: the node is its own head");
    add_arc(g, head, at);
}

/* The order of a cell is reported only once. */
static void check_order(dd_check *check, const dd_check_row *row, const arc *before, const arc *of,
                        bool *reported)
{
    int order = by_head(before, of);
    if (order == 0) order = by_label(before->label, of->label);
    if (order < 0 || *reported) return;
    *reported = true;
    if (order > 0)
        dd_check_found(check, DD_FAULT_DEPS_ORDER, row->line, DD_DEPS,
                       "DEPS '%s' are not in the order of their heads, then relations",
                       DD_QUOTE(row->cells[DD_DEPS]));
    else
        dd_check_found(check, DD_FAULT_DEPS_REPEATED, row->line, DD_DEPS,
                       "DEPS have the same head and relation twice: '%s'",
                       DD_QUOTE(row->cells[DD_DEPS]));
}

static void check_cell(graph *g, int at)
{
    const dd_check_row *row = &g->check->rows[at];
    const char *start = row->cells[DD_DEPS].data, *end = start + row->cells[DD_DEPS].size;
    arc before = {0}, of;
    bool any = false, reported = false;
    for (const char *bar; start; start = bar ? bar + 1 : NULL) {
        bar = start < end ? memchr(start, '|', (size_t)(end - start)) : NULL;
        dd_text item = {start, (size_t)((bar ? bar : end) - start)};
        if (!read_arc(item, &of)) {
            g->whole = false;
            dd_check_found(g->check, DD_FAULT_DEPS_FORM, row->line, DD_DEPS,
                           "DEPS: '%s' is not of the form HEAD:RELATION", DD_QUOTE(item));
            continue;
        }
        check_arc(g, at, &of);
        if (any) check_order(g->check, row, &before, &of, &reported);
        before = of;
        any = true;
    }
}

/* ---- the graph ----------------------------------------------------------------------------- */

/* The dependents of each head one after the other: those of row h from starts[h + 1] on. */
static void sort_arcs(const graph *g, int32_t *starts, int32_t *dependents)
{
    int nodes = g->check->n_rows + 1;
    memset(starts, 0, ((size_t)nodes + 1) * sizeof *starts);
    for (size_t i = 0; i < g->count; i++) starts[g->arcs[2 * i] + 1]++;
    for (int i = 1; i <= nodes; i++) starts[i] += starts[i - 1];
    for (size_t i = g->count; i-- > 0;)
        dependents[--starts[g->arcs[2 * i] + 1]] = g->arcs[2 * i + 1];
}

/* Marks the rows that can be reached from 0. */
static void walk(const int32_t *starts, const int32_t *dependents, int32_t *waiting, bool *reached)
{
    int count = 0;
    waiting[count++] = -1;
    while (count > 0) {
        int row = waiting[--count];
        for (int32_t i = starts[row + 1]; i < starts[row + 2]; i++) {
            if (reached[dependents[i]]) continue;
            reached[dependents[i]] = true;
            waiting[count++] = dependents[i];
        }
    }
}

static void report_unreached(dd_check *check, const bool *reached)
{
    int first = -1, count = 0;
    for (int row = 0; row < check->n_rows; row++) {
        if (check->rows[row].kind == DD_ID_RANGE || reached[row]) continue;
        if (first < 0) first = row;
        count++;
    }
    if (count == 0) return;
    char others[48] = "";
    if (count > 1)
        snprintf(others, sizeof others, ", nor can %d other%s", count - 1, count > 2 ? "s" : "");
    dd_check_found(check, DD_FAULT_DEPS_REACH, check->rows[first].line, DD_DEPS,
                   "node %s cannot be reached from 0 in DEPS%s",
                   DD_QUOTE(check->rows[first].cells[DD_ID]), others);
}

static void check_reach(graph *g)
{
    dd_check *check = g->check;
    size_t rows = (size_t)check->n_rows;
    size_t need = (rows + 2) + g->count + (rows + 1) + (rows * sizeof(bool) / sizeof(int32_t) + 1);
    if (!dd_check_room(check, DD_RESERVE(&check->marks, &check->marks_capacity, need))) return;
    int32_t *starts = check->marks, *dependents = starts + rows + 2;
    int32_t *waiting = dependents + g->count;
    bool *reached = (bool *)(waiting + rows + 1);
    memset(reached, 0, rows * sizeof *reached);
    sort_arcs(g, starts, dependents);
    walk(starts, dependents, waiting, reached);
    report_unreached(check, reached);
}

/* All sentences of a file have DEPS, or none. */
static void check_some(dd_check *check, bool any)
{
    uint64_t line = check->rows[0].line, *mine = any ? &check->deps_line : &check->no_deps_line;
    uint64_t other = any ? check->no_deps_line : check->deps_line;
    if (*mine == 0) *mine = line;
    if (other == 0 || check->some_reported) return;
    check->some_reported = true;
    dd_check_found(check, DD_FAULT_DEPS_SOME, line, DD_DEPS,
                   any ? "the sentence has DEPS, but the one in line %llu has none"
                       : "the sentence has no DEPS, but the one in line %llu has",
                   (unsigned long long)other);
}

void dd_check_deps(dd_check *check)
{
    if (check->level < 2 || !check->ids_whole) return;
    graph g = {.check = check, .whole = true};
    for (int row = 0; row < check->n_rows && check->status == DD_OK; row++) {
        dd_text cell = check->rows[row].cells[DD_DEPS];
        if (check->rows[row].kind == DD_ID_RANGE) continue;
        bool has = cell.size > 0 && !dd_rule_is_blank(cell);
        if (has || check->rows[row].kind == DD_ID_EMPTY) g.any = true;
        if (has) check_cell(&g, row);
    }
    if (check->status == DD_OK) check_some(check, g.any);
    if (check->status == DD_OK && g.any && g.whole) check_reach(&g);
    free(g.arcs);
}
