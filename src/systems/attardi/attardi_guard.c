#include "systems/attardi/attardi.h"

#include "constraints/arborescence.h"
#include "constraints/constraints.h"
#include "core/memory.h"
#include "systems/arc_standard/arc_standard.h"
#include "systems/attardi/attardi_pushdown.h"

#include <stdlib.h>
#include <xxhash.h>

/* Enough for a beam: the witness of a configuration is still there when the beam returns to it.
 * Fewer in long sentences, to save memory. */
enum { MOST_WITNESSES = 512, LEAST_WITNESSES = 32, HEADS_OF_WITNESSES = 1 << 22 };
/* Configurations to search after a move; fewer in long sentences, where each takes longer. */
enum { MOST_VISITED = 4096, LEAST_VISITED = 32, WORK = 1 << 18 };
enum { SLOTS = 2 * MOST_VISITED, MOST_MOVES = 8 };
/* Words of a sentence for which a tree of any kind is looked for, which needs sets of all arcs. */
enum { LONGEST_WITH_SETS = 10000 };
/* For dd_effort. */
enum { STEPS_FOR_WORD = 4 };

typedef struct guard_tables {
    dd_projection projection;
    dd_attardi_pushdown pushdown;
    bool has_pushdown, tried_pushdown; /* it is ready for the sentence, or cannot be */
    dd_arborescence tree;              /* for a tree of any kind */
    bool has_tree;                     /* it is ready for the sentence */
    dd_witnesses witnesses;
    dd_config start, now; /* where a search began, and where it is */
    dd_move *path;        /* [MOST_VISITED] the moves between them */
    int32_t *forest;      /* [5 * (n + 1)] what can be built is found out there */
    int32_t *heads;       /* [n + 1] of a tree that proves nothing */
    int32_t *built;       /* [n + 1] heads in the configuration in hand */
    uint64_t *seen;       /* [SLOTS] configurations of a search, by hash; 0: free */
    int visited, limit;
    int least;       /* that a search has needed to find a tree, which will be searched for again */
    bool arcs_first; /* the order in which a search tries moves */
    bool gave_up;    /* a search ended at its limit */
    size_t forest_capacity, heads_capacity, built_capacity, seen_capacity, path_capacity;
} guard_tables;

static void release(void *tables)
{
    guard_tables *t = tables;
    dd_projection_free(&t->projection);
    dd_attardi_pushdown_free(&t->pushdown);
    dd_arborescence_free(&t->tree);
    dd_witnesses_free(&t->witnesses);
    dd_config_free(&t->start);
    dd_config_free(&t->now);
    free(t->path);
    free(t->forest);
    free(t->heads);
    free(t->built);
    free(t->seen);
    free(t);
}

/* As long as no tree is known, the search must be able to reach the end of the sentence. */
static void set_limit(guard_tables *t, int n)
{
    int nodes = n + 1, least = t->witnesses.count > 0 ? LEAST_VISITED : 4 * nodes;
    t->limit = nodes < WORK / nodes ? WORK / (nodes * nodes) : 0;
    if (t->limit < least) t->limit = least;
    if (t->limit < t->least) t->limit = t->least;
    if (t->limit > MOST_VISITED) t->limit = MOST_VISITED;
}

static int most_witnesses(size_t nodes)
{
    size_t most = HEADS_OF_WITNESSES / nodes;
    return most > MOST_WITNESSES    ? MOST_WITNESSES
           : most < LEAST_WITNESSES ? LEAST_WITNESSES
                                    : (int)most;
}

static bool prepare(dd_constraints *constraints)
{
    if (!constraints->guard) constraints->guard = dd_calloc(1, sizeof(guard_tables));
    guard_tables *t = constraints->guard;
    size_t nodes = (size_t)constraints->n + 1;
    if (!t || !dd_projection_reset(&t->projection, &dd_standard_horizon, constraints) ||
        !dd_witnesses_reset(&t->witnesses, nodes, most_witnesses(nodes)) ||
        !dd_config_reset(&t->start, constraints->n, false, false) ||
        !dd_config_reset(&t->now, constraints->n, false, false) ||
        !DD_RESERVE(&t->path, &t->path_capacity, (size_t)MOST_VISITED) ||
        !DD_RESERVE(&t->forest, &t->forest_capacity, 5 * nodes) ||
        !DD_RESERVE(&t->heads, &t->heads_capacity, nodes) ||
        !DD_RESERVE(&t->built, &t->built_capacity, nodes) ||
        !DD_RESERVE(&t->seen, &t->seen_capacity, (size_t)SLOTS))
        return false;
    t->pushdown.nodes.most = DD_ATTARDI_NODES;
    t->least = 0;
    t->gave_up = t->has_tree = t->has_pushdown = t->tried_pushdown = false;
    return true;
}

