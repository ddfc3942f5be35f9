/* arc_eager.c - arc-eager with the root last (Nivre 2003; constrained-arc-eager-2014, section 2)
 *
 * ([], [1..n, 0]) -> ([], [0]). With i the top of the stack and j the front of the buffer.
 * Arc-decomposable, so without the single-root rule each cost adds up the gold arcs that the move
 * makes unreachable (Goldberg and Nivre 2013). Under that rule the loss can be larger, as the next
 * section says. */
#include "systems/arc_eager/arc_eager.h"

#include "systems/projective_part.h"
#include "systems/registry.h"
#include "systems/soft_stack.h"

/* ---- the single-root rule ------------------------------------------------------------------- */

/* Let h1 < .. < hm be the headless words on the stack; hi can only get its head from the buffer,
 * and if hi hangs from 0, so do all below it. Hence under the rule
 *
 * 1. the gold root is lost when it is hi with i > 1;
 * 2. a word hi (i > 1) whose gold head is lost or unknown must hang from some buffer word that does
 * not descend from it. If a reachable gold arc from a lower stack word into the buffer covers hi,
 * the buffer end of that arc serves. Otherwise a buffer word outside of all such arcs that has lost
 * its gold head, or has none that is known, serves, as it may hang from h1. If there is none, one
 * more gold arc must go.
 *
 * Neither arises while the gold root is in the buffer: it can take every lost word. All other
 * reachable gold arcs can be had together, as without the rule. docs/theory/oracles.md has the
 * proof.
 *
 * Where arcs have weights, the arc that must go in case 2 is the lightest that can; which one that
 * is we do not look for, and count it in full. So under the rule weighted losses are upper bounds.
 */

/* A configuration's stack and buffer after a move, without making the move. */
typedef struct eager_view {
    int depth;  /* of the old stack that stays */
    int front;  /* of the buffer */
    int pushed; /* word pushed on top of it, or DD_NONE */
    bool pushed_headless;
} eager_view;

static int stack_size(eager_view view)
{
    return view.depth + (view.pushed != DD_NONE);
}

static int stack_at(const dd_config *config, eager_view view, int at)
{
    return at < view.depth ? config->stack[at] : view.pushed;
}

static bool headless_at(const dd_config *config, eager_view view, int at)
{
    return at < view.depth ? dd_headless(config, config->stack[at]) : view.pushed_headless;
}

static bool on_stack(const dd_config *config, eager_view view, int word)
{
    if (word == view.pushed) return true;
    if (!config->nodes[word].on_stack) return false;
    return view.depth == config->depth || word != config->stack[config->depth - 1];
}

/* The last buffer word that a reachable gold arc joins to this stack word, or DD_NONE. */
static int linked_word(const dd_config *config, const dd_gold *gold, eager_view view, int at)
{
    int word = stack_at(config, view, at);
    int end = gold->first[word + 1];
    int last = DD_NONE;
    if (end > gold->first[word] && gold->dependents[end - 1] >= view.front)
        last = gold->dependents[end - 1];
    int head = gold->heads[word];
    if (headless_at(config, view, at) && head >= view.front && head > last) last = head;
    return last;
}

/* The last word that a gold arc joins to this one, or the word itself. */
static int farthest(const dd_gold *gold, int word)
{
    int end = gold->first[word + 1], last = word;
    if (end > gold->first[word] && gold->dependents[end - 1] > last)
        last = gold->dependents[end - 1];
    return gold->heads[word] > last ? gold->heads[word] : last;
}

/* A buffer word from `from` on whose gold head is neither in the buffer nor on the stack, or not
 * known. In the latter case the arc of two buffer words may pass over it; then it does not serve.
 */
static bool lost_word_from(const dd_config *config, const dd_gold *gold, eager_view view, int from)
{
    int covered_to = from;
    for (int word = from; word <= config->n; word++) {
        int head = gold->heads[word];
        if (head < 0 ? word >= covered_to : head < view.front && !on_stack(config, view, head))
            return true;
        if (gold->unknown > 0 && farthest(gold, word) > covered_to)
            covered_to = farthest(gold, word);
    }
    return false;
}

