#include "transition/optimal.h"

#include "core/memory.h"
#include "transition/oracle.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { STEPS_FOR_WORD = 50 }; /* for dd_tick */

/* ---- packed configurations ------------------------------------------------------------------ */

/* Configurations as small arrays, to be kept in large numbers, compared and made again:
 *
 *     front | focus | for each node 0..n its head, and whether it is on the stack
 *
 * Stacks hold their nodes in the order of the sentence. Labels are not kept. */
enum { FRONT, FOCUS, NODES };

static int32_t pack_node(int head, bool on_stack)
{
    return 2 * (head + 1) + on_stack;
}

static size_t packed_size(int n)
{
    return (size_t)n + NODES + 1;
}

static void pack(const dd_config *config, int32_t *packed)
{
    packed[FRONT] = config->front;
    packed[FOCUS] = config->focus;
    for (int node = 0; node <= config->n; node++)
        packed[NODES + node] = pack_node(config->nodes[node].head, config->nodes[node].on_stack);
}

/* Replaces the head of a word by 0. */
static void forget_head(int32_t *packed, int word)
{
    packed[NODES + word] = pack_node(0, packed[NODES + word] & 1);
}

/* The configuration has been reset for this sentence before; arcs get label 0. Arcs first, in the
 * order of dependents, so that the stack knows who is headless and each head its outermost
 * dependents. */
static void unpack(dd_config *config, const int32_t *packed)
{
    int n = config->n;
    (void)dd_config_reset(config, n, config->root_last, config->single_root);
    config->front = packed[FRONT];
    config->focus = packed[FOCUS];
    for (int word = 1; word <= n; word++) {
        int head = packed[NODES + word] / 2 - 1;
        if (head != DD_NONE) dd_add_arc(config, head, word, 0);
    }
    for (int node = 0; node <= n; node++)
        if (packed[NODES + node] & 1) dd_push(config, node);
}

/* ---- a gold tree ---------------------------------------------------------------------------- */

void dd_optimal_free(dd_optimal *o)
{
    dd_loss_space_free(&o->space);
    dd_config_free(&o->config);
    dd_config_free(&o->next);
    dd_counts_free(&o->counts);
    free(o->moves);
    free(o->costs);
    free(o->packed);
    free(o->behind);
    free(o->first);
    free(o->slots);
    free(o->steps);
    *o = (dd_optimal){0};
}

bool dd_optimal_take(dd_optimal *o, const dd_system *system, const dd_gold *gold, bool single_root)
{
    size_t most = (size_t)dd_system_max_moves(system, gold->n);
    o->system = system;
    o->gold = gold;
    if (system->oracle.loss_names) o->space.variant = dd_system_find_loss(system, "exact");
    o->space.unproved = false;
    o->space.searched = 0;
    return DD_RESERVE(&o->moves, &o->moves_capacity, most) &&
           DD_RESERVE(&o->costs, &o->costs_capacity, most) &&
           dd_system_begin(system, &o->config, gold->n, single_root);
}

/* The permissible moves and their costs. */
static dd_optimal_end look(dd_optimal *o)
{
    if (!dd_tick(o->space.ticker, STEPS_FOR_WORD * ((int64_t)o->config.n + 1)))
        return DD_OPTIMAL_NO_MEMORY;
    o->n_moves = dd_system_permissible(o->system, &o->config, o->moves);
    if (o->n_moves > 0 && !dd_oracle_zero_costs(o->system, &o->space, &o->config, o->gold, o->moves,
                                                o->n_moves, o->costs))
        return DD_OPTIMAL_NO_MEMORY;
    bool too_long = o->space.unproved || o->space.searched > DD_OPTIMAL_SEARCH_LIMIT;
    return too_long ? DD_OPTIMAL_UNPROVED : DD_OPTIMAL_DONE;
}

/* ---- counting ---- */

static int32_t *packed_at(const dd_optimal *o, size_t index)
{
    return o->packed + index * packed_size(o->gold->n);
}

