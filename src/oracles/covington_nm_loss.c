#include "oracles/covington_nm_loss.h"

#include "core/memory.h"
#include "oracles/covington_loss.h"
#include "oracles/cycles.h"

/* ---- configurations ---- */

dd_nm_view dd_nm_now(const dd_config *config)
{
    return (dd_nm_view){
        .n = config->n,
        .single_root = config->single_root,
        .focus = config->focus,
        .front = config->front,
        .heads = &config->nodes[0].head,
        .stride = sizeof *config->nodes / sizeof(int32_t),
        .added = {DD_NONE, DD_NONE},
        .freed = DD_NONE,
    };
}
_Static_assert(sizeof(dd_node) % sizeof(int32_t) == 0, "heads cannot be reached by a stride");

/* Whether `ancestor` is `word` or above it. */
static bool below(const dd_nm_view *view, int word, int ancestor)
{
    while (word > 0 && word != ancestor) word = dd_nm_head(view, word);
    return word == ancestor;
}

dd_nm_view dd_nm_after(const dd_nm_view *view, int kind)
{
    dd_nm_view after = *view;
    if (kind == DD_NM_SHIFT) {
        after.focus = after.front++;
        return after;
    }
    after.focus--;
    if (kind == DD_NM_NO_ARC) return after;
    int i = view->focus, j = view->front;
    after.added = kind == DD_NM_LEFT ? (dd_arc){j, i} : (dd_arc){i, j};
    if (below(view, after.added.head, after.added.dependent)) after.freed = after.added.head;
    return after;
}

/* ---- the single-root rule ----
 *
 * With the last word n in front, only n and the words up to the focus can still get or lose a head,
 * so a headless word p between them stays so and is the root; there may be only one. The tree can
 * be made whole then exactly if n is below p, or can be put there by RA from a word up to the focus
 * that is: n takes the other headless words. With no such p, n can take all headless words but the
 * one above it. */

static bool word_left_below(const dd_nm_view *view, int root)
{
    for (int word = view->focus; word > 0; word--)
        if (below(view, word, root)) return true;
    return false;
}

static bool one_root(const dd_nm_view *view)
{
    int roots = 0;
    for (int word = 1; word <= view->n && roots < 2; word++)
        roots += dd_nm_head(view, word) == DD_NONE;
    return roots == 1;
}

bool dd_nm_can_end(const dd_nm_view *view)
{
    int passed = DD_NONE;
    if (view->front < view->n) return true;
    if (view->front > view->n) return one_root(view);
    for (int word = view->focus + 1; word < view->n; word++) {
        if (dd_nm_head(view, word) != DD_NONE) continue;
        if (passed != DD_NONE) return false;
        passed = word;
    }
    return passed == DD_NONE || below(view, view->n, passed) || word_left_below(view, passed);
}

bool dd_nm_permissible(const dd_nm_view *view, int kind)
{
    if (view->focus == 0 && kind != DD_NM_SHIFT) return false;
    if (!view->single_root || view->front < view->n) return true;
    dd_nm_view after = dd_nm_after(view, kind);
    return dd_nm_can_end(&after);
}

/* ---- bounds ---- */

static bool comes(const dd_nm_view *view, int head, int dependent)
{
    return head > 0 && dd_covington_open(view->focus, view->front, head, dependent);
}

int dd_nm_unreachable(const dd_nm_view *view, const dd_gold *gold)
{
    int count = 0;
    for (int word = 1; word <= view->n; word++) {
        int head = dd_nm_head(view, word), want = gold->heads[word];
        count += want == 0 ? head != DD_NONE : head != want && !comes(view, want, word);
    }
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
        if (last == DD_NONE ||
            comes_later(x, y, cycle.path[last], cycle.path[(last + 1) % length]))
            last = k;
    }
    int x = cycle.path[(last + 1) % length], z = cycle.path[(last + 2) % length];
    return gold->heads[x] == z;
}

/* The arcs built, and the gold arcs to come. */
static void fill_graph(const dd_nm_view *view, const dd_gold *gold, int32_t *built, int32_t *coming)
{
    for (int word = 1; word <= view->n; word++) {
        int want = gold->heads[word];
        built[word] = dd_nm_head(view, word);
        coming[word] = want != built[word] && comes(view, want, word) ? want : 0;
    }
}

bool dd_nm_bound(dd_loss_space *space, const dd_nm_view *view, const dd_gold *gold,
                 dd_nm_bounds *bounds)
{
    size_t nodes = (size_t)view->n + 1;
    if (!DD_RESERVE(&space->memory, &space->capacity, (2 + DD_CYCLE_MEMORY) * nodes)) return false;
    int32_t *built = space->memory, *coming = built + nodes;
    fill_graph(view, gold, built, coming);
    dd_cycle_graph graph = {view->n, {built, coming}};
    int limit = dd_nm_cycle_limit(view->n);
    dd_cycle_count cycles =
        dd_cycles_count(&graph, coming + nodes, limit, problematic, gold);
    bounds->lower = dd_nm_unreachable(view, gold);
    bounds->upper = bounds->lower + cycles.all;
    bounds->pc_upper = cycles.complete ? bounds->lower + cycles.chosen : bounds->upper;
    return true;
}
