#include "oracles/lr_spine_loss.h"

#include "core/memory.h"

#include <limits.h>
#include <string.h>

enum { UNREACHABLE = INT32_MIN / 2, NOW = DD_SPINE_RIGHT + 1 };

/* Where a node stands in the trees on the stack. */
typedef struct place {
    int32_t element;     /* 0 is the top */
    int32_t left, right; /* place on the left and the right spine, from 1; 0: not on it */
} place;

/* An element of the stack after a move, and where the gold head of its root is: in one of these, or
 * DD_NONE. */
typedef struct element {
    int32_t above;   /* the element above it whose left spine has it */
    int32_t cut;     /* LA@k cuts it off that spine if k is smaller */
    int32_t below;   /* the element below it whose right spine has it */
    int32_t beyond;  /* the fragment whose root it is */
    int32_t rooting; /* whether anything can be gained by making this the root of all above */
} element;

/* A fragment of the right stack; its gold head is in the next one, or not in the buffer. Neighbours
 * that are no use as the root are one if their heads are in the same place, and are left out if
 * these are out of reach. */
typedef struct fragment {
    int32_t below;   /* the element whose right spine has it, or DD_NONE */
    int32_t cut;     /* RA@k cuts it off that spine if k is smaller */
    int32_t chained; /* whether it is in the next fragment */
    int32_t arcs;    /* how many fragments this one stands for; 0: one that may become the root */
} fragment;

typedef struct tables {
    const dd_config *config;
    const dd_gold *gold;
    /* of the configuration */
    int32_t *element_of; /* [n + 1] for roots on the stack */
    place *heads;        /* [n + 1] places of gold heads that are not in the buffer */
    /* after a move */
    int view;   /* the kind of the move, or NOW */
    int front;  /* of the buffer */
    int n_arcs; /* to be built: one into each element and fragment but that of 0 */
    int n_elements, n_fragments, n_rooting;
    int32_t *needed;      /* [n + 1] words with gold dependents on the stack or in a fragment */
    int32_t *fragment_of; /* [n + 1] for roots of fragments */
    element *elements;    /* [n + 2] */
    fragment *fragments;  /* [n + 1] */
    int32_t *rooting;     /* [n_rooting] fragments by which anything can be gained as the root */
    int32_t *n;           /* [n_fragments] N(a, i, x) of the current a and i */
    int32_t *v;           /* [n_elements][n_fragments + 1] V(a, j) */
    /* the cells of element 0 are those of every k from `k_first` to before `k_end` */
    int k_first, k_end;
} tables;

/* ---- where the gold heads are ---- */

static place find_place(const tables *t, int node)
{
    const dd_node *nodes = t->config->nodes;
    bool left = true, right = true;
    int depth = 1;
    for (; nodes[node].head != DD_NONE; depth++) {
        int head = nodes[node].head;
        left = left && nodes[head].left[0] == node;
        right = right && nodes[head].right[0] == node;
        if (!left && !right) return (place){DD_NONE, 0, 0};
        node = head;
    }
    return (place){t->element_of[node], left ? depth : 0, right ? depth : 0};
}

static void find_heads(tables *t)
{
    const dd_config *c = t->config;
    const int32_t *heads = t->gold->heads;
    for (int e = 0; e < c->depth; e++) t->element_of[dd_stack(c, e)] = e;
    for (int e = 0; e < c->depth; e++) {
        int word = dd_stack(c, e);
        if (word > 0 && heads[word] < c->front) t->heads[word] = find_place(t, heads[word]);
    }
    for (int word = c->front; word <= c->n; word++)
        if (heads[word] < c->front) t->heads[word] = find_place(t, heads[word]);
}

/* The element of the view that has the place on a spine, or DD_NONE, with the smallest k that does
 * not cut it off. LA@k joins the left spine of the second element to the first k nodes of the
 * top's, and loses its right spine; RA@k is the mirror image. */
