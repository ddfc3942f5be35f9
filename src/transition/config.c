#include "transition/config.h"

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
    dd_config_mark(config);
    config->guard_state = 0;
    for (int node = 0; node <= n; node++) {
        config->nodes[node] = fresh;
        config->nodes[node].component = node;
    }
    return true;
}

void dd_config_copy_nodes(dd_config *to, const dd_config *from, const int32_t *nodes, int count)
{
    for (int i = 0; i < count; i++) to->nodes[nodes[i]] = from->nodes[nodes[i]];
}

void dd_config_copy_rest(dd_config *to, const dd_config *from, int same_below)
{
    dd_config copy = *from;
    copy.stack = to->stack;
    copy.nodes = to->nodes;
    copy.stack_capacity = to->stack_capacity;
    copy.nodes_capacity = to->nodes_capacity;
    *to = copy;
    if (from->depth > same_below)
        memcpy(to->stack + same_below, from->stack + same_below,
               (size_t)(from->depth - same_below) * sizeof *to->stack);
}

bool dd_config_copy(dd_config *to, const dd_config *from)
{
    if (!reserve(to, from->n)) return false;
    memcpy(to->nodes, from->nodes, ((size_t)from->n + 1) * sizeof *to->nodes);
    dd_config_copy_rest(to, from, 0);
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

/* What dd_take_back_arc needs. */
static void note_before(const dd_node *head, dd_node *dependent, uint64_t bit)
{
    dependent->right_before = head->right[1];
    dependent->counted = head->rights < UINT16_MAX;
    dependent->new_label = !(head->right_labels & bit);
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
        note_before(node, &config->nodes[dependent], bit);
        insert_outermost(node->right, dependent, dependent > node->right[0],
                         dependent > node->right[1]);
        if (node->near_right == DD_NONE || dependent < node->near_right)
            node->near_right = dependent;
        node->rights += node->rights < UINT16_MAX;
        node->right_labels |= bit;
    }
}

/* Union by rank without path compression: paths stay short, and an arc changes few nodes. */
static void join_components(dd_config *config, int one, int other)
{
    dd_node *nodes = config->nodes;
    one = dd_component_of(config, one);
    other = dd_component_of(config, other);
    if (one == other) return;
    int below = nodes[one].rank < nodes[other].rank ? one : other;
    int above = below == one ? other : one;
    nodes[above].rank += nodes[above].rank == nodes[below].rank;
    nodes[below].component = above;
    dd_touch(config, below);
    dd_touch(config, above);
}

void dd_add_arc(dd_config *config, int head, int dependent, int label)
{
    dd_node *node = &config->nodes[dependent];
    config->headless -= node->on_stack && node->head == DD_NONE;
    node->head = head;
    node->label = label;
    note_dependent(config, head, dependent, label);
    dd_touch(config, head);
    dd_touch(config, dependent);
    join_components(config, head, dependent);
}

/* Returns the head that the word had. */
static int make_headless(dd_config *config, int word)
{
    dd_node *node = &config->nodes[word];
    int head = node->head;
    config->headless += node->on_stack;
    node->head = node->label = DD_NONE;
    dd_touch(config, word);
    dd_touch(config, head);
    return head;
}

void dd_remove_arc(dd_config *config, int dependent)
{
    int head = make_headless(config, dependent);
    dd_node *bereft = &config->nodes[head];
    int first = bereft->left[0] != DD_NONE ? bereft->left[0] : bereft->near_right;
    int last = bereft->right[0] != DD_NONE ? bereft->right[0] : bereft->near_left;
    bereft->left[0] = bereft->left[1] = bereft->right[0] = bereft->right[1] = DD_NONE;
    bereft->near_left = bereft->near_right = DD_NONE;
    bereft->lefts = bereft->rights = 0;
    bereft->left_labels = bereft->right_labels = 0;
    for (int word = first; word <= last; word++)
        if (config->nodes[word].head == head)
            note_dependent(config, head, word, config->nodes[word].label);
}

void dd_take_back_arc(dd_config *config, int dependent)
{
    const dd_node *node = &config->nodes[dependent];
    uint64_t bit = UINT64_C(1) << (node->label & 63);
    dd_node *bereft = &config->nodes[make_headless(config, dependent)];
    bereft->right[0] = bereft->right[1];
    bereft->right[1] = node->right_before;
    if (bereft->right[0] == DD_NONE) bereft->near_right = DD_NONE;
    bereft->rights -= node->counted;
    if (node->new_label) bereft->right_labels &= ~bit;
}

void dd_attach_rest(dd_config *config, int label)
{
    for (int word = 1; word <= config->n; word++)
        if (dd_headless(config, word)) dd_add_arc(config, 0, word, label);
}
