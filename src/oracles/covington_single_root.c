#include "oracles/covington_single_root.h"

#include "core/memory.h"

#include <string.h>

/* ---- a word behind the front ---- */

enum { UNKNOWN = 0, ON_WAY = -1, CYCLE = -2 };

/* The trees of the graph: top_of[word] is the word on top, or CYCLE. */
typedef struct forest {
    const dd_covington_view *view;
    int32_t *top_of; /* [n + 1] */
    bool late_cycle; /* some cycle holds a word behind the front */
} forest;

static void note_cycle(forest *f, int word)
{
    int start = word;
    do {
        if (word > f->view->front) f->late_cycle = true;
        word = dd_covington_parent(f->view, word);
    } while (word != start);
}

/* Finds the top of one word and gives it to all words on the way. */
static void find_top(forest *f, int start)
{
    int word = start, top = UNKNOWN;
    while (top == UNKNOWN) {
        f->top_of[word] = ON_WAY;
        int parent = dd_covington_parent(f->view, word);
        if (parent <= 0)
            top = word;
        else if (f->top_of[parent] == ON_WAY)
            top = CYCLE;
        else
            top = f->top_of[parent];
        word = parent;
    }
    if (top == CYCLE && f->top_of[word] == ON_WAY) note_cycle(f, word);
    for (word = start; word > 0 && f->top_of[word] == ON_WAY;) {
        f->top_of[word] = top;
        word = dd_covington_parent(f->view, word);
    }
}

/* A word behind the front whose tree has this top. */
static bool late_word_below(const forest *f, int top)
{
    for (int word = f->view->front + 1; word <= f->view->config->n; word++)
        if (f->top_of[word] == top) return true;
    return false;
}

/* Case 4 of the header, once j is in the root's tree. */
static bool late_word_within_reach(const forest *f)
{
    for (int word = f->view->front + 1; word <= f->view->config->n; word++)
        if (f->top_of[word] > 0 && f->top_of[word] <= f->view->focus) return true;
    return false;
}

static bool root_left_of_focus(const forest *f)
{
    for (int word = 1; word <= f->view->focus; word++)
        if (f->top_of[word] == f->view->gold->root) return true;
    return false;
}

/* Cases 2 to 4. */
static bool root_can_have_all(const forest *f)
{
    int j = f->view->front, root = f->view->gold->root;
    if (f->late_cycle || late_word_below(f, root)) return true;
    if (f->top_of[j] == root) return late_word_within_reach(f);
    bool loose = dd_covington_head(f->view, j) == DD_NONE &&
                 (f->top_of[j] == j || f->top_of[j] == CYCLE);
    return loose && root_left_of_focus(f) &&
           (late_word_below(f, f->top_of[j]) || late_word_within_reach(f));
}

static int excess_before_last(int32_t *memory, const dd_covington_view *view)
{
    int n = view->config->n, root = view->gold->root;
    if (dd_covington_head(view, root) != DD_NONE || dd_covington_climbs(view, n, root)) return 0;
    forest f = {.view = view, .top_of = memory};
    memset(memory, 0, ((size_t)n + 1) * sizeof *memory);
    for (int word = 1; word <= n; word++)
        if (f.top_of[word] == UNKNOWN) find_top(&f, word);
    return root_can_have_all(&f) ? 0 : 1;
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
        wrong += view->gold->heads[word] != n;
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
        loss += head != DD_NONE && head != gold->heads[word];
    }
    int own_root = tree_root(view, n);
    int all = cost_of_taking_all(view, own_root, &passed);
    if (own_root != n) return loss + all + (own_root != gold->root);

    /* Or n hangs from the tree of one of them; right below its gold head if that is there. */
    int head = gold->heads[n];
    int head_root = head > 0 && head <= view->focus ? tree_root(view, head) : DD_NONE;
    int best = all + (head != 0);
    int roots[] = {passed, gold->root, head_root};
    for (int at = passed != DD_NONE ? 0 : 1; at < 3; at++) {
        int root = roots[at];
        if (root == DD_NONE || root == n || dd_covington_head(view, root) != DD_NONE) continue;
        int hung =
            all - (gold->heads[root] != n) + (root != head_root) + (root != gold->root);
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
    if (!DD_RESERVE(&space->memory, &space->capacity, (size_t)n + 1)) return false;
    if (view->front < n) {
        *excess = excess_before_last(space->memory, view);
        return true;
    }
    int free_loss;
    if (!dd_covington_loss(space, view, &free_loss)) return false;
    *excess = loss_at_last(view) - free_loss;
    return true;
}