static int element_with(const tables *t, place p, bool left, int32_t *cut)
{
    int at = left ? p.left : p.right;
    *cut = 0;
    if (p.element == DD_NONE || at == 0) return DD_NONE;
    if (t->view == NOW) return p.element;
    if (t->view == DD_SPINE_SHIFT) return p.element + 1;
    if (p.element > 1) return p.element - 1;
    bool keeps_all = p.element == (t->view == DD_SPINE_LEFT ? 0 : 1);
    bool inner = left == (t->view == DD_SPINE_LEFT);
    if (inner && keeps_all) *cut = at;
    return inner || keeps_all ? 0 : DD_NONE;
}

/* The same for the gold head of a word. A word just shifted is an element of its own. */
static int element_with_head(const tables *t, int word, bool left, int32_t *cut)
{
    int head = t->gold->heads[word];
    *cut = 0;
    if (head >= t->config->front) return head < t->front ? 0 : DD_NONE;
    return element_with(t, t->heads[word], left, cut);
}

/* ---- elements and fragments after a move ---- */

static void add_element(tables *t, int word)
{
    int e = t->n_elements++;
    element *new = &t->elements[e];
    *new = (element){.above = DD_NONE, .below = DD_NONE, .beyond = DD_NONE};
    if (word == 0) return;
    int head = t->gold->heads[word];
    if (head >= t->front) {
        new->beyond = head; /* the word; its fragment is not known yet */
        t->needed[head] = 1;
        return;
    }
    int32_t unused;
    new->above = element_with_head(t, word, true, &new->cut);
    if (new->above >= e) new->above = DD_NONE;
    new->below = element_with_head(t, word, false, &unused);
    if (new->below <= e) new->below = DD_NONE;
}

static void fill_elements(tables *t)
{
    const dd_config *c = t->config;
    int absorbed = t->view == DD_SPINE_LEFT ? 1 : t->view == DD_SPINE_RIGHT ? 0 : DD_NONE;
    t->n_elements = 0;
    if (t->view == DD_SPINE_SHIFT) add_element(t, c->front);
    for (int e = 0; e < c->depth; e++)
        if (e != absorbed) add_element(t, dd_stack(c, e));
}

static void add_fragment(tables *t, int word)
{
    int head = t->gold->heads[word];
    fragment new = {.below = DD_NONE, .chained = head >= t->front, .arcs = 1};
    if (new.chained)
        t->needed[head] = 1;
    else
        new.below = element_with_head(t, word, false, &new.cut);
    bool last = t->config->single_root && new.below == t->n_elements - 1;
    bool rooting = t->needed[word] || last;
    fragment *before = t->n_fragments > 0 ? &t->fragments[t->n_fragments - 1] : NULL;
    if (rooting) {
        t->rooting[t->n_rooting++] = t->n_fragments;
        t->fragment_of[word] = t->n_fragments;
        new.arcs = 0;
    } else if (new.below == DD_NONE) {
        return;
    } else if (before && before->arcs && before->below == new.below && before->cut == new.cut) {
        before->arcs++;
        return;
    }
    t->fragments[t->n_fragments++] = new;
}

/* Section 4.2, as in arc-standard: only roots on the stack count. */
static void fill_fragments(tables *t)
{
    t->n_fragments = t->n_rooting = 0;
    for (int word = t->front; word <= t->config->n; word++) {
        if (t->gold->heads[word] >= t->front && !t->needed[word]) continue;
        t->n_arcs++;
        add_fragment(t, word);
    }
}

/* An element gains something as the root if it has gold dependents on its right spine, or if that
 * gives it its head. Of neighbours that the same element would take the first serves for all: only
 * one can be root then, and no gold arc from above or from the buffer ends between it and its head.
 * The element of node 0 is always the last root. */