/* ---- what can be built -------------------------------------------------------------------- */

static void note_built(guard_tables *t, const dd_config *c)
{
    for (int word = 0; word <= c->n; word++) t->built[word] = c->nodes[word].head;
}

/* Whether words that have a head have that of these (DD_NONE: any). Most witnesses are turned down
 * here, so many words are compared at a time. */
static bool agrees(guard_tables *t, int n, const int32_t *heads)
{
    enum { AT_A_TIME = 64 };
    const int32_t *built = t->built;
    for (int from = 1; from <= n; from += AT_A_TIME) {
        int to = n - from < AT_A_TIME ? n : from + AT_A_TIME - 1, wrong = 0;
        for (int word = from; word <= to; word++)
            wrong |=
                (built[word] != DD_NONE) & (heads[word] != DD_NONE) & (built[word] != heads[word]);
        if (wrong) return false;
    }
    return true;
}

/* Whether all heads that are given (DD_NONE: any) can still be had together. */
static bool can_build(guard_tables *t, const dd_config *c, const int32_t *heads)
{
    size_t nodes = (size_t)c->n + 1;
    int32_t *number = t->forest + 4 * nodes;
    dd_effort *effort = t->projection.outlook.effort;
    if (!dd_effort_spend(effort, nodes / 8) || !agrees(t, c->n, heads) ||
        !dd_effort_spend(effort, STEPS_FOR_WORD * (uint64_t)nodes))
        return false;
    for (int word = 1; word <= c->n; word++)
        if (heads[word] > 0 && t->built[word] == DD_NONE && t->built[heads[word]] != DD_NONE)
            return false;
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

/* Tables that few sentences need are made on demand. */
static bool make_tree_ready(guard_tables *t)
{
    dd_outlook *outlook = &t->projection.outlook;
    if (!t->has_tree) t->has_tree = dd_arborescence_reset(&t->tree, outlook);
    if (!t->has_tree) outlook->effort->no_memory = true;
    return t->has_tree;
}

/* Whether any tree has the arcs built so far and satisfies the constraints, whether or not the
 * system can build it. */
static bool any_tree(guard_tables *t, const dd_config *c)
{
    if (c->n > LONGEST_WITH_SETS) return true; /* as far as is known */
    if (!make_tree_ready(t)) return false;
    dd_arborescence_clear(&t->tree);
    uint64_t *open = t->tree.reached; /* free until the search */
    dd_bits_clear(open, t->tree.row);
    for (int word = 1; word <= c->n; word++) {
        if (dd_headless(c, word))
            dd_bits_add(open, word);
        else
            dd_bits_add(dd_arborescence_arcs(&t->tree, c->nodes[word].head), word);
    }
    for (int head = 0; head <= c->n; head++) {
        if (head > 0 && !dd_headless(c, head)) continue;
        uint64_t *arcs = dd_arborescence_arcs(&t->tree, head);
        const uint64_t *allowed = dd_arborescence_allowed(&t->tree, head);
        for (size_t i = 0; i < t->tree.row; i++) arcs[i] |= allowed[i] & open[i];
    }
    return dd_arborescence_find(&t->tree, t->heads);
}

/* Exact, unless too many words are named for its tables. */
static dd_verdict run_pushdown(guard_tables *t, const dd_config *c)
{
    const dd_outlook *outlook = &t->projection.outlook;
    if (!t->tried_pushdown)
        t->has_pushdown =
            dd_attardi_pushdown_reset(&t->pushdown, outlook, t->projection.fold.plain);
    t->tried_pushdown = true;
    return t->has_pushdown ? dd_attardi_pushdown_decide(&t->pushdown, c) : DD_UNDECIDED;
}

static dd_verdict judge(guard_tables *t, const dd_config *c)
{
    const dd_constraints *constraints = t->projection.outlook.constraints;
    note_built(t, c);
    if (!can_build(t, c, constraints->heads)) return DD_IMPOSSIBLE;
    if (constraints->n_spans + constraints->n_forbidden + constraints->n_leaves == 0)
        return DD_POSSIBLE;
    for (int i = 0; i < t->witnesses.count; i++) {
        if (!can_build(t, c, dd_witness(&t->witnesses, i))) continue;
        dd_witness_served(&t->witnesses, i);
        return DD_POSSIBLE;
    }
    dd_projection_set(&t->projection, c);
    if (dd_projection_find(&t->projection, dd_witness_add(&t->witnesses))) return DD_POSSIBLE;
    dd_witness_drop(&t->witnesses);
    if (!dd_outlook_judge(&t->projection.outlook)) return DD_IMPOSSIBLE;
    dd_verdict verdict = run_pushdown(t, c);
    return verdict == DD_UNDECIDED && !any_tree(t, c) ? DD_IMPOSSIBLE : verdict;
}

/* ---- search ------------------------------------------------------------------------------- */

/* Whether the configuration is new to the search; its 64-bit hash stands for it. */
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

/* Goes back to where a search was after so many moves; there is room since prepare. */
static void go_back(guard_tables *t, int depth)
{
    const dd_system *system = t->projection.outlook.constraints->system;
    dd_config_copy(&t->now, &t->start);
    for (int i = 0; i < depth; i++) dd_system_apply(system, &t->now, t->path[i], 0);
}

/* Depth first, from the configuration at that depth. The tree that is found can be built from there
 * and so is a witness on the way to it. */
static bool search(guard_tables *t, int depth)
{
    const dd_constraints *constraints = t->projection.outlook.constraints;
    dd_move moves[MOST_MOVES];
    int count = dd_system_permissible(constraints->system, &t->now, moves);
    order_moves(t, &t->now, moves, count);
    for (int m = 0; m < count; m++) {
        if (t->visited == t->limit || dd_effort_is_over(&constraints->effort)) return false;
        if (m > 0) go_back(t, depth);
        t->path[depth] = moves[m];
        dd_system_apply(constraints->system, &t->now, moves[m], 0);
        if (!note(t, &t->now)) continue;
        dd_verdict now = judge(t, &t->now);
        if (now == DD_POSSIBLE || (now == DD_UNDECIDED && search(t, depth + 1))) return true;
    }
    return false;
}

/* Two orders of moves, arcs first and SH first: each finds trees for which the other takes too
 * long.
 */
static bool search_all(guard_tables *t, bool arcs_first)
{
    t->arcs_first = arcs_first;
    t->visited = 0;
    memset(t->seen, 0, SLOTS * sizeof *t->seen);
    go_back(t, 0);
    bool found = search(t, 0);
    if (found && t->least < t->visited) t->least = t->visited;
    return found;
}

/* Whether a tree is in reach from where a search is to begin. */
static bool judge_or_search(guard_tables *t, const dd_constraints *constraints)
{
    dd_verdict now = judge(t, &t->start);
    if (now != DD_UNDECIDED) return now == DD_POSSIBLE;
    set_limit(t, constraints->n);
    if (search_all(t, true)) return true;
    if (t->visited < t->limit) return false;
    if (search_all(t, false)) return true;
    t->gave_up = t->gave_up || t->visited == t->limit;
    return false;
}

static bool possible(const dd_constraints *constraints, const dd_config *start)
{
    guard_tables *t = constraints->guard;
    dd_config_copy(&t->start, start);
    return judge_or_search(t, constraints);
}

static bool allows(const dd_constraints *constraints, const dd_config *config, dd_move move)
{
    guard_tables *t = constraints->guard;
    dd_config_copy(&t->start, config);
    dd_system_apply(constraints->system, &t->start, move, 0);
    return judge_or_search(t, constraints);
}

static bool gave_up(const dd_constraints *constraints)
{
    const guard_tables *t = constraints->guard;
    return t->gave_up;
}

/* RA2 reaches over one node more than arc-standard's moves. */
static bool allows_under_leaves(const dd_constraints *constraints, const dd_config *config,
                                dd_move move)
{
    return dd_leaves_top_serves(constraints, config, move, 3);
}

const dd_guard dd_attardi_guard = {
    .prepare = prepare,
    .release = release,
    .possible = possible,
    .allows = allows,
    .allows_under_leaves = allows_under_leaves,
    .gave_up = gave_up,
};
