/* arc_eager_guard.c - arc-eager's preconditions for required arcs and spans, each checked in
 * constant time
 *
 * They are those of constrained-arc-eager-2014, figure 2, with the corrections and additions that
 * docs/theory/constraints.md derives. With i the top of the stack and j the front of the buffer:
 *
 * - an arc rule for each move: no required arc between what the move takes away and what is left;
 * - a root rule: only the root of a span has its head outside, and in mode root a dependent;
 * - a wait rule: a word may be left without a head, to wait for it on the stack, only while a free
 *   word is still to come that can take it. Within a span, all but one word must find their head
 *   before the last free word has gone; where a required arc leads to a leaf, all nodes that it
 *   covers; under the single-root rule all nodes but one.
 *
 * Forbidden arcs, and leaves in spans, need more; see dd_pushdown. */
#include "systems/arc_eager/arc_eager.h"

#include "core/memory.h"

#include <stdlib.h>

typedef struct guard_tables {
    dd_eager_tables tables;
    dd_pushdown *pushdown; /* made when first needed */
    bool needs_pushdown;
} guard_tables;

/* The span that has begun, kept in dd_config.guard_state: twice the number of its words on the
 * stack that lack a head inside of it, plus 1 if one of them has its head outside. */
static int open_components(const dd_config *config)
{
    return (int)(config->guard_state / 2);
}

static bool is_attached(const dd_config *config)
{
    return config->guard_state % 2 != 0;
}

static void set_span(dd_config *config, int open, bool attached)
{
    config->guard_state = 2 * (uint64_t)open + attached;
}

/* ---- arcs --------------------------------------------------------------------------------- */

/* No required dependent of i is still to come. */
static bool may_leave(const dd_constraints *c, const dd_config *config, int i)
{
    return c->rightmost[i] == DD_NONE || c->rightmost[i] < config->front;
}

/* No required dependent of j waits on the stack; the leftmost is attached last. */
static bool has_left_dependents(const dd_constraints *c, const dd_config *config, int j)
{
    int leftmost = c->leftmost[j];
    return leftmost == DD_NONE || leftmost > j || !dd_headless(config, leftmost);
}

/* ---- spans -------------------------------------------------------------------------------- */

/* Words of j's span on the stack that lack a head inside, before j. */
static int components(const dd_constraints *c, const dd_config *config, int j)
{
    return c->spans[c->span_of[j]].first == j ? 0 : open_components(config);
}

/* In mode root a dependent before the span makes a word its root. */
static bool is_designated(const dd_constraints *c, const dd_config *config, int word)
{
    const dd_span *span = &c->spans[c->span_of[word]];
    int leftmost = config->nodes[word].left[0];
    return span->mode == DD_SPAN_ROOT && leftmost != DD_NONE && leftmost < span->first;
}

/* j, which no word of its span on the stack covers, can be the root of its span. */
static bool can_be_root(const dd_eager_tables *t, const dd_constraints *c, int j)
{
    int root = t->spans[c->span_of[j]].root;
    return root == DD_NONE ? t->words[j].free : root == j;
}

/* A word whose span has ended may have a dependent outside. */
static bool may_reach_out(const dd_constraints *c, const dd_config *config, int i)
{
    int span = c->span_of[i];
    if (span == DD_NONE || c->spans[span].mode == DD_SPAN_ANY) return true;
    int head = config->nodes[i].head;
    return c->spans[span].mode == DD_SPAN_ROOT && (head == DD_NONE || c->span_of[head] != span);
}

/* ---- waiting for a head ------------------------------------------------------------------- */

/* What stands at `at`, a word or the first word of a node, may get its head from the stack: nothing
 * that only it could take is left behind in its region. */
static bool may_close(const dd_eager_tables *t, const dd_config *config, int region, int at)
{
    if (region == DD_NONE || t->regions[region].last_free != at) return true;
    int anchor = t->regions[region].anchor;
    return config->headless == config->nodes[anchor].headless_below + dd_headless(config, anchor);
}