/* Case 2: stack words up to the lowest linked one are covered by no reachable arc. */
static bool stranded(const dd_config *config, const dd_gold *gold, eager_view view)
{
    bool lost_headless = false;
    int size = stack_size(view);
    int last_linked = DD_NONE;
    for (int at = 0; at < size; at++) {
        bool uncovered = last_linked == DD_NONE;
        int head = gold->heads[stack_at(config, view, at)];
        if (at > 0 && uncovered && headless_at(config, view, at) && head < view.front)
            lost_headless = true;
        int linked = linked_word(config, gold, view, at);
        if (linked > last_linked) last_linked = linked;
    }
    int from = last_linked > view.front ? last_linked : view.front;
    return lost_headless && !lost_word_from(config, gold, view, from);
}

/* Loss under the single-root rule minus the number of unreachable gold arcs without it. */
static int single_root_excess(const dd_config *config, const dd_gold *gold, eager_view view)
{
    if (gold->root >= view.front || view.front > config->n || stack_size(view) == 0) return 0;
    int root_on_stack = DD_NONE;
    for (int at = 0; at < stack_size(view) && root_on_stack == DD_NONE; at++)
        if (stack_at(config, view, at) == gold->root) root_on_stack = at;
    bool root_lost = root_on_stack > 0 && headless_at(config, view, root_on_stack);
    return dd_gold_cost(gold, gold->root, root_lost) +
           dd_gold_whole_cost(gold, stranded(config, gold, view));
}

/* ---- the moves ------------------------------------------------------------------------------ */

enum {
    SHIFT = DD_EAGER_SHIFT,
    LEFT = DD_EAGER_LEFT,
    RIGHT = DD_EAGER_RIGHT,
    REDUCE = DD_EAGER_REDUCE,
};

/* j is a word, not the root. */
static bool word_in_front(const dd_config *c)
{
    return c->front <= c->n;
}

/* Every headless word on the stack when the last word has gone will hang from 0. */
static bool leaves_one_root(const dd_config *c, int headless_wanted)
{
    return !c->single_root || c->front < c->n || c->headless == headless_wanted;
}

/* How much the loss under the single-root rule grows beyond the lost gold arcs. */
static int root_rule_cost(const dd_config *c, const dd_gold *gold, eager_view after)
{
    if (!c->single_root) return 0;
    eager_view now = {.depth = c->depth, .front = c->front, .pushed = DD_NONE};
    return single_root_excess(c, gold, after) - single_root_excess(c, gold, now);
}

/* The cost of gold arcs from j to headless words on the stack. */
static int lost_left_dependents(const dd_config *c, const dd_gold *gold, int j)
{
    int lost = 0;
    for (int at = gold->first[j]; at < gold->first[j + 1] && gold->dependents[at] < j; at++) {
        int dependent = gold->dependents[at];
        bool waits = c->nodes[dependent].on_stack && dd_headless(c, dependent);
        lost += dd_gold_cost(gold, dependent, waits);
    }
    return lost;
}

/* SH: ([..], [j..]) -> ([.. j], [..]) */

static bool shift_legal(const dd_config *c)
{
    return word_in_front(c) && leaves_one_root(c, 0);
}

/* Lost: a head of j on the stack, and headless dependents of j on the stack. */
static int shift_cost(const dd_config *c, const dd_gold *gold)
{
    int j = c->front;
    int head = gold->heads[j];
    eager_view after = {c->depth, j + 1, j, true};
    return dd_gold_cost(gold, j, head > 0 && c->nodes[head].on_stack) +
           lost_left_dependents(c, gold, j) + root_rule_cost(c, gold, after);
}

/* LA: ([.. i], [j..]) -> ([..], [j..]) with j -> i; i is headless */

static bool left_legal(const dd_config *c)
{
    return c->depth > 0 && dd_headless(c, dd_stack(c, 0));
}

static dd_arc left_arc(const dd_config *c)
{
    return (dd_arc){dd_buffer_node(c, 0), dd_stack(c, 0)};
}

static void pop_top(dd_config *c)
{
    dd_pop(c);
}

/* Lost: a head of i behind j, and dependents of i in the buffer. */
static int left_cost(const dd_config *c, const dd_gold *gold)
{
    int i = dd_stack(c, 0);
    eager_view after = {c->depth - 1, c->front, DD_NONE, false};
    return dd_gold_cost(gold, i, dd_position_of(c, gold->heads[i]) > c->front) +
           dd_gold_cost_of_dependents_from(gold, i, c->front) + root_rule_cost(c, gold, after);
}

/* RA: ([.. i], [j..]) -> ([.. i j], [..]) with i -> j */

