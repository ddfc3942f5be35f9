/* search.c - the guard of systems that have none of their own: a search over their moves
 *
 * A move is allowed if some derivation leads from the configuration after it to a tree that
 * satisfies the constraints. A depth-first search looks for such a derivation and caches the answer
 * of every configuration, so that each is searched once a sentence. It ends early
 *
 * - where the arcs built so far break a constraint, if arcs stay once they are built;
 * - where required arcs cannot be built any more. They are a gold tree with unknown heads, and the
 *   system's loss tells whether it can still have all of them. For a system with several losses
 *   this is left out, as its default loss may be only a bound.
 *
 * The answer is exact, but a search may be exponentially long. Every configuration that is looked
 * at counts as effort, and when that is spent the sentence is refused (conflict.c). */
#include "constraints/constraints.h"
#include "constraints/outlook.h"
#include "core/memory.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* Configurations that may be looked at in a sentence; their verdicts then take about 25 MB. */
enum { FIRST_SLOTS = 64, MOST_LOOKS = 1 << 19, STEPS_FOR_MOVE = 50 };
#define STEPS_FOR_LOOK (DD_MOST_EFFORT / MOST_LOOKS)

typedef enum verdict { UNKNOWN = 0, DEAD, ALIVE } verdict;

/* A configuration by the hash of all that its future depends on. */
typedef XXH128_hash_t digest;

typedef struct slot {
    digest key;
    verdict verdict; /* UNKNOWN: the slot is free */
} slot;

/* A configuration on the derivation that is being tried. */
typedef struct step {
    digest key;
    int tried;    /* of its permissible moves */
    dd_move move; /* the last one tried, which leads to the next step's configuration */
} step;

typedef struct search {
    const dd_constraints *constraints;
    dd_effort *effort; /* the constraints' own */
    bool asks_loss;
    bool impossible; /* the system refuses the required arcs */
    dd_gold gold;    /* the required arcs */
    dd_loss_space space;
    dd_outlook outlook; /* of monotonic systems: built arcs are settled */
    dd_config start;    /* of the derivation, */
    dd_config here;     /* its last configuration, */
    dd_config next;     /* and one behind that */
    step *path;         /* [length] */
    size_t length;
    slot *slots; /* [n_slots] hash table with open addressing, at most half full */
    size_t n_slots, n_known;
    dd_move *moves;  /* [dd_system_max_moves] */
    int32_t *packed; /* [2 * (n + 1) + 3] */
    int32_t *heads;  /* [n + 1] */
    size_t path_capacity, slots_capacity, moves_capacity, packed_capacity, heads_capacity;
} search;

static void release(void *tables)
{
    search *s = tables;
    dd_gold_free(&s->gold);
    dd_loss_space_free(&s->space);
    dd_outlook_free(&s->outlook);
    dd_config_free(&s->start);
    dd_config_free(&s->here);
    dd_config_free(&s->next);
    free(s->path);
    free(s->slots);
    free(s->moves);
    free(s->packed);
    free(s->heads);
    free(s);
}

/* ---- what is known ------------------------------------------------------------------------- */

static digest key_of(const search *s, const dd_config *c)
{
    int32_t *at = s->packed;
    *at++ = c->front;
    *at++ = c->focus;
    *at++ = c->depth;
    for (int node = 0; node <= c->n; node++) *at++ = c->nodes[node].head;
    for (int i = 0; i < c->depth; i++) *at++ = c->stack[i];
    return XXH3_128bits(s->packed, (size_t)(at - s->packed) * sizeof *at);
}

static slot *find_slot(const search *s, digest wanted)
{
    size_t at = (size_t)wanted.low64 & (s->n_slots - 1);
    while (s->slots[at].verdict != UNKNOWN && !XXH128_isEqual(s->slots[at].key, wanted))
        at = (at + 1) & (s->n_slots - 1);
    return &s->slots[at];
}

static void clear_slots(search *s, size_t n_slots)
{
    s->n_slots = n_slots;
    s->n_known = 0;
    memset(s->slots, 0, n_slots * sizeof *s->slots);
}

static void put(search *s, digest key, verdict known)
{
    slot *at = find_slot(s, key);
    s->n_known += at->verdict == UNKNOWN;
    *at = (slot){key, known};
}

static bool grow(search *s)
{
    size_t before = s->n_slots;
    slot *old = s->slots, *slots = dd_calloc(2 * before, sizeof *slots);
    if (!slots) return false;
    s->slots = slots;
    s->slots_capacity = 2 * before;
    clear_slots(s, 2 * before);
    for (size_t at = 0; at < before; at++)
        if (old[at].verdict != UNKNOWN) put(s, old[at].key, old[at].verdict);
    free(old);
    return true;
}

static void remember(search *s, digest key, verdict known)
{
    if (2 * s->n_known >= s->n_slots && !grow(s))
        s->effort->no_memory = true;
    else
        put(s, key, known);
}

/* ---- one configuration --------------------------------------------------------------------- */

/* Whether the arcs built so far break a constraint, and no later move can repair that. */
static bool is_broken(search *s, const dd_config *c)
{
    if (s->constraints->system->nonmonotonic) return false;
    for (int word = 1; word <= c->n; word++) s->outlook.settled[word] = c->nodes[word].head;
    return !dd_outlook_judge(&s->outlook);
}

/* Whether some required arc cannot be built any more. */
static bool loses_arcs(search *s, const dd_config *c)
{
    int loss = 0;
    if (!s->asks_loss) return false;
    if (!s->constraints->system->oracle.loss(&s->space, c, &s->gold, &loss))
        s->effort->no_memory = !dd_is_cancelled(s->effort->ticker);
    return loss > 0;
}

