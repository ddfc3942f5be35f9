#include "constraints/outlook.h"

#include "core/memory.h"

#include <stdlib.h>

void dd_outlook_free(dd_outlook *outlook)
{
    free(outlook->allowed);
    free(outlook->settled);
    free(outlook->span_root);
    *outlook = (dd_outlook){0};
}

static uint64_t *dependents(const dd_outlook *o, int head)
{
    return o->allowed + (size_t)head * o->row;
}

/* All words that are not excluded by a constraint of their own; no arc leaves a span of mode none.
 */
static void fill(dd_outlook *o)
{
    const dd_constraints *c = o->constraints;
    dd_bits_clear(o->allowed, ((size_t)c->n + 1) * o->row);
    for (int head = 0; head <= c->n; head++) {
        int span = c->span_of[head];
        bool closed = span != DD_NONE && c->spans[span].mode == DD_SPAN_NONE;
        dd_bits_add_run(dependents(o, head), closed ? c->spans[span].first : 1,
                        closed ? c->spans[span].last : c->n);
        if (head > 0) dd_bits_drop(dependents(o, head), head);
    }
    for (int word = 1; word <= c->n; word++) {
        for (int head = 0; head <= c->n && c->heads[word] != DD_NONE; head++)
            if (head != c->heads[word]) dd_bits_drop(dependents(o, head), word);
        for (int at = c->forbidden_first[word]; at < c->forbidden_first[word + 1]; at++)
            dd_bits_drop(dependents(o, c->forbidden_heads[at]), word);
    }
}

bool dd_outlook_reset(dd_outlook *outlook, const dd_constraints *constraints)
{
    size_t nodes = (size_t)constraints->n + 1;
    outlook->constraints = constraints;
    outlook->row = dd_bits_row(nodes);
    if (!DD_RESERVE(&outlook->allowed, &outlook->allowed_capacity, nodes * outlook->row) ||
        !DD_RESERVE(&outlook->settled, &outlook->settled_capacity, nodes) ||
        !DD_RESERVE(&outlook->span_root, &outlook->span_root_capacity,
                    (size_t)constraints->n_spans + 1))
        return false;
    fill(outlook);
    for (int node = 0; node <= constraints->n; node++) outlook->settled[node] = DD_NONE;
    return true;
}

/* False if another word is known to be the root. */
static bool fix_root(dd_outlook *o, int word)
{
    int32_t *root = &o->span_root[o->constraints->span_of[word]];
    if (*root != DD_NONE && *root != word) return false;
    *root = word;
    return !dd_outlook_inner(o, word);
}

bool dd_outlook_judge(dd_outlook *outlook)
{
    const dd_constraints *c = outlook->constraints;
    for (int s = 0; s < c->n_spans; s++) outlook->span_root[s] = DD_NONE;
    for (int word = 1; word <= c->n; word++) {
        int head = outlook->settled[word];
        if (head == DD_NONE) continue;
        if (!dd_outlook_allows(outlook, head, word)) return false;
        int from = c->span_of[head], to = c->span_of[word];
        if (from == to) continue;
        if (to != DD_NONE && !fix_root(outlook, word)) return false;
        if (from != DD_NONE && c->spans[from].mode == DD_SPAN_ROOT && !fix_root(outlook, head))
            return false;
    }
    return true;
}
