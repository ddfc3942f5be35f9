#include "systems/covington_nm/covington_nm_moves.h"

#include "core/memory.h"
#include "systems/covington_nm/covington_nm_single_root.h"
#include "systems/covington_nm/cycles.h"

#include <string.h>

/* ---- |U| ---- */

static int change_of(const dd_nm_view *now, const dd_nm_view *after, const dd_gold *gold, int word)
{
    return dd_nm_misses(after, gold, word) - dd_nm_misses(now, gold, word);
}

/* By how much the move changes |U|. With SH the front word has met its last word on the left; the
 * other moves are done with the two words in focus, the new head being the one that may lose its
 * own. */
static int unreachable_change(const dd_nm_view *now, const dd_nm_view *after, const dd_gold *gold)
{
    int i = now->focus, j = now->front;
    int change = change_of(now, after, gold, j);
    if (after->front == j) return change + change_of(now, after, gold, i);
    for (int at = gold->first[j]; at < gold->first[j + 1] && gold->dependents[at] <= i; at++)
        change += change_of(now, after, gold, gold->dependents[at]);
    return change;
}

void dd_nm_unreachable_after(const dd_nm_view *now, const dd_gold *gold, const dd_move *moves,
                             int n_moves, int *after)
{
    int here = dd_nm_unreachable(now, gold);
    for (int m = 0; m < n_moves; m++) {
        dd_nm_view view = dd_nm_after(now, moves[m].kind);
        after[m] = here + unreachable_change(now, &view, gold);
    }
}

/* ---- cycles ---- */

/* The graph of the configuration, with space for a search. */
typedef struct graph {
    dd_cycle_graph edges;
    int32_t *seen;    /* [n + 1] */
    int32_t *waiting; /* [n + 1] */
    int n_waiting;
} graph;

static void look_at(graph *g, int word)
{
    if (word <= 0 || g->seen[word]) return;
    g->seen[word] = 1;
    g->waiting[g->n_waiting++] = word;
}

/* Whether a move closes a cycle in a graph that has none. A move takes edges away, and only its arc
 * is a new one: what it makes headless had its head from a pair of words that is past. So the cycle
 * would lead from the new head to the dependent, and of all words on that way only the new head
 * itself has other edges than before. */
static bool closes_cycle(graph *g, const dd_nm_view *after, const dd_gold *gold)
{
    int head = after->added.head, dependent = after->added.dependent;
    if (dependent == DD_NONE) return false;
    int32_t first[2];
    dd_nm_edges(after, gold, head, &first[0], &first[1]);
    memset(g->seen, 0, ((size_t)after->n + 1) * sizeof *g->seen);
    g->n_waiting = 0;
    look_at(g, first[0]);
    look_at(g, first[1]);
    while (g->n_waiting > 0 && !g->seen[dependent]) {
        int word = g->waiting[--g->n_waiting];
        look_at(g, g->edges.heads[0][word]);
        look_at(g, g->edges.heads[1][word]);
    }
    return g->seen[dependent];
}

/* Fills the graph in and returns |U|. */
static int survey(const dd_nm_view *now, const dd_gold *gold, int32_t *built, int32_t *coming)
{
    int missed = 0;
    for (int word = 1; word <= now->n; word++) {
        dd_nm_edges(now, gold, word, &built[word], &coming[word]);
        missed += dd_nm_misses(now, gold, word);
    }
    return missed;
}

bool dd_nm_bounds_after(dd_loss_space *space, const dd_nm_view *now, const dd_gold *gold,
                        const dd_move *moves, int n_moves, dd_nm_bounds *after)
{
    size_t nodes = (size_t)now->n + 1;
    if (!DD_RESERVE(&space->memory, &space->capacity, (2 + DD_CYCLE_MEMORY) * nodes)) return false;
    int32_t *built = space->memory, *coming = built + nodes, *rest = coming + nodes;
    int here = survey(now, gold, built, coming);
    graph g = {
        .edges = {.n = now->n, .heads = {built, coming}}, .seen = rest, .waiting = rest + nodes};
    bool cyclic = !dd_cycles_none(&g.edges, rest);
    for (int m = 0; m < n_moves; m++) {
        dd_nm_view view = dd_nm_after(now, moves[m].kind);
        if (cyclic || closes_cycle(&g, &view, gold)) {
            /* Its own graph takes the place of this one, which the next move needs again. */
            if (!dd_nm_bound(space, &view, gold, &after[m])) return false;
            if (!cyclic) survey(now, gold, built, coming);
            continue;
        }
        int bound = here + unreachable_change(now, &view, gold);
        after[m] = (dd_nm_bounds){bound, bound, bound};
        if (view.single_root) dd_nm_single_root_bounds(&view, gold, rest, &after[m]);
    }
    return true;
}
