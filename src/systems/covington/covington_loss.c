#include "core/memory.h"
#include "systems/covington/covington.h"

#include <string.h>

/* A path of heads that does not end within n steps runs in a cycle. */
bool dd_covington_climbs(const dd_covington_view *view, int word, int ancestor)
{
    for (int steps = view->config->n; word > 0 && steps >= 0; steps--) {
        if (word == ancestor) return true;
        word = dd_covington_parent(view, word);
    }
    return false;
}

bool dd_covington_in_cycle(const dd_covington_view *view, int word)
{
    int parent = dd_covington_parent(view, word);
    return parent > 0 && dd_covington_climbs(view, parent, word);
}

/* Each path of heads is walked once. It ends at the top, at a word of an earlier path, or at a word
 * of its own, which is a cycle. */
static int count_cycles(const dd_covington_view *view, int32_t *walk_of)
{
    int n = view->config->n, cycles = 0;
    memset(walk_of, 0, ((size_t)n + 1) * sizeof *walk_of);
    for (int start = 1; start <= n; start++) {
        int word = start;
        while (word > 0 && walk_of[word] == 0) {
            walk_of[word] = start;
            word = dd_covington_parent(view, word);
        }
        cycles += word > 0 && walk_of[word] == start;
    }
    return cycles;
}

static int count_unreachable(const dd_covington_view *view)
{
    int unreachable = 0;
    for (int word = 1; word <= view->config->n; word++)
        unreachable += dd_gold_rejects(view->gold, dd_covington_parent(view, word), word);
    return unreachable;
}

bool dd_covington_loss(dd_loss_space *space, const dd_covington_view *view, int *loss)
{
    size_t nodes = (size_t)view->config->n + 1;
    if (!DD_RESERVE(&space->memory, &space->capacity, nodes)) return false;
    *loss = count_unreachable(view) + count_cycles(view, space->memory);
    return true;
}

/* ---- the single-root rule ------------------------------------------------------------------- */

/* ---- a word behind the front ---- */

enum { UNKNOWN = 0, ON_WAY = -1, CYCLE = -2 };

static void note_cycle(const dd_root_forest *f, int word, bool *late_cycle)
{
    int start = word;
    do {
        if (word > f->front) *late_cycle = true;
        word = f->parent[word];
    } while (word != start);
}

/* Finds the top of one word and gives it to all words on the way. */
static void find_top(dd_root_forest *f, int start, bool *late_cycle)
{
    int word = start, top = UNKNOWN;
    while (top == UNKNOWN) {
        f->top_of[word] = ON_WAY;
        int parent = f->parent[word];
        if (parent <= 0)
            top = word;
        else if (f->top_of[parent] == ON_WAY)
            top = CYCLE;
        else
            top = f->top_of[parent];
        word = parent;
    }
    if (top == CYCLE && f->top_of[word] == ON_WAY) note_cycle(f, word, late_cycle);
    for (word = start; word > 0 && f->top_of[word] == ON_WAY; word = f->parent[word])
        f->top_of[word] = top;
}

/* A word behind the front whose tree has this top. */
static bool late_word_below(const dd_root_forest *f, int top)
{
    for (int word = f->front + 1; word <= f->n; word++)
        if (f->top_of[word] == top) return true;
    return false;
}

/* Case 4 (covington.h), once j is in the root's tree. */
static bool late_word_within_reach(const dd_root_forest *f)
{
    for (int word = f->front + 1; word <= f->n; word++)
        if (f->top_of[word] > 0 && f->top_of[word] <= f->focus) return true;
    return false;
}

static bool root_left_of_focus(const dd_root_forest *f)
{
    for (int word = 1; word <= f->focus; word++)
        if (f->top_of[word] == f->root) return true;
    return false;
}