static bool right_legal(const dd_config *c)
{
    return word_in_front(c) && c->depth > 0 && leaves_one_root(c, 1);
}

static dd_arc right_arc(const dd_config *c)
{
    return (dd_arc){dd_stack(c, 0), c->front};
}

/* Lost: another head of j on the stack or behind j, and headless dependents of j on the stack. */
static int right_cost(const dd_config *c, const dd_gold *gold)
{
    int j = c->front;
    int head = gold->heads[j];
    bool reachable = dd_position_of(c, head) > j || (head > 0 && c->nodes[head].on_stack);
    eager_view after = {c->depth, j + 1, j, false};
    return dd_gold_cost(gold, j, head != dd_stack(c, 0) && reachable) +
           lost_left_dependents(c, gold, j) + root_rule_cost(c, gold, after);
}

/* RE: ([.. i], [j..]) -> ([..], [j..]); i has a head */

static bool reduce_legal(const dd_config *c)
{
    return c->depth > 0 && !dd_headless(c, dd_stack(c, 0));
}

/* Lost: dependents of i in the buffer. */
static int reduce_cost(const dd_config *c, const dd_gold *gold)
{
    eager_view after = {c->depth - 1, c->front, DD_NONE, false};
    return dd_gold_cost_of_dependents_from(gold, dd_stack(c, 0), c->front) +
           root_rule_cost(c, gold, after);
}

static const dd_move_rule rules[] = {
    [SHIFT] = {"SH", DD_NO_ARC, shift_legal, NULL, dd_shift, shift_cost},
    [LEFT] = {"LA", DD_LEFT_ARC, left_legal, left_arc, pop_top, left_cost},
    [RIGHT] = {"RA", DD_RIGHT_ARC, right_legal, right_arc, dd_shift, right_cost},
    [REDUCE] = {"RE", DD_NO_ARC, reduce_legal, NULL, pop_top, reduce_cost},
};

/* Arcs as soon as possible, then reduce as soon as nothing in the buffer needs the top. */
static dd_move canonical(const dd_config *c, const dd_gold *gold)
{
    int i = dd_stack(c, 0);
    if (i == DD_NONE) return (dd_move){SHIFT, 0};
    if (dd_headless(c, i) && gold->heads[i] == dd_buffer_node(c, 0)) return (dd_move){LEFT, 0};
    if (word_in_front(c) && gold->heads[c->front] == i) return (dd_move){RIGHT, 0};
    bool needed = dd_gold_has_dependent_from(gold, i, c->front);
    return (dd_move){!dd_headless(c, i) && !needed ? REDUCE : SHIFT, 0};
}

static bool final(const dd_config *c)
{
    return c->depth == 0 && c->front == c->end - 1;
}

/* Gold arcs out of reach: a headless word on the stack can get its head from the buffer only, a
 * word in the buffer from the buffer or the stack. */
static bool loss(dd_loss_space *space, const dd_config *c, const dd_gold *gold, int *total)
{
    (void)space;
    *total = dd_wrong_arcs(c, gold);
    for (int at = 0; at < c->depth; at++) {
        int word = c->stack[at], head = gold->heads[word];
        bool lost = dd_headless(c, word) && head >= 0 && !dd_in_buffer(c, head);
        *total += dd_gold_cost(gold, word, lost);
    }
    for (int j = c->front; j <= c->n; j++) {
        int head = gold->heads[j];
        bool lost = head >= 0 && !dd_in_buffer(c, head) && !c->nodes[head].on_stack;
        *total += dd_gold_cost(gold, j, lost);
    }
    eager_view now = {.depth = c->depth, .front = c->front, .pushed = DD_NONE};
    if (c->single_root) *total += single_root_excess(c, gold, now);
    return true;
}

const dd_system dd_arc_eager = {
    .name = "arc-eager",
    .transitions = "SH LA RA RE",
    .trees = "projective",
    .summary = "arcs as soon as both words are seen, root last (Nivre 2003)",
    .rules = rules,
    .n_rules = sizeof rules / sizeof *rules,
    .root_last = true,
    .final = final,
    .features =
        {
            .templates = "eager",
            .slots = "S1 S0 B0 B1",
        },
    .oracle =
        {
            .canonical = canonical,
            .loss = loss,
            .weighs_arcs = true,
            .best = dd_soft_best_eager,
            .refuses = dd_refuse_nonprojective,
            .keep = dd_keep_projective,
        },
    .guard = &dd_eager_guard,
};
