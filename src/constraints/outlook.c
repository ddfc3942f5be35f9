#include "constraints/outlook.h"

#include "core/memory.h"

#include <stdlib.h>

void dd_outlook_free(dd_outlook *outlook)
{
    free(outlook->settled);
    free(outlook->span_root);
    *outlook = (dd_outlook){0};
}

bool dd_outlook_reset(dd_outlook *outlook, dd_constraints *constraints)
{
    size_t nodes = (size_t)constraints->n + 1;
    outlook->constraints = constraints;
    outlook->effort = &constraints->effort;
    if (!DD_RESERVE(&outlook->settled, &outlook->settled_capacity, nodes) ||
        !DD_RESERVE(&outlook->span_root, &outlook->span_root_capacity,
                    (size_t)constraints->n_spans + 1))
        return false;
    for (int node = 0; node <= constraints->n; node++) outlook->settled[node] = DD_NONE;
    return true;
}

bool dd_outlook_allows(const dd_outlook *outlook, int head, int dependent)
{
    const dd_constraints *c = outlook->constraints;
    int required = c->heads[dependent], span = c->span_of[head];
    if (head == dependent || (required != DD_NONE && required != head)) return false;
    if (span != DD_NONE && span != c->span_of[dependent] && c->spans[span].mode == DD_SPAN_NONE)
        return false;
    return !dd_forbids_arc(c, head, dependent);
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
