#include "transition/soft.h"

#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

void dd_soft_free(dd_soft *soft)
{
    free(soft->spans.memory);
    free(soft->rows);
    free(soft->own_weights);
    dd_max_tree_free(&soft->tree);
    dd_config_free(&soft->next);
    *soft = (dd_soft){0};
}

void dd_soft_begin(dd_soft *soft, const int32_t *weights, int n)
{
    soft->n = n;
    soft->weights = weights;
    soft->most = n * DD_SOFT_ONE;
    soft->spans.filled = false;
}

static bool clear_own_weights(dd_soft *soft, size_t nodes)
{
    if (!DD_RESERVE(&soft->own_weights, &soft->weights_capacity, nodes * nodes)) return false;
    memset(soft->own_weights, 0, nodes * nodes * sizeof *soft->own_weights);
    return true;
}

bool dd_soft_begin_arcs(dd_soft *soft, const dd_gold *gold)
{
    size_t nodes = (size_t)gold->n + 1;
    if (!clear_own_weights(soft, nodes)) return false;
    for (int i = 0; i < gold->n_soft; i++) {
        const dd_weighed_arc *arc = &gold->soft[i];
        soft->own_weights[(size_t)arc->dependent * nodes + (size_t)arc->head] = arc->weight;
    }
    dd_soft_begin(soft, soft->own_weights, gold->n);
    return true;
}

bool dd_soft_begin_gold(dd_soft *soft, const dd_gold *gold)
{
    size_t nodes = (size_t)gold->n + 1;
    if (!clear_own_weights(soft, nodes)) return false;
    for (size_t word = 1; word < nodes; word++)
        if (gold->heads[word] >= 0)
            soft->own_weights[word * nodes + (size_t)gold->heads[word]] = DD_SOFT_ONE;
    dd_soft_begin(soft, soft->own_weights, gold->n);
    soft->most -= gold->unknown * DD_SOFT_ONE;
    return true;
}

bool dd_soft_loss(const dd_system *system, dd_soft *soft, const dd_config *config, int32_t *loss)
{
    int32_t best;
    if (!system->oracle.best(soft, config, &best)) return false;
    *loss = soft->most - best;
    return true;
}

bool dd_soft_losses(const dd_system *system, dd_soft *soft, const dd_config *config,
                    const dd_move *moves, int n_moves, int32_t *losses)
{
    for (int m = 0; m < n_moves; m++) {
        if (!dd_config_copy(&soft->next, config)) return false;
        dd_system_apply(system, &soft->next, moves[m], 0);
        if (!dd_soft_loss(system, soft, &soft->next, &losses[m])) return false;
    }
    return true;
}
