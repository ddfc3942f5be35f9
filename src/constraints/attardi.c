#include "constraints/attardi.h"

#include "constraints/arborescence.h"
#include "constraints/projective.h"
#include "core/memory.h"
#include "oracles/attardi_forest.h"

#include <stdlib.h>
#include <xxhash.h>

/* Enough for a beam: what served a configuration is there when it is looked at again. */
enum { MOST_WITNESSES = 512 };
/* Configurations to search behind a move; fewer in long sentences, where each takes longer. */
enum { MOST_VISITED = 4096, LEAST_VISITED = 32, WORK = 1 << 18 };
enum { SLOTS = 2 * MOST_VISITED, MOST_MOVES = 8 };

typedef struct guard_tables {
    dd_projection projection;
    dd_arborescence tree; /* for a tree of any kind */
    dd_witnesses witnesses;
    dd_config *configs; /* [n_configs] the configurations on the way of a search */
    int n_configs;
    int32_t *forest; /* [5 * (n + 1)] what can be built is found out there */
    int32_t *heads;  /* [n + 1] of a tree that proves nothing */
    uint64_t *seen;  /* [SLOTS] configurations of a search, by hash; 0: free */
    int visited, limit;
    bool arcs_first; /* the order in which a search tries moves */
    bool gave_up;    /* a search ended at its limit */
    size_t forest_capacity, heads_capacity, seen_capacity, configs_capacity;
} guard_tables;

static void release(void *tables)
{
    guard_tables *t = tables;
    dd_projection_free(&t->projection);
    dd_arborescence_free(&t->tree);
    dd_witnesses_free(&t->witnesses);
    for (int i = 0; i < t->n_configs; i++) dd_config_free(&t->configs[i]);
    free(t->configs);
    free(t->forest);
    free(t->heads);
    free(t->seen);
    free(t);
}

/* As long as no tree is known, the search should be able to come to an end of the sentence. */
static void set_limit(guard_tables *t, int n)
{
    int nodes = n + 1, least = t->witnesses.count > 0 ? LEAST_VISITED : 4 * nodes;
    t->limit = nodes < WORK / nodes ? WORK / (nodes * nodes) : 0;
    if (t->limit < least) t->limit = least;
    if (t->limit > MOST_VISITED) t->limit = MOST_VISITED;
}

/* A derivation has 2n + 1 moves. */
static bool reserve_configs(guard_tables *t, int n)
{
    int need = 2 * n + 2 < MOST_VISITED ? 2 * n + 2 : MOST_VISITED + 1;
    if (!DD_RESERVE(&t->configs, &t->configs_capacity, (size_t)need)) return false;
    while (t->n_configs < need) t->configs[t->n_configs++] = (dd_config){0};
    for (int i = 0; i < need; i++)
        if (!dd_config_reset(&t->configs[i], n, false, false)) return false;
    return true;
}

static bool prepare(dd_constraints *constraints)
{
    if (!constraints->guard) constraints->guard = dd_calloc(1, sizeof(guard_tables));
    guard_tables *t = constraints->guard;
    size_t nodes = (size_t)constraints->n + 1;
    if (!t || !dd_projection_reset(&t->projection, &dd_standard_horizon, constraints) ||
        !dd_arborescence_reserve(&t->tree, &t->projection.outlook) ||
        !dd_witnesses_reset(&t->witnesses, nodes, MOST_WITNESSES) ||
        !DD_RESERVE(&t->forest, &t->forest_capacity, 5 * nodes) ||
        !DD_RESERVE(&t->heads, &t->heads_capacity, nodes) ||
        !DD_RESERVE(&t->seen, &t->seen_capacity, (size_t)SLOTS))
        return false;
    t->gave_up = t->tree.gave_up = false;
    return reserve_configs(t, constraints->n);
}

/* ---- what can be built -------------------------------------------------------------------- */

/* Whether all heads that are given (DD_NONE: any) can still be had together. */
static bool can_build(guard_tables *t, const dd_config *c, const int32_t *heads)
{
    size_t nodes = (size_t)c->n + 1;
    int32_t *number = t->forest + 4 * nodes;
    for (int word = 1; word <= c->n; word++) {
        int head = heads[word];
        if (head == DD_NONE) continue;
        if (dd_headless(c, word) ? head > 0 && !dd_headless(c, head) : head != c->nodes[word].head)
            return false;
    }
    dd_forest forest = {.single_root = c->single_root,
                        .depth = c->depth,
                        .heads = t->forest,
                        .missing = t->forest + nodes,
                        .stack = t->forest + 2 * nodes,
                        .waiting = t->forest + 3 * nodes};
    for (int at = 0; at < c->depth; at++) number[c->stack[at]] = forest.size++;
    for (int node = c->front; node <= c->n; node++) number[node] = forest.size++;
    memset(forest.missing, 0, (size_t)forest.size * sizeof *forest.missing);
    forest.heads[0] = DD_NONE;
    for (int word = 1; word <= c->n; word++) {
        int head = heads[word];
        if (!dd_headless(c, word)) continue;
        forest.heads[number[word]] = head == DD_NONE ? DD_NONE : number[head];
        if (head != DD_NONE) forest.missing[number[head]]++;
    }
    return dd_forest_builds(&forest);
}

/* Whether any tree has the arcs built so far and satisfies the constraints, whether or not the
 * system can build it. */