/* In systems with lists or spines the heads of all words decide what is possible. In the others the
 * head of a word that has left the stack does not matter any more, so configurations that differ
 * only there are the same. */
static void forget_what_is_gone(const dd_optimal *o, const dd_config *config, int32_t *packed)
{
    if (o->gold->unknown == 0 || o->system->lists || o->system->moves.candidates) return;
    for (int word = 1; word <= config->n; word++)
        if (o->gold->heads[word] == DD_NONE && !dd_headless(config, word) &&
            !config->nodes[word].on_stack)
            forget_head(packed, word);
}

/* The slot of a configuration: the one that an equal configuration has, or a free one. */
static int32_t *find_slot(const dd_optimal *o, size_t index)
{
    size_t bytes = packed_size(o->gold->n) * sizeof *o->packed, mask = o->n_slots - 1;
    const int32_t *wanted = packed_at(o, index);
    size_t slot = (size_t)XXH3_64bits(wanted, bytes) & mask;
    while (o->slots[slot] != DD_NONE &&
           memcmp(packed_at(o, (size_t)o->slots[slot]), wanted, bytes) != 0)
        slot = (slot + 1) & mask;
    return &o->slots[slot];
}

/* At least half of the slots stay free. */
static bool make_slots(dd_optimal *o, size_t n_slots)
{
    if (!DD_RESERVE(&o->slots, &o->slots_capacity, n_slots)) return false;
    o->n_slots = n_slots;
    for (size_t slot = 0; slot < n_slots; slot++) o->slots[slot] = DD_NONE;
    for (size_t index = 0; index < o->size; index++) *find_slot(o, index) = (int32_t)index;
    return true;
}

/* Adds the last configuration to the list of those that have come as far. */
static bool note_progress(dd_optimal *o, size_t progress)
{
    size_t before = o->n_first;
    if (progress >= before) {
        if (!DD_RESERVE(&o->first, &o->first_capacity, progress + 1)) return false;
        for (o->n_first = progress + 1; before <= progress; before++) o->first[before] = DD_NONE;
    }
    o->behind[o->size] = o->first[progress];
    o->first[progress] = (int32_t)o->size;
    return true;
}

/* Finds or adds a configuration. `derivations`: how many lead to a new one so far. */
static dd_optimal_end find(dd_optimal *o, const dd_config *config, size_t steps,
                           uint64_t derivations, size_t *index)
{
    if (!DD_RESERVE(&o->packed, &o->packed_capacity, (o->size + 1) * packed_size(config->n)) ||
        !DD_RESERVE(&o->behind, &o->behind_capacity, o->size + 1) ||
        (2 * o->size == o->n_slots && !make_slots(o, 2 * o->n_slots)))
        return DD_OPTIMAL_NO_MEMORY;
    pack(config, packed_at(o, o->size));
    forget_what_is_gone(o, config, packed_at(o, o->size));
    int32_t *slot = find_slot(o, o->size);
    if (*slot == DD_NONE) {
        if (o->size == DD_OPTIMAL_LIMIT) return DD_OPTIMAL_TOO_MANY;
        if (o->system->search.progress) steps = (size_t)o->system->search.progress(config);
        if (!dd_counts_append(&o->counts, derivations) || !note_progress(o, steps))
            return DD_OPTIMAL_NO_MEMORY;
        *slot = (int32_t)o->size++;
    }
    *index = (size_t)*slot;
    return DD_OPTIMAL_DONE;
}

/* Where each free move leads. */
static dd_optimal_end go_on(dd_optimal *o, size_t from, size_t steps)
{
    for (int m = 0; m < o->n_moves; m++) {
        size_t to = 0;
        if (o->costs[m] != 0) continue;
        if (!dd_config_copy(&o->next, &o->config)) return DD_OPTIMAL_NO_MEMORY;
        dd_system_apply(o->system, &o->next, o->moves[m], 0);
        dd_optimal_end end = find(o, &o->next, steps + 1, 0, &to);
        if (end != DD_OPTIMAL_DONE) return end;
        if (!dd_counts_add(&o->counts, 1 + to, 1 + from)) return DD_OPTIMAL_NO_MEMORY;
    }
    return DD_OPTIMAL_DONE;
}

