/* guard.c - what a decoder asks of the constraints of its sentence, and rules for leaves that
 * several systems share */
#include "constraints/constraints.h"
#include "core/memory.h"

/* ---- leaves --------------------------------------------------------------------------------- */

/* What several systems must see to once the last word that is no leaf has come. That no more than
 * this is needed is checked against exhaustive search (tests/systems/test_constraints_exact.c). */

enum { SHIFT = 0 }; /* in all systems */

/* ---- in systems whose words hang from the node below them ---- */

static bool stack_has_leaf(const dd_constraints *c, const dd_config *config)
{
    for (int at = config->depth - 1; at >= 0; at--)
        if (c->leaf[config->stack[at]]) return true;
    return false;
}

/* A word pushed then depends on the word below it, and so do all those below it. */
bool dd_leaves_let_push(const dd_constraints *constraints, const dd_config *config)
{
    return config->front < constraints->last_head || !stack_has_leaf(constraints, config);
}

/* ---- in systems that build arcs between the topmost nodes ---- */

/* The topmost nodes after a move, DD_NONE: there are no more. */
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

/* ---- what a decoder asks -------------------------------------------------------------------- */

enum { STEPS_FOR_MOVE = 200 }; /* for dd_tick */

bool dd_constraints_allow(const dd_constraints *constraints, const dd_config *config, dd_move move)
{
    if (constraints->n_leaves > 0) {
        dd_arc arc = dd_system_arc(constraints->system, config, move);
        if (constraints->only_leaves) return dd_leaves_allow(constraints, config, move, arc);
        if (dd_starts_at_leaf(constraints, arc)) return false;
    }
    return !dd_effort_is_over(&constraints->effort) &&
           dd_guard_of(constraints->system)->allows(constraints, config, move);
}

int dd_constraints_filter(const dd_constraints *constraints, const dd_config *config,
                          dd_move *moves, int n_moves)
{
    int kept = 0;
    for (int m = 0; m < n_moves; m++)
        if (dd_constraints_allow(constraints, config, moves[m])) moves[kept++] = moves[m];
    return kept;
}

void dd_constraints_follow(const dd_constraints *constraints, dd_config *config, dd_move move)
{
    const dd_guard *guard = dd_guard_of(constraints->system);
    if (guard->follow && !constraints->only_leaves) guard->follow(constraints, config, move);
}

bool dd_forbids_arc(const dd_constraints *constraints, int head, int dependent)
{
    if (constraints->leaf[head]) return true;
    int low = constraints->forbidden_first[dependent];
    int high = constraints->forbidden_first[dependent + 1];
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (constraints->forbidden_heads[middle] == head) return true;
        if (constraints->forbidden_heads[middle] < head)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

static bool outside(const dd_span *span, int node)
{
    return node < span->first || node > span->last;
}

static bool span_holds(const dd_span *span, const int32_t *heads)
{
    int roots = 0;
    for (int word = span->first; word <= span->last; word++) roots += outside(span, heads[word]);
    return roots == 1;
}

static bool arc_holds(const dd_constraints *constraints, const int32_t *heads, int word)
{
    int head = heads[word];
    if (constraints->heads[word] != DD_NONE && constraints->heads[word] != head) return false;
    if (dd_forbids_arc(constraints, head, word)) return false;
    int span = constraints->span_of[head];
    if (span == DD_NONE || span == constraints->span_of[word]) return true;
    const dd_span *left = &constraints->spans[span];
    if (left->mode == DD_SPAN_ROOT) return outside(left, heads[head]);
    return left->mode == DD_SPAN_ANY;
}

bool dd_constraints_hold(const dd_constraints *constraints, const int32_t *heads)
{
    for (int s = 0; s < constraints->n_spans; s++)
        if (!span_holds(&constraints->spans[s], heads)) return false;
    for (int word = 1; word <= constraints->n; word++)
        if (!arc_holds(constraints, heads, word)) return false;
    return true;
}

bool dd_constraints_gave_up(const dd_constraints *constraints)
{
    const dd_guard *guard = dd_guard_of(constraints->system);
    return guard->gave_up && !constraints->only_leaves && guard->gave_up(constraints);
}

/* Moves that the guard allows never lead into a dead end if some tree satisfies the constraints, so
 * following any of them finds out whether one does. */
static bool leads_to_a_tree(dd_constraints *constraints)
{
    const dd_system *system = constraints->system;
    dd_config *trial = &constraints->trial;
    while (!system->final(trial)) {
        if (!dd_tick(constraints->effort.ticker, STEPS_FOR_MOVE)) return false;
        int count = dd_system_permissible(system, trial, constraints->moves), m = 0;
        while (m < count && !dd_constraints_allow(constraints, trial, constraints->moves[m])) m++;
        if (m == count) return false;
        dd_constraints_follow(constraints, trial, constraints->moves[m]);
        dd_system_apply(system, trial, constraints->moves[m], 0);
    }
    dd_attach_rest(trial, 0);
    for (int word = 1; word <= constraints->n; word++)
        constraints->scratch[word] = trial->nodes[word].head;
    return dd_constraints_hold(constraints, constraints->scratch);
}

int dd_constraints_satisfiable(dd_constraints *constraints)
{
    const dd_system *system = constraints->system;
    const dd_guard *guard = dd_guard_of(system);
    if (constraints->only_leaves) return dd_leaves_can_hold(constraints);
    size_t most = (size_t)dd_system_max_moves(system, constraints->n);
    if (!DD_RESERVE(&constraints->moves, &constraints->moves_capacity, most) ||
        !guard->prepare(constraints) ||
        !dd_system_begin(system, &constraints->trial, constraints->n, constraints->single_root))
        return -1;
    bool can = guard->possible ? guard->possible(constraints, &constraints->trial)
                               : leads_to_a_tree(constraints);
    const dd_effort *effort = &constraints->effort;
    if (can && !dd_is_cancelled(effort->ticker)) return 1;
    return effort->no_memory || dd_is_cancelled(effort->ticker) ? -1 : 0;
}
