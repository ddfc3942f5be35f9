#include "oracles/arc_standard_loss.h"

#include "core/memory.h"

#include <string.h>

enum { UNREACHABLE = INT32_MAX / 2 };

/* The tables of one computation, all in the loss space:
 *
 *     nodes:   left stack, top first | right stack, from its second node on
 *     scratch: marks while the right stack is filled, then the cell above the current one
 *     row:     T[i, j](h) of the current i, for j = 1..n_right and h an index in nodes
 *
 * As in the paper the right stack begins with the top of the left one, so that column 1 is the left
 * stack alone. */
typedef struct tables {
    int n_left, n_right; /* lengths of the two stacks */
    int width;           /* nodes: n_left + n_right - 1 */
    int32_t *nodes;      /* [n + 1] */
    int32_t *scratch;    /* [n + 1] */
    int32_t *row;        /* [n_right * width] */
} tables;

static int wrong(const dd_gold *gold, int head, int dependent)
{
    return gold->heads[dependent] != head;
}

/* Section 4.2: a buffer word goes to the right stack unless the gold fragment that it belongs to
 * can be built before it meets the stack: its gold head is outside the buffer, or one of its
 * dependents is on the stack or already here. */
static void fill_right_stack(tables *t, const dd_config *config, const dd_gold *gold, int front)
{
    int32_t *has_outer_dependent = t->scratch;
    memset(has_outer_dependent, 0, ((size_t)config->n + 1) * sizeof *has_outer_dependent);
    for (int i = 0; i < t->n_left; i++)
        if (t->nodes[i] != 0) has_outer_dependent[gold->heads[t->nodes[i]]] = 1;
    int32_t *next = t->nodes + t->n_left;
    for (int word = front; word <= config->n; word++) {
        int head = gold->heads[word];
        if (head >= front && !has_outer_dependent[word]) continue;
        *next++ = word;
        has_outer_dependent[head] = 1;
    }
    t->width = (int)(next - t->nodes);
    t->n_right = t->width - t->n_left + 1;
}

static bool reserve(tables *t, dd_loss_space *space, size_t nodes, size_t cells)
{
    if (!DD_RESERVE(&space->memory, &space->capacity, 2 * nodes + cells)) return false;
    t->nodes = space->memory;
    t->scratch = t->nodes + nodes;
    t->row = t->scratch + nodes;
    return true;
}

static bool prepare(tables *t, dd_loss_space *space, const dd_config *config, const dd_gold *gold,
                    dd_standard_view view)
{
    size_t nodes = (size_t)config->n + 1;
    if (!reserve(t, space, nodes, 0)) return false;
    t->n_left = 0;
    if (view.top != DD_NONE) t->nodes[t->n_left++] = view.top;
    for (int at = view.depth - 1; at >= 0; at--) t->nodes[t->n_left++] = view.stack[at];
    fill_right_stack(t, config, gold, view.front);
    return reserve(t, space, nodes, (size_t)t->n_right * (size_t)t->width);
}

static int32_t *cell_at(const tables *t, int j)
{
    return t->row + (size_t)j * (size_t)t->width;
}

static void lower(int32_t *value, int32_t candidate)
{
    if (candidate < *value) *value = candidate;
}

/* Combines the trees of `from`, rooted in any of nodes, with the node at index `added`: either the
 * root takes it (lines 7 and 11 of Algorithm 1) or it takes the root (lines 8 and 12). Node 0 never
 * becomes a dependent. */
static void combine(const tables *t, const dd_gold *gold, const int32_t *from, int32_t *to,
                    int added)
{
    int node = t->nodes[added];
    for (int h = 0; h < t->width; h++) {
        if (from[h] >= UNREACHABLE) continue;
        int root = t->nodes[h];
        if (node != 0) lower(&to[h], from[h] + wrong(gold, root, node));
        if (root != 0) lower(&to[added], from[h] + wrong(gold, node, root));
    }
}

static void clear(int32_t *cell, int width)
{
    for (int h = 0; h < width; h++) cell[h] = UNREACHABLE;
}

/* Row i from row i - 1, in place: each cell from the one above it and the new one to its left. */
static void next_row(tables *t, const dd_gold *gold, int i)
{
    for (int j = 0; j < t->n_right; j++) {
        int32_t *cell = cell_at(t, j);
        memcpy(t->scratch, cell, (size_t)t->width * sizeof *cell);
        clear(cell, t->width);
        if (i > 0)
            combine(t, gold, t->scratch, cell, i);
        else if (j == 0)
            cell[0] = 0;
        if (j > 0) combine(t, gold, cell_at(t, j - 1), cell, t->n_left + j - 1);
    }
}

/* Under the single-root rule 0 takes exactly one word, when all others are attached. */
static int attach_to_root(const tables *t, const dd_gold *gold)
{
    const int32_t *last = cell_at(t, t->n_right - 1);
    int32_t least = UNREACHABLE;
    for (int h = 0; h < t->width; h++)
        if (last[h] < UNREACHABLE) lower(&least, last[h] + wrong(gold, 0, t->nodes[h]));
    return least;
}

/* Nothing but SH is possible here, and the table wants a word to start from. */
static dd_standard_view shift_if_forced(const dd_config *config, dd_standard_view view)
{
    if (view.depth + (view.top != DD_NONE) == 0) view.top = view.front++;
    bool only_root = view.depth + (view.top != DD_NONE) == 1;
    if (!config->single_root || !only_root || view.front > config->n) return view;
    if (view.top != DD_NONE) {
        static const int32_t root_alone[] = {0};
        view.stack = root_alone;
        view.depth = 1;
    }
    view.top = view.front++;
    return view;
}

bool dd_arc_standard_loss(dd_loss_space *space, const dd_config *config, const dd_gold *gold,
                          dd_standard_view view, int *loss)
{
    tables t;
    view = shift_if_forced(config, view);
    if (!prepare(&t, space, config, gold, view)) return false;
    bool root_apart = config->single_root && t.n_left > 1;
    int rows = root_apart ? t.n_left - 1 : t.n_left;
    for (int i = 0; i < rows; i++) next_row(&t, gold, i);
    *loss = root_apart ? attach_to_root(&t, gold) : cell_at(&t, t.n_right - 1)[t.n_left - 1];
    return true;
}
