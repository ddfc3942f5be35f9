#include "core/memory.h"
#include "systems/covington/covington.h"
#include "systems/covington_nm/covington_nm.h"

#include <limits.h>
#include <string.h>

/* ---- the single-root rule ------------------------------------------------------------------- */

/* The paper's upper bounds count what is lost when the gold arcs to come are built in order and no
 * other arc. That may leave several words headless.
 *
 * With a word behind the front and the gold root r headless, take the tree that those arcs make: a
 * word has its gold head if it is built or to come, else the head that it has. As in
 * covington.h all can hang below r without the loss of a gold arc in cases 2, 4 and 5;
 * otherwise r gives way to another word, which costs one arc more. If r has a head, that loss is
 * counted already. docs/theory/oracles.md has the proof.
 *
 * With the last word n in front, the moves left are tried out for each of a few heads that n may
 * get; the best outcome is an upper bound. */

/* A word's head in the tree that the gold arcs to come make. */
static int head_to_be(const dd_nm_view *view, const dd_gold *gold, int word)
{
    int want = gold->heads[word];
    bool comes = want == 0 || (want > 0 && dd_covington_open(view->focus, view->front, word, want));
    return comes ? want : dd_nm_head(view, word);
}

/* The usual case, found without visiting all words. */
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

/* The best outcome; the search ends at the first that is good enough. */
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