static dd_optimal_end begin(dd_optimal *o)
{
    size_t initial;
    o->size = o->n_first = 0;
    dd_counts_clear(&o->counts);
    if (!make_slots(o, 64) || !dd_counts_append(&o->counts, 0)) return DD_OPTIMAL_NO_MEMORY;
    return find(o, &o->config, 0, 1, &initial);
}

static dd_optimal_end visit(dd_optimal *o, size_t index, size_t steps)
{
    unpack(&o->config, packed_at(o, index));
    dd_optimal_end end = look(o);
    if (end != DD_OPTIMAL_DONE) return end;
    if (o->n_moves > 0) return go_on(o, index, steps);
    return dd_counts_add(&o->counts, 0, 1 + index) ? DD_OPTIMAL_DONE : DD_OPTIMAL_NO_MEMORY;
}

dd_optimal_end dd_optimal_count(dd_optimal *o, char **digits)
{
    dd_optimal_end end = begin(o);
    for (size_t progress = 0; end == DD_OPTIMAL_DONE && progress < o->n_first; progress++)
        for (int32_t at = o->first[progress]; at != DD_NONE && end == DD_OPTIMAL_DONE;
             at = o->behind[at])
            end = visit(o, (size_t)at, progress);
    if (end != DD_OPTIMAL_DONE) return end;
    *digits = dd_counts_text(&o->counts, 0);
    return *digits ? DD_OPTIMAL_DONE : DD_OPTIMAL_NO_MEMORY;
}

/* ---- listing ---- */

static int next_free(const dd_optimal *o, int from)
{
    for (int m = from; m < o->n_moves; m++)
        if (o->costs[m] == 0) return m;
    return DD_NONE;
}

/* Completes the derivation: first by the first free move not before `from`, then always by the
 * first. */
static dd_optimal_end complete(dd_optimal *o, int from)
{
    o->space.searched = 0;
    for (;; from = 0) {
        dd_optimal_end end = look(o);
        if (end != DD_OPTIMAL_DONE || o->n_moves == 0) return end;
        if (!DD_RESERVE(&o->steps, &o->steps_capacity, o->n_steps + 1)) return DD_OPTIMAL_NO_MEMORY;
        int m = next_free(o, from);
        o->steps[o->n_steps++] = (dd_optimal_step){o->moves[m], next_free(o, m + 1)};
        dd_system_apply(o->system, &o->config, o->moves[m], 0);
    }
}

/* Goes back to the last configuration that has another free move and returns that move; DD_NONE if
 * there is no such configuration. */
static int go_back(dd_optimal *o)
{
    while (o->n_steps > 0 && o->steps[o->n_steps - 1].other == DD_NONE) o->n_steps--;
    if (o->n_steps == 0) return DD_NONE;
    int other = o->steps[--o->n_steps].other;
    (void)dd_system_begin(o->system, &o->config, o->gold->n, o->config.single_root);
    for (size_t step = 0; step < o->n_steps; step++)
        dd_system_apply(o->system, &o->config, o->steps[step].move, 0);
    return other;
}

dd_optimal_end dd_optimal_list(dd_optimal *o,
                               bool (*derivation)(void *user, const dd_optimal_step *steps,
                                                  size_t n_steps),
                               void *user)
{
    int from = 0;
    o->n_steps = 0;
    do {
        dd_optimal_end end = complete(o, from);
        if (end != DD_OPTIMAL_DONE) return end;
        if (!derivation(user, o->steps, o->n_steps)) return DD_OPTIMAL_STOPPED;
        from = go_back(o);
    } while (from != DD_NONE);
    return DD_OPTIMAL_DONE;
}
