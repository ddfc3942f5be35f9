/* leaves.c - what each system must see to once the last word that is no leaf has come
 *
 * That no more than this is needed is checked against exhaustive search
 * (tests/systems/test_constraints_exact.c). */
#include "constraints/leaves.h"

#include "constraints/eager.h"
#include "oracles/covington_nm.h"

enum { SHIFT = 0 }; /* in all systems */

/* ---- arc-eager ---------------------------------------------------------------------------- */

/* Without the single-root rule 0 takes what lacks a head in the end. Under it, what the system asks
 * of the last word holds from the last one on that can take others: only one word lacks a head
 * behind it. That is at the bottom of the stack and can take what comes. */
bool dd_arc_eager_leaves(const dd_constraints *constraints, const dd_config *config, dd_move move)
{
    if (!constraints->single_root || config->front < constraints->last_head) return true;
    if (config->front >= config->n) return true; /* the system sees to it */
    if (move.kind == DD_EAGER_SHIFT) return config->headless == 0;
    return move.kind != DD_EAGER_RIGHT || config->headless == 1;
}

/* ---- arc-hybrid and arc-eager-nm ---------------------------------------------------------- */

static bool stack_has_leaf(const dd_constraints *c, const dd_config *config)
{
    for (int at = config->depth - 1; at >= 0; at--)
        if (c->leaf[config->stack[at]]) return true;
    return false;
}

/* What is pushed then hangs from the word below it, as all those below it do from theirs. */
static bool may_push(const dd_constraints *c, const dd_config *config)
{
    return config->front < c->last_head || !stack_has_leaf(c, config);
}

bool dd_arc_hybrid_leaves(const dd_constraints *constraints, const dd_config *config, dd_move move)
{
    return move.kind != SHIFT || may_push(constraints, config);
}

/* 0 comes last and takes whatever is on the stack, unless there may be only one root. */
bool dd_arc_eager_nm_leaves(const dd_constraints *constraints, const dd_config *config,
                            dd_move move)
{
    bool pushes = move.kind == DD_EAGER_SHIFT || move.kind == DD_EAGER_RIGHT;
    return !constraints->single_root || !pushes || may_push(constraints, config);
}

/* ---- arc-standard, lr-spine and attardi --------------------------------------------------- */

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
static bool top_serves(const dd_constraints *c, const dd_config *config, dd_move move, int count)
{
    int top[TOP];
    if (config->front + (move.kind == SHIFT) <= c->last_head) return true;
    find_top(c, config, move, top);
    for (int at = 0; at < count; at++)
        if (!c->leaf[top[at]]) return true;
    return false;
}

bool dd_arc_standard_leaves(const dd_constraints *constraints, const dd_config *config,
                            dd_move move)
{
    return top_serves(constraints, config, move, 2);
}

/* RA2 reaches over one more. */
bool dd_attardi_leaves(const dd_constraints *constraints, const dd_config *config, dd_move move)
{
    return top_serves(constraints, config, move, 3);
}

/* ---- covington and covington-nm ----------------------------------------------------------- */

/* The one root from a word on that is left of the front, DD_NONE: there is none. False if there
 * are several. */
static bool find_only_root(const dd_nm_view *view, int from, int *root)
{
    *root = DD_NONE;
    for (int word = from; word < view->front; word++) {
        if (dd_nm_head(view, word) != DD_NONE) continue;
        if (*root != DD_NONE) return false;
        *root = word;
    }
    return true;
}

/* Whether the front can get its head from a word up to the focus; root: one below that. */
static bool can_be_taken(const dd_constraints *c, const dd_nm_view *view, int root)
{
    for (int word = view->focus; word > 0; word--)
        if (!c->leaf[word] && (root == DD_NONE || dd_nm_below(view, word, root))) return true;
    return false;
}

/* The front is the last word that is no leaf. It takes the roots up to the focus; one behind that
 * stays a root, as nothing to come can take it, and must be above the front. See dd_nm_can_end. */
static bool front_can_close(const dd_constraints *c, const dd_nm_view *view)
{
    int root;
    if (!find_only_root(view, view->focus + 1, &root)) return false;
    if (root == DD_NONE || dd_nm_below(view, view->front, root)) return true;
    bool replaces = c->system->nonmonotonic || dd_nm_head(view, view->front) == DD_NONE;
    return replaces && can_be_taken(c, view, root);
}

/* Only leaves are to come, so all roots stay what they are. */
static bool leaves_can_follow(const dd_constraints *c, const dd_nm_view *view)
{
    int root;
    return find_only_root(view, 1, &root) &&
           (root == DD_NONE || dd_nm_head(view, view->front) != DD_NONE ||
            can_be_taken(c, view, DD_NONE));
}

/* Without the single-root rule 0 takes what lacks a head in the end. */
bool dd_covington_leaves(const dd_constraints *constraints, const dd_config *config, dd_move move)
{
    int front = config->front + (move.kind == SHIFT);
    if (!constraints->single_root || front < constraints->last_head || front > config->n)
        return true;
    dd_nm_view now = dd_nm_now(config), after = dd_nm_after(&now, move.kind);
    return front == constraints->last_head ? front_can_close(constraints, &after)
                                           : leaves_can_follow(constraints, &after);
}
