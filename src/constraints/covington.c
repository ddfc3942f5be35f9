#include "constraints/covington.h"

#include "constraints/leaves.h"
#include "core/memory.h"
#include "oracles/covington_loss.h"

#include <stdlib.h>

/* The search finds a tree again that has been forgotten. */
enum { MOST_WITNESSES = 16 };
/* For dd_effort. */
enum { STEPS_FOR_WORD = 4 };

typedef struct guard_tables {
    dd_outlook outlook;
    dd_arborescence tree;
    dd_witnesses witnesses;
} guard_tables;

static void release(void *tables)
{
    guard_tables *t = tables;
    dd_outlook_free(&t->outlook);
    dd_arborescence_free(&t->tree);
    dd_witnesses_free(&t->witnesses);
    free(t);
}

static bool prepare(dd_constraints *constraints)
{
    if (!constraints->guard) constraints->guard = dd_calloc(1, sizeof(guard_tables));
    guard_tables *t = constraints->guard;
    return t && dd_outlook_reset(&t->outlook, constraints) &&
           dd_arborescence_reset(&t->tree, &t->outlook) &&
           dd_witnesses_reset(&t->witnesses, (size_t)constraints->n + 1, MOST_WITNESSES);
}

/* A configuration after a move that is not made. */
typedef struct view {
    int focus, front;
} view;

static view settle(guard_tables *t, const dd_constraints *c, const dd_config *config, dd_move move)
{
    dd_arc arc = dd_system_arc(c->system, config, move);
    for (int word = 1; word <= c->n; word++) t->outlook.settled[word] = config->nodes[word].head;
    if (arc.dependent != DD_NONE) t->outlook.settled[arc.dependent] = arc.head;
    if (c->system->rules[move.kind].direction == DD_NO_ARC && move.kind == 0)
        return (view){config->front, config->front + 1};
    return (view){config->focus - 1, config->front};
}

static bool reaches(const guard_tables *t, view v, const int32_t *heads)
{
    const int32_t *settled = t->outlook.settled;
    for (int word = 1; word <= t->outlook.constraints->n; word++)
        if (settled[word] != DD_NONE
                ? settled[word] != heads[word]
                : heads[word] != 0 && !dd_covington_open(v.focus, v.front, word, heads[word]))
            return false;
    return true;
}

static bool find(guard_tables *t, view v, int32_t *heads)
{
    if (!dd_outlook_judge(&t->outlook)) return false;
    dd_covington_fill_arcs(&t->tree, v.focus, v.front);
    return dd_arborescence_find(&t->tree, heads);
}

/* Makes the witness that reaches the view the first, if there is one. */
static bool is_served(guard_tables *t, view v)
{
    for (int i = 0; i < t->witnesses.count; i++) {
        if (!reaches(t, v, dd_witness(&t->witnesses, i))) continue;
        dd_witness_served(&t->witnesses, i);
        return true;
    }
    return false;
}

static bool judge(guard_tables *t, view v)
{
    if (!dd_effort_spend(t->outlook.effort, STEPS_FOR_WORD * (uint64_t)t->outlook.constraints->n))
        return false;
    if (is_served(t, v) || find(t, v, dd_witness_add(&t->witnesses))) return true;
    dd_witness_drop(&t->witnesses);
    return false;
}

static bool possible(const dd_constraints *constraints, const dd_config *start)
{
    guard_tables *t = constraints->guard;
    return judge(t, (view){start->focus, start->front}); /* no head is settled since prepare */
}

static bool allows(const dd_constraints *constraints, const dd_config *config, dd_move move)
{
    guard_tables *t = constraints->guard;
    return dd_covington_passes(&t->witnesses, config, move) ||
           judge(t, settle(t, constraints, config, move));
}

static void follow(const dd_constraints *constraints, dd_config *config, dd_move move)
{
    guard_tables *t = constraints->guard;
    if (dd_covington_passes(&t->witnesses, config, move)) return;
    bool served = is_served(t, settle(t, constraints, config, move));
    config->witness = served ? dd_witness_number(&t->witnesses, 0) : 0;
}

const dd_guard dd_covington_guard = {
    .longest = DD_COVINGTON_LONGEST,
    .prepare = prepare,
    .release = release,
    .possible = possible,
    .allows = allows,
    .allows_under_leaves = dd_covington_leaves,
    .follow = follow,
};
