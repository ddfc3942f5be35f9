/* arc_eager_nm.c - arc-eager that repairs its mistakes (Honnibal, Goldberg and Johnson 2013), with
 * the root last
 *
 * ([], [1..n, 0]) -> ([], [0]). With i the top of the stack, k the node below it and j the front of
 * the buffer. Arc-eager, but LA may replace the head of i, and RE attaches a headless i to k.
 *
 * Loss. RA pushes j onto its head, and what lies below a node stays while the node does: a node on
 * the stack that has a head has it just below. So with or without a head, a node on the stack
 * becomes a dependent of the node below it (by RE, which needs one) or of a buffer node (by LA),
 * and no head on the stack is final: the trees within reach are those of arc-hybrid with the root
 * last. That is arc-decomposable, so the loss adds up gold arcs out of reach: those of words that
 * are gone with another head; of words on the stack whose gold head is neither in the buffer nor
 * the node below; of words in the buffer whose gold head is neither in the buffer nor on the stack.
 * RA costs what SH costs, even where its arc is wrong.
 *
 * Single root: 0 takes its dependent when only that is left on the stack, which RE always brings
 * about. So a word on the stack has lost a gold arc from 0 unless it is at the bottom. All else is
 * as without the rule: a word that has lost its head can hang from the node below it, and the
 * bottom one from the gold root in the buffer, or else from 0. */
#include "constraints/constraints.h"
#include "systems/arc_hybrid.h"
#include "systems/projective_part.h"
#include "systems/registry.h"
#include "systems/soft_stack.h"

enum { SHIFT, LEFT, RIGHT, REDUCE }; /* as in arc_eager.c */

/* j is a word, not the root. */
static bool word_in_front(const dd_config *c)
{
    return c->front <= c->n;
}

/* Whether a buffer node from position `from` on can still become the head of the node that lies on
 * `below` others on the stack. */
static bool head_to_come(const dd_config *c, int head, int from, int below)
{
    if (head == 0 && c->single_root && below > 0) return false;
    return dd_position_of(c, head) >= from;
}

/* SH: ([.. i], [j..]) -> ([.. i j], [..]) */

static bool shift_legal(const dd_config *c)
{
    return word_in_front(c);
}

/* Lost: a head of j below the top, dependents of j on the stack, and 0 as its head if there may be
 * only one root. */
static int shift_cost(const dd_config *c, const dd_gold *gold)
{
    int j = c->front;
    int head = gold->heads[j];
    bool lost = head == 0 ? c->single_root && c->depth > 0
                          : head > 0 && c->nodes[head].on_stack && head != dd_stack(c, 0);
    int cost = dd_gold_cost(gold, j, lost);
    for (int at = gold->first[j]; at < gold->first[j + 1] && gold->dependents[at] < j; at++) {
        int dependent = gold->dependents[at];
        cost += dd_gold_cost(gold, dependent, c->nodes[dependent].on_stack);
    }
    return cost;
}

/* LA: ([.. i], [j..]) -> ([..], [j..]) with j -> i, in place of any head that i has */

static bool left_legal(const dd_config *c)
{
    return c->depth > 0 && (word_in_front(c) || !c->single_root || c->depth == 1);
}

static dd_arc left_arc(const dd_config *c)
{
    return (dd_arc){dd_buffer_node(c, 0), dd_stack(c, 0)};
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
    bool below = head >= 0 && head == dd_stack(c, 1);
    return dd_gold_cost(gold, i, below || head_to_come(c, head, c->front + 1, c->depth - 1)) +
           dd_gold_cost_of_dependents_from(gold, i, c->front);
}

/* RA: ([.. i], [j..]) -> ([.. i j], [..]) with i -> j; costs what SH costs */

static bool right_legal(const dd_config *c)
{
    return word_in_front(c) && c->depth > 0;
}

static dd_arc right_arc(const dd_config *c)
{
    return (dd_arc){dd_stack(c, 0), c->front};
}

/* RE: ([.. k i], [j..]) -> ([.. k], [j..]) with k -> i if i has no head; else k is its head */

static bool reduce_legal(const dd_config *c)
{
    return c->depth > 1;
}

static dd_arc reduce_arc(const dd_config *c)
{
    int i = dd_stack(c, 0);
    return dd_headless(c, i) ? (dd_arc){dd_stack(c, 1), i} : (dd_arc){DD_NONE, DD_NONE};
}

/* Lost: a head or dependents of i in the buffer. */
static int reduce_cost(const dd_config *c, const dd_gold *gold)
{
    int i = dd_stack(c, 0);
    return dd_gold_cost(gold, i, head_to_come(c, gold->heads[i], c->front, c->depth - 1)) +
           dd_gold_cost_of_dependents_from(gold, i, c->front);
}

static const dd_move_rule rules[] = {
    [SHIFT] = {"SH", DD_NO_ARC, shift_legal, NULL, dd_shift, shift_cost},
    [LEFT] = {"LA", DD_LEFT_ARC, left_legal, left_arc, pop_top, left_cost},
    [RIGHT] = {"RA", DD_RIGHT_ARC, right_legal, right_arc, dd_shift, shift_cost},
    [REDUCE] = {"RE", DD_RIGHT_ARC_OR_NONE, reduce_legal, reduce_arc, pop_top, reduce_cost},
};

