/* arc_standard.c - arc-standard (Nivre 2004; tabular-oracles-2014, section 2)
 *
 * ([], [0..n]) -> ([0], []). With j the top of the stack and i the node below it. Not
 * arc-decomposable: losses come from the table in systems/arc_standard/arc_standard_loss.c. */
#include "systems/arc_standard/arc_standard.h"
#include "constraints/constraints.h"
#include "systems/projective_part.h"
#include "systems/registry.h"

enum { SHIFT, LEFT, RIGHT };

/* SH: ([..], [k..]) -> ([.. k], [..]) */

bool dd_standard_shift_legal(const dd_config *c)
{
    return c->front < c->end;
}

/* LA: ([.. i j], ..) -> ([.. j], ..) with j -> i; i is not the root */

bool dd_standard_left_legal(const dd_config *c)
{
    return c->depth >= 2 && dd_stack(c, 1) != 0;
}

dd_arc dd_standard_left_arc(const dd_config *c)
{
    return (dd_arc){dd_stack(c, 0), dd_stack(c, 1)};
}

void dd_standard_drop_second(dd_config *c)
{
    int top = dd_pop(c);
    dd_pop(c);
    dd_push(c, top);
}

/* RA: ([.. i j], ..) -> ([.. i], ..) with i -> j; under the single-root rule 0 takes j last */

bool dd_standard_right_legal(const dd_config *c)
{
    if (c->depth < 2) return false;
    return !c->single_root || dd_stack(c, 1) != 0 || c->front == c->end;
}

dd_arc dd_standard_right_arc(const dd_config *c)
{
    return (dd_arc){dd_stack(c, 1), dd_stack(c, 0)};
}

void dd_standard_drop_top(dd_config *c)
{
    dd_pop(c);
}

static const dd_move_rule rules[] = {
    [SHIFT] = {"SH", DD_NO_ARC, dd_standard_shift_legal, NULL, dd_shift, NULL},
    [LEFT] = {"LA", DD_LEFT_ARC, dd_standard_left_legal, dd_standard_left_arc,
              dd_standard_drop_second, NULL},
    [RIGHT] = {"RA", DD_RIGHT_ARC, dd_standard_right_legal, dd_standard_right_arc,
               dd_standard_drop_top, NULL},
};

/* Attach as soon as possible: a left dependent is complete once its head is on top. */
static dd_move canonical(const dd_config *c, const dd_gold *gold)
{
    int i = dd_stack(c, 1), j = dd_stack(c, 0);
    if (i > 0 && gold->heads[i] == j) return (dd_move){LEFT, 0};
    if (i >= 0 && gold->heads[j] == i && !dd_gold_has_dependent_from(gold, j, c->front))
        return (dd_move){RIGHT, 0};
    return (dd_move){SHIFT, 0};
}

static bool final(const dd_config *c)
{
    return c->front == c->end && c->depth == 1;
}

static dd_standard_view view_after(const dd_config *c, int kind)
{
    switch (kind) {
    case SHIFT: return (dd_standard_view){c->stack, c->depth, c->front, c->front + 1};
    case LEFT: return (dd_standard_view){c->stack, c->depth - 2, dd_stack(c, 0), c->front};
    default: return (dd_standard_view){c->stack, c->depth - 1, DD_NONE, c->front};
    }
}

static bool losses(dd_loss_space *space, const dd_config *c, const dd_gold *gold,
                   const dd_move *moves, int n_moves, int *after)
{
    for (int m = 0; m < n_moves; m++) {
        dd_standard_view view = view_after(c, moves[m].kind);
        if (!dd_arc_standard_loss(space, c, gold, view, &after[m])) return false;
        const dd_move_rule *rule = &rules[moves[m].kind];
        if (!rule->arc) continue;
        dd_arc arc = rule->arc(c);
        after[m] += dd_gold_rejects(gold, arc.head, arc.dependent);
    }
    return true;
}

/* With no mistake so far, an arc is free if it is gold and its dependent complete (a left dependent
 * always is). SH is free unless it buries a gold arc between i and j: nothing that j still has to
 * take would bring the two together again. */
static bool free_on_gold_path(const dd_config *c, const dd_gold *gold, dd_move move)
{
    int i = dd_stack(c, 1), j = dd_stack(c, 0);
    if (move.kind == LEFT) return gold->heads[i] == j;
    bool j_incomplete = j >= 0 && dd_gold_has_dependent_from(gold, j, c->front);
    if (move.kind == RIGHT) return gold->heads[j] == i && !j_incomplete;
    return i < 0 || j_incomplete || (gold->heads[j] != i && gold->heads[i] != j);
}

static bool loss(dd_loss_space *space, const dd_config *c, const dd_gold *gold, int *total)
{
    dd_standard_view view = {c->stack, c->depth, DD_NONE, c->front};
    if (!dd_arc_standard_loss(space, c, gold, view, total)) return false;
    *total += dd_wrong_arcs(c, gold);
    return true;
}

/* ---- constraints -------------------------------------------------------------------------- */

/* Words that have a head can take no dependents any more. */
static bool is_open(const dd_config *config, const int32_t *rank, int head, int dependent)
{
    (void)rank;
    (void)dependent;
    return head == 0 || dd_headless(config, head);
}

const dd_horizon dd_standard_horizon = {
    .links = true, .settled = dd_projective_is_settled, .open = is_open};

bool dd_standard_leaves(const dd_constraints *constraints, const dd_config *config, dd_move move)
{
    return dd_leaves_top_serves(constraints, config, move, 2);
}

static const dd_guard guard = {DD_PROJECTIVE_GUARD, .horizon = &dd_standard_horizon,
                               .allows_under_leaves = dd_standard_leaves};

const dd_system dd_arc_standard = {
    .name = "arc-standard",
    .transitions = "SH LA RA",
    .trees = "projective",
    .summary = "arcs between the two topmost nodes of the stack (Nivre 2004)",
    .rules = rules,
    .n_rules = sizeof rules / sizeof *rules,
    .final = final,
    .features =
        {
            .templates = "standard",
            .slots = "S2 S1 S0 B0",
        },
    .oracle =
        {
            .max_words = 2000,
            .canonical = canonical,
            .losses = losses,
            .losses_are_ahead = true,
            .takes_known_arcs_first = true,
            .free_on_gold_path = free_on_gold_path,
            .loss = loss,
            .best = dd_arc_standard_best,
            .refuses = dd_refuse_nonprojective,
            .keep = dd_keep_projective,
        },
    .guard = &guard,
};
