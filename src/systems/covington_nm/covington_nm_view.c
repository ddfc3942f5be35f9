#include "systems/covington_nm/covington_nm_view.h"

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
    if (dd_nm_below(view, after.added.head, after.added.dependent)) after.freed = after.added.head;
    return after;
}

/* The single-root rule. With the last word n in front, only n and the words up to the focus can
 * still get or lose a head, so a headless word p between them stays so and is the root; there may
 * be only one. The tree can be made whole then exactly if n is below p, or can be put there by RA
 * from a word up to the focus that is: n takes the other headless words. With no such p, n can take
 * all headless words but the one above it. */

static bool word_left_below(const dd_nm_view *view, int root)
{
    for (int word = view->focus; word > 0; word--)
        if (dd_nm_below(view, word, root)) return true;
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
    return passed == DD_NONE || dd_nm_below(view, view->n, passed) || word_left_below(view, passed);
}

bool dd_nm_permissible(const dd_nm_view *view, int kind)
{
    if (view->focus == 0 && kind != DD_NM_SHIFT) return false;
    if (!view->single_root || view->front < view->n) return true;
    dd_nm_view after = dd_nm_after(view, kind);
    return dd_nm_can_end(&after);
}
