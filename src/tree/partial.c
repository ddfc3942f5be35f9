/* partial.c - whether the known heads of a sentence are part of a projective tree
 *
 * They are exactly if (1) no two known arcs cross, 0 standing left of all words, and (2) no word
 * with an unknown head lies below an arc of its own component, as any head of it would lie there
 * too, or cross that arc.
 *
 * Both suffice: let each word with an unknown head hang from the left end of the innermost arc that
 * passes over it, or from 0 (from the one known root, or the first such word, if there is to be one
 * root) if there is none. Its component lies below that arc, so nothing crosses and no cycle
 * arises. */
#include "core/memory.h"
#include "tree/tree.h"

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

static bool lay_out(brackets *b, dd_tree_space *space, const int32_t *heads, int n)
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
    if (!lay_out(&b, space, heads, n)) return false;
    sort_arcs(&b);
    for (int word = 0; word <= n; word++) b.top_of[word] = 0;
    *projective = true;
    for (int word = 1; word <= n && *projective; word++) *projective = pass(&b, word);
    return true;
}
