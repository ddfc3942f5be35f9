#include "constraints/projective.h"

#include "core/memory.h"

#include <stdlib.h>

/* The chart finds any tree again that has been forgotten. */
enum { MOST_WITNESSES = 8 };

typedef struct guard_tables {
    dd_projection projection;
    dd_witnesses witnesses;
    dd_config next; /* behind the move in question */
} guard_tables;

void dd_projective_release(void *tables)
{
    guard_tables *t = tables;
    dd_projection_free(&t->projection);
    dd_witnesses_free(&t->witnesses);
    dd_config_free(&t->next);
    free(t);
}

bool dd_projective_prepare(dd_constraints *constraints)
{
    const dd_horizon *horizon = constraints->system->guard->horizon;
    if (!constraints->guard) constraints->guard = dd_calloc(1, sizeof(guard_tables));
    guard_tables *t = constraints->guard;
    return t && dd_projection_reset(&t->projection, horizon, constraints) &&
           dd_witnesses_reset(&t->witnesses, (size_t)constraints->n + 1, MOST_WITNESSES) &&
           dd_config_reset(&t->next, constraints->n, false, false);
}

bool dd_projective_possible(const dd_constraints *constraints, const dd_config *config)
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

bool dd_projective_allows(const dd_constraints *constraints, const dd_config *config, dd_move move)
{
    guard_tables *t = constraints->guard;
    dd_config_copy(&t->next, config); /* there is room since prepare */
    dd_system_apply(constraints->system, &t->next, move, 0);
    return dd_projective_possible(constraints, &t->next);
}

bool dd_projective_is_settled(const dd_config *config, int word)
{
    return !dd_headless(config, word);
}
