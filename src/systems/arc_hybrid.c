/* arc_hybrid.c - arc-hybrid (Kuhlmann, Gomez-Rodriguez and Satta 2011; Goldberg and Nivre 2013)
 *
 * ([0], [1..n]) -> ([0], []). With i the top of the stack, k the node below it and j the front of
 * the buffer. Arc-decomposable, so each cost adds up the gold arcs that the move makes unreachable.
 *
 * Single root: 0 takes its dependent last of all. The gold arcs that stay reachable are the same
 * with and without that rule: any word that has lost its head can hang from the node below it, from
 * the word that becomes the root, or from the end of the arc that covers it. So are the costs. */
#include "systems/arc_hybrid.h"

#include "constraints/constraints.h"
#include "systems/projective_part.h"
#include "systems/registry.h"
#include "systems/soft_stack.h"

/* SH: ([..], [j..]) -> ([.. j], [..]) */

static bool shift_legal(const dd_config *c)
{
    return c->front < c->end;
}

/* Lost: a head of j below the top, and dependents of j on the stack. */
static int shift_cost(const dd_config *c, const dd_gold *gold)
{
    int j = c->front;
    int head = gold->heads[j];
    bool lost = head >= 0 && head < j && head != dd_stack(c, 0) && c->nodes[head].on_stack;
    int cost = dd_gold_cost(gold, j, lost);
    for (int at = gold->first[j]; at < gold->first[j + 1] && gold->dependents[at] < j; at++) {
        int dependent = gold->dependents[at];
        cost += dd_gold_cost(gold, dependent, c->nodes[dependent].on_stack);
    }
    return cost;
}

/* LA: ([.. i], [j..]) -> ([..], [j..]) with j -> i */

static bool left_legal(const dd_config *c)
{
    return c->front < c->end && dd_stack(c, 0) > 0;
}

static dd_arc left_arc(const dd_config *c)
{
    return (dd_arc){c->front, dd_stack(c, 0)};
}

static void pop_top(dd_config *c)
{
    dd_pop(c);
}

/* Lost: a head of i behind j or just below i, and dependents of i in the buffer. */
static int left_cost(const dd_config *c, const dd_gold *gold)
{
    int i = dd_stack(c, 0);
    int head = gold->heads[i];
    return dd_gold_cost(gold, i, head > c->front || head == dd_stack(c, 1)) +
           dd_gold_cost_of_dependents_from(gold, i, c->front);
}

/* RA: ([.. k i], [j..]) -> ([.. k], [j..]) with k -> i */

static bool right_legal(const dd_config *c)
{
    if (c->depth < 2) return false;
    return !c->single_root || dd_stack(c, 1) != 0 || c->front == c->end;
}

static dd_arc right_arc(const dd_config *c)
{
    return (dd_arc){dd_stack(c, 1), dd_stack(c, 0)};
}

/* Lost: a head or dependents of i in the buffer. */
static int right_cost(const dd_config *c, const dd_gold *gold)
{
    int i = dd_stack(c, 0);
    return dd_gold_cost(gold, i, gold->heads[i] >= c->front) +
           dd_gold_cost_of_dependents_from(gold, i, c->front);
}

static const dd_move_rule rules[] = {
    {"SH", DD_NO_ARC, shift_legal, NULL, dd_shift, shift_cost},
    {"LA", DD_LEFT_ARC, left_legal, left_arc, pop_top, left_cost},
    {"RA", DD_RIGHT_ARC, right_legal, right_arc, pop_top, right_cost},
};
enum { SHIFT, LEFT, RIGHT };

/* Attach as soon as possible. */
static dd_move canonical(const dd_config *c, const dd_gold *gold)
{
    int i = dd_stack(c, 0);
    if (i > 0 && c->front < c->end && gold->heads[i] == c->front) return (dd_move){LEFT, 0};
    if (i > 0 && gold->heads[i] == dd_stack(c, 1) && !dd_gold_has_dependent_from(gold, i, c->front))
        return (dd_move){RIGHT, 0};
    return (dd_move){SHIFT, 0};
}

static void start(dd_config *c)
{
    dd_shift(c);
}

static bool final(const dd_config *c)
{
    return c->front == c->end && c->depth == 1;
}

/* Gold arcs out of reach: a headless word can still get its head from the buffer or, on the stack,
 * from the node below it; a word in the buffer also from any node on the stack. */
static bool loss(dd_loss_space *space, const dd_config *c, const dd_gold *gold, int *total)
{
    (void)space;
    *total = dd_wrong_arcs(c, gold);
    for (int at = 1; at < c->depth; at++) {
        int word = c->stack[at], head = gold->heads[word];
        bool lost = head >= 0 && head < c->front && head != c->stack[at - 1];
        *total += dd_gold_cost(gold, word, lost);
    }
    for (int j = c->front; j < c->end; j++) {
        int head = gold->heads[j];
        bool lost = head >= 0 && head < c->front && !c->nodes[head].on_stack;
        *total += dd_gold_cost(gold, j, lost);
    }
    return true;
}

/* ---- constraints -------------------------------------------------------------------------- */

/* The gold arcs that the loss counts as lost are those that no tree in reach has. */
bool dd_hybrid_is_open(const dd_config *config, const int32_t *rank, int head, int dependent)
{
    if (dd_in_buffer(config, head)) return true;
    if (rank[head] == DD_NONE) return false;
    return rank[dependent] == DD_NONE || rank[dependent] == rank[head] + 1;
}

static const dd_horizon horizon = {.settled = dd_projective_is_settled, .open = dd_hybrid_is_open};

static bool allows_under_leaves(const dd_constraints *constraints, const dd_config *config,
                                dd_move move)
{
    return move.kind != SHIFT || dd_leaves_let_push(constraints, config);
}

static const dd_guard guard = {DD_PROJECTIVE_GUARD, .horizon = &horizon,
                               .allows_under_leaves = allows_under_leaves};

const dd_system dd_arc_hybrid = {
    .name = "arc-hybrid",
    .transitions = "SH LA RA",
    .trees = "projective",
    .summary = "left arcs from the buffer, right arcs on the stack (Goldberg and Nivre 2013)",
    .rules = rules,
    .n_rules = sizeof rules / sizeof *rules,
    .start = start,
    .final = final,
    .features =
        {
            .templates = "hybrid",
            .slots = "S2 S1 S0 B0",
        },
    .oracle =
        {
            .canonical = canonical,
            .loss = loss,
            .weighs_arcs = true,
            .best = dd_soft_best_hybrid,
            .refuses = dd_refuse_nonprojective,
            .keep = dd_keep_projective,
        },
    .guard = &guard,
};
