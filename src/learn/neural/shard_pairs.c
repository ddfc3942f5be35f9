/* shard_pairs.c - how well two words go together: the product of what one brings as a dependent and
 * what the other brings as a head, which a layer over the sum of their rows cannot say (Dozat and
 * Manning 2017) */
#include "learn/neural/shard_parts.h"

#include "config/config.h"

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

/* The nodes of the first slot and of the last; false: one of them is missing. */
static bool find_pair(const dd_shard *s, const int *nodes, int *dependent, int *head)
{
    *dependent = nodes[0];
    *head = nodes[s->network->shape.slots - 1];
    return pairs(s) > 0 && *dependent != DD_NONE && *head != DD_NONE;
}

static dd_real one_of(const dd_shard *s)
{
    return (dd_real)(1 / sqrt((double)pairs(s)));
}

dd_real dd_shard_score_pair(const dd_shard *s, int sentence, const int *nodes)
{
    int dependent, head;
    if (!find_pair(s, nodes, &dependent, &head)) return 0;
    return one_of(s) * dd_dot(pair_row(s, s->slots, sentence, dependent, false),
                              pair_row(s, s->slots, sentence, head, true), pairs(s));
}

void dd_shard_back_pair(dd_shard *s, int sentence, const int *nodes, dd_real slope)
{
    int dependent, head;
    if (!find_pair(s, nodes, &dependent, &head)) return;
    dd_add_scaled(pair_row(s, s->d_slots, sentence, dependent, false),
                  pair_row(s, s->slots, sentence, head, true), pairs(s), slope * one_of(s));
    dd_add_scaled(pair_row(s, s->d_slots, sentence, head, true),
                  pair_row(s, s->slots, sentence, dependent, false), pairs(s), slope * one_of(s));
}
