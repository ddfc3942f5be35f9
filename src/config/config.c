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
    static const dd_node fresh = {.head = DD_NONE,
                                  .label = DD_NONE,
                                  .left = {DD_NONE, DD_NONE},
                                  .right = {DD_NONE, DD_NONE},
                                  .near_left = DD_NONE,
                                  .near_right = DD_NONE};
    if (!reserve(config, n)) return false;
    config->n = n;
    config->root_last = root_last;
    config->single_root = single_root;
    config->depth = 0;
    config->headless = 0;
    config->front = root_last ? 1 : 0;
    config->end = root_last ? n + 2 : n + 1;
    config->focus = 0;
    config->span_components = 0;
    config->span_attached = false;
    for (int node = 0; node <= n; node++) {
        config->nodes[node] = fresh;
        config->nodes[node].component = node;
    }
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
    to->focus = from->focus;
    to->span_components = from->span_components;
    to->span_attached = from->span_attached;
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

/* What the head keeps of its dependents. */
static void note_dependent(dd_config *config, int head, int dependent, int label)
{
    dd_node *node = &config->nodes[head];
    uint64_t bit = UINT64_C(1) << (label & 63);
    if (dependent < dd_position_of(config, head)) {
        insert_outermost(node->left, dependent, dependent < node->left[0],
                         dependent < node->left[1]);
        if (dependent > node->near_left) node->near_left = dependent;
        node->lefts += node->lefts < UINT16_MAX;
        node->left_labels |= bit;
    } else {
        insert_outermost(node->right, dependent, dependent > node->right[0],
                         dependent > node->right[1]);
        if (node->near_right == DD_NONE || dependent < node->near_right)
            node->near_right = dependent;
        node->rights += node->rights < UINT16_MAX;
        node->right_labels |= bit;
    }
}

/* Halves paths on the way, so that later searches are short. */
static int find_component(dd_config *config, int node)
{
    dd_node *nodes = config->nodes;
    while (nodes[node].component != node) {
        nodes[node].component = nodes[nodes[node].component].component;
        node = nodes[node].component;
    }
    return node;
}

void dd_add_arc(dd_config *config, int head, int dependent, int label)
{
    dd_node *node = &config->nodes[dependent];
    config->headless -= node->on_stack && node->head == DD_NONE;
    node->head = head;
    node->label = label;
    note_dependent(config, head, dependent, label);
    config->nodes[find_component(config, dependent)].component = find_component(config, head);
}

void dd_remove_arc(dd_config *config, int dependent)
{
    dd_node *node = &config->nodes[dependent];
    int head = node->head;
    config->headless += node->on_stack;
    node->head = node->label = DD_NONE;
    dd_node *bereft = &config->nodes[head];
    bereft->left[0] = bereft->left[1] = bereft->right[0] = bereft->right[1] = DD_NONE;
    bereft->near_left = bereft->near_right = DD_NONE;
    bereft->lefts = bereft->rights = 0;
    bereft->left_labels = bereft->right_labels = 0;
    for (int word = 1; word <= config->n; word++)
        if (config->nodes[word].head == head)
            note_dependent(config, head, word, config->nodes[word].label);
}

void dd_attach_rest(dd_config *config, int label)
{
    for (int word = 1; word <= config->n; word++)
        if (dd_headless(config, word)) dd_add_arc(config, 0, word, label);
}