/* LA: nothing has been attached to k since i was, which was on top of it all the time. */
static void apply(dd_config *c, dd_move move, int label)
{
    const dd_move_rule *rule = &rules[move.kind];
    dd_arc arc = rule->arc ? rule->arc(c) : (dd_arc){DD_NONE, DD_NONE};
    if (arc.dependent != DD_NONE) {
        if (!dd_headless(c, arc.dependent)) dd_take_back_arc(c, arc.dependent);
        dd_add_arc(c, arc.head, arc.dependent, label);
    }
    rule->advance(c);
}

/* Arc-eager's: arcs as soon as possible, then reduce as soon as nothing in the buffer needs the
 * top. */
static dd_move canonical(const dd_config *c, const dd_gold *gold)
{
    int i = dd_stack(c, 0);
    if (i == DD_NONE) return (dd_move){SHIFT, 0};
    if (gold->heads[i] == dd_buffer_node(c, 0)) return (dd_move){LEFT, 0};
    if (word_in_front(c) && gold->heads[c->front] == i) return (dd_move){RIGHT, 0};
    bool needed = dd_gold_has_dependent_from(gold, i, c->front);
    return (dd_move){!dd_headless(c, i) && !needed ? REDUCE : SHIFT, 0};
}

static bool final(const dd_config *c)
{
    return c->depth == 0 && c->front == c->end - 1;
}

/* RA and SH often cost the same, as do LA and RE. Among moves of cost 0 the oracles teach those
 * that arc-eager would take if nothing could be repaired; repairs are for mistakes, as Honnibal et
 * al. advise (nonmonotonic-covington-2017, section 1). */
static bool preferred(const dd_config *c, const dd_gold *gold, dd_move move)
{
    const dd_move_rule *rule = &dd_arc_eager.rules[move.kind];
    return rule->legal(c) && rule->cost(c, gold) == 0;
}

static bool loss(dd_loss_space *space, const dd_config *c, const dd_gold *gold, int *total)
{
    (void)space;
    *total = 0;
    for (int word = 1; word < c->front; word++) {
        bool gone = !c->nodes[word].on_stack;
        *total +=
            dd_gold_cost(gold, word, gone && dd_gold_rejects(gold, c->nodes[word].head, word));
    }
    for (int at = 0; at < c->depth; at++) {
        int word = c->stack[at], head = gold->heads[word];
        bool below = at > 0 && head == c->stack[at - 1];
        bool lost = head >= 0 && !below && !head_to_come(c, head, c->front, at);
        *total += dd_gold_cost(gold, word, lost);
    }
    for (int j = c->front; j <= c->n; j++) {
        int head = gold->heads[j];
        bool lost = head >= 0 && !dd_in_buffer(c, head) && !c->nodes[head].on_stack;
        *total += dd_gold_cost(gold, j, lost);
    }
    return true;
}

/* ---- constraints -------------------------------------------------------------------------- */

/* Heads of words on the stack can still change. */
static bool is_settled(const dd_config *config, int word)
{
    return !dd_in_buffer(config, word) && !config->nodes[word].on_stack;
}

static bool is_open(const dd_config *config, const int32_t *rank, int head, int dependent)
{
    if (head == 0 && config->single_root && rank[dependent] > 0) return false;
    return dd_hybrid_is_open(config, rank, head, dependent);
}

static const dd_horizon horizon = {.settled = is_settled, .open = is_open};

/* 0 comes last and takes whatever is on the stack, unless there may be only one root. */
static bool allows_under_leaves(const dd_constraints *constraints, const dd_config *config,
                                dd_move move)
{
    bool pushes = move.kind == SHIFT || move.kind == RIGHT;
    return !constraints->single_root || !pushes || dd_leaves_let_push(constraints, config);
}

static const dd_guard guard = {DD_PROJECTIVE_GUARD, .horizon = &horizon,
                               .allows_under_leaves = allows_under_leaves};

const dd_system dd_arc_eager_nm = {
    .name = "arc-eager-nm",
    .transitions = "SH LA RA RE",
    .trees = "projective",
    .summary = "arc-eager that can replace and add heads later (Honnibal et al. 2013)",
    .rules = rules,
    .n_rules = sizeof rules / sizeof *rules,
    .root_last = true,
    .nonmonotonic = true,
    .final = final,
    .features =
        {
            .templates = "eager",
            .slots = "S1 S0 B0 B1 S0.h",
        },
    .moves =
        {
            .apply = apply,
        },
    .oracle =
        {
            .canonical = canonical,
            .preferred = preferred,
            .loss = loss,
            .weighs_arcs = true,
            .best = dd_soft_best_hybrid,
            .refuses = dd_refuse_nonprojective,
            .keep = dd_keep_projective,
            .pace = 66000,
        },
    .guard = &guard,
};
