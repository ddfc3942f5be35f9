#include "core/memory.h"
#include "systems/covington/covington.h"
#include "systems/covington_nm/covington_nm.h"

#include <stdlib.h>

/* ---- what both systems share ---------------------------------------------------------------- */

/* The words with which a word will be in focus. */
static void add_open(uint64_t *set, int word, int n, int focus, int front)
{
    dd_bits_add_run(set, word > front ? 1 : front + 1, n);
    if (word == front) dd_bits_add_run(set, 1, focus);
    if (word < front && word <= focus && front <= n) dd_bits_add(set, front);
}

void dd_covington_fill_arcs(dd_arborescence *tree, int focus, int front)
{
    const dd_outlook *outlook = tree->outlook;
    int n = outlook->constraints->n;
    uint64_t *open = tree->reached; /* free until the search */
    dd_arborescence_clear(tree);
    dd_bits_clear(open, tree->row);
    for (int word = 1; word <= n; word++)
        if (outlook->settled[word] == DD_NONE) dd_bits_add(open, word);
    for (int head = 0; head <= n; head++) {
        const uint64_t *allowed = dd_arborescence_allowed(tree, head);
        uint64_t *arcs = dd_arborescence_arcs(tree, head);
        if (head == 0)
            dd_bits_add_run(arcs, 1, n);
        else
            add_open(arcs, head, n, focus, front);
        for (size_t i = 0; i < tree->row; i++) arcs[i] &= allowed[i] & open[i];
    }
    for (int word = 1; word <= n; word++)
        if (outlook->settled[word] != DD_NONE)
            dd_bits_add(dd_arborescence_arcs(tree, outlook->settled[word]), word);
}

/* SH is kind 0 and NA kind 1 in both systems. */
bool dd_covington_passes(const dd_witnesses *witnesses, const dd_config *config, dd_move move)
{
    if (move.kind != 1) return false;
    const int32_t *heads = dd_witness_find(witnesses, config->guard_state);
    return heads && heads[config->focus] != config->front && heads[config->front] != config->focus;
}

/* ---- covington ------------------------------------------------------------------------------ */

/* A tree that is dropped is found again by the search. */
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
typedef struct focus_pair {
    int focus, front;
} focus_pair;

static focus_pair settle(guard_tables *t, const dd_constraints *c, const dd_config *config,
                         dd_move move)
{
    dd_arc arc = dd_system_arc(c->system, config, move);
    for (int word = 1; word <= c->n; word++) t->outlook.settled[word] = config->nodes[word].head;
    if (arc.dependent != DD_NONE) t->outlook.settled[arc.dependent] = arc.head;
    if (c->system->rules[move.kind].direction == DD_NO_ARC && move.kind == 0)
        return (focus_pair){config->front, config->front + 1};
    return (focus_pair){config->focus - 1, config->front};
}

static bool reaches(const guard_tables *t, focus_pair v, const int32_t *heads)
{
    const int32_t *settled = t->outlook.settled;
    for (int word = 1; word <= t->outlook.constraints->n; word++)
        if (settled[word] != DD_NONE
                ? settled[word] != heads[word]
                : heads[word] != 0 && !dd_covington_open(v.focus, v.front, word, heads[word]))
            return false;
    return true;
}

static bool find(guard_tables *t, focus_pair v, int32_t *heads)
{
    if (!dd_outlook_judge(&t->outlook)) return false;
    dd_covington_fill_arcs(&t->tree, v.focus, v.front);
    return dd_arborescence_find(&t->tree, heads);
}

/* Makes the witness that reaches the pair the first, if there is one. */
static bool is_served(guard_tables *t, focus_pair v)
{
    for (int i = 0; i < t->witnesses.count; i++) {
        if (!reaches(t, v, dd_witness(&t->witnesses, i))) continue;
        dd_witness_served(&t->witnesses, i);
        return true;
    }
    return false;
}

static bool judge(guard_tables *t, focus_pair v)
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
    return judge(t,
                 (focus_pair){start->focus, start->front}); /* no head is settled since prepare */
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
    config->guard_state = served ? dd_witness_number(&t->witnesses, 0) : 0;
}

/* ---- leaves alone, as in covington-nm ------------------------------------------------------- */

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
    int front = config->front + (move.kind == DD_NM_SHIFT);
    if (!constraints->single_root || front < constraints->last_head || front > config->n)
        return true;
    dd_nm_view now = dd_nm_now(config), after = dd_nm_after(&now, move.kind);
    return front == constraints->last_head ? front_can_close(constraints, &after)
                                           : leaves_can_follow(constraints, &after);
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
