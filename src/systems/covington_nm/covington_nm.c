/* covington_nm.c - the non-monotonic Covington parser (nonmonotonic-covington-2017)
 *
 * Focus words and moves are those of covington.c, but arcs are always permissible: a new arc
 * replaces the dependent's old one, and if it closes a cycle, the arc into the new head is removed.
 * The losses are bounds or found by search: systems/covington_nm/covington_nm.h and
 * covington_nm_exact.c. */
#include "systems/covington_nm/covington_nm.h"

#include "systems/covington/covington.h"
#include "systems/registry.h"

/* ---- configurations ------------------------------------------------------------------------- */

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

/* ---- the system ----------------------------------------------------------------------------- */

static bool legal(const dd_config *c, int kind)
{
    dd_nm_view now = dd_nm_now(c);
    return dd_nm_permissible(&now, kind);
}

/* SH: the focus goes to j and the word behind it */

static bool shift_legal(const dd_config *c)
{
    return legal(c, DD_NM_SHIFT);
}

static void shift(dd_config *c)
{
    c->focus = c->front++;
}

/* NA: the focus goes one word to the left */

static bool no_arc_legal(const dd_config *c)
{
    return legal(c, DD_NM_NO_ARC);
}

static void step_left(dd_config *c)
{
    c->focus--;
}

/* LA: NA with j -> i */

static bool left_legal(const dd_config *c)
{
    return legal(c, DD_NM_LEFT);
}

static dd_arc left_arc(const dd_config *c)
{
    return (dd_arc){c->front, c->focus};
}

/* RA: NA with i -> j */

static bool right_legal(const dd_config *c)
{
    return legal(c, DD_NM_RIGHT);
}

static dd_arc right_arc(const dd_config *c)
{
    return (dd_arc){c->focus, c->front};
}

static const dd_move_rule rules[] = {
    [DD_NM_SHIFT] = {"SH", DD_NO_ARC, shift_legal, NULL, shift, NULL},
    [DD_NM_NO_ARC] = {"NA", DD_NO_ARC, no_arc_legal, NULL, step_left, NULL},
    [DD_NM_LEFT] = {"LA", DD_LEFT_ARC, left_legal, left_arc, step_left, NULL},
    [DD_NM_RIGHT] = {"RA", DD_RIGHT_ARC, right_legal, right_arc, step_left, NULL},
};

static void apply(dd_config *c, dd_move move, int label)
{
    dd_nm_view now = dd_nm_now(c);
    dd_nm_view after = dd_nm_after(&now, move.kind);
    dd_arc arc = after.added;
    if (after.freed != DD_NONE) dd_remove_arc(c, after.freed);
    if (arc.dependent != DD_NONE) {
        if (!dd_headless(c, arc.dependent)) dd_remove_arc(c, arc.dependent);
        dd_add_arc(c, arc.head, arc.dependent, label);
    }
    rules[move.kind].advance(c);
}

static const char *const loss_names[] = {
    [DD_NM_UPPER] = "upper",
    [DD_NM_LOWER] = "lower",
    [DD_NM_PC_UPPER] = "pc-upper",
    [DD_NM_EXACT] = "exact",
    NULL,
};

static bool loss_of(dd_loss_space *space, const dd_nm_view *view, const dd_gold *gold, int *loss)
{
    dd_nm_bounds bounds;
    if (space->variant == DD_NM_EXACT) return dd_nm_exact_loss(space, view, gold, loss);
    if (space->variant == DD_NM_LOWER) {
        *loss = dd_nm_unreachable(view, gold);
        return true;
    }
    if (!dd_nm_bound(space, view, gold, &bounds)) return false;
    *loss = space->variant == DD_NM_UPPER ? bounds.upper : bounds.pc_upper;
    return true;
}

static bool exact_losses(dd_loss_space *space, const dd_nm_view *now, const dd_gold *gold,
                         const dd_move *moves, int n_moves, int *after)
{
    for (int m = 0; m < n_moves; m++) {
        dd_nm_view view = dd_nm_after(now, moves[m].kind);
        if (!dd_nm_exact_loss(space, &view, gold, &after[m])) return false;
    }
    return true;
}

static bool losses(dd_loss_space *space, const dd_config *c, const dd_gold *gold,
                   const dd_move *moves, int n_moves, int *after)
{
    dd_nm_view now = dd_nm_now(c);
    dd_nm_bounds bounds[DD_NM_MOVES];
    if (space->variant == DD_NM_EXACT)
        return exact_losses(space, &now, gold, moves, n_moves, after);
    if (space->variant == DD_NM_LOWER) {
        dd_nm_unreachable_after(&now, gold, moves, n_moves, after);
        return true;
    }
    if (!dd_nm_bounds_after(space, &now, gold, moves, n_moves, bounds)) return false;
    for (int m = 0; m < n_moves; m++)
        after[m] = space->variant == DD_NM_UPPER ? bounds[m].upper : bounds[m].pc_upper;
    return true;
}

static bool loss(dd_loss_space *space, const dd_config *c, const dd_gold *gold, int *total)
{
    dd_nm_view now = dd_nm_now(c);
    return loss_of(space, &now, gold, total);
}

/* A gold arc between j and a word at or left of the focus. */
static bool gold_arc_left(const dd_config *c, const dd_gold *gold)
{
    int j = c->front, head = gold->heads[j], first = gold->first[j];
    return (head > 0 && head <= c->focus) ||
           (first < gold->first[j + 1] && gold->dependents[first] <= c->focus);
}

/* As covington.c. */
static dd_move canonical(const dd_config *c, const dd_gold *gold)
{
    int i = c->focus, j = c->front;
    if (i == 0 || !gold_arc_left(c, gold)) return (dd_move){DD_NM_SHIFT, 0};
    if (gold->heads[i] == j) return (dd_move){DD_NM_LEFT, 0};
    return (dd_move){gold->heads[j] == i ? DD_NM_RIGHT : DD_NM_NO_ARC, 0};
}

static void start(dd_config *c)
{
    c->front = 1;
}

static bool final(const dd_config *c)
{
    return c->front > c->n;
}

const dd_system dd_covington_nm = {
    .name = "covington-nm",
    .transitions = "SH NA LA RA",
    .trees = "all",
    .summary = "covington with arcs that replace earlier ones (Fernández-González and "
               "Gómez-Rodríguez 2017)",
    .rules = rules,
    .n_rules = sizeof rules / sizeof *rules,
    .lists = true,
    .nonmonotonic = true,
    .start = start,
    .final = final,
    .features =
        {
            .templates = "covington",
            .slots = "L1 L0 R0 R1 L0.h R0.h W0 CR",
            .products = true,
        },
    .moves =
        {
            .apply = apply,
        },
    .search =
        {
            .max_words = 1000,
            .progress = dd_covington_progress,
            .goes_on = DD_KIND(DD_NM_NO_ARC),
        },
    .oracle =
        {
            .max_words = 500,
            .canonical = canonical,
            .losses = losses,
            .loss = loss,
            .loss_names = loss_names,
            .refuses = dd_refuse_several_roots,
            .keep = dd_keep_first_root,
            .pace = 14000,
        },
    .guard = &dd_covington_nm_guard,
};
