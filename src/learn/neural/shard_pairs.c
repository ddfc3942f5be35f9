/* shard_pairs.c - how well two words go together: the product of what one brings as a dependent and
 * what the other brings as a head, which a layer over the sum of their rows cannot say (Dozat and
 * Manning 2017) */
#include "learn/neural/shard_parts.h"

#include "core/memory.h"
#include "transition/config.h"

#include <math.h>

static size_t pairs(const dd_shard *s)
{
    return (size_t)s->network->shape.pairs;
}

/* Where a node's row as a dependent stands; as a head it stands behind that. */
static dd_real *pair_row(const dd_shard *s, dd_real *slots, int sentence, int node, bool head)
{
    const dd_network_shape *shape = &s->network->shape;
    size_t columns = dd_network_slot_columns(shape), at = dd_network_pairs_at(shape);
    return slots + dd_shard_row(s, sentence, node) * columns + at + (head ? pairs(s) : 0);
}

static bool is_pair(const dd_shard *s, int dependent, int head)
{
    return pairs(s) > 0 && dependent != DD_NONE && head != DD_NONE;
}

static dd_real one_of(const dd_shard *s)
{
    return (dd_real)(1 / sqrt((double)pairs(s)));
}

dd_real dd_shard_pair(const dd_shard *s, int sentence, int dependent, int head)
{
    if (!is_pair(s, dependent, head)) return 0;
    return one_of(s) * dd_dot(pair_row(s, s->slots, sentence, dependent, false),
                              pair_row(s, s->slots, sentence, head, true), pairs(s));
}

bool dd_shard_decide_pair(dd_shard *s, int sentence, int dependent, int head, dd_real derivative)
{
    if (!is_pair(s, dependent, head)) return true;
    if (!DD_RESERVE(&s->pairings, &s->pairings_capacity, s->n_pairings + 1)) return false;
    s->pairings[s->n_pairings++] = (dd_pairing){sentence, dependent, head, derivative};
    return true;
}

void dd_shard_back_pairs(dd_shard *s, dd_real scale)
{
    for (size_t i = 0; i < s->n_pairings; i++) {
        const dd_pairing *p = &s->pairings[i];
        dd_real derivative = p->derivative * scale * one_of(s);
        dd_add_scaled(pair_row(s, s->d_slots, p->sentence, p->dependent, false),
                      pair_row(s, s->slots, p->sentence, p->head, true), pairs(s), derivative);
        dd_add_scaled(pair_row(s, s->d_slots, p->sentence, p->head, true),
                      pair_row(s, s->slots, p->sentence, p->dependent, false), pairs(s),
                      derivative);
    }
}
