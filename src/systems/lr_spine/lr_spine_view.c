#include "systems/lr_spine/lr_spine.h"

#include "core/memory.h"

/* ---- where the gold heads are ---- */

static dd_spine_place find_place(const dd_spine_view *v, int node)
{
    const dd_node *nodes = v->config->nodes;
    bool left = true, right = true;
    int depth = 1;
    if (node == DD_NONE) return (dd_spine_place){DD_NONE, 0, 0};
    for (; nodes[node].head != DD_NONE; depth++) {
        int head = nodes[node].head;
        left = left && nodes[head].left[0] == node;
        right = right && nodes[head].right[0] == node;
        if (!left && !right) return (dd_spine_place){DD_NONE, 0, 0};
        node = head;
    }
    return (dd_spine_place){v->element_of[node], left ? depth : 0, right ? depth : 0};
}

static void find_heads(dd_spine_view *v)
{
    const dd_config *c = v->config;
    const int32_t *heads = v->gold->heads;
    for (int e = 0; e < c->depth; e++) v->element_of[dd_stack(c, e)] = e;
    for (int e = 0; e < c->depth; e++) {
        int word = dd_stack(c, e);
        if (word > 0 && heads[word] < c->front) v->heads[word] = find_place(v, heads[word]);
    }
    for (int word = c->front; word <= c->n; word++)
        if (heads[word] < c->front) v->heads[word] = find_place(v, heads[word]);
}

/* The element of the view that has the place on a spine, or DD_NONE, with the smallest k that does
 * not cut it off. LA@k joins the left spine of the second element to the first k nodes of the
 * top's, and loses its right spine; RA@k is the mirror image. */
static int element_with(const dd_spine_view *v, dd_spine_place p, bool left, int32_t *cut)
{
    int at = left ? p.left : p.right;
    *cut = 0;
    if (p.element == DD_NONE || at == 0) return DD_NONE;
    if (v->kind == DD_SPINE_NOW) return p.element;
    if (v->kind == DD_SPINE_SHIFT) return p.element + 1;
    if (p.element > 1) return p.element - 1;
    bool keeps_all = p.element == (v->kind == DD_SPINE_LEFT ? 0 : 1);
    bool inner = left == (v->kind == DD_SPINE_LEFT);
    if (inner && keeps_all) *cut = at;
    return inner || keeps_all ? 0 : DD_NONE;
}

/* The same for the gold head of a word. A word just shifted is an element of its own. */
static int element_with_head(const dd_spine_view *v, int word, bool left, int32_t *cut)
{
    int head = v->gold->heads[word];
    *cut = 0;
    if (head >= v->config->front) return head < v->front ? 0 : DD_NONE;
    return element_with(v, v->heads[word], left, cut);
}

/* ---- elements and fragments after a move ---- */

static void add_element(dd_spine_view *v, int word)
{
    int e = v->n_elements++;
    dd_spine_element *new = &v->elements[e];
    *new = (dd_spine_element){.above = DD_NONE, .below = DD_NONE, .beyond = DD_NONE};
    if (word == 0) return;
    int head = v->gold->heads[word];
    v->n_arcs += head != DD_NONE;
    if (head >= v->front) {
        new->beyond = head; /* the word; its fragment is not known yet */
        v->needed[head] = 1;
        return;
    }
    int32_t unused;
    new->above = element_with_head(v, word, true, &new->cut);
    if (new->above >= e) new->above = DD_NONE;
    new->below = element_with_head(v, word, false, &unused);
    if (new->below <= e) new->below = DD_NONE;
}

static void fill_elements(dd_spine_view *v)
{
    const dd_config *c = v->config;
    int absorbed = v->kind == DD_SPINE_LEFT ? 1 : v->kind == DD_SPINE_RIGHT ? 0 : DD_NONE;
    v->n_elements = v->n_arcs = 0;
    if (v->kind == DD_SPINE_SHIFT) add_element(v, c->front);
    for (int e = 0; e < c->depth; e++)
        if (e != absorbed) add_element(v, dd_stack(c, e));
}

