#include "systems/attardi/attardi.h"

#include "core/memory.h"

#include <limits.h>
#include <string.h>

enum {
    STEPS_FOR_WORD = 20, /* for dd_tick */
    FOREST_ARRAYS = 4,
    RUNS_FOR_PARTS = 3000000, /* once a sentence; the table of a long sentence takes a minute */
};

/* A forest of that many nodes behind the first `used` cells of the space, and room for another
 * array of nodes and the search. */
static bool lay_out(dd_loss_space *space, size_t used, size_t nodes, dd_forest *forest)
{
    size_t room = used + (FOREST_ARRAYS + 1) * nodes + dd_cuts_room(nodes);
    if (!DD_RESERVE(&space->memory, &space->capacity, room)) return false;
    forest->heads = space->memory + used;
    forest->missing = forest->heads + nodes;
    forest->stack = forest->missing + nodes;
    forest->waiting = forest->stack + nodes;
    return true;
}

static bool is_left(dd_attardi_view view, int node)
{
    return node != view.taken && dd_headless(view.config, node);
}

/* Numbers the nodes that are left; map[] of the others is not set. */
static void number_nodes(dd_forest *forest, dd_attardi_view view, int32_t *map)
{
    const dd_config *c = view.config;
    int next = 0;
    for (int at = 0; at < c->depth; at++)
        if (c->stack[at] != view.taken) map[c->stack[at]] = next++;
    forest->depth = next + view.shifted;
    for (int word = c->front; word <= c->n; word++) map[word] = next++;
    forest->size = next;
}

/* The forest, and how many words in it are free though their head is known. */
static int plant(dd_forest *forest, const dd_gold *gold, dd_attardi_view view, int32_t *map)
{
    int unattached = 0;
    forest->single_root = view.config->single_root;
    number_nodes(forest, view, map);
    memset(forest->missing, 0, (size_t)forest->size * sizeof *forest->missing);
    forest->heads[0] = DD_NONE;
    for (int word = 1; word <= view.config->n; word++) {
        if (!is_left(view, word)) continue;
        int head = gold->heads[word];
        bool lost = head == DD_NONE || !is_left(view, head);
        forest->heads[map[word]] = lost ? DD_NONE : map[head];
        if (!lost)
            forest->missing[map[head]]++;
        else
            unattached += head != DD_NONE;
    }
    return unattached;
}

/* How many gold arcs of a forest must be given up for the rest to be built, counted to limit + 1.
 * The search settles nearly all that training meets; the table is for the rest. */
static bool give_up(dd_loss_space *space, size_t used, dd_forest *forest, dd_attardi_effort effort,
                    int *arcs)
{
    *arcs = !dd_forest_builds(forest);
    if (*arcs == 0 || effort.limit == 0) return true;
    dd_forest_shrink(forest);
    size_t size = (size_t)forest->size;
    int32_t *memory = space->memory + used;
    dd_cuts cuts = {.forest = forest,
                    .heads = memory,
                    .lists = memory + size,
                    .ticker = space->ticker,
                    .runs = effort.runs};
    memcpy(cuts.heads, forest->heads, size * sizeof *cuts.heads);
    *arcs = dd_cuts_least(&cuts, effort.limit);
    return *arcs != DD_NONE || dd_attardi_table(space, used, forest, effort.limit, arcs);
}

bool dd_attardi_loss(dd_loss_space *space, const dd_gold *gold, dd_attardi_view view,
                     dd_attardi_effort effort, int *loss)
{
    size_t nodes = (size_t)view.config->n + 1, used = (FOREST_ARRAYS + 1) * nodes;
    dd_forest forest;
    if (!dd_tick(space->ticker, STEPS_FOR_WORD * (int64_t)nodes) ||
        !lay_out(space, nodes, nodes, &forest))
        return false;
    *loss = plant(&forest, gold, view, space->memory);
    effort.limit -= *loss;
    int given_up = 0;
    if (effort.limit >= 0 && !give_up(space, used, &forest, effort, &given_up)) return false;
    *loss += given_up;
    return true;
}

bool dd_attardi_builds(const dd_gold *gold, bool single_root)
{
    int size = gold->n + 1;
    dd_forest forest = {
        .single_root = single_root,
        .size = size,
        .heads = gold->heads,
        .missing = gold->scratch,
        .stack = gold->scratch + size,
        .waiting = gold->scratch + 2 * size,
    };
    for (int node = 0; node < size; node++)
        forest.missing[node] = gold->first[node + 1] - gold->first[node];
    return dd_forest_builds(&forest);
}

/* ---- parts of trees ---- */

/* A sentence before the first move; which of the known heads are kept. */
typedef struct parting {
    dd_loss_space *space;
    int n;
    bool single_root;
    int32_t *heads; /* [n + 1] */
} parting;

/* Leaves the first n + 1 cells of the space as they are. */
static bool plant_sentence(const parting *p, dd_forest *forest)
{
    size_t nodes = (size_t)p->n + 1;
    *forest = (dd_forest){.single_root = p->single_root, .size = p->n + 1};
    if (!lay_out(p->space, nodes, nodes, forest)) return false;
    memset(forest->missing, 0, nodes * sizeof *forest->missing);
    for (int node = 0; node <= p->n; node++) {
        forest->heads[node] = p->heads[node];
        if (p->heads[node] != DD_NONE) forest->missing[p->heads[node]]++;
    }
    return true;
}

/* How many heads are still to be given up, counted to limit + 1. */
static bool count_heads(const parting *p, int limit, int *count)
{
    dd_forest forest;
    size_t used = (FOREST_ARRAYS + 1) * ((size_t)p->n + 1);
    dd_attardi_effort effort = {limit, RUNS_FOR_PARTS};
    return plant_sentence(p, &forest) && give_up(p->space, used, &forest, effort, count);
}

/* Writes words whose arcs cannot be built together into the first cells of the space. */
static bool find_conflict(const parting *p, int *count)
{
    dd_forest forest;
    if (!plant_sentence(p, &forest)) return false;
    int32_t *memory = forest.waiting + forest.size;
    dd_cuts cuts = {.forest = &forest,
                    .heads = p->heads,
                    .lists = memory,
                    .ticker = p->space->ticker,
                    .runs = INT_MAX};
    *count = dd_cuts_conflict(&cuts, p->space->memory);
    return !dd_is_cancelled(p->space->ticker);
}

/* Gives up one of `least` heads: the first of a conflict that leaves one less, as some must. */
static bool give_up_one(const parting *p, int least)
{
    int count, rest = least;
    if (!find_conflict(p, &count)) return false;
    for (int i = 0; i < count && rest == least; i++) {
        int word = p->space->memory[i], head = p->heads[word];
        p->heads[word] = DD_NONE;
        if (!count_heads(p, least - 1, &rest)) return false;
        if (rest == least) p->heads[word] = head;
    }
    return true;
}

bool dd_attardi_keep(dd_loss_space *space, const dd_gold *gold, bool single_root, int32_t *heads)
{
    int least;
    parting p = {space, gold->n, single_root, heads};
    memcpy(heads, gold->heads, ((size_t)gold->n + 1) * sizeof *heads);
    if (!count_heads(&p, INT_MAX, &least)) return false;
    for (; least > 0; least--)
        if (!give_up_one(&p, least)) return false;
    return true;
}
