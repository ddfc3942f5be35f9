#include "constraints/outlook.h"

#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

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

/* ---- witnesses ------------------------------------------------------------------------------ */

void dd_witnesses_free(dd_witnesses *witnesses)
{
    free(witnesses->heads);
    free(witnesses->order);
    free(witnesses->numbers);
    *witnesses = (dd_witnesses){0};
}

bool dd_witnesses_reset(dd_witnesses *witnesses, size_t row, int most)
{
    size_t rows = (size_t)most;
    witnesses->row = row;
    witnesses->most = most;
    witnesses->count = 0;
    if (!DD_RESERVE(&witnesses->order, &witnesses->order_capacity, rows) ||
        !DD_RESERVE(&witnesses->numbers, &witnesses->numbers_capacity, rows) ||
        !DD_RESERVE(&witnesses->heads, &witnesses->heads_capacity, rows * row))
        return false;
    for (int i = 0; i < most; i++) witnesses->order[i] = i;
    return true;
}

const int32_t *dd_witness_find(const dd_witnesses *witnesses, uint64_t number)
{
    for (int i = 0; i < witnesses->count && number > 0; i++)
        if (dd_witness_number(witnesses, i) == number) return dd_witness(witnesses, i);
    return NULL;
}

void dd_witness_served(dd_witnesses *witnesses, int i)
{
    int32_t slot = witnesses->order[i];
    memmove(witnesses->order + 1, witnesses->order, (size_t)i * sizeof *witnesses->order);
    witnesses->order[0] = slot;
}

int32_t *dd_witness_add(dd_witnesses *witnesses)
{
    if (witnesses->count < witnesses->most) witnesses->count++;
    dd_witness_served(witnesses, witnesses->count - 1);
    witnesses->numbers[witnesses->order[0]] = ++witnesses->last_number;
    return witnesses->heads + (size_t)witnesses->order[0] * witnesses->row;
}

void dd_witness_drop(dd_witnesses *witnesses)
{
    int32_t slot = witnesses->order[0];
    witnesses->count--;
    memmove(witnesses->order, witnesses->order + 1,
            (size_t)witnesses->count * sizeof *witnesses->order);
    witnesses->order[witnesses->count] = slot;
}