static void add_fragment(dd_spine_view *v, int word)
{
    int head = v->gold->heads[word];
    dd_spine_fragment new = {.below = DD_NONE, .chained = head >= v->front, .arcs = 1};
    if (new.chained)
        v->needed[head] = 1;
    else
        new.below = element_with_head(v, word, false, &new.cut);
    bool last = v->config->single_root && new.below == v->n_elements - 1;
    bool rooting = v->needed[word] || last;
    dd_spine_fragment *before = v->n_fragments > 0 ? &v->fragments[v->n_fragments - 1] : NULL;
    if (rooting) {
        v->rooting[v->n_rooting++] = v->n_fragments;
        v->fragment_of[word] = v->n_fragments;
        new.arcs = 0;
    } else if (new.below == DD_NONE) {
        return;
    } else if (before && before->arcs && before->below == new.below && before->cut == new.cut) {
        before->arcs++;
        return;
    }
    v->fragments[v->n_fragments++] = new;
}

/* Section 4.2, as in arc-standard: only roots on the stack count. */
static void fill_fragments(dd_spine_view *v)
{
    v->n_fragments = v->n_rooting = 0;
    for (int word = v->front; word <= v->config->n; word++) {
        int head = v->gold->heads[word];
        bool outside = head != DD_NONE && head < v->front;
        if (!outside && !v->needed[word]) continue;
        v->n_arcs += head != DD_NONE;
        add_fragment(v, word);
    }
}

/* An element gains something as the root if it has gold dependents on its right spine, or if that
 * gives it its head. Of neighbours that the same element would take the first serves for all: only
 * one can be root then, and no gold arc from above or from the buffer ends between it and its head.
 * The element of node 0 is always the last root. */
static void note_rooting(dd_spine_view *v)
{
    dd_spine_element *elements = v->elements;
    for (int e = 0; e < v->n_elements; e++) {
        if (elements[e].below != DD_NONE) elements[elements[e].below].rooting = 1;
        if (elements[e].beyond != DD_NONE) elements[e].beyond = v->fragment_of[elements[e].beyond];
    }
    for (int x = 0; x < v->n_fragments; x++)
        if (v->fragments[x].below != DD_NONE) elements[v->fragments[x].below].rooting = 1;
    elements[v->n_elements - 1].rooting = 1;
    int taken_by = DD_NONE; /* the element that would take the last one of this list */
    for (int e = 1; e < v->n_elements; e++) {
        int below = elements[e].below;
        if (below != DD_NONE && below != taken_by) elements[e].rooting = 1;
        if (elements[e].rooting) taken_by = below;
    }
}

/* ---- the whole ---- */

static size_t ints(size_t count, size_t size)
{
    return count * (size / sizeof(int32_t));
}

bool dd_spine_view_begin(dd_spine_view *v, dd_loss_space *space, const dd_config *config,
                         const dd_gold *gold, size_t extra, int32_t **room)
{
    *v = (dd_spine_view){.config = config, .gold = gold, .kind = DD_NONE};
    size_t nodes = (size_t)config->n + 2;
    size_t need = 4 * nodes + ints(nodes, sizeof *v->heads) + ints(nodes, sizeof *v->elements) +
                  ints(nodes, sizeof *v->fragments) + extra;
    if (!DD_RESERVE(&space->memory, &space->capacity, need)) return false;
    int32_t *at = space->memory;
    v->element_of = at, at += nodes;
    v->heads = (dd_spine_place *)(void *)at, at += ints(nodes, sizeof *v->heads);
    v->needed = at, at += nodes;
    v->fragment_of = at, at += nodes;
    v->elements = (dd_spine_element *)(void *)at, at += ints(nodes, sizeof *v->elements);
    v->fragments = (dd_spine_fragment *)(void *)at, at += ints(nodes, sizeof *v->fragments);
    v->rooting = at, at += nodes;
    *room = at;
    find_heads(v);
    return true;
}

void dd_spine_view_after(dd_spine_view *v, int kind)
{
    v->kind = kind;
    v->front = v->config->front + (kind == DD_SPINE_SHIFT);
    for (int word = v->front; word <= v->config->n; word++) v->needed[word] = 0;
    fill_elements(v);
    fill_fragments(v);
    note_rooting(v);
}