static bool satisfies(const search *s, const dd_config *c)
{
    for (int word = 1; word <= c->n; word++)
        s->heads[word] = dd_headless(c, word) ? 0 : c->nodes[word].head;
    return dd_constraints_hold(s->constraints, s->heads);
}

static verdict look(search *s, const dd_config *c, digest *key)
{
    if (!dd_effort_spend(s->effort, STEPS_FOR_LOOK)) return DEAD;
    *key = key_of(s, c);
    verdict known = find_slot(s, *key)->verdict;
    if (known != UNKNOWN) return known;
    if (s->constraints->system->final(c))
        known = satisfies(s, c) ? ALIVE : DEAD;
    else if (is_broken(s, c) || loses_arcs(s, c))
        known = DEAD;
    if (known != UNKNOWN) remember(s, *key, known);
    return known;
}

/* ---- the search ---------------------------------------------------------------------------- */

static bool push(search *s, digest key)
{
    if (!DD_RESERVE(&s->path, &s->path_capacity, s->length + 1)) return false;
    s->path[s->length++] = (step){.key = key};
    return true;
}

/* Goes on by the next move that is not known to lead nowhere: UNKNOWN if it goes to a configuration
 * that has to be searched, DEAD if there is no such move. */
static verdict go_on(search *s)
{
    const dd_system *system = s->constraints->system;
    step *top = &s->path[s->length - 1];
    int count = dd_system_permissible(system, &s->here, s->moves);
    while (top->tried < count) {
        digest key;
        top->move = s->moves[top->tried++];
        if (dd_starts_at_leaf(s->constraints, dd_system_arc(system, &s->here, top->move))) continue;
        (void)dd_config_copy(&s->next, &s->here);
        dd_system_apply(system, &s->next, top->move, 0);
        verdict found = look(s, &s->next, &key);
        if (found == DEAD) continue;
        if (found == ALIVE) return ALIVE;
        dd_config here = s->here;
        s->here = s->next;
        s->next = here;
        if (push(s, key)) return UNKNOWN;
        s->effort->no_memory = true;
        return DEAD;
    }
    return DEAD;
}

/* Back to the configuration before the last one. */
static void go_back(search *s)
{
    remember(s, s->path[--s->length].key, DEAD);
    (void)dd_config_copy(&s->here, &s->start);
    for (size_t at = 0; at + 1 < s->length; at++)
        dd_system_apply(s->constraints->system, &s->here, s->path[at].move, 0);
    dd_effort_spend(s->effort, STEPS_FOR_MOVE * (uint64_t)s->length);
}

/* Whether a tree that satisfies the constraints can be reached from a configuration. */
static bool is_alive(search *s, const dd_config *from)
{
    digest key;
    verdict found = look(s, from, &key);
    if (found != UNKNOWN) return found == ALIVE;
    (void)dd_config_copy(&s->start, from);
    (void)dd_config_copy(&s->here, from);
    s->length = 0;
    if (!push(s, key)) s->effort->no_memory = true;
    while (s->length > 0 && !dd_effort_is_over(s->effort)) {
        found = go_on(s);
        if (found == ALIVE) break;
        if (found == DEAD && !dd_effort_is_over(s->effort)) go_back(s);
    }
    if (found != ALIVE) return false;
    for (size_t at = 0; at < s->length; at++) remember(s, s->path[at].key, ALIVE);
    return true;
}

/* ---- the guard ----------------------------------------------------------------------------- */

static bool reserve(search *s, const dd_constraints *c)
{
    size_t nodes = (size_t)c->n + 1, moves = (size_t)dd_system_max_moves(c->system, c->n);
    return DD_RESERVE(&s->slots, &s->slots_capacity, FIRST_SLOTS) &&
           DD_RESERVE(&s->moves, &s->moves_capacity, moves) &&
           DD_RESERVE(&s->packed, &s->packed_capacity, 2 * nodes + 3) &&
           DD_RESERVE(&s->heads, &s->heads_capacity, nodes) &&
           dd_config_reset(&s->start, c->n, c->system->root_last, c->single_root) &&
           dd_config_reset(&s->here, c->n, c->system->root_last, c->single_root) &&
           dd_config_reset(&s->next, c->n, c->system->root_last, c->single_root);
}

static bool prepare(dd_constraints *constraints)
{
    const dd_system_oracle *oracle = &constraints->system->oracle;
    if (!constraints->guard) constraints->guard = dd_calloc(1, sizeof(search));
    search *s = constraints->guard;
    if (!s || !reserve(s, constraints) || !dd_outlook_reset(&s->outlook, constraints) ||
        !dd_gold_set(&s->gold, constraints->heads, NULL, constraints->n))
        return false;
    s->constraints = constraints;
    s->effort = &constraints->effort;
    s->space.ticker = constraints->effort.ticker;
    clear_slots(s, FIRST_SLOTS);
    s->impossible = constraints->n_arcs > 0 && oracle->refuses &&
                    oracle->refuses(&s->gold, constraints->single_root);
    s->asks_loss = constraints->n_arcs > 0 && oracle->loss && !oracle->loss_names;
    return true;
}

static bool possible(const dd_constraints *constraints, const dd_config *start)
{
    search *s = constraints->guard;
    return !s->impossible && is_alive(s, start);
}

static bool allows(const dd_constraints *constraints, const dd_config *config, dd_move move)
{
    search *s = constraints->guard;
    (void)dd_config_copy(&s->next, config); /* there is room since prepare */
    dd_system_apply(constraints->system, &s->next, move, 0);
    return is_alive(s, &s->next);
}

const dd_guard dd_search_guard = {
    .searches_leaves = true,
    .prepare = prepare,
    .release = release,
    .possible = possible,
    .allows = allows,
};
