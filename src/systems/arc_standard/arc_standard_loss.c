#include "systems/arc_standard/arc_standard.h"

#include "core/memory.h"

#include <string.h>

enum { UNREACHABLE = INT32_MAX / 2 };

/* The tables of one computation, all in the loss space. The nodes stand in the order of the
 * sentence: the left stack, then the right one without its first node, which is the left one's top.
 *
 *     nodes:  left bottom .. left top | right 2, right 3, ..
 *     heads:  their gold heads
 *     row:    T[i, j](h) of the current i, one cell of `width` for each j; h is an index in nodes
 *
 * T[i, j] covers the nodes top - i + 1 .. top + j - 1 and any of them may be its root, so that what
 * is reachable in a cell is one run of indices. */
typedef struct tables {
    int top;        /* index of the left stack's top */
    int width;      /* number of nodes */
    int unknown;    /* of them, words whose head is not known: any head counts as wrong at first */
    int32_t *nodes; /* [width] */
    int32_t *heads; /* [width] */
    int32_t *row;   /* [(width - top) * width] */
} tables;

/* Section 4.2: a buffer word goes to the right stack unless the gold fragment that it belongs to
 * can be built before it meets the stack: its gold head is outside the buffer, or one of its
 * dependents is on the stack or already here. A word whose head is not known can be attached at no
 * cost wherever it comes, with its fragment, unless a dependent of it is out there
 * (docs/theory/oracles.md, partial trees). */
static void fill_right_stack(tables *t, const dd_config *config, const dd_gold *gold, int front,
                             int32_t *has_outer_dependent)
{
    size_t words = (size_t)(config->n - front + 1);
    memset(has_outer_dependent + front, 0, words * sizeof *has_outer_dependent);
    for (int at = 0; at <= t->top; at++)
        if (gold->heads[t->nodes[at]] >= 0) has_outer_dependent[gold->heads[t->nodes[at]]] = 1;
    for (int word = front; word <= config->n; word++) {
        int head = gold->heads[word];
        bool outside = head >= 0 && head < front;
        if (!outside && !has_outer_dependent[word]) continue;
        t->nodes[t->width++] = word;
        if (head >= front) has_outer_dependent[head] = 1;
    }
}

static bool reserve(tables *t, dd_loss_space *space, size_t nodes, size_t cells)
{
    if (!DD_RESERVE(&space->memory, &space->capacity, 2 * nodes + cells)) return false;
    t->nodes = space->memory;
    t->heads = t->nodes + nodes;
    t->row = t->heads + nodes;
    return true;
}

static bool prepare(tables *t, dd_loss_space *space, const dd_config *config, const dd_gold *gold,
                    dd_standard_view view)
{
    size_t nodes = (size_t)config->n + 1;
    if (!reserve(t, space, nodes, 0)) return false;
    t->width = 0;
    for (int at = 0; at < view.depth; at++) t->nodes[t->width++] = view.stack[at];
    if (view.top != DD_NONE) t->nodes[t->width++] = view.top;
    t->top = t->width - 1;
    /* The marks lie where the heads will be. */
    fill_right_stack(t, config, gold, view.front, t->heads);
    size_t cells = (size_t)(t->width - t->top) * (size_t)t->width;
    if (!reserve(t, space, nodes, cells)) return false;
    t->unknown = 0;
    for (int h = 0; h < t->width; h++) {
        t->heads[h] = gold->heads[t->nodes[h]];
        t->unknown += t->heads[h] < 0 && t->nodes[h] > 0;
    }
    return true;
}

static int32_t *cell_at(const tables *t, int j)
{
    return t->row + (size_t)j * (size_t)t->width;
}

/* Each root in first..last takes the node at index `added` (lines 7 and 11 of Algorithm 1). */
static void roots_take(const tables *t, const int32_t *from, int32_t *to, int first, int last,
                       int added)
{
    int32_t head = t->heads[added];
    for (int h = first; h <= last; h++) {
        int32_t loss = from[h] + (head != t->nodes[h]);
        to[h] = loss < to[h] ? loss : to[h];
    }
}

/* The node at index `added` takes the best of the roots in first..last (lines 8 and 12). */
static int32_t taken_by(const tables *t, const int32_t *from, int first, int last, int added)
{
    int32_t node = t->nodes[added], least = UNREACHABLE;
    for (int h = first; h <= last; h++) {
        int32_t loss = from[h] + (t->heads[h] != node);
        least = loss < least ? loss : least;
    }
    return least;
}

/* Row i from row i - 1, in place: each cell from the one above it and the new one to its left; rows
 * and columns count from 0. The left node that row i adds is a word. */
static void next_row(const tables *t, int i)
{
    int first = t->top - i;
    for (int j = 0; t->top + j < t->width; j++) {
        int32_t *cell = cell_at(t, j);
        int last = t->top + j;
        if (i == 0) {
            cell[last] = j == 0 ? 0 : UNREACHABLE;
            for (int h = first; h < last; h++) cell[h] = UNREACHABLE;
        } else {
            cell[first] = taken_by(t, cell, first + 1, last, first);
            for (int h = first + 1; h <= last; h++) cell[h] += t->heads[first] != t->nodes[h];
        }
        if (j == 0) continue;
        const int32_t *left = cell_at(t, j - 1);
        int32_t taken = taken_by(t, left, first, last - 1, last);
        roots_take(t, left, cell, first, last - 1, last);
        cell[last] = taken < cell[last] ? taken : cell[last];
    }
}

/* The least loss of the cells of the last row, with their root attached to 0; from column j on 0
 * takes the further right nodes one by one. Under the single-root rule only the last column counts,
 * as 0 takes exactly one word, when all others are attached. */
static int attach_to_root(const tables *t, bool single_root)
{
    int columns = t->width - t->top;
    int32_t least = UNREACHABLE, taken = 0;
    for (int j = columns - 1; j >= 0; j--) {
        int32_t loss = taken + taken_by(t, cell_at(t, j), 1, t->top + j, 0);
        if (loss < least) least = loss;
        if (single_root) break;
        taken += t->heads[t->top + j] != 0;
    }
    return least;
}

/* Only SH is possible here; the table needs a word on the stack to start from. */
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
    if (t.top == 0) { /* 0 alone: it takes all */
        *loss = 0;
        for (int h = 1; h < t.width; h++) *loss += t.heads[h] > 0;
        return true;
    }
    for (int i = 0; i < t.top; i++) {
        if (!dd_tick(space->ticker, (int64_t)(t.width - t.top) * t.width)) return false;
        next_row(&t, i);
    }
    *loss = attach_to_root(&t, config->single_root) - t.unknown;
    return true;
}