static void note_rooting(tables *t)
{
    element *elements = t->elements;
    for (int e = 0; e < t->n_elements; e++) {
        if (elements[e].below != DD_NONE) elements[elements[e].below].rooting = 1;
        if (elements[e].beyond != DD_NONE) elements[e].beyond = t->fragment_of[elements[e].beyond];
    }
    for (int x = 0; x < t->n_fragments; x++)
        if (t->fragments[x].below != DD_NONE) elements[t->fragments[x].below].rooting = 1;
    elements[t->n_elements - 1].rooting = 1;
    int taken_by = DD_NONE; /* the element that would take the last one here */
    for (int e = 1; e < t->n_elements; e++) {
        int below = elements[e].below;
        if (below != DD_NONE && below != taken_by) elements[e].rooting = 1;
        if (elements[e].rooting) taken_by = below;
    }
}

/* ---- gold arcs gained ---- */

static void raise(int32_t *value, int32_t candidate)
{
    if (candidate > *value) *value = candidate;
}

static int32_t *v_row(const tables *t, int a)
{
    return t->v + (size_t)a * ((size_t)t->n_fragments + 1);
}

/* Element e is attached to a left spine that has those of a and of all between the two. */
static int gain(const tables *t, int a, int k, int e)
{
    return t->elements[e].above >= a && t->elements[e].cut <= k;
}

/* Fragment x is attached to the right spine of a, the root. */
static int taken(const tables *t, int x, int a, int k)
{
    const fragment *f = &t->fragments[x];
    if (f->below != a || f->cut > k) return 0;
    return f->arcs ? f->arcs : 1;
}

/* V(a, j) where the next root is an element, a' = next: those between go to the left spine. */
static void take_by_elements(tables *t, int a, int k)
{
    int32_t *row = v_row(t, a);
    int attached = 0;
    for (int j = 0; j <= t->n_fragments; j++) row[j] = UNREACHABLE;
    for (int next = a + 1; next < t->n_elements; next++) {
        if (t->elements[next].rooting) {
            const int32_t *after = v_row(t, next);
            int gained = attached + (t->elements[a].below == next);
            for (int j = 0; j <= t->n_fragments; j++) raise(&row[j], gained + after[j]);
        }
        attached += gain(t, a, k, next);
    }
}

/* N(a, i, x) from N(a, i + 1, x): element i + 1 goes to the left spine, which has x, or takes x; or
 * a later fragment takes x. */
static void step_left(tables *t, int a, int k, int i)
{
    int e = i + 1;
    bool last = e == t->n_elements - 1;
    const int32_t *after = v_row(t, e);
    int32_t later = UNREACHABLE;
    for (int r = t->n_rooting - 1; r >= 0; r--) {
        int x = t->rooting[r];
        int32_t best = later;
        if (!last) raise(&best, t->n[x] + gain(t, a, k, e) + (t->elements[e].beyond == x));
        if (t->elements[e].rooting) raise(&best, after[x + 1] + (t->fragments[x].below == e));
        if (t->fragments[x].chained) raise(&best, t->n[x + 1] + 1);
        t->n[x] = best;
        raise(&later, best);
    }
}

/* All V(a, j): a fragment takes a, or goes to a's right spine, or an element takes a. */
static void fill_row(tables *t, int a, int k)
{
    int32_t *row = v_row(t, a);
    take_by_elements(t, a, k);
    for (int x = 0; x < t->n_fragments; x++) t->n[x] = UNREACHABLE;
    for (int i = t->n_elements - 2; i >= a && t->n_rooting > 0; i--) step_left(t, a, k, i);
    for (int j = t->n_fragments - 1; j >= 0; j--) {
        raise(&row[j], row[j + 1] + taken(t, j, a, k));
        raise(&row[j], t->n[j] + (t->elements[a].beyond == j));
    }
}

/* The element of 0 is the root in the end. Under the single-root rule it takes the root of all the
 * rest, fragments included, and nothing else. */
static void fill_last_row(tables *t, int k)
{
    int a = t->n_elements - 1;
    int32_t *row = v_row(t, a);
    row[t->n_fragments] = 0;
    for (int j = t->n_fragments - 1; j >= 0; j--) {
        row[j] = row[j + 1] + (t->config->single_root ? 0 : taken(t, j, a, k));
    }
}

/* ---- the whole ---- */

static size_t ints(size_t count, size_t size)
{
    return count * (size / sizeof(int32_t));
}

