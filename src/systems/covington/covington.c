/* covington.c - Covington's non-projective parser (Covington 2001; covington-oracle-2015)
 *
 * The focus words are i, from the words left of j, and j, the front of the buffer: the lists hold
 * 1..i and i+1..j-1. Starts with no i and j = 1; ends when all words are read. A word that is left
 * headless depends on 0. systems/covington/covington.h has the graph that losses and costs are
 * counted on, and the single-root rule. */
#include "systems/covington/covington.h"
#include "systems/registry.h"
#include "systems/soft_tree.h"

enum { SHIFT, NO_ARC, LEFT, RIGHT };

static bool joined(const dd_config *c, int word, int other)
{
    return dd_component_of(c, word) == dd_component_of(c, other);
}

/* ---- the single-root rule, with the last word in front ---- */

static bool at_last(const dd_config *c)
{
    return c->single_root && c->front == c->n;
}

/* A root behind the focus that is not in the last word's tree. */
static int passed_root(const dd_config *c)
{
    for (int word = c->focus + 1; word < c->n; word++)
        if (dd_headless(c, word) && !joined(c, word, c->n)) return word;
    return DD_NONE;
}

static bool one_root(const dd_config *c)
{
    int roots = 0;
    for (int word = 1; word <= c->n && roots < 2; word++) roots += dd_headless(c, word);
    return roots == 1;
}

/* The focus may pass i without an arc if the last word can still get its head from the tree of a
 * root that is passed. */
static bool can_pass(const dd_config *c)
{
    int passed = passed_root(c), i = c->focus;
    if (dd_headless(c, i) && !joined(c, i, c->n)) {
        if (passed != DD_NONE) return false;
        passed = i;
    }
    if (passed == DD_NONE) return true;
    if (!dd_headless(c, c->n)) return false;
    for (int word = i - 1; word > 0; word--)
        if (joined(c, word, passed)) return true;
    return false;
}

/* ---- the gold arc between i and j ---- */

/* Not built, and its dependent has no other head; the graph has it then. */
static bool waits(const dd_config *c, const dd_gold *gold, int head, int dependent)
{
    return head > 0 && gold->heads[dependent] == head && dd_headless(c, dependent);
}

/* Losing an arc that the graph has costs nothing if that breaks a cycle. */
static int cost_without(const dd_covington_view *view, int head, int dependent)
{
    return !dd_covington_climbs(view, head, dependent);
}

/* Lost by head -> dependent: another gold head of the dependent, and an arc the other way; both lie
 * on the same cycle if on any. The new arc may close another one. */
static int cost_of_arc(const dd_config *c, const dd_gold *gold, int head, int dependent)
{
    if (gold->heads[dependent] == head) return 0;
    dd_covington_view now = dd_covington_now(c, gold);
    bool reversed = waits(c, gold, dependent, head);
    bool closes = !reversed && dd_covington_climbs(&now, head, dependent);
    return (dd_covington_parent(&now, dependent) != DD_NONE) + reversed + closes -
           dd_covington_in_cycle(&now, dependent);
}

/* SH: the focus goes to j and the word behind it */

static bool shift_legal(const dd_config *c)
{
    return !at_last(c) || one_root(c);
}

static void shift(dd_config *c)
{
    c->focus = c->front++;
}

/* Lost: a head of j and headless dependents of j at or left of the focus. They break a cycle
 * through j if it enters or leaves j by one of them. */
static int shift_cost(const dd_config *c, const dd_gold *gold)
{
    dd_covington_view now = dd_covington_now(c, gold);
    int j = c->front;
    bool head_lost = gold->heads[j] <= c->focus && waits(c, gold, gold->heads[j], j);
    int lost = head_lost;
    bool breaks = head_lost && dd_covington_in_cycle(&now, j);
    for (int at = gold->first[j]; at < gold->first[j + 1]; at++) {
        int dependent = gold->dependents[at];
        if (dependent > c->focus) break;
        if (!waits(c, gold, j, dependent)) continue;
        lost++;
        breaks = breaks || !cost_without(&now, j, dependent);
    }
    return lost - breaks;
}

/* NA: the focus goes one word to the left */

static bool no_arc_legal(const dd_config *c)
{
    return c->focus > 0 && (!at_last(c) || can_pass(c));
}

static void step_left(dd_config *c)
{
    c->focus--;
}

/* Lost: a gold arc between i and j. */
static int no_arc_cost(const dd_config *c, const dd_gold *gold)
{
    dd_covington_view now = dd_covington_now(c, gold);
    int i = c->focus, j = c->front;
    if (waits(c, gold, i, j)) return cost_without(&now, i, j);
    return waits(c, gold, j, i) ? cost_without(&now, j, i) : 0;
}

/* LA: NA with j -> i; i is headless and j not below it */

static bool left_legal(const dd_config *c)
{
    return c->focus > 0 && dd_headless(c, c->focus) && !joined(c, c->focus, c->front);
}

static dd_arc left_arc(const dd_config *c)
{
    return (dd_arc){c->front, c->focus};
}

static int left_cost(const dd_config *c, const dd_gold *gold)
{
    return cost_of_arc(c, gold, c->front, c->focus);
}

/* RA: NA with i -> j; j is headless and i not below it. A root that the focus has passed needs this
 * move for its own tree. */

static bool right_legal(const dd_config *c)
{
    int i = c->focus;
    if (i == 0 || !dd_headless(c, c->front) || joined(c, i, c->front)) return false;
    if (!at_last(c)) return true;
    int passed = passed_root(c);
    return passed == DD_NONE || joined(c, passed, i);
}

