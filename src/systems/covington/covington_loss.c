#include "systems/covington/covington_loss.h"

#include "core/memory.h"

#include <string.h>

/* A way up that does not end within n steps goes round a cycle. */
bool dd_covington_climbs(const dd_covington_view *view, int word, int ancestor)
{
    for (int steps = view->config->n; word > 0 && steps >= 0; steps--) {
        if (word == ancestor) return true;
        word = dd_covington_parent(view, word);
    }
    return false;
}

bool dd_covington_in_cycle(const dd_covington_view *view, int word)
{
    int parent = dd_covington_parent(view, word);
    return parent > 0 && dd_covington_climbs(view, parent, word);
}

/* Each way up is walked once: it ends at the top, in a walk of before, or in itself. */
static int count_cycles(const dd_covington_view *view, int32_t *walk_of)
{
    int n = view->config->n, cycles = 0;
    memset(walk_of, 0, ((size_t)n + 1) * sizeof *walk_of);
    for (int start = 1; start <= n; start++) {
        int word = start;
        while (word > 0 && walk_of[word] == 0) {
            walk_of[word] = start;
            word = dd_covington_parent(view, word);
        }
        cycles += word > 0 && walk_of[word] == start;
    }
    return cycles;
}

static int count_unreachable(const dd_covington_view *view)
{
    int unreachable = 0;
    for (int word = 1; word <= view->config->n; word++)
        unreachable += dd_gold_rejects(view->gold, dd_covington_parent(view, word), word);
    return unreachable;
}

bool dd_covington_loss(dd_loss_space *space, const dd_covington_view *view, int *loss)
{
    size_t nodes = (size_t)view->config->n + 1;
    if (!DD_RESERVE(&space->memory, &space->capacity, nodes)) return false;
    *loss = count_unreachable(view) + count_cycles(view, space->memory);
    return true;
}
