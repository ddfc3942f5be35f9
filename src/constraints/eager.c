#include "constraints/eager.h"

#include "constraints/pushdown.h"

int dd_eager_lowest_in_span(const dd_constraints *constraints, const dd_config *config, int span)
{
    int lowest = DD_NONE;
    for (int at = config->depth - 1; at >= 0; at--) {
        if (constraints->span_of[config->stack[at]] != span) break;
        lowest = config->stack[at];
    }
    return lowest;
}

static bool prepare(dd_constraints *constraints)
{
    return dd_pushdown_set((dd_pushdown **)&constraints->guard, constraints);
}

static void release(void *tables)
{
    dd_pushdown_free(tables);
}

static bool allows(const dd_constraints *constraints, const dd_config *config, dd_move move)
{
    return dd_pushdown_allows(constraints->guard, constraints, config, move);
}

const dd_guard dd_eager_guard = {
    .projective = true,
    .prepare = prepare,
    .release = release,
    .allows = allows,
};
