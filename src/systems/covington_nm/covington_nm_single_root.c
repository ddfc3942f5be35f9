#include "systems/covington_nm/covington_nm_single_root.h"

#include "systems/covington/covington_single_root.h"

#include <limits.h>

/* A word's head in the tree that the gold arcs to come make. */
static int head_to_be(const dd_nm_view *view, const dd_gold *gold, int word)
{
    int want = gold->heads[word];
    bool comes = want == 0 || (want > 0 && dd_covington_open(view->focus, view->front, word, want));
    return comes ? want : dd_nm_head(view, word);
}

/* The usual case, found without a look at all words. */
static bool last_word_below_root(const dd_nm_view *view, const dd_gold *gold)
{
    int word = view->n;
    for (int steps = view->n; word > 0 && steps > 0; steps--) {
        if (word == gold->root) return true;
        word = head_to_be(view, gold, word);
    }
    return false;
}

static int excess_before_last(const dd_nm_view *view, const dd_gold *gold, int32_t *memory)
{
    if (gold->root == 0 || dd_root_late_word_is_loose(gold, view->front)) return 0;
    if (dd_nm_head(view, gold->root) != DD_NONE || last_word_below_root(view, gold)) return 0;
    for (int word = 1; word <= view->n; word++) memory[word] = head_to_be(view, gold, word);
    dd_root_forest forest = {
        .n = view->n,
        .focus = view->focus,
        .front = view->front,
        .root = gold->root,
        .front_is_loose = dd_nm_head(view, view->front) == DD_NONE,
        .parent = memory,
        .top_of = memory + view->n + 1,
    };
    return dd_root_can_have_all(&forest, false) ? 0 : 1;
}

/* ---- the last word in front ---- */

/* The moves left, with one aim for n. */
enum { KEEP_HEAD = -1, BE_ROOT = 0 };
typedef struct trial {
    dd_nm_view view; /* its heads are the trial's own */
    const dd_gold *gold;
    int32_t *heads;
    int aim;       /* the word that n is to hang from in the end; or as above */
    bool for_gold; /* n also takes words that have another head */
} trial;

static int top_of(const dd_nm_view *view, int word)
{
    for (int head; (head = dd_nm_head(view, word)) != DD_NONE;) word = head;
    return word;
}

static void add_arc(trial *t, int head, int dependent)
{
    if (dd_nm_below(&t->view, head, dependent)) t->heads[head] = DD_NONE;
    t->heads[dependent] = head;
}

/* Whether the headless word is going to be n's root. If n is to hang from a word below itself, that
 * word is. */
static bool stays_root(const trial *t, int word)
{
    int n = t->view.n;
    if (t->aim == BE_ROOT) return false;
    if (t->aim == KEEP_HEAD || t->aim > word) return top_of(&t->view, n) == word;
    return !dd_nm_below(&t->view, t->aim, n) && top_of(&t->view, t->aim) == word;
}

static void pass(trial *t, int word)
{
    int n = t->view.n;
    if (word == t->aim) {
        add_arc(t, word, n);
    } else if (t->heads[word] == DD_NONE) {
        if (!stays_root(t, word)) add_arc(t, n, word);
    } else if (t->for_gold && t->gold->heads[word] == n) {
        /* If n is below the word, n loses its head and should be going to get another or none. */
        bool changes = t->aim >= 0 && t->aim < word;
        if (changes || !dd_nm_below(&t->view, n, word)) add_arc(t, n, word);
    }
}

/* The loss of the outcome, INT_MAX if it is not a tree with one root. */
static int outcome(const trial *t)
{
    int roots = 0, wrong = 0;
    for (int word = 1; word <= t->view.n; word++) {
        roots += t->heads[word] == DD_NONE;
        int head = t->heads[word] == DD_NONE ? 0 : t->heads[word];
        wrong += dd_gold_rejects(t->gold, head, word);
    }
    return roots == 1 ? wrong : INT_MAX;
}

static int try_aim(const dd_nm_view *view, const dd_gold *gold, int32_t *memory, int aim,
                   bool for_gold)
{
    trial t = {.view = *view, .gold = gold, .heads = memory, .aim = aim, .for_gold = for_gold};
    for (int word = 1; word <= view->n; word++) t.heads[word] = dd_nm_head(view, word);
    t.view.heads = t.heads;
    t.view.stride = 1;
    t.view.added = (dd_arc){DD_NONE, DD_NONE};
    t.view.freed = DD_NONE;
    for (int word = view->focus; word > 0; word--) pass(&t, word);
    return outcome(&t);
}

/* The best outcome, or the first that is good enough. */
static int loss_at_last(const dd_nm_view *view, const dd_gold *gold, int32_t *memory, int enough)
{
    int passed = DD_NONE, below_passed = DD_NONE, least = INT_MAX;
    for (int word = view->focus + 1; word < view->n; word++)
        if (dd_nm_head(view, word) == DD_NONE) passed = word;
    for (int word = 1; passed != DD_NONE && word <= view->focus; word++)
        if (dd_nm_below(view, word, passed)) below_passed = word;
    int aims[] = {KEEP_HEAD, BE_ROOT, gold->heads[view->n], gold->root, below_passed};
    for (int for_gold = 1; for_gold >= 0; for_gold--) {
        for (int at = 0; at < 5; at++) {
            if (aims[at] > view->focus) continue;
            int loss = try_aim(view, gold, memory, aims[at], for_gold);
            if (loss < least) least = loss;
            if (least <= enough) return least;
        }
    }
    return least;
}

void dd_nm_single_root_bounds(const dd_nm_view *view, const dd_gold *gold, int32_t *memory,
                              dd_nm_bounds *bounds)
{
    if (view->front > view->n) return;
    if (view->front < view->n) {
        int excess = excess_before_last(view, gold, memory);
        bounds->pc_upper += excess;
        bounds->upper += excess;
        return;
    }
    int loss = loss_at_last(view, gold, memory, bounds->pc_upper);
    if (bounds->pc_upper < loss) bounds->pc_upper = loss;
    if (bounds->upper < loss) bounds->upper = loss;
}