/* j's node may stand on the stack without a head, when `headless` words of other nodes do. */
static bool node_may_wait(const dd_eager_tables *t, const dd_constraints *c, int j, int headless)
{
    const dd_eager_word *word = &t->words[j];
    int node = dd_node_first(c, j), span = c->span_of[j];
    if (word->node_region != DD_NONE) return node < t->regions[word->node_region].last_free;
    if (!c->single_root || !word->node_free) return true;
    int root = span == DD_NONE ? j : t->spans[span].root;
    bool last = node >= t->last_free || (root != DD_NONE && c->heads[root] == 0);
    return !last || headless == 0;
}

/* j's node may get its head from the stack. */
static bool node_may_attach(const dd_eager_tables *t, const dd_constraints *c,
                            const dd_config *config, int j)
{
    int node = dd_node_first(c, j);
    if (c->single_root && node == t->last_free && config->headless != 1) return false;
    return may_close(t, config, t->words[j].node_region, node);
}

/* ---- moves -------------------------------------------------------------------------------- */

static bool shift_allowed(const dd_eager_tables *t, const dd_constraints *c,
                          const dd_config *config)
{
    int j = config->front;
    int head = c->heads[j];
    if (head != DD_NONE && dd_position_of(config, head) < j) return false;
    if (!has_left_dependents(c, config, j)) return false;
    bool waits_outside = head <= 0;
    if (c->span_of[j] == DD_NONE) return !waits_outside || node_may_wait(t, c, j, config->headless);
    if (head != DD_NONE && dd_same_span(c, head, j)) return true;
    const dd_eager_span *span = &t->spans[c->span_of[j]];
    int region = t->words[j].region;
    if (region != DD_NONE) return j < t->regions[region].last_free;
    bool root = span->root == j || j == span->last_free || is_designated(c, config, j);
    if (!root) return true;
    return components(c, config, j) == 0 &&
           (!waits_outside || node_may_wait(t, c, j, config->headless));
}

static bool right_allowed(const dd_eager_tables *t, const dd_constraints *c,
                          const dd_config *config)
{
    int i = dd_stack(config, 0), j = config->front;
    if (c->heads[j] != DD_NONE && c->heads[j] != i) return false;
    if (!has_left_dependents(c, config, j)) return false;
    if (!dd_same_span(c, i, j)) {
        if (!may_reach_out(c, config, i)) return false;
        if (c->span_of[j] != DD_NONE && !can_be_root(t, c, j)) return false;
        return node_may_attach(t, c, config, j);
    }
    const dd_eager_span *span = &t->spans[c->span_of[j]];
    if (span->root == j || !may_close(t, config, t->words[j].region, j)) return false;
    if (span->last_free != j) return true;
    /* j is the last word that could be the root, so the root must be on the stack now. */
    return open_components(config) == 1 && (is_attached(config) || span->root != DD_NONE ||
                                            node_may_wait(t, c, j, config->headless - 1));
}

static bool left_allowed(const dd_eager_tables *t, const dd_constraints *c, const dd_config *config)
{
    int i = dd_stack(config, 0), j = dd_buffer_node(config, 0);
    if (c->heads[i] != DD_NONE && c->heads[i] != j) return false;
    if (!may_leave(c, config, i)) return false;
    /* If the root is known in advance, the required arcs that fix it already protect it. */
    if (dd_same_span(c, i, j)) return !is_designated(c, config, i);
    if (c->span_of[j] == DD_NONE) return true;
    dd_span_mode mode = c->spans[c->span_of[j]].mode;
    return mode == DD_SPAN_ANY || (mode == DD_SPAN_ROOT && can_be_root(t, c, j));
}

