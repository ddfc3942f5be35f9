#include "oracles/attardi_loss.h"

#include "core/memory.h"
#include "oracles/attardi_cuts.h"
#include "oracles/attardi_forest.h"
#include "oracles/attardi_table.h"

#include <string.h>

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

/* How many gold arcs of a forest that cannot be built must be given up, counted to limit + 1. The
 * search settles nearly all that training meets; the table is for the rest. */
static bool give_up(dd_loss_space *space, size_t used, dd_forest *forest, dd_attardi_effort effort,
                    int *arcs)
{
    size_t size = (size_t)forest->size;
    int32_t *memory = space->memory + used;
    dd_cuts cuts = {.forest = forest, .heads = memory, .lists = memory + size, .runs = effort.runs};
    memcpy(cuts.heads, forest->heads, size * sizeof *cuts.heads);
    *arcs = dd_cuts_least(&cuts, effort.limit);
    return *arcs != DD_NONE || dd_attardi_table(space, used, forest, effort.limit, arcs);
}

bool dd_attardi_loss(dd_loss_space *space, const dd_gold *gold, dd_attardi_view view,
                     dd_attardi_effort effort, int *loss)
{
    size_t nodes = (size_t)view.config->n + 1, used = 5 * nodes;
    size_t room = used + nodes + dd_cuts_room(nodes);
    if (!DD_RESERVE(&space->memory, &space->capacity, room)) return false;
    int32_t *memory = space->memory;
    dd_forest forest = {
        .heads = memory,
        .missing = memory + nodes,
        .stack = memory + 2 * nodes,
        .waiting = memory + 3 * nodes,
    };
    *loss = plant(&forest, gold, view, memory + 4 * nodes);
    effort.limit -= *loss;
    if (effort.limit < 0 || dd_forest_builds(&forest)) return true;
    int given_up = 1;
    dd_forest_shrink(&forest);
    if (effort.limit > 0 && !give_up(space, used, &forest, effort, &given_up)) return false;
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
