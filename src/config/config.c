#include "config/config.h"

#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

void dd_config_free(dd_config *config)
{
    free(config->stack);
    free(config->nodes);
    *config = (dd_config){0};
}

static bool reserve(dd_config *config, int n)
{
    size_t nodes = (size_t)n + 1;
    return DD_RESERVE(&config->stack, &config->stack_capacity, nodes) &&
           DD_RESERVE(&config->nodes, &config->nodes_capacity, nodes);
}

bool dd_config_reset(dd_config *config, int n, bool root_last, bool single_root)
{
    static const dd_node fresh = {
        .head = DD_NONE, .label = DD_NONE, .left = {DD_NONE, DD_NONE}, .right = {DD_NONE, DD_NONE}};
    if (!reserve(config, n)) return false;
    config->n = n;
    config->root_last = root_last;
    config->single_root = single_root;
    config->depth = 0;
    config->headless = 0;
    config->front = root_last ? 1 : 0;
    config->end = root_last ? n + 2 : n + 1;
    for (int node = 0; node <= n; node++) config->nodes[node] = fresh;
    return true;
}

bool dd_config_copy(dd_config *to, const dd_config *from)
{
    if (!reserve(to, from->n)) return false;
    memcpy(to->stack, from->stack, ((size_t)from->n + 1) * sizeof *to->stack);
    memcpy(to->nodes, from->nodes, ((size_t)from->n + 1) * sizeof *to->nodes);
    to->n = from->n;
    to->root_last = from->root_last;
    to->single_root = from->single_root;
    to->depth = from->depth;
    to->headless = from->headless;
    to->front = from->front;
    to->end = from->end;
    return true;
}

/* Keeps the two outermost dependents; the flags say whether the new one lies outside each. */
static void insert_outermost(int32_t slots[2], int dependent, bool outside_first,
                             bool outside_second)
{
    if (slots[0] == DD_NONE || outside_first) {
        slots[1] = slots[0];
        slots[0] = dependent;
    } else if (slots[1] == DD_NONE || outside_second) {
        slots[1] = dependent;
    }
}

void dd_add_arc(dd_config *config, int head, int dependent, int label)
{
    config->headless -= config->nodes[dependent].on_stack && dd_headless(config, dependent);
    config->nodes[dependent].head = head;
    config->nodes[dependent].label = label;
    dd_node *node = &config->nodes[head];
    uint64_t bit = UINT64_C(1) << (label & 63);
    if (dependent < dd_position_of(config, head)) {
        insert_outermost(node->left, dependent, dependent < node->left[0],
                         dependent < node->left[1]);
        node->lefts += node->lefts < UINT16_MAX;
        node->left_labels |= bit;
    } else {
        insert_outermost(node->right, dependent, dependent > node->right[0],
                         dependent > node->right[1]);
        node->rights += node->rights < UINT16_MAX;
        node->right_labels |= bit;
    }
}
