#include "constraints/projective.h"

#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

void dd_fold_free(dd_fold *fold)
{
    free(fold->plain);
    free(fold->numbers);
    free(fold->runs);
    free(fold->rests);
    *fold = (dd_fold){0};
}

static void find_plain(dd_fold *f, const dd_constraints *c)
{
    for (int word = 0; word <= c->n; word++)
        f->plain[word] = word > 0 && !c->leaf[word] && c->heads[word] == DD_NONE &&
                         c->leftmost[word] == DD_NONE &&
                         c->forbidden_first[word] == c->forbidden_first[word + 1];
    for (int i = 0; i < c->n_forbidden; i++) f->plain[c->forbidden_heads[i]] = false;
}

bool dd_fold_reset(dd_fold *fold, const dd_constraints *constraints)
{
    size_t nodes = (size_t)constraints->n + 1;
    if (!DD_RESERVE(&fold->plain, &fold->plain_capacity, nodes) ||
        !DD_RESERVE(&fold->numbers, &fold->numbers_capacity, 5 * nodes) ||
        !DD_RESERVE(&fold->runs, &fold->runs_capacity, nodes) ||
        !DD_RESERVE(&fold->rests, &fold->rests_capacity, nodes))
        return false;
    fold->stands = fold->numbers;
    fold->left = fold->stands + nodes;
    fold->right = fold->left + nodes;
    fold->settled = fold->right + nodes;
    fold->rank = fold->settled + nodes;
    find_plain(fold, constraints);
    return true;
}

/* ---- listing ------------------------------------------------------------------------------ */

/* A word for the chart that stands for those from `left` to `right`. */
static void list_word(dd_projection *p, int word, int left, int right)
{
    p->words[p->n_words++] = word;
    p->ends[word] = DD_NONE;
    p->fold.left[word] = left;
    p->fold.right[word] = right;
    p->fold.rank[word] = p->fold.settled[word] = DD_NONE;
}

static int span_of(const dd_projection *p, int word)
{
    return p->outlook.constraints->span_of[word];
}

/* Whether a word on the stack can be folded with its neighbours there. */
static bool folds_on_stack(const dd_projection *p, int word)
{
    int span = span_of(p, word);
    if (!p->fold.plain[word] || p->whole) return false;
    if (span == DD_NONE) return true;
    return !p->horizon->links && p->outlook.constraints->spans[span].mode != DD_SPAN_ROOT;
}

/* How many words stand for a run, at most. */
static int words_for_run(const dd_projection *p)
{
    if (p->whole) return p->config->n + 1;
    return p->horizon->links ? 2 + p->fold.n_named : 1;
}

/* In systems where only the heads of words count, words of the stack are folded one by one. */
static void list_words_of_stack(dd_projection *p)
{
    const dd_config *c = p->config;
    dd_fold *f = &p->fold;
    for (int at = 0, end, rank = 0; at < c->depth; at = end) {
        int word = c->stack[at];
        for (end = at + 1; end < c->depth && folds_on_stack(p, word); end++) {
            int next = c->stack[end];
            if (!folds_on_stack(p, next) || span_of(p, word) != span_of(p, next)) break;
            word = next;
        }
        if (word > 0) list_word(p, word, word, word);
        f->rank[word] = rank++;
        if (end - at > 1) f->runs[f->n_runs++] = (dd_fold_run){at, end - 1};
    }
}

/* ---- trees on the stack ------------------------------------------------------------------- */

/* The nodes of a tree that can take part in arcs: from the end of the left spine over the root to
 * that of the right one; or the root alone. */
typedef struct spines {
    int first, root, last;
} spines;

static spines spines_of(const dd_projection *p, int root)
{
    const dd_node *nodes = p->config->nodes;
    spines s = {root, root, root};
    if (!p->horizon->spines) return s;
    while (nodes[s.first].left[0] != DD_NONE) s.first = nodes[s.first].left[0];
    while (nodes[s.last].right[0] != DD_NONE) s.last = nodes[s.last].right[0];
    return s;
}

/* DD_NONE after the last. */
static int next_node(const dd_projection *p, spines s, int node)
{
    if (node == s.last) return DD_NONE;
    return node < s.root ? p->config->nodes[node].head : p->config->nodes[node].right[0];
}

static bool is_plain_tree(const dd_projection *p, spines s)
{
    for (int node = s.first; node != DD_NONE; node = next_node(p, s, node))
        if (!folds_on_stack(p, node)) return false;
    return true;
}

/* Nodes of a tree that are folded: the highest of them stands for all. */
static void list_part(dd_projection *p, spines s, int first, int last)
{
    int highest = last < s.root ? last : first > s.root ? first : s.root;
    for (int node = first; node != last; node = next_node(p, s, node))
        p->fold.stands[node] = highest;
    p->fold.stands[last] = highest;
    if (highest > 0) list_word(p, highest, first, last);
}

