/* pointer_guard.c - constraints in the pointer system
 *
 * All trees that have the arcs built so far are in reach, so a move is allowed if one of them
 * satisfies the constraints (arborescence.h). A tree that does, the witness, is known for each
 * configuration. Its arc into the word in front is allowed; for another arc the witness is repaired
 * by changing one more head, which nearly always succeeds. Only if it does not, a search decides.
 * So the answer is exact. */
#include "constraints/arborescence.h"
#include "core/memory.h"
#include "systems/pointer/pointer.h"

#include <stdlib.h>
#include <string.h>

/* If a tree is dropped, the search finds one again. */
enum { MOST_WITNESSES = 16 };
/* Words of a sentence with constraints, at most: sets of all possible arcs are kept. */
enum { LONGEST = 10000 };

typedef struct guard_tables {
    dd_outlook outlook;
    dd_arborescence tree;
    dd_witnesses witnesses;
    int32_t *heads; /* [n + 1] a repaired witness */
    size_t heads_capacity;
} guard_tables;

static void release(void *tables)
{
    guard_tables *t = tables;
    dd_outlook_free(&t->outlook);
    dd_arborescence_free(&t->tree);
    dd_witnesses_free(&t->witnesses);
    free(t->heads);
    free(t);
}

static bool prepare(dd_constraints *constraints)
{
    size_t nodes = (size_t)constraints->n + 1;
    if (!constraints->guard) constraints->guard = dd_calloc(1, sizeof(guard_tables));
    guard_tables *t = constraints->guard;
    return t && DD_RESERVE(&t->heads, &t->heads_capacity, nodes) &&
           dd_outlook_reset(&t->outlook, constraints) &&
           dd_arborescence_reset(&t->tree, &t->outlook) &&
           dd_witnesses_reset(&t->witnesses, nodes, MOST_WITNESSES);
}

/* ---- witnesses ------------------------------------------------------------------------------- */

static bool reaches(const guard_tables *t, const dd_config *c, const int32_t *heads)
{
    for (int word = 1; word < c->front; word++)
        if (!dd_effort_spend(t->outlook.effort, 1) || heads[word] != c->nodes[word].head)
            return false;
    return true;
}

/* A known tree that the configuration can reach, if any; it becomes the first. */
static const int32_t *find_witness(guard_tables *t, const dd_config *c)
{
    const int32_t *heads = dd_witness_find(&t->witnesses, c->guard_state);
    for (int i = 0; i < t->witnesses.count && !heads; i++) {
        if (!reaches(t, c, dd_witness(&t->witnesses, i))) continue;
        dd_witness_served(&t->witnesses, i);
        heads = dd_witness(&t->witnesses, 0);
    }
    return heads;
}

/* ---- repair ---------------------------------------------------------------------------------- */

/* The first word on the way from h up to j that is still to come, which there is, as h is not below
 * j by arcs built; DD_NONE: h is not below j. */
static int word_between(const guard_tables *t, const dd_config *c, const int32_t *heads, int h)
{
    int found = DD_NONE;
    for (; h > 0 && h != c->front; h = heads[h]) {
        if (!dd_effort_spend(t->outlook.effort, 1)) return DD_NONE;
        if (found == DD_NONE && h > c->front) found = h;
    }
    return h == c->front ? found : DD_NONE;
}

static int root_of(const guard_tables *t, const int32_t *heads, int word)
{
    while (word > 0 && heads[word] > 0 && dd_effort_spend(t->outlook.effort, 1)) word = heads[word];
    return word;
}

/* The arc that has to change with j's own, so that the witness stays a tree with as many roots as
 * there may be; no dependent: none. If h is below j, a word between them takes the head that j had;
 * if j becomes the root, the root that it replaces is attached to it. */
static dd_arc second_arc(const guard_tables *t, const dd_config *c, const int32_t *heads, int h)
{
    int j = c->front, between = word_between(t, c, heads, h);
    if (between != DD_NONE) return (dd_arc){heads[j], between};
    if (h == 0 && c->single_root && heads[j] != 0) return (dd_arc){j, root_of(t, heads, j)};
    return (dd_arc){DD_NONE, DD_NONE};
}

/* Makes t->heads a witness for the configuration after the move. Spans concern several arcs, so
 * with them all of the tree is looked at. */
