#include "spine_table.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_NODES = SPINE_TABLE_MAX_N + 1, MAX_LIST = 2000 };

typedef struct spine {
    int size;
    int nodes[MAX_NODES]; /* the root first */
} spine;

typedef struct tree {
    spine left, right;
    int loss;
} tree;

typedef struct list {
    int size, capacity;
    tree *trees;
} list;

typedef struct table {
    const dd_gold *gold;
    spine_rules rules;
    int n_left, n_right;
    tree left[MAX_NODES];      /* the stack, top first */
    tree right[MAX_NODES + 1]; /* the right stack; [0] stands for left[0] */
    list cells[MAX_NODES][MAX_NODES + 1];
    bool overflow;
    int longest;
} table;

static tree single(int node)
{
    return (tree){.left = {1, {node}}, .right = {1, {node}}};
}

static tree stack_element(const dd_config *c, int root)
{
    tree t = {0};
    for (int node = root; node != DD_NONE; node = c->nodes[node].left[0])
        t.left.nodes[t.left.size++] = node;
    for (int node = root; node != DD_NONE; node = c->nodes[node].right[0])
        t.right.nodes[t.right.size++] = node;
    return t;
}

static int place_in(const spine *s, int node)
{
    for (int k = 0; k < s->size; k++)
        if (s->nodes[k] == node) return k + 1;
    return 0;
}

static spine joined(const spine *first, int k, const spine *second)
{
    spine s = {.size = k + second->size};
    memcpy(s.nodes, first->nodes, (size_t)k * sizeof *s.nodes);
    memcpy(s.nodes + k, second->nodes, (size_t)second->size * sizeof *s.nodes);
    return s;
}

/* a takes b, which lies to its left or right: the gold arc if there is one, else from the end of
 * the spine (section 6.2). */
static tree combined(const table *t, const tree *a, const tree *b, bool b_left)
{
    const spine *inner = b_left ? &a->left : &a->right;
    int root = b->left.nodes[0];
    int k = place_in(inner, t->gold->heads[root]);
    tree result = *a;
    result.loss = a->loss + b->loss + (k == 0);
    if (k == 0) k = inner->size;
    if (b_left)
        result.left = joined(inner, k, &b->left);
    else
        result.right = joined(inner, k, &b->right);
    return result;
}

static bool is_root_of(int node, const tree *elements, int from, int to)
{
    for (int k = from; k < to; k++)
        if (elements[k].left.nodes[0] == node) return true;
    return false;
}

static void drop_useless(const table *t, spine *s, const tree *elements, int from, int to)
{
    int kept = 1;
    for (int k = 1; k < s->size; k++) {
        bool useful = false;
        for (int word = 1; word <= t->gold->n; word++)
            if (t->gold->heads[word] == s->nodes[k] && is_root_of(word, elements, from, to))
                useful = true;
        if (useful) s->nodes[kept++] = s->nodes[k];
    }
    s->size = kept;
}

static bool contains(const spine *a, const spine *b)
{
    for (int k = 0; k < b->size; k++)
        if (!place_in(a, b->nodes[k])) return false;
    return true;
}

static bool same(const spine *a, const spine *b)
{
    return a->size == b->size &&
           memcmp(a->nodes, b->nodes, (size_t)a->size * sizeof *a->nodes) == 0;
}

/* Whether b makes a unnecessary. */
static bool beaten(const table *t, const tree *a, const tree *b)
{
    if (a->loss < b->loss) return false;
    if (same(&a->left, &b->left) && same(&a->right, &b->right)) return true;
    return t->rules.drop_dominated && a->left.nodes[0] == b->left.nodes[0] &&
           contains(&b->left, &a->left) && contains(&b->right, &a->right);
}

static void add(table *t, int i, int j, tree new)
{
    list *cell = &t->cells[i][j];
    if (t->rules.drop_useless) {
        int from = t->rules.k_less_than_i ? 0 : i + 1;
        int to = t->rules.k_less_than_i ? i : t->n_left;
        drop_useless(t, &new.left, t->left, from, to);
        drop_useless(t, &new.right, t->right, j + 1, t->n_right);
    }
    int kept = 0;
    for (int k = 0; k < cell->size; k++)
        if (beaten(t, &new, &cell->trees[k])) return;
    for (int k = 0; k < cell->size; k++)
        if (!beaten(t, &cell->trees[k], &new)) cell->trees[kept++] = cell->trees[k];
    cell->size = kept;
    if (cell->size == MAX_LIST) {
        t->overflow = true;
        return;
    }
    if (cell->size == cell->capacity) {
        cell->capacity = 2 * cell->capacity + 2;
        cell->trees = realloc(cell->trees, (size_t)cell->capacity * sizeof *cell->trees);
    }
    cell->trees[cell->size++] = new;
    if (cell->size > t->longest) t->longest = cell->size;
}

static void expand(table *t, int i, int j, const tree *from, const tree *other, bool other_left)
{
    int to_i = i + other_left, to_j = j + !other_left;
    if (other->left.nodes[0] != 0) add(t, to_i, to_j, combined(t, from, other, other_left));
    if (from->left.nodes[0] != 0) add(t, to_i, to_j, combined(t, other, from, !other_left));
}

/* Section 4.2. */
static void fill_right_stack(table *t, const dd_config *c)
{
    t->n_right = 1;
    t->right[0] = t->left[0];
    for (int word = c->front; word <= c->n; word++) {
        bool keep = t->gold->heads[word] < c->front;
        for (int k = 0; k < t->n_left; k++)
            if (t->gold->heads[t->left[k].left.nodes[0]] == word) keep = true;
        for (int k = 1; k < t->n_right; k++)
            if (t->gold->heads[t->right[k].left.nodes[0]] == word) keep = true;
        if (keep) t->right[t->n_right++] = single(word);
    }
}

static void fill_cells(table *t, int rows)
{
    add(t, 0, 0, t->left[0]);
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < t->n_right; j++) {
            for (int k = 0; k < t->cells[i][j].size; k++) {
                const tree *from = &t->cells[i][j].trees[k];
                if (i + 1 < rows) expand(t, i, j, from, &t->left[i + 1], true);
                if (j + 1 < t->n_right) expand(t, i, j, from, &t->right[j + 1], false);
            }
        }
    }
}

int spine_table_loss(const dd_config *config, const dd_gold *gold, spine_rules rules, int *longest)
{
    if (config->depth == 0 || (config->single_root && config->depth == 1)) return 0;
    table *t = calloc(1, sizeof *t);
    t->gold = gold;
    t->rules = rules;
    for (int k = 0; k < config->depth; k++)
        t->left[t->n_left++] = stack_element(config, dd_stack(config, k));
    fill_right_stack(t, config);
    int rows = t->n_left - config->single_root;
    fill_cells(t, rows);
    const list *last = &t->cells[rows - 1][t->n_right - 1];
    int least = t->overflow ? -1 : gold->n + 1;
    for (int k = 0; k < last->size; k++) {
        int root = last->trees[k].left.nodes[0];
        if (!config->single_root && root != 0) continue;
        int loss = last->trees[k].loss + (config->single_root && gold->heads[root] != 0);
        if (loss < least) least = loss;
    }
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < t->n_right; j++) free(t->cells[i][j].trees);
    if (t->longest > *longest) *longest = t->longest;
    free(t);
    return least;
}
