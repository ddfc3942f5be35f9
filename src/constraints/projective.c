#include "constraints/projective.h"

#include "constraints/leaves.h"
#include "core/memory.h"

#include <stdlib.h>

/* The chart finds any tree again that has been forgotten. */
enum { MOST_WITNESSES = 8 };

typedef struct guard_tables {
    dd_projection projection;
    dd_witnesses witnesses;
    dd_config next; /* behind the move in question */
} guard_tables;

static void release(void *tables)
{
    guard_tables *t = tables;
    dd_projection_free(&t->projection);
    dd_witnesses_free(&t->witnesses);
    dd_config_free(&t->next);
    free(t);
}

static bool prepare(dd_constraints *constraints, const dd_horizon *horizon)
{
    if (!constraints->guard) constraints->guard = dd_calloc(1, sizeof(guard_tables));
    guard_tables *t = constraints->guard;
    return t && dd_projection_reset(&t->projection, horizon, constraints) &&
           dd_witnesses_reset(&t->witnesses, (size_t)constraints->n + 1, MOST_WITNESSES) &&
           dd_config_reset(&t->next, constraints->n, false, false);
}

/* Whether a tree is in reach. */
static bool possible(const dd_constraints *constraints, const dd_config *config)
{
    guard_tables *t = constraints->guard;
    dd_projection_set(&t->projection, config);
    for (int i = 0; i < t->witnesses.count; i++) {
        if (!dd_projection_reaches(&t->projection, dd_witness(&t->witnesses, i))) continue;
        dd_witness_served(&t->witnesses, i);
        return true;
    }
    if (dd_projection_find(&t->projection, dd_witness_add(&t->witnesses))) return true;
    dd_witness_drop(&t->witnesses);
    return false;
}

static bool allows(const dd_constraints *constraints, const dd_config *config, dd_move move)
{
    guard_tables *t = constraints->guard;
    dd_config_copy(&t->next, config); /* there is room since prepare */
    dd_system_apply(constraints->system, &t->next, move, 0);
    return possible(constraints, &t->next);
}

/* ---- arc-standard and lr-spine: a head is for good ---------------------------------------- */

static bool has_head(const dd_config *config, int word)
{
    return !dd_headless(config, word);
}

/* Words that have a head can take no dependents any more. */
static bool standard_open(const dd_config *config, const int32_t *rank, int head, int dependent)
{
    (void)rank;
    (void)dependent;
    return head == 0 || dd_headless(config, head);
}

/* In a projective tree that has the arcs built so far, only nodes of a spine can have others. */
static bool spine_open(const dd_config *config, const int32_t *rank, int head, int dependent)
{
    (void)config;
    (void)rank;
    (void)head;
    (void)dependent;
    return true;
}

const dd_horizon dd_standard_horizon = {.links = true, .settled = has_head, .open = standard_open};
const dd_horizon dd_spine_horizon = {
    .links = true, .spines = true, .settled = has_head, .open = spine_open};

/* ---- arc-hybrid: see its loss ------------------------------------------------------------- */

static bool hybrid_open(const dd_config *config, const int32_t *rank, int head, int dependent)
{
    if (dd_in_buffer(config, head)) return true;
    if (rank[head] == DD_NONE) return false;
    return rank[dependent] == DD_NONE || rank[dependent] == rank[head] + 1;
}

const dd_horizon dd_hybrid_horizon = {.settled = has_head, .open = hybrid_open};

/* ---- arc-eager-nm: see its loss; heads of words on the stack can still change -------------- */

static bool has_left(const dd_config *config, int word)
{
    return !dd_in_buffer(config, word) && !config->nodes[word].on_stack;
}

static bool eager_open(const dd_config *config, const int32_t *rank, int head, int dependent)
{
    if (head == 0 && config->single_root && rank[dependent] > 0) return false;
    return hybrid_open(config, rank, head, dependent);
}

const dd_horizon dd_eager_horizon = {.settled = has_left, .open = eager_open};

/* ---- the guards --------------------------------------------------------------------------- */

static bool prepare_standard(dd_constraints *constraints)
{
    return prepare(constraints, &dd_standard_horizon);
}

static bool prepare_spine(dd_constraints *constraints)
{
    return prepare(constraints, &dd_spine_horizon);
}

static bool prepare_hybrid(dd_constraints *constraints)
{
    return prepare(constraints, &dd_hybrid_horizon);
}

static bool prepare_eager(dd_constraints *constraints)
{
    return prepare(constraints, &dd_eager_horizon);
}

const dd_guard dd_arc_standard_guard = {
    .projective = true,
    .prepare = prepare_standard,
    .release = release,
    .possible = possible,
    .allows = allows,
    .allows_under_leaves = dd_arc_standard_leaves,
};
const dd_guard dd_lr_spine_guard = {
    .projective = true,
    .prepare = prepare_spine,
    .release = release,
    .possible = possible,
    .allows = allows,
    .allows_under_leaves = dd_arc_standard_leaves,
};
const dd_guard dd_arc_hybrid_guard = {
    .projective = true,
    .prepare = prepare_hybrid,
    .release = release,
    .possible = possible,
    .allows = allows,
    .allows_under_leaves = dd_arc_hybrid_leaves,
};
const dd_guard dd_arc_eager_nm_guard = {
    .projective = true,
    .prepare = prepare_eager,
    .release = release,
    .possible = possible,
    .allows = allows,
    .allows_under_leaves = dd_arc_eager_nm_leaves,
};