static bool repair(guard_tables *t, const dd_config *c, const int32_t *heads, int h)
{
    const dd_constraints *constraints = t->outlook.constraints;
    uint64_t nodes = (uint64_t)c->n + 1;
    dd_arc second = second_arc(t, c, heads, h);
    if (second.dependent != DD_NONE &&
        !dd_outlook_allows(&t->outlook, second.head, second.dependent))
        return false;
    if (!dd_effort_spend(t->outlook.effort, nodes / 8)) return false;
    memcpy(t->heads, heads, nodes * sizeof *heads);
    t->heads[c->front] = h;
    if (second.dependent != DD_NONE) t->heads[second.dependent] = second.head;
    if (constraints->n_spans == 0) return true;
    return dd_effort_spend(t->outlook.effort, 4 * nodes) &&
           dd_constraints_hold(constraints, t->heads);
}

/* ---- search ---------------------------------------------------------------------------------- */

/* Words still to come can have any head, the others have the one that they got. */
static void fill_arcs(dd_arborescence *tree)
{
    const dd_outlook *outlook = tree->outlook;
    int n = outlook->constraints->n;
    size_t nodes = (size_t)n + 1;
    uint64_t *open = tree->reached; /* free until the search */
    dd_arborescence_clear(tree);
    dd_bits_clear(open, tree->row);
    for (int word = 1; word <= n; word++)
        if (outlook->settled[word] == DD_NONE) dd_bits_add(open, word);
    for (size_t i = 0; i < nodes * tree->row; i++)
        tree->arcs[i] = tree->allowed[i] & open[i % tree->row];
    for (int word = 1; word <= n; word++)
        if (outlook->settled[word] != DD_NONE)
            dd_bits_add(dd_arborescence_arcs(tree, outlook->settled[word]), word);
}

/* A tree that has the arcs built and this one, which becomes the first witness. */
static bool search(guard_tables *t, const dd_config *c, dd_arc arc)
{
    int32_t *settled = t->outlook.settled;
    for (int word = 1; word <= c->n; word++) settled[word] = c->nodes[word].head;
    if (arc.dependent != DD_NONE) settled[arc.dependent] = arc.head;
    if (!dd_outlook_judge(&t->outlook)) return false;
    fill_arcs(&t->tree);
    if (dd_arborescence_find(&t->tree, dd_witness_add(&t->witnesses))) return true;
    dd_witness_drop(&t->witnesses);
    return false;
}

/* ---- the guard ------------------------------------------------------------------------------- */

enum verdict { NO, AS_IT_IS, REPAIRED, FOUND };

/* Whether there is a witness after the move: that of the configuration, t->heads, or the first. */
static enum verdict judge(guard_tables *t, const dd_config *c, int h)
{
    if (!dd_effort_spend(t->outlook.effort, 1) || !dd_outlook_allows(&t->outlook, h, c->front))
        return NO;
    const int32_t *heads = find_witness(t, c);
    if (heads && heads[c->front] == h) return AS_IT_IS;
    if (heads && repair(t, c, heads, h)) return REPAIRED;
    return search(t, c, (dd_arc){h, c->front}) ? FOUND : NO;
}

static bool possible(const dd_constraints *constraints, const dd_config *start)
{
    return search(constraints->guard, start, (dd_arc){DD_NONE, DD_NONE});
}

static bool allows(const dd_constraints *constraints, const dd_config *config, dd_move move)
{
    return judge(constraints->guard, config, move.k) != NO;
}

static void follow(const dd_constraints *constraints, dd_config *config, dd_move move)
{
    guard_tables *t = constraints->guard;
    enum verdict verdict = judge(t, config, move.k);
    if (verdict == AS_IT_IS && dd_witness_find(&t->witnesses, config->guard_state)) return;
    if (verdict == REPAIRED)
        memcpy(dd_witness_add(&t->witnesses), t->heads, ((size_t)config->n + 1) * sizeof *t->heads);
    config->guard_state = verdict != NO ? dd_witness_number(&t->witnesses, 0) : 0;
}

const dd_guard dd_pointer_guard = {
    .searches_leaves = true,
    .longest = LONGEST,
    .prepare = prepare,
    .release = release,
    .possible = possible,
    .allows = allows,
    .follow = follow,
};
