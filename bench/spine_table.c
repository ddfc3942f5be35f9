#include "spine_table.h"

#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_LIST = 4096 };

void dd_spine_table_free(dd_spine_table *t)
{
    for (int row = 0; row < 2; row++) {
        for (size_t j = 0; j < t->cells_capacity[row]; j++) free(t->cells[row][j].trees);
        free(t->cells[row]);
    }
    free(t->left);
    free(t->right);
    free(t->nodes);
    free(t->longest);
    *t = (dd_spine_table){0};
}

/* ---- spines ---- */

static int node_of(const dd_spine_table *t, const dd_spine *s, int k)
{
    return t->nodes[s->start + (size_t)k];
}

static int root_of(const dd_spine_table *t, const dd_spine_tree *tree)
{
    return node_of(t, &tree->left, 0);
}

static void put_node(dd_spine_table *t, dd_spine *s, int node)
{
    if (!DD_RESERVE(&t->nodes, &t->nodes_capacity, t->n_nodes + 1)) {
        t->out_of_memory = true;
        return;
    }
    t->nodes[t->n_nodes++] = node;
    s->size++;
}

static dd_spine_tree single(dd_spine_table *t, int node)
{
    dd_spine_tree tree = {.left = {.start = t->n_nodes}};
    put_node(t, &tree.left, node);
    tree.right = tree.left;
    return tree;
}

static dd_spine_tree stack_element(dd_spine_table *t, const dd_config *c, int root)
{
    dd_spine_tree tree = {.left = {.start = t->n_nodes}};
    for (int node = root; node != DD_NONE; node = c->nodes[node].left[0])
        put_node(t, &tree.left, node);
    tree.right.start = t->n_nodes;
    for (int node = root; node != DD_NONE; node = c->nodes[node].right[0])
        put_node(t, &tree.right, node);
    return tree;
}

static int place_in(const dd_spine_table *t, const dd_spine *s, int node)
{
    for (int k = 0; k < s->size; k++)
        if (node_of(t, s, k) == node) return k + 1;
    return 0;
}

static dd_spine joined(dd_spine_table *t, const dd_spine *first, int k, const dd_spine *second)
{
    dd_spine s = {.start = t->n_nodes};
    for (int at = 0; at < k; at++) put_node(t, &s, node_of(t, first, at));
    for (int at = 0; at < second->size; at++) put_node(t, &s, node_of(t, second, at));
    return s;
}

/* a takes b, which lies to its left or right: the gold arc if there is one, else from the end of
 * the spine (section 6.2). */
static dd_spine_tree combined(dd_spine_table *t, const dd_spine_tree *a, const dd_spine_tree *b,
                              bool b_left)
{
    const dd_spine *inner = b_left ? &a->left : &a->right;
    int k = place_in(t, inner, t->gold->heads[root_of(t, b)]);
    dd_spine_tree result = *a;
    result.loss = a->loss + b->loss + (k == 0);
    if (k == 0) k = inner->size;
    if (b_left)
        result.left = joined(t, inner, k, &b->left);
    else
        result.right = joined(t, inner, k, &b->right);
    return result;
}

/* ---- the restrictions of section 6.3 ---- */

static bool has_dependent_among(const dd_spine_table *t, int node, const dd_spine_tree *elements,
                                int from, int to)
{
    for (int k = from; k < to; k++) {
        int root = root_of(t, &elements[k]);
        if (root != 0 && t->gold->heads[root] == node) return true;
    }
    return false;
}

static void drop_useless(dd_spine_table *t, dd_spine *s, const dd_spine_tree *elements, int from,
                         int to)
{
    dd_spine kept = {.start = t->n_nodes};
    for (int k = 0; k < s->size; k++) {
        int node = node_of(t, s, k);
        if (k == 0 || has_dependent_among(t, node, elements, from, to)) put_node(t, &kept, node);
    }
    *s = kept;
}

static bool contains(const dd_spine_table *t, const dd_spine *a, const dd_spine *b)
{
    for (int k = 0; k < b->size; k++)
        if (!place_in(t, a, node_of(t, b, k))) return false;
    return true;
}

static bool same(const dd_spine_table *t, const dd_spine *a, const dd_spine *b)
{
    return a->size == b->size && memcmp(t->nodes + a->start, t->nodes + b->start,
                                        (size_t)a->size * sizeof *t->nodes) == 0;
}

/* Whether b makes a unnecessary. */
static bool beaten(const dd_spine_table *t, const dd_spine_tree *a, const dd_spine_tree *b)
{
    if (a->loss < b->loss) return false;
    if (same(t, &a->left, &b->left) && same(t, &a->right, &b->right)) return true;
    return t->rules.drop_dominated && root_of(t, a) == root_of(t, b) &&
           contains(t, &b->left, &a->left) && contains(t, &b->right, &a->right);
}

/* ---- the table ---- */

static void insert(dd_spine_table *t, dd_spine_list *cell, const dd_spine_tree *new)
{
    int kept = 0;
    for (int k = 0; k < cell->size; k++)
        if (beaten(t, new, &cell->trees[k])) return;
    for (int k = 0; k < cell->size; k++)
        if (!beaten(t, &cell->trees[k], new)) cell->trees[kept++] = cell->trees[k];
    cell->size = kept;
    if (cell->size == MAX_LIST) {
        t->too_long = true;
    } else if (!DD_RESERVE(&cell->trees, &cell->capacity, (size_t)cell->size + 1)) {
        t->out_of_memory = true;
    } else {
        cell->trees[cell->size++] = *new;
    }
}

