#include "constraints/graph.h"

#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

typedef struct guard_tables {
    dd_outlook outlook;
    dd_arborescence tree;
    int32_t *heads; /* [n + 1] */
    size_t heads_capacity;
} guard_tables;

static void release(void *tables)
{
    guard_tables *t = tables;
    dd_outlook_free(&t->outlook);
    dd_arborescence_free(&t->tree);
    free(t->heads);
    free(t);
}

static bool prepare(dd_constraints *constraints)
{
    if (!constraints->guard) constraints->guard = dd_calloc(1, sizeof(guard_tables));
    guard_tables *t = constraints->guard;
    return t && DD_RESERVE(&t->heads, &t->heads_capacity, (size_t)constraints->n + 1) &&
           dd_outlook_reset(&t->outlook, constraints) &&
           dd_arborescence_reset(&t->tree, &t->outlook);
}

static bool possible(const dd_constraints *constraints, const dd_config *start)
{
    (void)start;
    guard_tables *t = constraints->guard;
    size_t nodes = (size_t)constraints->n + 1;
    dd_arborescence_clear(&t->tree);
    memcpy(t->tree.arcs, t->tree.allowed, nodes * t->tree.row * sizeof *t->tree.arcs);
    return dd_outlook_judge(&t->outlook) && dd_arborescence_find(&t->tree, t->heads);
}

static bool allows(const dd_constraints *constraints, const dd_config *config, dd_move move)
{
    const guard_tables *t = constraints->guard;
    return dd_outlook_allows(&t->outlook, move.k, config->front);
}

const dd_guard dd_graph_guard = {
    .refuses_spans = true,
    .prepare = prepare,
    .release = release,
    .possible = possible,
    .allows = allows,
};