/* Raises the upper bounds of the paper to those under the rule. memory: [2 * (n + 1)]. */
static void single_root_bounds(const dd_nm_view *view, const dd_gold *gold, int32_t *memory,
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

/* ---- of a configuration --------------------------------------------------------------------- */

enum { STEPS_FOR_WORD = 20 }; /* for dd_tick */

int dd_nm_unreachable(const dd_nm_view *view, const dd_gold *gold)
{
    int count = 0;
    for (int word = 1; word <= view->n; word++) count += dd_nm_misses(view, gold, word);
    return count;
}

/* Order in which Covington's loops come to two pairs of words. */
static bool comes_later(int word, int other, int than_word, int than_other)
{
    int right = word > other ? word : other, left = word + other - right;
    int than_right = than_word > than_other ? than_word : than_other;
    int than_left = than_word + than_other - than_right;
    return right > than_right || (right == than_right && left < than_left);
}

/* Section 4: let x -> y be the arc that closes the cycle when the gold arcs to come are built in
 * order; the arc z -> x is deleted then. A problem if that one is gold. */
static bool problematic(const void *user, dd_cycle cycle)
{
    const dd_gold *gold = user;
    int last = DD_NONE, length = cycle.length;
    for (int k = 0; k < length; k++) {
        int y = cycle.path[k], x = cycle.path[(k + 1) % length];
        if (cycle.via[k] == 0) continue;
        if (last == DD_NONE || comes_later(x, y, cycle.path[last], cycle.path[(last + 1) % length]))
            last = k;
    }
    int x = cycle.path[(last + 1) % length], z = cycle.path[(last + 2) % length];
    return gold->heads[x] == z;
}

bool dd_nm_bound(dd_loss_space *space, const dd_nm_view *view, const dd_gold *gold,
                 dd_nm_bounds *bounds)
{
    size_t nodes = (size_t)view->n + 1;
    if (!dd_tick(space->ticker, STEPS_FOR_WORD * (int64_t)view->n)) return false;
    if (!DD_RESERVE(&space->memory, &space->capacity, (2 + DD_CYCLE_MEMORY) * nodes)) return false;
    int32_t *built = space->memory, *coming = built + nodes;
    for (int word = 1; word <= view->n; word++)
        dd_nm_edges(view, gold, word, &built[word], &coming[word]);
    dd_cycle_graph graph = {view->n, {built, coming}, space->ticker};
    int limit = dd_nm_cycle_limit(view->n);
    dd_cycle_count cycles = dd_cycles_count(&graph, coming + nodes, limit, problematic, gold);
    bounds->lower = dd_nm_unreachable(view, gold);
    bounds->upper = bounds->lower + cycles.all;
    bounds->pc_upper = cycles.complete ? bounds->lower + cycles.chosen : bounds->upper;
    if (view->single_root) single_root_bounds(view, gold, built, bounds);
    return !dd_is_cancelled(space->ticker);
}

/* ---- after each move ------------------------------------------------------------------------ */

/* ---- |U| ---- */

static int change_of(const dd_nm_view *now, const dd_nm_view *after, const dd_gold *gold, int word)
{
    return dd_nm_misses(after, gold, word) - dd_nm_misses(now, gold, word);
}

/* By how much the move changes |U|. With SH the front word has met its last word on the left; the
 * other moves are done with the two words in focus, the new head being the one that may lose its
 * own. */
static int unreachable_change(const dd_nm_view *now, const dd_nm_view *after, const dd_gold *gold)
{
    int i = now->focus, j = now->front;
    int change = change_of(now, after, gold, j);
    if (after->front == j) return change + change_of(now, after, gold, i);
    for (int at = gold->first[j]; at < gold->first[j + 1] && gold->dependents[at] <= i; at++)
        change += change_of(now, after, gold, gold->dependents[at]);
    return change;
}

void dd_nm_unreachable_after(const dd_nm_view *now, const dd_gold *gold, const dd_move *moves,
                             int n_moves, int *after)
{
    int here = dd_nm_unreachable(now, gold);
    for (int m = 0; m < n_moves; m++) {
        dd_nm_view view = dd_nm_after(now, moves[m].kind);
        after[m] = here + unreachable_change(now, &view, gold);
    }
}

/* ---- cycles ---- */

/* The graph of the configuration, with space for a search. */
typedef struct graph {
    dd_cycle_graph edges;
    int32_t *seen;    /* [n + 1] */
    int32_t *waiting; /* [n + 1] */
    int n_waiting;
} graph;

static void look_at(graph *g, int word)
{
    if (word <= 0 || g->seen[word]) return;
    g->seen[word] = 1;
    g->waiting[g->n_waiting++] = word;
}

/* Whether a move closes a cycle in a graph that has none. A move takes edges away, and only its arc
 * is a new one: what it makes headless had its head from a pair of words that is past. So the cycle
 * would lead from the new head to the dependent, and of all words on that way only the new head
 * itself has other edges than before. */
static bool closes_cycle(graph *g, const dd_nm_view *after, const dd_gold *gold)
{
    int head = after->added.head, dependent = after->added.dependent;
    if (dependent == DD_NONE) return false;
    int32_t first[2];
    dd_nm_edges(after, gold, head, &first[0], &first[1]);
    memset(g->seen, 0, ((size_t)after->n + 1) * sizeof *g->seen);
    g->n_waiting = 0;
    look_at(g, first[0]);
    look_at(g, first[1]);
    while (g->n_waiting > 0 && !g->seen[dependent]) {
        int word = g->waiting[--g->n_waiting];
        look_at(g, g->edges.heads[0][word]);
        look_at(g, g->edges.heads[1][word]);
    }
    return g->seen[dependent];
}

/* Fills the graph in and returns |U|. */
static int survey(const dd_nm_view *now, const dd_gold *gold, int32_t *built, int32_t *coming)
{
    int missed = 0;
    for (int word = 1; word <= now->n; word++) {
        dd_nm_edges(now, gold, word, &built[word], &coming[word]);
        missed += dd_nm_misses(now, gold, word);
    }
    return missed;
}

bool dd_nm_bounds_after(dd_loss_space *space, const dd_nm_view *now, const dd_gold *gold,
                        const dd_move *moves, int n_moves, dd_nm_bounds *after)
{
    size_t nodes = (size_t)now->n + 1;
    if (!DD_RESERVE(&space->memory, &space->capacity, (2 + DD_CYCLE_MEMORY) * nodes)) return false;
    int32_t *built = space->memory, *coming = built + nodes, *rest = coming + nodes;
    int here = survey(now, gold, built, coming);
    graph g = {
        .edges = {.n = now->n, .heads = {built, coming}}, .seen = rest, .waiting = rest + nodes};
    bool cyclic = !dd_cycles_none(&g.edges, rest);
    for (int m = 0; m < n_moves; m++) {
        dd_nm_view view = dd_nm_after(now, moves[m].kind);
        if (cyclic || closes_cycle(&g, &view, gold)) {
            /* Its own graph takes the place of this one, which the next move needs again. */
            if (!dd_nm_bound(space, &view, gold, &after[m])) return false;
            if (!cyclic) survey(now, gold, built, coming);
            continue;
        }
        int bound = here + unreachable_change(now, &view, gold);
        after[m] = (dd_nm_bounds){bound, bound, bound};
        if (view.single_root) single_root_bounds(&view, gold, rest, &after[m]);
    }
    return true;
}