/* `ahead`: in row i + 1, which is the second one kept. */
static void add(dd_spine_table *t, int i, int j, bool ahead, dd_spine_tree new)
{
    if (t->rules.drop_useless) {
        int from = t->rules.k_less_than_i ? 0 : i + 1;
        int to = t->rules.k_less_than_i ? i : t->n_left;
        drop_useless(t, &new.left, t->left, from, to);
        drop_useless(t, &new.right, t->right, j + 1, t->n_right);
    }
    if (!t->out_of_memory) insert(t, &t->cells[ahead][j], &new);
}

static void expand(dd_spine_table *t, int i, int j, dd_spine_tree from, dd_spine_tree other,
                   bool other_left)
{
    int to_i = i + other_left, to_j = j + !other_left;
    if (root_of(t, &other) != 0)
        add(t, to_i, to_j, other_left, combined(t, &from, &other, other_left));
    if (root_of(t, &from) != 0)
        add(t, to_i, to_j, other_left, combined(t, &other, &from, !other_left));
}

/* Section 4.2. */
static void fill_right_stack(dd_spine_table *t, const dd_config *c)
{
    t->right[t->n_right++] = t->left[0];
    for (int word = c->front; word <= c->n && !t->out_of_memory; word++) {
        bool outside = t->gold->heads[word] < c->front;
        if (outside || has_dependent_among(t, word, t->left, 0, t->n_left) ||
            has_dependent_among(t, word, t->right, 1, t->n_right))
            t->right[t->n_right++] = single(t, word);
    }
}

static bool reserve_cells(dd_spine_table *t, int row)
{
    size_t before = t->cells_capacity[row], columns = (size_t)t->n_right;
    if (!DD_RESERVE(&t->cells[row], &t->cells_capacity[row], columns)) return false;
    for (size_t j = before; j < t->cells_capacity[row]; j++) t->cells[row][j] = (dd_spine_list){0};
    for (size_t j = 0; j < columns; j++) t->cells[row][j].size = 0;
    return true;
}

static void note_length(dd_spine_table *t, int i, int j)
{
    int size = t->cells[0][j].size;
    if (size > t->longest[i + j]) t->longest[i + j] = size;
}

static void finish_row(dd_spine_table *t)
{
    dd_spine_list *done = t->cells[0];
    size_t capacity = t->cells_capacity[0];
    t->cells[0] = t->cells[1];
    t->cells_capacity[0] = t->cells_capacity[1];
    t->cells[1] = done;
    t->cells_capacity[1] = capacity;
    for (int j = 0; j < t->n_right; j++) done[j].size = 0;
}

static void fill_cells(dd_spine_table *t, int rows)
{
    add(t, 0, 0, false, t->left[0]);
    for (int i = 0; i < rows && !t->out_of_memory; i++) {
        for (int j = 0; j < t->n_right && !t->out_of_memory; j++) {
            note_length(t, i, j);
            for (int k = 0; k < t->cells[0][j].size && !t->out_of_memory; k++) {
                dd_spine_tree from = t->cells[0][j].trees[k];
                if (i + 1 < rows) expand(t, i, j, from, t->left[i + 1], true);
                if (j + 1 < t->n_right) expand(t, i, j, from, t->right[j + 1], false);
            }
        }
        if (i + 1 < rows) finish_row(t);
    }
}

static int least_loss(const dd_spine_table *t, bool single_root)
{
    const dd_spine_list *last = &t->cells[0][t->n_right - 1];
    int least = t->gold->n + 1;
    for (int k = 0; k < last->size; k++) {
        int root = root_of(t, &last->trees[k]);
        if (!single_root && root != 0) continue;
        int loss = last->trees[k].loss + (single_root && t->gold->heads[root] != 0);
        if (loss < least) least = loss;
    }
    return least;
}

static bool begin(dd_spine_table *t, const dd_config *config)
{
    size_t nodes = (size_t)config->n + 2;
    t->n_left = t->n_right = t->diagonals = 0;
    t->n_nodes = 0;
    t->out_of_memory = t->too_long = false;
    if (!DD_RESERVE(&t->left, &t->left_capacity, nodes) ||
        !DD_RESERVE(&t->right, &t->right_capacity, nodes) ||
        !DD_RESERVE(&t->longest, &t->longest_capacity, 2 * nodes))
        return false;
    for (int k = 0; k < config->depth; k++)
        t->left[t->n_left++] = stack_element(t, config, dd_stack(config, k));
    if (t->out_of_memory) return false;
    fill_right_stack(t, config);
    return !t->out_of_memory && reserve_cells(t, 0) && reserve_cells(t, 1);
}

bool dd_spine_table_fill(dd_spine_table *t, const dd_config *config, const dd_gold *gold,
                         dd_spine_rules rules, int *loss)
{
    *loss = 0;
    t->gold = gold;
    t->rules = rules;
    t->diagonals = 0;
    /* Only SH is possible, and nothing is lost. */
    if (config->depth == 0 || (config->single_root && config->depth == 1)) return true;
    if (!begin(t, config)) return false;
    int rows = t->n_left - config->single_root;
    t->diagonals = rows + t->n_right - 1;
    memset(t->longest, 0, (size_t)t->diagonals * sizeof *t->longest);
    fill_cells(t, rows);
    if (t->out_of_memory) return false;
    *loss = t->too_long ? -1 : least_loss(t, config->single_root);
    return true;
}
