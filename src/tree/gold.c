#include "tree/gold.h"

#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

void dd_gold_free(dd_gold *gold)
{
    free(gold->memory);
    dd_tree_space_free(&gold->space);
    *gold = (dd_gold){0};
}

static void list_dependents(dd_gold *gold)
{
    int n = gold->n;
    memset(gold->first, 0, ((size_t)n + 2) * sizeof *gold->first);
    for (int word = 1; word <= n; word++)
        if (gold->heads[word] >= 0) gold->first[gold->heads[word] + 1]++;
    for (int node = 0; node <= n; node++) gold->first[node + 1] += gold->first[node];
    /* Filling moves each start to its end; shifting back by one node restores the starts. */
    for (int word = 1; word <= n; word++)
        if (gold->heads[word] >= 0) gold->dependents[gold->first[gold->heads[word]]++] = word;
    memmove(gold->first + 1, gold->first, ((size_t)n + 1) * sizeof *gold->first);
    gold->first[0] = 0;
}

bool dd_gold_set(dd_gold *gold, const int32_t *heads, const int32_t *labels, int n)
{
    size_t nodes = (size_t)n + 1;
    if (!DD_RESERVE(&gold->memory, &gold->capacity, 7 * nodes + 1)) return false;
    gold->n = n;
    gold->heads = gold->memory;
    gold->labels = gold->heads + nodes;
    gold->first = gold->labels + nodes;
    gold->dependents = gold->first + nodes + 1;
    gold->scratch = gold->dependents + nodes;
    memcpy(gold->heads, heads, nodes * sizeof *heads);
    gold->heads[0] = -1;
    if (labels)
        memcpy(gold->labels, labels, nodes * sizeof *labels);
    else
        memset(gold->labels, 0, nodes * sizeof *gold->labels);
    list_dependents(gold);
    gold->roots = gold->first[1];
    gold->root = gold->roots > 0 ? gold->dependents[0] : 0;
    gold->unknown = dd_tree_unknown(gold->heads, n);
    if (gold->unknown > 0)
        return dd_tree_partial_is_projective(&gold->space, gold->heads, n, &gold->projective);
    int crossing = 0;
    if (!dd_tree_nonprojective_arcs(&gold->space, gold->heads, n, &crossing)) return false;
    gold->projective = crossing == 0;
    return true;
}
