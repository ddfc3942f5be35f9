#include "tree/tree.h"

#include "core/memory.h"

#include <stdlib.h>

void dd_tree_space_free(dd_tree_space *space)
{
    free(space->memory);
    *space = (dd_tree_space){0};
}

int dd_tree_roots(const int32_t *heads, int n)
{
    int roots = 0;
    for (int word = 1; word <= n; word++) roots += heads[word] == 0;
    return roots;
}

int dd_tree_unknown(const int32_t *heads, int n)
{
    int unknown = 0;
    for (int word = 1; word <= n; word++) unknown += heads[word] < 0;
    return unknown;
}

const char *dd_tree_fault_text(dd_tree_fault fault)
{
    switch (fault) {
    case DD_TREE_OK: return "a tree";
    case DD_TREE_HEAD_MISSING: return "a word has no head";
    case DD_TREE_CYCLE: return "the heads form a cycle";
    case DD_TREE_NO_ROOT: return "no word is the root";
    case DD_TREE_NO_HEADS: return "no head is known";
    }
    return "unknown fault";
}

/* ---- validity ----------------------------------------------------------------------------- */

/* A word on a cycle, 0 if there is none. Every word is walked over once: a walk that meets its own
 * trace is on a cycle; one that meets an older trace ends where that one ended. */
static int find_cycle(const int32_t *heads, int n, int32_t *trace)
{
    for (int word = 0; word <= n; word++) trace[word] = 0;
    for (int word = 1; word <= n; word++) {
        int at = word;
        for (; at > 0 && trace[at] == 0; at = heads[at]) trace[at] = word;
        if (at > 0 && trace[at] == word) return at;
    }
    return 0;
}

bool dd_tree_check(dd_tree_space *space, const int32_t *heads, int n, dd_tree_fault *fault,
                   int *word)
{
    for (int at = 1; at <= n; at++)
        if (heads[at] < 0) {
            *fault = DD_TREE_HEAD_MISSING;
            *word = at;
            return true;
        }
    return dd_tree_check_partial(space, heads, n, fault, word);
}

bool dd_tree_check_partial(dd_tree_space *space, const int32_t *heads, int n, dd_tree_fault *fault,
                           int *word)
{
    int unknown = dd_tree_unknown(heads, n);
    *word = 0;
    *fault = DD_TREE_NO_HEADS;
    if (unknown > 0 && unknown == n) return true;
    /* Heads without a root form a cycle as well, but the missing root is the clearer fault. */
    *fault = DD_TREE_NO_ROOT;
    if (unknown == 0 && dd_tree_roots(heads, n) == 0) return true;
    if (!DD_RESERVE(&space->memory, &space->capacity, (size_t)n + 1)) return false;
    *word = find_cycle(heads, n, space->memory);
    *fault = *word ? DD_TREE_CYCLE : DD_TREE_OK;
    return true;
}

/* ---- yields ------------------------------------------------------------------------------- */

/* A yield consists of blocks of adjacent words. Two adjacent words w, w+1 stand in one block of the
 * yield of v exactly if their lowest common ancestor is in the subtree of v. So the blocks of v
 * number size(v) minus those pairs, and the pairs of each ancestor say how blocks join.
 *
 * Ancestors are found by heavy paths: each word continues the path of its head if it has the
 * largest subtree among its siblings, so any way up changes the path at most log2(n) times. */
typedef struct yields {
    const int32_t *heads;
    int n;
    int32_t *child, *sibling; /* [n+1] first child, next child of the same head; 0: none */
    int32_t *order;           /* [n+1] heads before their children */
    int32_t *size;            /* [n+1] words in the subtree, itself included */
    int32_t *depth, *top;     /* [n+1] steps to 0; first node of the heavy path */
    int32_t *heavy;           /* [n+1] child with the largest subtree */
    int32_t *common;          /* [n+1] lowest common ancestor of w and w+1; 1 <= w < n */
    int32_t *pair, *next;     /* [n+1] first w with that ancestor, next such w; 0: none */
    int32_t *left, *right;    /* [n+1] at a block's last word its first, at its first its last */
} yields;

enum { YIELD_ARRAYS = 12 };

static bool lay_out(yields *y, dd_tree_space *space, const int32_t *heads, int n)
{
    size_t width = (size_t)n + 1;
    if (!DD_RESERVE(&space->memory, &space->capacity, YIELD_ARRAYS * width)) return false;
    int32_t **const arrays[YIELD_ARRAYS] = {&y->child, &y->sibling, &y->order, &y->size,
                                            &y->depth, &y->top,     &y->heavy, &y->common,
                                            &y->pair,  &y->next,    &y->left,  &y->right};
    for (size_t i = 0; i < YIELD_ARRAYS; i++) *arrays[i] = space->memory + i * width;
    y->heads = heads;
    y->n = n;
    for (int node = 0; node <= n; node++) {
        y->child[node] = y->heavy[node] = y->pair[node] = 0;
        y->size[node] = 1;
        y->left[node] = y->right[node] = node;
    }
    return true;
}

