/* projective.c - the guard of projective systems: what a configuration can still reach, and a tree
 * for it */
#include "constraints/projective.h"

#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

/* For dd_effort: to look at a configuration. */
enum { STEPS_FOR_WORD = 16 };

void dd_projection_free(dd_projection *projection)
{
    dd_outlook_free(&projection->outlook);
    dd_fold_free(&projection->fold);
    dd_chart_free(projection->chart);
    free(projection->rank);
    free(projection->words);
    free(projection->ends);
    free(projection->links);
    *projection = (dd_projection){0};
}

bool dd_projection_reset(dd_projection *projection, const dd_horizon *horizon,
                         dd_constraints *constraints)
{
    size_t nodes = (size_t)constraints->n + 1;
    projection->horizon = horizon;
    if (!projection->chart) projection->chart = dd_chart_new();
    return projection->chart && dd_outlook_reset(&projection->outlook, constraints) &&
           dd_fold_reset(&projection->fold, constraints) &&
           DD_RESERVE(&projection->rank, &projection->rank_capacity, nodes) &&
           DD_RESERVE(&projection->words, &projection->words_capacity, nodes) &&
           DD_RESERVE(&projection->ends, &projection->ends_capacity, nodes) &&
           DD_RESERVE(&projection->links, &projection->links_capacity, nodes);
}

void dd_projection_set(dd_projection *projection, const dd_config *config)
{
    projection->config = config;
    dd_effort_spend(projection->outlook.effort, STEPS_FOR_WORD * (uint64_t)config->n);
    int32_t *settled = projection->outlook.settled;
    for (int node = 0; node <= config->n; node++) projection->rank[node] = DD_NONE;
    for (int at = 0; at < config->depth; at++) projection->rank[config->stack[at]] = at;
    for (int word = 1; word <= config->n; word++)
        settled[word] =
            projection->horizon->settled(config, word) ? config->nodes[word].head : DD_NONE;
}

/* What a word on the stack gets: an arc to the right of its tree, a dependent to its left; and
 * whether the top of the stack comes to be below it. */
enum { TO_RIGHT = 1, TAKES_LEFT = 2, ABOVE_TOP = 4 };

/* ---- whether a tree can be reached -------------------------------------------------------- */

/* Marks the trees on the stack by the arcs that they are to get. */
static void find_links(dd_projection *p, const int32_t *heads)
{
    const dd_config *c = p->config;
    memset(p->links, 0, ((size_t)c->n + 1) * sizeof *p->links);
    for (int word = 1; word <= c->n; word++) {
        int head = heads[word], left = head < word ? head : word;
        if (p->outlook.settled[word] != DD_NONE) continue;
        while (!dd_headless(c, left)) left = c->nodes[left].head;
        p->links[left] |= TO_RIGHT;
        if (head > word) p->links[head] |= TAKES_LEFT;
    }
    for (int node = dd_stack(c, 0); node > 0; node = heads[node]) p->links[node] |= ABOVE_TOP;
}

static bool linked(const dd_projection *p, int word)
{
    int links = p->links[word];
    if (!(links & TO_RIGHT)) return false;
    return p->horizon->spines || !(links & TAKES_LEFT) || links & ABOVE_TOP;
}

bool dd_projection_reaches(dd_projection *projection, const int32_t *heads)
{
    const dd_config *c = projection->config;
    const int32_t *settled = projection->outlook.settled;
    for (int word = 1; word <= c->n; word++)
        if (settled[word] != DD_NONE
                ? settled[word] != heads[word]
                : !projection->horizon->open(c, projection->rank, heads[word], word))
            return false;
    if (!projection->horizon->links || c->depth < 3) return true;
    find_links(projection, heads);
    for (int at = 1; at < c->depth - 1; at++)
        if (!linked(projection, c->stack[at])) return false;
    return true;
}

/* ---- a new tree --------------------------------------------------------------------------- */

static bool is_open(const void *context, int head, int dependent)
{
    const dd_projection *p = context;
    return p->horizon->open(p->config, p->fold.rank, head, dependent);
}

bool dd_projection_find(dd_projection *projection, int32_t *heads)
{
    if (!dd_outlook_judge(&projection->outlook)) return false;
    dd_fold_list(projection);
    dd_chart_task task = {.outlook = &projection->outlook,
                          .words = projection->words,
                          .n_words = projection->n_words,
                          .settled = projection->fold.settled,
                          .ends = projection->ends,
                          .reach = projection->horizon->spines ? DD_NONE
                                                               : dd_stack(projection->config, 0),
                          .open = is_open,
                          .context = projection};
    if (!dd_chart_find(projection->chart, &task, heads)) return false;
    dd_fold_open(projection, heads);
    return true;
}

/* ---- the guard ------------------------------------------------------------------------------ */

/* The chart finds any tree again that has been forgotten. */
enum { MOST_WITNESSES = 8 };

typedef struct guard_tables {
    dd_projection projection;
    dd_witnesses witnesses;
    dd_config next; /* after the move in question */
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