bool dd_root_can_have_all(dd_root_forest *f, bool cycles)
{
    bool late_cycle = false;
    int j = f->front;
    memset(f->top_of, 0, ((size_t)f->n + 1) * sizeof *f->top_of);
    for (int word = 1; word <= f->n; word++)
        if (f->top_of[word] == UNKNOWN) find_top(f, word, &late_cycle);
    if ((late_cycle && cycles) || late_word_below(f, f->root)) return true;
    if (f->top_of[j] == f->root) return late_word_within_reach(f);
    bool loose = f->front_is_loose && (f->top_of[j] == j || (f->top_of[j] == CYCLE && cycles));
    return loose && root_left_of_focus(f) &&
           (late_word_below(f, f->top_of[j]) || late_word_within_reach(f));
}

bool dd_root_late_word_is_loose(const dd_gold *gold, int front)
{
    for (int word = front + 1; word <= gold->n && gold->unknown > 0; word++)
        if (gold->heads[word] == DD_NONE) return true;
    return false;
}

static int excess_before_last(int32_t *memory, const dd_covington_view *view)
{
    int n = view->config->n, root = view->gold->root;
    if (root == 0 || dd_root_late_word_is_loose(view->gold, view->front)) return 0;
    if (dd_covington_head(view, root) != DD_NONE || dd_covington_climbs(view, n, root)) return 0;
    for (int word = 1; word <= n; word++) memory[word] = dd_covington_parent(view, word);
    dd_root_forest forest = {
        .n = n,
        .focus = view->focus,
        .front = view->front,
        .root = root,
        .front_is_loose = dd_covington_head(view, view->front) == DD_NONE,
        .parent = memory,
        .top_of = memory + n + 1,
    };
    return dd_root_can_have_all(&forest, true) ? 0 : 1;
}

/* ---- the last word in front ---- */

static int tree_root(const dd_covington_view *view, int word)
{
    for (int head; (head = dd_covington_head(view, word)) != DD_NONE;) word = head;
    return word;
}

/* What the trees that n does not belong to add to the loss if n takes all their roots; *passed is
 * the root behind the focus, if there is one. */
static int cost_of_taking_all(const dd_covington_view *view, int own_root, int *passed)
{
    int n = view->config->n, wrong = 0;
    *passed = DD_NONE;
    for (int word = 1; word < n; word++) {
        if (word == own_root || dd_covington_head(view, word) != DD_NONE) continue;
        wrong += dd_gold_rejects(view->gold, n, word);
        if (word > view->focus) *passed = word;
    }
    return wrong;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int loss_at_last(const dd_covington_view *view)
{
    const dd_gold *gold = view->gold;
    int n = view->config->n, loss = 0, passed;
    for (int word = 1; word <= n; word++) {
        int head = dd_covington_head(view, word);
        loss += head != DD_NONE && dd_gold_rejects(gold, head, word);
    }
    int own_root = tree_root(view, n);
    int all = cost_of_taking_all(view, own_root, &passed);
    if (own_root != n) return loss + all + dd_gold_rejects(gold, 0, own_root);

    /* Or n hangs from the tree of one of them; right below its gold head if that is there. */
    int head = gold->heads[n];
    int head_root = head > 0 && head <= view->focus ? tree_root(view, head) : DD_NONE;
    int best = all + (head > 0);
    int roots[] = {passed, gold->root, head_root};
    for (int at = passed != DD_NONE ? 0 : 1; at < 3; at++) {
        int root = roots[at];
        if (root <= 0 || root == n || dd_covington_head(view, root) != DD_NONE) continue;
        int hung = all - dd_gold_rejects(gold, n, root) + dd_gold_rejects(gold, 0, root) +
                   (head >= 0 && root != head_root);
        if (root == passed) return loss + hung;
        best = least(best, hung);
    }
    return loss + best;
}

bool dd_covington_single_root_excess(dd_loss_space *space, const dd_covington_view *view,
                                     int *excess)
{
    int n = view->config->n;
    *excess = 0;
    if (view->front > n) return true;
    if (!DD_RESERVE(&space->memory, &space->capacity, 2 * ((size_t)n + 1))) return false;
    if (view->front < n) {
        *excess = excess_before_last(space->memory, view);
        return true;
    }
    int free_loss;
    if (!dd_covington_loss(space, view, &free_loss)) return false;
    *excess = loss_at_last(view) - free_loss;
    return true;
}