static void sort_heads_first(yields *y)
{
    for (int word = y->n; word >= 1; word--) {
        y->sibling[word] = y->child[y->heads[word]];
        y->child[y->heads[word]] = word;
    }
    int count = 0;
    y->order[count++] = 0;
    for (int at = 0; at < count; at++)
        for (int child = y->child[y->order[at]]; child; child = y->sibling[child])
            y->order[count++] = child;
}

static void build_paths(yields *y)
{
    for (int at = y->n; at >= 1; at--) {
        int word = y->order[at], head = y->heads[word];
        y->size[head] += y->size[word];
        if (!y->heavy[head] || y->size[word] > y->size[y->heavy[head]]) y->heavy[head] = word;
    }
    y->depth[0] = y->top[0] = 0;
    for (int at = 1; at <= y->n; at++) {
        int word = y->order[at], head = y->heads[word];
        y->depth[word] = y->depth[head] + 1;
        y->top[word] = y->heavy[head] == word ? y->top[head] : word;
    }
}

static int common_ancestor(const yields *y, int a, int b)
{
    while (y->top[a] != y->top[b]) {
        if (y->depth[y->top[a]] >= y->depth[y->top[b]])
            a = y->heads[y->top[a]];
        else
            b = y->heads[y->top[b]];
    }
    return y->depth[a] < y->depth[b] ? a : b;
}

static bool find_yields(yields *y, dd_tree_space *space, const int32_t *heads, int n)
{
    if (!lay_out(y, space, heads, n)) return false;
    sort_heads_first(y);
    build_paths(y);
    for (int word = 1; word < n; word++) {
        int ancestor = common_ancestor(y, word, word + 1);
        y->common[word] = ancestor;
        y->next[word] = y->pair[ancestor];
        y->pair[ancestor] = word;
    }
    return true;
}

bool dd_tree_gap_degree(dd_tree_space *space, const int32_t *heads, int n, int *degree)
{
    yields y;
    if (!find_yields(&y, space, heads, n)) return false;
    /* From here on `left` counts the blocks of each yield. */
    int32_t *blocks = y.left;
    for (int node = 0; node <= n; node++) blocks[node] = 1;
    for (int word = 1; word < n; word++) blocks[y.common[word]]--;
    *degree = 0;
    for (int at = n; at >= 1; at--) {
        int word = y.order[at];
        blocks[heads[word]] += blocks[word];
        if (blocks[word] - 1 > *degree) *degree = blocks[word] - 1;
    }
    return true;
}

static void join(yields *y, int word)
{
    int first = y->left[word], last = y->right[word + 1];
    y->right[first] = last;
    y->left[last] = first;
}

/* Children of the word outside the block of its yield in which it stands itself. The pairs beside
 * the word are its own, so until they are joined the blocks that end there are whole. */
static int stray_children(yields *y, int word, bool *marks)
{
    for (int pair = y->pair[word]; pair; pair = y->next[pair])
        if (pair != word && pair + 1 != word) join(y, pair);
    bool joins_left = word > 1 && y->common[word - 1] == word;
    bool joins_right = word < y->n && y->common[word] == word;
    int first = joins_left ? y->left[word - 1] : word;
    int last = joins_right ? y->right[word + 1] : word;
    int stray = 0;
    for (int child = y->child[word]; child; child = y->sibling[child]) {
        bool is_stray = child < first || child > last;
        if (marks) marks[child] = is_stray;
        stray += is_stray;
    }
    if (joins_left) join(y, word - 1);
    if (joins_right) join(y, word);
    return stray;
}

static bool find_stray(dd_tree_space *space, const int32_t *heads, int n, bool *marks, int *arcs)
{
    yields y;
    if (!find_yields(&y, space, heads, n)) return false;
    *arcs = 0;
    for (int at = n; at >= 1; at--) *arcs += stray_children(&y, y.order[at], marks);
    return true;
}

bool dd_tree_nonprojective_arcs(dd_tree_space *space, const int32_t *heads, int n, int *arcs)
{
    return find_stray(space, heads, n, NULL, arcs);
}