static void list_tree(dd_projection *p, spines s)
{
    int from = p->n_words;
    for (int first = s.first, next; first != DD_NONE; first = next) {
        int last = first;
        while ((next = next_node(p, s, last)) != DD_NONE && folds_on_stack(p, first) &&
               folds_on_stack(p, next))
            last = next;
        list_part(p, s, first, last);
    }
    for (int i = from; i < p->n_words; i++) {
        int head = p->outlook.settled[p->words[i]];
        p->fold.settled[p->words[i]] = head > 0 ? p->fold.stands[head] : head;
    }
}

/* The tree of 0 and the topmost one need no arc to their right. */
static void note_end(dd_projection *p, int at)
{
    if (at > 0 && at < p->config->depth - 1)
        p->ends[p->config->stack[at]] = p->words[p->n_words - 1];
}

/* The last of the plain trees from one on. */
static int end_of_run(const dd_projection *p, int at)
{
    const dd_config *c = p->config;
    if (!is_plain_tree(p, spines_of(p, c->stack[at]))) return at;
    while (at + 1 < c->depth && is_plain_tree(p, spines_of(p, c->stack[at + 1]))) at++;
    return at;
}

/* Of a run of plain trees the first ones stand for themselves, and the last for the others. */
static void list_trees(dd_projection *p)
{
    const dd_config *c = p->config;
    for (int at = 0; at < c->depth; at++) {
        p->fold.n_named += !is_plain_tree(p, spines_of(p, c->stack[at]));
        int last = end_of_run(p, at), alone = at + words_for_run(p) - 1;
        for (; at <= last && (at < alone || at == last); at++) {
            list_tree(p, spines_of(p, c->stack[at]));
            note_end(p, at);
        }
        if (at > last) {
            at = last;
            continue;
        }
        spines s = spines_of(p, c->stack[last]);
        list_word(p, s.root, spines_of(p, c->stack[at]).first, s.last);
        note_end(p, last);
        p->fold.runs[p->fold.n_runs++] = (dd_fold_run){at, last};
        at = last;
    }
}

/* ---- the buffer --------------------------------------------------------------------------- */

static bool folds_in_buffer(const dd_projection *p, int word)
{
    int span = span_of(p, word);
    return p->fold.plain[word] && (span == DD_NONE || p->outlook.span_root[span] != word);
}

static void list_buffer(dd_projection *p)
{
    dd_fold *f = &p->fold;
    int n = p->config->n, most = words_for_run(p);
    for (int word = p->config->front > 0 ? p->config->front : 1, end; word <= n; word = end) {
        for (end = word + 1; end <= n && folds_in_buffer(p, word); end++)
            if (!folds_in_buffer(p, end) || span_of(p, word) != span_of(p, end)) break;
        for (int i = word; i < end && i < word + most; i++) list_word(p, i, i, i);
        if (end - word > most)
            f->rests[f->n_rests++] = (dd_fold_rest){word + most - 1, word + most, end - 1};
    }
}

void dd_fold_list(dd_projection *projection)
{
    dd_fold *f = &projection->fold;
    projection->n_words = f->n_runs = f->n_rests = f->n_named = 0;
    f->rank[0] = DD_NONE;
    if (projection->horizon->links)
        list_trees(projection);
    else
        list_words_of_stack(projection);
    list_buffer(projection);
}

/* ---- and back ----------------------------------------------------------------------------- */

/* Marks words that take an open word on their right. */
static void mark_heads(dd_projection *p, const int32_t *heads)
{
    for (int i = 0; i < p->n_words; i++) p->links[p->words[i]] = 0;
    for (int i = 0; i < p->n_words; i++) {
        int word = p->words[i], head = heads[word];
        if (p->outlook.settled[word] == DD_NONE && head > 0 && head < word) p->links[head] = 1;
    }
}

static void open_run(const dd_projection *p, dd_fold_run run, int32_t *heads)
{
    const dd_config *c = p->config;
    int last = c->stack[run.last], head = heads[last];
    bool chain = !p->horizon->links || p->links[last] || run.last == c->depth - 1;
    for (int at = run.first; at <= run.last; at++)
        heads[c->stack[at]] = at == run.first || !chain ? head : c->stack[at - 1];
}

void dd_fold_open(dd_projection *projection, int32_t *heads)
{
    const dd_fold *f = &projection->fold;
    mark_heads(projection, heads);
    for (int i = 0; i < projection->n_words; i++) {
        int word = projection->words[i], head = heads[word];
        if (projection->outlook.settled[word] != DD_NONE)
            heads[word] = projection->outlook.settled[word];
        else if (head > 0)
            heads[word] = word < head ? f->left[head] : f->right[head];
    }
    for (int i = 0; i < f->n_runs; i++) open_run(projection, f->runs[i], heads);
    for (int i = 0; i < f->n_rests; i++)
        for (int word = f->rests[i].first; word <= f->rests[i].last; word++)
            heads[word] = f->rests[i].head;
}
