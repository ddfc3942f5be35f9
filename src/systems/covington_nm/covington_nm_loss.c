#include "systems/covington_nm/covington_nm_loss.h"

#include "core/memory.h"
#include "systems/covington_nm/covington_nm_single_root.h"
#include "systems/covington_nm/cycles.h"

enum { STEPS_FOR_WORD = 20 }; /* for dd_tick */

int dd_nm_unreachable(const dd_nm_view *view, const dd_gold *gold)
{
    int count = 0;
    for (int word = 1; word <= view->n; word++) count += dd_nm_misses(view, gold, word);
    return count;
}

/* Order in which Covington's loops come to two pairs of words. */
static bool comes_later(int word, int other, int than_word, int than_other)
{
    int right = word > other ? word : other, left = word + other - right;
    int than_right = than_word > than_other ? than_word : than_other;
    int than_left = than_word + than_other - than_right;
    return right > than_right || (right == than_right && left < than_left);
}

/* Section 4: let x -> y be the arc that closes the cycle when the gold arcs to come are built in
 * order; the arc z -> x is deleted then. A problem if that one is gold. */
static bool problematic(const void *user, dd_cycle cycle)
{
    const dd_gold *gold = user;
    int last = DD_NONE, length = cycle.length;
    for (int k = 0; k < length; k++) {
        int y = cycle.path[k], x = cycle.path[(k + 1) % length];
        if (cycle.via[k] == 0) continue;
        if (last == DD_NONE || comes_later(x, y, cycle.path[last], cycle.path[(last + 1) % length]))
            last = k;
    }
    int x = cycle.path[(last + 1) % length], z = cycle.path[(last + 2) % length];
    return gold->heads[x] == z;
}

bool dd_nm_bound(dd_loss_space *space, const dd_nm_view *view, const dd_gold *gold,
                 dd_nm_bounds *bounds)
{
    size_t nodes = (size_t)view->n + 1;
    if (!dd_tick(space->ticker, STEPS_FOR_WORD * (int64_t)view->n)) return false;
    if (!DD_RESERVE(&space->memory, &space->capacity, (2 + DD_CYCLE_MEMORY) * nodes)) return false;
    int32_t *built = space->memory, *coming = built + nodes;
    for (int word = 1; word <= view->n; word++)
        dd_nm_edges(view, gold, word, &built[word], &coming[word]);
    dd_cycle_graph graph = {view->n, {built, coming}, space->ticker};
    int limit = dd_nm_cycle_limit(view->n);
    dd_cycle_count cycles = dd_cycles_count(&graph, coming + nodes, limit, problematic, gold);
    bounds->lower = dd_nm_unreachable(view, gold);
    bounds->upper = bounds->lower + cycles.all;
    bounds->pc_upper = cycles.complete ? bounds->lower + cycles.chosen : bounds->upper;
    if (view->single_root) dd_nm_single_root_bounds(view, gold, built, bounds);
    return !dd_is_cancelled(space->ticker);
}
