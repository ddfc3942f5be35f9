#include "systems/lr_spine/lr_spine.h"

#include <limits.h>

enum { UNREACHABLE = INT32_MIN / 2 };

typedef struct tables {
    dd_spine_view view;
    dd_ticker *ticker;
    int32_t *n; /* [n_fragments] N(a, i, x) of the current a and i */
    int32_t *v; /* [n_elements][n_fragments + 1] V(a, j) */
    /* the cells of element 0 are those of every k from `k_first` to before `k_end` */
    int k_first, k_end;
} tables;

static void raise(int32_t *value, int32_t candidate)
{
    if (candidate > *value) *value = candidate;
}

static int32_t *v_row(const tables *t, int a)
{
    return t->v + (size_t)a * ((size_t)t->view.n_fragments + 1);
}

/* Element e is attached to a left spine that has those of a and of all between the two. */
static int gain(const tables *t, int a, int k, int e)
{
    return t->view.elements[e].above >= a && t->view.elements[e].cut <= k;
}

/* Fragment x is attached to the right spine of a, the root. */
static int taken(const tables *t, int x, int a, int k)
{
    const dd_spine_fragment *f = &t->view.fragments[x];
    return f->below == a && f->cut <= k ? f->arcs : 0;
}

/* V(a, j) where the next root is an element: those between the two go to the left spine. */
static void take_by_elements(tables *t, int a, int k)
{
    int32_t *row = v_row(t, a);
    int attached = 0;
    for (int j = 0; j <= t->view.n_fragments; j++) row[j] = UNREACHABLE;
    for (int next = a + 1; next < t->view.n_elements; next++) {
        if (t->view.elements[next].rooting) {
            const int32_t *after = v_row(t, next);
            int gained = attached + (t->view.elements[a].below == next);
            for (int j = 0; j <= t->view.n_fragments; j++) raise(&row[j], gained + after[j]);
        }
        attached += gain(t, a, k, next);
    }
}

/* N(a, i, x) from N(a, i + 1, x): element i + 1 goes to the left spine, on which x is, or takes x;
 * or the next fragment that may be the root takes x. */
static void step_left(tables *t, int a, int k, int i)
{
    int e = i + 1;
    bool last = e == t->view.n_elements - 1;
    const int32_t *after = v_row(t, e);
    int32_t best = UNREACHABLE;
    for (int r = t->view.n_rooting - 1; r >= 0; r--) {
        int x = t->view.rooting[r];
        best += t->view.fragments[x].chained;
        if (!last) raise(&best, t->n[x] + gain(t, a, k, e) + (t->view.elements[e].beyond == x));
        if (t->view.elements[e].rooting)
            raise(&best, after[x + 1] + (t->view.fragments[x].below == e));
        t->n[x] = best;
    }
}

/* All V(a, j): a fragment takes a, or goes to a's right spine, or an element takes a. The values do
 * not count once the work is cancelled. */
static void fill_row(tables *t, int a, int k)
{
    int32_t *row = v_row(t, a);
    int64_t elements = t->view.n_elements - a;
    if (!dd_tick(t->ticker, elements * (t->view.n_fragments + t->view.n_rooting + 1))) return;
    take_by_elements(t, a, k);
    for (int x = 0; x < t->view.n_fragments; x++) t->n[x] = UNREACHABLE;
    for (int i = t->view.n_elements - 2; i >= a && t->view.n_rooting > 0; i--)
        step_left(t, a, k, i);
    for (int j = t->view.n_fragments - 1; j >= 0; j--) {
        raise(&row[j], row[j + 1] + taken(t, j, a, k));
        raise(&row[j], t->n[j] + (t->view.elements[a].beyond == j));
    }
}

/* The element of 0 is the root in the end. Under the single-root rule it takes the root of all the
 * rest, fragments included, and nothing else. */