static bool any_tree(guard_tables *t, const dd_config *c)
{
    dd_outlook *outlook = &t->projection.outlook;
    if (!dd_outlook_judge(outlook)) return false;
    dd_arborescence_clear(&t->tree);
    uint64_t *open = t->tree.reached; /* free until the search */
    dd_bits_clear(open, outlook->row);
    for (int word = 1; word <= c->n; word++) {
        if (dd_headless(c, word))
            dd_bits_add(open, word);
        else
            dd_bits_add(dd_arborescence_arcs(&t->tree, c->nodes[word].head), word);
    }
    for (int head = 0; head <= c->n; head++) {
        if (head > 0 && !dd_headless(c, head)) continue;
        uint64_t *arcs = dd_arborescence_arcs(&t->tree, head);
        const uint64_t *allowed = outlook->allowed + (size_t)head * outlook->row;
        for (size_t i = 0; i < outlook->row; i++) arcs[i] |= allowed[i] & open[i];
    }
    return dd_arborescence_find(&t->tree, t->heads);
}

typedef enum verdict { HOPELESS, UNKNOWN, FOUND } verdict;

static verdict judge(guard_tables *t, const dd_config *c)
{
    const dd_constraints *constraints = t->projection.outlook.constraints;
    if (!can_build(t, c, constraints->heads)) return HOPELESS;
    if (constraints->n_spans + constraints->n_forbidden == 0) return FOUND;
    for (int i = 0; i < t->witnesses.count; i++) {
        if (!can_build(t, c, dd_witness(&t->witnesses, i))) continue;
        dd_witness_served(&t->witnesses, i);
        return FOUND;
    }
    dd_projection_set(&t->projection, c);
    if (dd_projection_find(&t->projection, dd_witness_add(&t->witnesses))) return FOUND;
    dd_witness_drop(&t->witnesses);
    return any_tree(t, c) ? UNKNOWN : HOPELESS;
}

/* ---- search ------------------------------------------------------------------------------- */

/* Whether the configuration is new to the search; 64 bits stand for it. */
static bool note(guard_tables *t, const dd_config *c)
{
    for (int word = 1; word <= c->n; word++) t->heads[word] = c->nodes[word].head;
    t->heads[0] = c->front;
    uint64_t key = XXH3_64bits(t->heads, ((size_t)c->n + 1) * sizeof *t->heads) | 1;
    size_t slot = (size_t)(key >> 1) % SLOTS;
    while (t->seen[slot] && t->seen[slot] != key) slot = (slot + 1) % SLOTS;
    if (t->seen[slot]) return false;
    t->seen[slot] = key;
    t->visited++;
    return true;
}

/* Required arcs first, and arc-standard's arcs before others. */
static int move_rank(const guard_tables *t, const dd_config *c, dd_move move)
{
    const dd_constraints *constraints = t->projection.outlook.constraints;
    dd_arc arc = dd_system_arc(constraints->system, c, move);
    if (arc.dependent == DD_NONE) return t->arcs_first ? MOST_MOVES : 0;
    return move.kind - (dd_requires_arc(constraints, arc.head, arc.dependent) ? MOST_MOVES : 0);
}

static void order_moves(const guard_tables *t, const dd_config *c, dd_move *moves, int count)
{
    for (int m = 1; m < count; m++)
        for (int at = m; at > 0 && move_rank(t, c, moves[at]) < move_rank(t, c, moves[at - 1]);
             at--) {
            dd_move move = moves[at];
            moves[at] = moves[at - 1];
            moves[at - 1] = move;
        }
}

/* Depth first, from the configuration at that depth. The tree that is found can be built from there
 * and so is a witness on the way to it. */
static bool search(guard_tables *t, int depth)
{
    const dd_constraints *constraints = t->projection.outlook.constraints;
    dd_move moves[MOST_MOVES];
    int count = dd_system_permissible(constraints->system, &t->configs[depth], moves);
    order_moves(t, &t->configs[depth], moves, count);
    for (int m = 0; m < count; m++) {
        dd_config *next = &t->configs[depth + 1];
        if (t->visited == t->limit) return false;
        dd_config_copy(next, &t->configs[depth]); /* there is room since prepare */
        dd_system_apply(constraints->system, next, moves[m], 0);
        if (!note(t, next)) continue;
        verdict now = judge(t, next);
        if (now == FOUND || (now == UNKNOWN && search(t, depth + 1))) return true;
    }
    return false;
}

/* Either order finds what the other one takes too long for: arcs now, or SH, which decides nothing.
 */
static bool search_all(guard_tables *t, bool arcs_first)
{
    t->arcs_first = arcs_first;
    t->visited = 0;
    memset(t->seen, 0, SLOTS * sizeof *t->seen);
    return search(t, 0);
}

static bool allows(const dd_constraints *constraints, const dd_config *config, dd_move move)
{
    guard_tables *t = constraints->guard;
    dd_config *next = &t->configs[0];
    dd_config_copy(next, config);
    dd_system_apply(constraints->system, next, move, 0);
    verdict now = judge(t, next);
    if (now != UNKNOWN) return now == FOUND;
    set_limit(t, constraints->n);
    if (search_all(t, true)) return true;
    if (t->visited < t->limit) return false;
    if (search_all(t, false)) return true;
    t->gave_up = t->gave_up || t->visited == t->limit;
    return false;
}

static bool gave_up(const dd_constraints *constraints)
{
    const guard_tables *t = constraints->guard;
    return t->gave_up || t->tree.gave_up;
}

const dd_guard dd_attardi_guard = {
    .prepare = prepare,
    .release = release,
    .allows = allows,
    .gave_up = gave_up,
};
