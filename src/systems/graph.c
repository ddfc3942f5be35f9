/* graph.c - arc-factored parsing: every word chooses its head for itself
 *
 * Not a transition system, but described as one, so that everything that scores and learns
 * transitions also scores and learns arcs: the words come one after the other, and LA@h or RA@h
 * makes the node h the head of the word in front, whatever heads the words before it have. So the
 * softmax over moves is one over heads (Zhang, Cheng and Lapata 2017, "Dependency parsing as head
 * selection"). The heads need not form a tree; the parser looks for the best one that does
 * (parse/graph.c). */
#include "constraints/arborescence.h"
#include "core/memory.h"
#include "systems/registry.h"

#include <stdlib.h>
#include <string.h>

enum { LEFT, RIGHT };

/* The heads left of the word in front, 0 first, then those right of it. */
static int permissible(const dd_config *c, dd_move *moves)
{
    int count = 0;
    for (int head = 0; head <= c->n; head++)
        if (head != c->front) moves[count++] = (dd_move){head < c->front ? RIGHT : LEFT, head};
    return count;
}

static int max_moves(int n)
{
    return n;
}

static dd_arc arc(const dd_config *c, dd_move move)
{
    return (dd_arc){move.k, c->front};
}

/* Arcs may close cycles, so components and dependents are not kept. */
static void apply(dd_config *c, dd_move move, int label)
{
    dd_node *word = &c->nodes[c->front];
    word->head = move.k;
    word->label = label;
    dd_touch(c, c->front++);
}

static const dd_move_rule rules[] = {
    [LEFT] = {.name = "LA", .direction = DD_LEFT_ARC},
    [RIGHT] = {.name = "RA", .direction = DD_RIGHT_ARC},
};

static void start(dd_config *c)
{
    c->front = 1;
}

static bool final(const dd_config *c)
{
    return c->front > c->n;
}

static dd_move canonical(const dd_config *c, const dd_gold *gold)
{
    int head = gold->heads[c->front];
    return (dd_move){head < c->front ? RIGHT : LEFT, head};
}

static bool losses(dd_loss_space *space, const dd_config *c, const dd_gold *gold,
                   const dd_move *moves, int n_moves, int *after)
{
    (void)space;
    for (int m = 0; m < n_moves; m++)
        after[m] = dd_gold_cost(gold, c->front, dd_gold_rejects(gold, moves[m].k, c->front));
    return true;
}

static bool loss(dd_loss_space *space, const dd_config *c, const dd_gold *gold, int *total)
{
    (void)space;
    *total = dd_wrong_arcs(c, gold);
    return true;
}

/* ---- constraints: which arcs a tree may have, and whether there is one of them -------------- */

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

/* Spans constrain several arcs at once, which an arc-factored parser cannot do, so they are
 * refused. */
static const dd_guard guard = {
    .refuses_spans = true,
    .prepare = prepare,
    .release = release,
    .possible = possible,
    .allows = allows,
};

const dd_system dd_graph = {
    .name = "graph",
    .transitions = "LA@h RA@h",
    .trees = "all",
    .summary = "the tree with the best arcs, each scored independently (McDonald et al. 2005)",
    .rules = rules,
    .n_rules = sizeof rules / sizeof *rules,
    .arc_factored = true,
    .start = start,
    .final = final,
    .features =
        {
            .slots = "B0 H",
            .products = true,
        },
    .moves =
        {
            .most = max_moves,
            .permissible = permissible,
            .arc = arc,
            .apply = apply,
        },
    .search =
        {
            .max_words = 2000,
        },
    .oracle =
        {
            .canonical = canonical,
            .losses = losses,
            .losses_are_ahead = true,
            .loss = loss,
            .weighs_arcs = true,
            .refuses = dd_refuse_several_roots,
            .keep = dd_keep_first_root,
        },
    .guard = &guard,
};