static bool reduce_allowed(const dd_constraints *c, const dd_config *config)
{
    int i = dd_stack(config, 0);
    if (!may_leave(c, config, i)) return false;
    /* The root of a span takes part until its last word has come. */
    bool begun = dd_same_span(c, i, dd_buffer_node(config, 0));
    return !begun || dd_same_span(c, i, config->nodes[i].head);
}

/* ---- leaves alone -------------------------------------------------------------------------- */

/* Without the single-root rule 0 takes what lacks a head in the end. Under it, once the last word
 * that is no leaf has gone, only one word may lack a head. It is at the bottom of the stack and can
 * take what comes. */
static bool allows_under_leaves(const dd_constraints *constraints, const dd_config *config,
                                dd_move move)
{
    if (!constraints->single_root || config->front < constraints->last_head) return true;
    if (config->front >= config->n) return true; /* the system sees to it */
    if (move.kind == DD_EAGER_SHIFT) return config->headless == 0;
    return move.kind != DD_EAGER_RIGHT || config->headless == 1;
}

/* ---- the guard ---------------------------------------------------------------------------- */

static bool has_leaf_in_span(const dd_constraints *c)
{
    for (int word = 1; word <= c->n && c->n_leaves > 0; word++)
        if (c->leaf[word] && c->span_of[word] != DD_NONE) return true;
    return false;
}

static bool prepare(dd_constraints *constraints)
{
    if (!constraints->guard) constraints->guard = dd_calloc(1, sizeof(guard_tables));
    guard_tables *tables = constraints->guard;
    if (!tables) return false;
    tables->needs_pushdown = constraints->n_forbidden > 0 || has_leaf_in_span(constraints);
    if (tables->needs_pushdown)
        return !dd_effort_spend(&constraints->effort, dd_pushdown_steps(constraints)) ||
               dd_pushdown_set(&tables->pushdown, constraints);
    return dd_eager_tables_set(&tables->tables, constraints);
}

static void release(void *guard)
{
    guard_tables *tables = guard;
    dd_eager_tables_free(&tables->tables);
    dd_pushdown_free(tables->pushdown);
    free(tables);
}

static bool allows(const dd_constraints *constraints, const dd_config *config, dd_move move)
{
    const guard_tables *tables = constraints->guard;
    if (tables->needs_pushdown)
        return dd_pushdown_allows(tables->pushdown, constraints, config, move);
    switch (move.kind) {
    case DD_EAGER_SHIFT: return shift_allowed(&tables->tables, constraints, config);
    case DD_EAGER_LEFT: return left_allowed(&tables->tables, constraints, config);
    case DD_EAGER_RIGHT: return right_allowed(&tables->tables, constraints, config);
    default: return reduce_allowed(constraints, config);
    }
}

/* A span begins with the first of its words that leaves the buffer. */
static void push_into_span(const dd_constraints *c, dd_config *config, bool inside)
{
    int j = config->front;
    bool first = c->spans[c->span_of[j]].first == j;
    set_span(config, components(c, config, j) + !inside, is_attached(config) && !first);
}

static void follow(const dd_constraints *constraints, dd_config *config, dd_move move)
{
    int i = dd_stack(config, 0), j = dd_buffer_node(config, 0);
    if (constraints->span_of[j] == DD_NONE) return;
    bool inside = i != DD_NONE && dd_same_span(constraints, i, j);
    if (move.kind == DD_EAGER_LEFT && inside)
        set_span(config, open_components(config) - 1, is_attached(config));
    if (move.kind == DD_EAGER_SHIFT) push_into_span(constraints, config, false);
    if (move.kind == DD_EAGER_RIGHT) {
        push_into_span(constraints, config, inside);
        set_span(config, open_components(config), is_attached(config) || !inside);
    }
}

const dd_guard dd_eager_guard = {
    .projective = true,
    .longest_forbidding = 10000, /* the automaton's tables then take about 40 MB */
    .prepare = prepare,
    .release = release,
    .allows = allows,
    .allows_under_leaves = allows_under_leaves,
    .follow = follow,
};
