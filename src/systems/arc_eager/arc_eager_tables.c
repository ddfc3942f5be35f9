#include "systems/arc_eager/arc_eager.h"

#include "core/memory.h"

#include <stdlib.h>

void dd_eager_tables_free(dd_eager_tables *tables)
{
    free(tables->words);
    free(tables->regions);
    free(tables->spans);
    free(tables->memory);
    *tables = (dd_eager_tables){0};
}

static bool reserve(dd_eager_tables *t, const dd_constraints *c)
{
    size_t nodes = (size_t)c->n + 1;
    return DD_RESERVE(&t->words, &t->words_capacity, nodes) &&
           DD_RESERVE(&t->regions, &t->regions_capacity, 2 * nodes) &&
           DD_RESERVE(&t->spans, &t->spans_capacity, (size_t)c->n_spans) &&
           DD_RESERVE(&t->memory, &t->memory_capacity, 4 * (nodes + 1));
}

/* The root is the word with a head outside and, in mode root, the one with a dependent outside. */
static void find_known_roots(dd_eager_tables *t, const dd_constraints *c)
{
    for (int s = 0; s < c->n_spans; s++) t->spans[s] = (dd_eager_span){DD_NONE, DD_NONE};
    for (int word = 1; word <= c->n; word++) {
        int head = c->heads[word];
        if (head == DD_NONE || dd_same_span(c, head, word)) continue;
        int from = c->span_of[head], to = c->span_of[word];
        if (to != DD_NONE) t->spans[to].root = word;
        if (from != DD_NONE && c->spans[from].mode == DD_SPAN_ROOT) t->spans[from].root = head;
    }
}

/* ---- what required arcs cover ------------------------------------------------------------- */

/* Arcs are named by their dependents. An arc covers the words, or the words of the nodes, from
 * `first` to `last`; none if last < first. It binds if its right end is the head of none of them.
 */
typedef struct cover {
    int first, last;
    bool binds;
} cover;

static bool is_leaf(const dd_constraints *c, int word)
{
    int span = c->span_of[word];
    return span == DD_NONE ? c->leaf[word] : c->spans[span].mode == DD_SPAN_NONE;
}

static const cover nothing = {1, 0, false};

/* Words of the span of its head. An arc that leaves the span covers all words on its way out, for
 * they must descend from its head. */
static cover cover_of_words(const dd_constraints *c, int arc)
{
    int head = c->heads[arc];
    if (head <= 0 || c->span_of[head] == DD_NONE) return nothing;
    const dd_span *span = &c->spans[c->span_of[head]];
    bool leaves = !dd_same_span(c, head, arc);
    if (arc > head) return (cover){head + 1, leaves ? span->last : arc - 1, leaves};
    return (cover){leaves ? span->first : arc + 1, head - 1, false};
}

static cover cover_of_nodes(const dd_constraints *c, int arc)
{
    int head = c->heads[arc];
    if (head <= 0 || dd_same_span(c, head, arc)) return nothing;
    int left = head < arc ? head : arc, right = head < arc ? arc : head;
    return (cover){dd_node_last(c, left) + 1, dd_node_first(c, right) - 1,
                   head < arc && is_leaf(c, arc)};
}

typedef cover (*cover_rule)(const dd_constraints *c, int arc);

/* Arcs that cover something in lists by the first word covered, those that reach farthest first:
 * start[word], then next[arc]. */
static void list_covers(const dd_constraints *c, cover_rule rule, int32_t *start, int32_t *next,
                        int32_t *by_last, int32_t *next_by_last)
{
    for (int word = 0; word <= c->n; word++) start[word] = by_last[word] = DD_NONE;
    for (int arc = 1; arc <= c->n; arc++) {
        cover covered = rule(c, arc);
        if (covered.last < covered.first) continue;
        next_by_last[arc] = by_last[covered.last];
        by_last[covered.last] = arc;
    }
    for (int last = 1; last <= c->n; last++) {
        for (int arc = by_last[last]; arc != DD_NONE; arc = next_by_last[arc]) {
            int first = rule(c, arc).first;
            next[arc] = start[first];
            start[first] = arc;
        }
    }
}

/* Calls `note` for each word with the innermost arc that covers it, DD_NONE if none does. */
static void sweep(dd_eager_tables *t, const dd_constraints *c, cover_rule rule,
                  void (*note)(dd_eager_tables *t, const dd_constraints *c, int word, int arc))
{
    size_t row = (size_t)c->n + 2;
    int32_t *start = t->memory, *next = start + row, *open = next + row;
    int depth = 0;
    list_covers(c, rule, start, next, open, open + row);
    for (int word = 1; word <= c->n; word++) {
        while (depth > 0 && rule(c, open[depth - 1]).last < word) depth--;
        for (int arc = start[word]; arc != DD_NONE; arc = next[arc]) open[depth++] = arc;
        note(t, c, word, depth > 0 ? open[depth - 1] : DD_NONE);
    }
}

/* ---- free words and nodes ----------------------------------------------------------------- */

static int region_of(dd_eager_tables *t, const dd_constraints *c, cover_rule rule, int arc,
                     int base)
{
    if (arc == DD_NONE || !rule(c, arc).binds) return DD_NONE;
    int region = base + arc;
    if (t->regions[region].anchor == DD_NONE)
        t->regions[region] = (dd_eager_region){c->heads[arc], c->heads[arc]};
    return region;
}

static void note_word(dd_eager_tables *t, const dd_constraints *c, int word, int arc)
{
    int span = c->span_of[word], head = c->heads[word];
    bool lacks = head == DD_NONE || !dd_same_span(c, head, word);
    dd_eager_word *entry = &t->words[word];
    entry->region = region_of(t, c, cover_of_words, arc, 0);
    entry->free = lacks && arc == DD_NONE;
    if (lacks && entry->region != DD_NONE) t->regions[entry->region].last_free = word;
    if (span != DD_NONE && entry->free) t->spans[span].last_free = word;
}

static void note_node(dd_eager_tables *t, const dd_constraints *c, int word, int arc)
{
    int span = c->span_of[word], first = dd_node_first(c, word);
    int root = span == DD_NONE ? word : t->spans[span].root;
    bool lacks = root == DD_NONE || c->heads[root] <= 0;
    bool serves = lacks && !is_leaf(c, word);
    dd_eager_word *entry = &t->words[word];
    entry->node_region = region_of(t, c, cover_of_nodes, arc, c->n + 1);
    entry->node_free = lacks && arc == DD_NONE;
    if (serves && entry->node_region != DD_NONE) t->regions[entry->node_region].last_free = first;
    if (serves && entry->node_free) t->last_free = first;
}

bool dd_eager_tables_set(dd_eager_tables *tables, const dd_constraints *constraints)
{
    if (!reserve(tables, constraints)) return false;
    for (int i = 0; i < 2 * (constraints->n + 1); i++) tables->regions[i].anchor = DD_NONE;
    tables->last_free = 1;
    find_known_roots(tables, constraints);
    sweep(tables, constraints, cover_of_words, note_word);
    sweep(tables, constraints, cover_of_nodes, note_node);
    return true;
}
