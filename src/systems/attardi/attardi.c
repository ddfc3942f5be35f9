/* attardi.c - Attardi's system with arcs of degree 2 (Attardi 2006; attardi-oracle-2014, section 3)
 *
 * ([], [0..n]) -> ([0], []). With k the top of the stack, j and i the nodes below it. Builds most
 * non-projective trees. Losses come from systems/attardi/attardi_loss.c. */
#include "systems/attardi/attardi.h"
#include "systems/arc_standard/arc_standard.h"
#include "systems/registry.h"

#include <limits.h>

enum { SHIFT, LEFT, RIGHT, LEFT2, RIGHT2 };

/* SH, LA and RA are arc-standard's: LA builds k -> j, RA j -> k. */

/* LA2: ([.. i j k], ..) -> ([.. j k], ..) with k -> i; i is not the root */

static bool left2_legal(const dd_config *c)
{
    return c->depth >= 3 && dd_stack(c, 2) != 0;
}

static dd_arc left2_arc(const dd_config *c)
{
    return (dd_arc){dd_stack(c, 0), dd_stack(c, 2)};
}

static void drop_third(dd_config *c)
{
    int top = dd_pop(c), second = dd_pop(c);
    dd_pop(c);
    dd_push(c, second);
    dd_push(c, top);
}

/* RA2: ([.. i j k], ..) -> ([.. i j], ..) with i -> k; under the single-root rule i is not the
 * root, as j would be left */

static bool right2_legal(const dd_config *c)
{
    return c->depth >= 3 && (!c->single_root || dd_stack(c, 2) != 0);
}

static dd_arc right2_arc(const dd_config *c)
{
    return (dd_arc){dd_stack(c, 2), dd_stack(c, 0)};
}

static const dd_move_rule rules[] = {
    [SHIFT] = {"SH", DD_NO_ARC, dd_standard_shift_legal, NULL, dd_shift, NULL},
    [LEFT] = {"LA", DD_LEFT_ARC, dd_standard_left_legal, dd_standard_left_arc,
              dd_standard_drop_second, NULL},
    [RIGHT] = {"RA", DD_RIGHT_ARC, dd_standard_right_legal, dd_standard_right_arc,
               dd_standard_drop_top, NULL},
    [LEFT2] = {"LA2", DD_LEFT_ARC, left2_legal, left2_arc, drop_third, NULL},
    [RIGHT2] = {"RA2", DD_RIGHT_ARC, right2_legal, right2_arc, dd_standard_drop_top, NULL},
};

/* No gold dependent is on the stack or in the buffer; what is there has no head yet. */
static bool complete(const dd_config *c, const dd_gold *gold, int word)
{
    for (int at = gold->first[word]; at < gold->first[word + 1]; at++)
        if (dd_headless(c, gold->dependents[at])) return false;
    return true;
}

/* Attach as soon as possible. Only LA and LA2 can be possible together; LA goes first. A tree that
 * can be built at all is built so (systems/attardi/attardi.h). */
static dd_move canonical(const dd_config *c, const dd_gold *gold)
{
    for (int kind = LEFT; kind <= RIGHT2; kind++) {
        if (!rules[kind].legal(c)) continue;
        dd_arc arc = rules[kind].arc(c);
        if (gold->heads[arc.dependent] == arc.head && complete(c, gold, arc.dependent))
            return (dd_move){kind, 0};
    }
    return (dd_move){SHIFT, 0};
}

static bool final(const dd_config *c)
{
    return c->front == c->end && c->depth == 1;
}

static dd_attardi_effort up_to(int limit)
{
    return (dd_attardi_effort){limit, DD_ATTARDI_RUNS};
}

/* The wrong arcs of a move and after it; if they are above the limit, some number above it. */
static bool loss_after(dd_loss_space *space, const dd_config *c, const dd_gold *gold, dd_move move,
                       int limit, int *after)
{
    if (move.kind == SHIFT)
        return dd_attardi_loss(space, gold, (dd_attardi_view){c, 1, DD_NONE}, up_to(limit), after);
    dd_arc arc = rules[move.kind].arc(c);
    int wrong = dd_gold_rejects(gold, arc.head, arc.dependent);
    dd_attardi_view view = {c, 0, arc.dependent};
    if (!dd_attardi_loss(space, gold, view, up_to(limit - wrong), after)) return false;
    *after += wrong;
    return true;
}

static bool losses(dd_loss_space *space, const dd_config *c, const dd_gold *gold,
                   const dd_move *moves, int n_moves, int *after)
{
    for (int m = 0; m < n_moves; m++)
        if (!loss_after(space, c, gold, moves[m], INT_MAX, &after[m])) return false;
    return true;
}

/* A complete word gets its gold head, or any head as the gold one has gone or is not known: cost 0
 * in any configuration (systems/attardi/attardi.h). */
static bool surely_free(const dd_config *c, const dd_gold *gold, dd_move move)
{
    if (move.kind == SHIFT) return false;
    dd_arc arc = rules[move.kind].arc(c);
    int head = gold->heads[arc.dependent];
    bool any_head = head == DD_NONE || !dd_headless(c, head);
    return (head == arc.head || any_head) && complete(c, gold, arc.dependent);
}

static bool zero_costs(dd_loss_space *space, const dd_config *c, const dd_gold *gold,
                       bool on_gold_path, const dd_move *moves, int n_moves, int *costs)
{
    int least = 0;
    dd_attardi_view here = {c, 0, DD_NONE};
    if (!on_gold_path && !dd_attardi_loss(space, gold, here, up_to(INT_MAX), &least)) return false;
    for (int m = 0; m < n_moves; m++) {
        costs[m] = 0;
        if (surely_free(c, gold, moves[m])) continue;
        if (!loss_after(space, c, gold, moves[m], least, &costs[m])) return false;
        costs[m] -= least;
    }
    return true;
}

static bool loss(dd_loss_space *space, const dd_config *c, const dd_gold *gold, int *total)
{
    dd_attardi_view here = {c, 0, DD_NONE};
    if (!dd_attardi_loss(space, gold, here, up_to(INT_MAX), total)) return false;
    *total += dd_wrong_arcs(c, gold);
    return true;
}

static const char *refuses(const dd_gold *gold, bool single_root)
{
    if (single_root && gold->roots > 1) return "several roots";
    if (gold->projective) return NULL;
    return dd_attardi_builds(gold, single_root) ? NULL : "tree that attardi cannot build";
}

const dd_system dd_attardi = {
    .name = "attardi",
    .transitions = "SH LA RA LA2 RA2",
    .trees = "mildly non-projective",
    .summary = "arc-standard with arcs to the third node of the stack (Attardi 2006)",
    .rules = rules,
    .n_rules = sizeof rules / sizeof *rules,
    .final = final,
    .features =
        {
            .templates = "standard",
            .slots = "S3 S2 S1 S0 B0",
        },
    .oracle =
        {
            .max_words = 500,
            .canonical = canonical,
            .losses = losses,
            .zero_costs = zero_costs,
            .takes_known_arcs_first = true,
            .loss = loss,
            .refuses = refuses,
            .keep = dd_attardi_keep,
            .pace = 39000,
        },
    .guard = &dd_attardi_guard,
};