static void fill_last_row(tables *t, int k)
{
    int a = t->view.n_elements - 1;
    int32_t *row = v_row(t, a);
    row[t->view.n_fragments] = 0;
    for (int j = t->view.n_fragments - 1; j >= 0; j--)
        row[j] = row[j + 1] + (t->view.config->single_root ? 0 : taken(t, j, a, k));
}

static bool begin(tables *t, dd_loss_space *space, const dd_config *config, const dd_gold *gold)
{
    size_t fragments = (size_t)(config->n - config->front) + 2;
    size_t cells = ((size_t)config->depth + 1) * (fragments + 1);
    int32_t *room;
    if (!dd_spine_view_begin(&t->view, space, config, gold, fragments + cells, &room)) return false;
    t->ticker = space->ticker;
    t->n = room;
    t->v = room + fragments;
    return true;
}

/* Everything that all k have in common. */
static void look_after(tables *t, int kind)
{
    dd_spine_view_after(&t->view, kind);
    t->k_first = t->k_end = 0;
    if (t->view.n_elements > 1) fill_last_row(t, 0);
    for (int a = t->view.n_elements - 2; a > 0; a--)
        if (t->view.elements[a].rooting) fill_row(t, a, 0);
}

/* The k that cut off the same nodes with gold dependents as this one. */
static void find_class(tables *t, int k)
{
    int elements = t->view.n_elements;
    t->k_first = 0;
    t->k_end = INT_MAX;
    for (int i = 0; i < elements + t->view.n_fragments; i++) {
        int cut = i < elements ? t->view.elements[i].cut : t->view.fragments[i - elements].cut;
        if (cut <= k && cut > t->k_first) t->k_first = cut;
        if (cut > k && cut < t->k_end) t->k_end = cut;
    }
}

/* Wrong arcs from here on. */
static int remaining(tables *t, int k)
{
    if (k < t->k_first || k >= t->k_end) {
        find_class(t, k);
        if (t->view.n_elements == 1)
            fill_last_row(t, k);
        else
            fill_row(t, 0, k);
    }
    return t->view.n_arcs - v_row(t, 0)[0];
}

/* The arc is gold, or any arc would do. */
static bool is_right(const dd_spine_view *view, dd_move move)
{
    int dependent = dd_stack(view->config, move.kind == DD_SPINE_LEFT ? 1 : 0);
    if (view->gold->heads[dependent] == DD_NONE) return true;
    if (view->gold->heads[dependent] >= view->config->front) return false;
    dd_spine_place head = view->heads[dependent];
    if (move.kind == DD_SPINE_LEFT) return head.element == 0 && head.left == move.k;
    return head.element == 1 && head.right == move.k;
}

bool dd_lr_spine_losses(dd_loss_space *space, const dd_config *config, const dd_gold *gold,
                        const dd_move *moves, int n_moves, int *losses)
{
    tables t;
    if (n_moves == 1) { /* whatever it is, the cost is 0 */
        losses[0] = 0;
        return true;
    }
    if (!begin(&t, space, config, gold)) return false;
    for (int m = 0; m < n_moves; m++) {
        if (!dd_tick(t.ticker, t.view.n_elements + t.view.n_fragments)) return false;
        if (moves[m].kind != t.view.kind) look_after(&t, moves[m].kind);
        losses[m] = remaining(&t, moves[m].k);
        if (moves[m].kind != DD_SPINE_SHIFT) losses[m] += !is_right(&t.view, moves[m]);
    }
    return !dd_is_cancelled(t.ticker);
}

bool dd_lr_spine_loss(dd_loss_space *space, const dd_config *config, const dd_gold *gold, int *loss)
{
    tables t;
    *loss = 0;
    /* Only SH is possible, and nothing is lost: 0 has taken nothing, or there are no words left. */
    if (config->depth == 0 || (config->single_root && config->depth == 1)) return true;
    if (!begin(&t, space, config, gold)) return false;
    look_after(&t, DD_SPINE_NOW);
    *loss = remaining(&t, 0);
    return !dd_is_cancelled(t.ticker);
}
