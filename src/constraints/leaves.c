/* leaves.c - what several systems must see to once the last word that is no leaf has come
 *
 * That no more than this is needed is checked against exhaustive search
 * (tests/systems/test_constraints_exact.c). */
#include "constraints/leaves.h"

enum { SHIFT = 0 }; /* in all systems */

/* ---- systems whose words hang from the node below them ------------------------------------- */

static bool stack_has_leaf(const dd_constraints *c, const dd_config *config)
{
    for (int at = config->depth - 1; at >= 0; at--)
        if (c->leaf[config->stack[at]]) return true;
    return false;
}

/* What is pushed then hangs from the word below it, as all those below it do from theirs. */
bool dd_leaves_let_push(const dd_constraints *constraints, const dd_config *config)
{
    return config->front < constraints->last_head || !stack_has_leaf(constraints, config);
}

/* ---- systems that build arcs between the topmost nodes ------------------------------------- */

/* The topmost nodes behind a move, DD_NONE: there are no more. */
enum { TOP = 3 };

static void find_top(const dd_constraints *c, const dd_config *config, dd_move move, int top[TOP])
{
    int dependent = dd_system_arc(c->system, config, move).dependent, count = 0;
    if (move.kind == SHIFT) top[count++] = dd_buffer_node(config, 0);
    for (int at = 0; count < TOP; at++) {
        int node = dd_stack(config, at);
        if (node == DD_NONE || node != dependent) top[count++] = node;
    }
}

/* Whether one of the `count` topmost nodes is no leaf. Behind the last word that is none, such a
 * node on top takes all that is below it and to come; leaves above it hang from it first. */
bool dd_leaves_top_serves(const dd_constraints *c, const dd_config *config, dd_move move, int count)
{
    int top[TOP];
    if (config->front + (move.kind == SHIFT) <= c->last_head) return true;
    find_top(c, config, move, top);
    for (int at = 0; at < count; at++)
        if (!c->leaf[top[at]]) return true;
    return false;
}