bool dd_tree_mark_nonprojective(dd_tree_space *space, const int32_t *heads, int n, bool *marks,
                                int *arcs)
{
    for (int word = 0; word <= n; word++) marks[word] = false;
    return find_stray(space, heads, n, marks, arcs);
}

/* ---- partial trees -------------------------------------------------------------------------- */

/* Whether the known heads of a sentence are part of a projective tree.
 *
 * They are exactly if (1) no two known arcs cross, 0 standing left of all words, and (2) no word
 * with an unknown head lies below an arc of its own component, as any head of it would lie there
 * too, or cross that arc.
 *
 * Both suffice: let each word with an unknown head hang from the left end of the innermost arc that
 * passes over it, or from 0 (from the one known root, or the first such word, if there is to be one
 * root) if there is none. Its component lies below that arc, so nothing crosses and no cycle
 * arises. */

/* The arcs as brackets: every word has a list of the arcs that end and of those that start there.
 */
typedef struct brackets {
    const int32_t *heads;
    int n;
    int32_t *opens;  /* [n + 2] the arcs that start at w: arcs[opens[w] .. opens[w + 1] - 1] */
    int32_t *arcs;   /* [n] their right ends, the farthest first */
    int32_t *left;   /* [n] left ends of the arcs that are open */
    int32_t *right;  /* [n] right ends of them */
    int32_t *top_of; /* [n + 1] the word without known head, or with head 0, above a word */
    int depth;
} brackets;

static bool lay_out_brackets(brackets *b, dd_tree_space *space, const int32_t *heads, int n)
{
    size_t width = (size_t)n + 2;
    if (!DD_RESERVE(&space->memory, &space->capacity, 5 * width)) return false;
    *b = (brackets){.heads = heads, .n = n, .opens = space->memory};
    b->arcs = b->opens + width;
    b->left = b->arcs + width;
    b->right = b->left + width;
    b->top_of = b->right + width;
    return true;
}

static int left_end(const brackets *b, int word)
{
    return word < b->heads[word] ? word : b->heads[word];
}

static int right_end(const brackets *b, int word)
{
    return word < b->heads[word] ? b->heads[word] : word;
}

/* Sorted by both ends: first all right ends in descending order, then spread over the left ones. */
static void sort_arcs(brackets *b)
{
    int32_t *next = b->left, *by_right = b->right;
    for (int at = 0; at <= b->n + 1; at++) b->opens[at] = next[at] = 0;
    for (int word = 1; word <= b->n; word++)
        if (b->heads[word] > 0) {
            next[b->n - right_end(b, word) + 1]++;
            b->opens[left_end(b, word) + 1]++;
        }
    for (int at = 0; at <= b->n; at++) {
        next[at + 1] += next[at];
        b->opens[at + 1] += b->opens[at];
    }
    int count = next[b->n + 1];
    for (int word = 1; word <= b->n; word++)
        if (b->heads[word] > 0) by_right[next[b->n - right_end(b, word)]++] = word;
    for (int at = 0; at <= b->n; at++) next[at] = b->opens[at];
    for (int at = 0; at < count; at++) {
        int word = by_right[at];
        b->arcs[next[left_end(b, word)]++] = right_end(b, word);
    }
}

static int find_top(brackets *b, int word)
{
    int top = word;
    while (b->heads[top] > 0 && b->top_of[top] == 0) top = b->heads[top];
    if (b->top_of[top] > 0) top = b->top_of[top];
    for (int at = word; at != top && b->top_of[at] == 0; at = b->heads[at]) b->top_of[at] = top;
    return top;
}

/* Goes to a word; false if that breaks one of the conditions. */
static bool pass(brackets *b, int word)
{
    while (b->depth > 0 && b->right[b->depth - 1] == word) b->depth--;
    bool covered = b->depth > 0;
    if (covered && b->heads[word] == 0) return false;
    if (covered && b->heads[word] < 0 && find_top(b, b->left[b->depth - 1]) == word) return false;
    for (int at = b->opens[word]; at < b->opens[word + 1]; at++) {
        if (b->depth > 0 && b->right[b->depth - 1] < b->arcs[at]) return false;
        b->left[b->depth] = word;
        b->right[b->depth++] = b->arcs[at];
    }
    return true;
}

bool dd_tree_partial_is_projective(dd_tree_space *space, const int32_t *heads, int n,
                                   bool *projective)
{
    brackets b;
    if (!lay_out_brackets(&b, space, heads, n)) return false;
    sort_arcs(&b);
    for (int word = 0; word <= n; word++) b.top_of[word] = 0;
    *projective = true;
    for (int word = 1; word <= n && *projective; word++) *projective = pass(&b, word);
    return true;
}