static bool reserve(tables *t, dd_loss_space *space)
{
    size_t nodes = (size_t)t->config->n + 2;
    size_t cells = ((size_t)t->config->depth + 1) * ((size_t)(t->config->n - t->config->front) + 3);
    size_t need = 5 * nodes + ints(nodes, sizeof *t->heads) + ints(nodes, sizeof *t->elements) +
                  ints(nodes, sizeof *t->fragments) + cells;
    if (!DD_RESERVE(&space->memory, &space->capacity, need)) return false;
    int32_t *at = space->memory;
    t->element_of = at, at += nodes;
    t->heads = (place *)(void *)at, at += ints(nodes, sizeof *t->heads);
    t->needed = at, at += nodes;
    t->fragment_of = at, at += nodes;
    t->elements = (element *)(void *)at, at += ints(nodes, sizeof *t->elements);
    t->fragments = (fragment *)(void *)at, at += ints(nodes, sizeof *t->fragments);
    t->rooting = at, at += nodes;
    t->n = at, at += nodes;
    t->v = at;
    return true;
}

static bool prepare(tables *t, dd_loss_space *space, const dd_config *config, const dd_gold *gold)
{
    *t = (tables){.config = config, .gold = gold, .view = DD_NONE};
    if (!reserve(t, space)) return false;
    find_heads(t);
    return true;
}

/* Everything that all k have in common. */
static void look_after(tables *t, int kind)
{
    t->view = kind;
    t->front = t->config->front + (kind == DD_SPINE_SHIFT);
    t->k_first = t->k_end = 0;
    for (int word = t->front; word <= t->config->n; word++) t->needed[word] = 0;
    fill_elements(t);
    t->n_arcs = t->n_elements - 1;
    fill_fragments(t);
    note_rooting(t);
    if (t->n_elements > 1) fill_last_row(t, 0);
    for (int a = t->n_elements - 2; a > 0; a--)
        if (t->elements[a].rooting) fill_row(t, a, 0);
}

/* The k that cut off the same nodes with gold dependents as this one. */
static void find_class(tables *t, int k)
{
    t->k_first = 0;
    t->k_end = INT_MAX;
    for (int i = 0; i < t->n_elements + t->n_fragments; i++) {
        int cut = i < t->n_elements ? t->elements[i].cut : t->fragments[i - t->n_elements].cut;
        if (cut <= k && cut > t->k_first) t->k_first = cut;
        if (cut > k && cut < t->k_end) t->k_end = cut;
    }
}

/* Wrong arcs from here on. */
static int remaining(tables *t, int k)
{
    if (k < t->k_first || k >= t->k_end) {
        find_class(t, k);
        if (t->n_elements == 1)
            fill_last_row(t, k);
        else
            fill_row(t, 0, k);
    }
    return t->n_arcs - v_row(t, 0)[0];
}

static bool is_gold(const tables *t, dd_move move)
{
    int dependent = dd_stack(t->config, move.kind == DD_SPINE_LEFT ? 1 : 0);
    if (t->gold->heads[dependent] >= t->config->front) return false;
    place head = t->heads[dependent];
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
    if (!prepare(&t, space, config, gold)) return false;
    for (int m = 0; m < n_moves; m++) {
        if (moves[m].kind != t.view) look_after(&t, moves[m].kind);
        losses[m] = remaining(&t, moves[m].k);
        if (moves[m].kind != DD_SPINE_SHIFT) losses[m] += !is_gold(&t, moves[m]);
    }
    return true;
}

bool dd_lr_spine_loss(dd_loss_space *space, const dd_config *config, const dd_gold *gold, int *loss)
{
    tables t;
    *loss = 0;
    /* Only SH is possible, and nothing is lost: 0 has taken nothing, or there are no words left. */
    if (config->depth == 0 || (config->single_root && config->depth == 1)) return true;
    if (!prepare(&t, space, config, gold)) return false;
    look_after(&t, NOW);
    *loss = remaining(&t, 0);
    return true;
}