static dd_arc right_arc(const dd_config *c)
{
    return (dd_arc){c->focus, c->front};
}

static int right_cost(const dd_config *c, const dd_gold *gold)
{
    return cost_of_arc(c, gold, c->focus, c->front);
}

static const dd_move_rule rules[] = {
    [SHIFT] = {"SH", DD_NO_ARC, shift_legal, NULL, shift, shift_cost},
    [NO_ARC] = {"NA", DD_NO_ARC, no_arc_legal, NULL, step_left, no_arc_cost},
    [LEFT] = {"LA", DD_LEFT_ARC, left_legal, left_arc, step_left, left_cost},
    [RIGHT] = {"RA", DD_RIGHT_ARC, right_legal, right_arc, step_left, right_cost},
};

static dd_covington_view view_after(const dd_config *c, const dd_gold *gold, int kind)
{
    dd_covington_view view = dd_covington_now(c, gold);
    if (kind == SHIFT) {
        view.focus = view.front++;
        return view;
    }
    view.focus--;
    if (rules[kind].arc) view.added = rules[kind].arc(c);
    return view;
}

/* Costs by the rules, and what the single-root rule adds after each move. */
static bool losses(dd_loss_space *space, const dd_config *c, const dd_gold *gold,
                   const dd_move *moves, int n_moves, int *after)
{
    for (int m = 0; m < n_moves; m++) {
        after[m] = rules[moves[m].kind].cost(c, gold);
        if (!c->single_root) continue;
        dd_covington_view view = view_after(c, gold, moves[m].kind);
        int excess;
        if (!dd_covington_single_root_excess(space, &view, &excess)) return false;
        after[m] += excess;
    }
    return true;
}

/* A gold arc between j and a word at or left of the focus. */
static bool gold_arc_left(const dd_config *c, const dd_gold *gold)
{
    int j = c->front, head = gold->heads[j], first = gold->first[j];
    return (head > 0 && head <= c->focus) ||
           (first < gold->first[j + 1] && gold->dependents[first] <= c->focus);
}

/* With no mistake so far, what counts are the gold arcs between j and the words up to i. */
static bool free_on_gold_path(const dd_config *c, const dd_gold *gold, dd_move move)
{
    int i = c->focus, j = c->front;
    switch (move.kind) {
    case SHIFT: return !gold_arc_left(c, gold);
    case NO_ARC: return gold->heads[i] != j && gold->heads[j] != i;
    case LEFT: return gold->heads[i] == j;
    default: return gold->heads[j] == i;
    }
}

/* Arcs as soon as possible, then the next word as soon as j has nothing more to its left. */
static dd_move canonical(const dd_config *c, const dd_gold *gold)
{
    int i = c->focus, j = c->front;
    if (i == 0 || !gold_arc_left(c, gold)) return (dd_move){SHIFT, 0};
    if (gold->heads[i] == j) return (dd_move){LEFT, 0};
    return (dd_move){gold->heads[j] == i ? RIGHT : NO_ARC, 0};
}

int64_t dd_covington_progress(const dd_config *c)
{
    return (int64_t)c->front * (c->n + 1) + (c->front - 1 - c->focus);
}

static void start(dd_config *c)
{
    c->front = 1;
}

static bool final(const dd_config *c)
{
    return c->front > c->n;
}

static bool loss(dd_loss_space *space, const dd_config *c, const dd_gold *gold, int *total)
{
    dd_covington_view now = dd_covington_now(c, gold);
    int excess = 0;
    if (!dd_covington_loss(space, &now, total)) return false;
    if (c->single_root && !dd_covington_single_root_excess(space, &now, &excess)) return false;
    *total += excess;
    return true;
}

static bool can_join(const dd_config *c, int word)
{
    return (dd_headless(c, c->front) || dd_headless(c, word)) && !joined(c, word, c->front);
}

/* If no arc between i and j is possible, NA moves the focus to a word with which one is, and SH to
 * the next j. */
static int idle(const dd_config *c)
{
    int word = c->focus;
    if (at_last(c) || (word > 0 && can_join(c, word))) return DD_NONE;
    while (word > 0 && !can_join(c, word)) word--;
    return word > 0 ? NO_ARC : SHIFT;
}

const dd_system dd_covington = {
    .name = "covington",
    .transitions = "SH NA LA RA",
    .trees = "all",
    .summary = "arcs between any two words, pair by pair (Covington 2001)",
    .rules = rules,
    .n_rules = sizeof rules / sizeof *rules,
    .lists = true,
    .start = start,
    .final = final,
    .features =
        {
            .templates = "covington",
            .slots = "L1 L0 R0 R1 L0.h R0.h W0 CR",
            .products = true,
        },
    .search =
        {
            .max_words = 2000,
            .progress = dd_covington_progress,
            .goes_on = DD_KIND(NO_ARC),
            .idle = idle,
        },
    .oracle =
        {
            .max_words = 5000,
            .canonical = canonical,
            .losses = losses,
            .puts_off_shift = DD_KIND(NO_ARC),
            .free_on_gold_path = free_on_gold_path,
            .loss = loss,
            .best = dd_soft_best_covington,
            .refuses = dd_refuse_several_roots,
            .keep = dd_keep_first_root,
            .pace = 45000,
        },
    .guard = &dd_covington_guard,
};
