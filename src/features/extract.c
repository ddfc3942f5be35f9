#include "features/extract.h"

#include "core/hash.h"

#include <string.h>

/* Words between L0 and R0 whose head is outside of L0..R0, or that have none. */
static bool is_outside(const dd_config *config, int word)
{
    int head = config->nodes[word].head;
    return head < config->focus || head > config->front;
}

static int first_outside(const dd_config *config)
{
    for (int word = config->focus + 1; word < config->front; word++)
        if (is_outside(config, word)) return word;
    return DD_NONE;
}

static int last_outside(const dd_config *config)
{
    for (int word = config->front - 1; word > config->focus; word--)
        if (is_outside(config, word)) return word;
    return DD_NONE;
}

static int focus_node(const dd_config *config, int index)
{
    return config->focus > index ? config->focus - index : DD_NONE;
}

static int waiting_node(const dd_config *config, int index)
{
    int word = config->focus - 1;
    while (word > 0 && !(dd_headless(config, word) && index-- == 0)) word--;
    return word > 0 ? word : DD_NONE;
}

/* The rule's node, given the one that it starts from, if it starts from one. */
static inline int follow(const dd_config *config, dd_node_rule rule, int parent,
                         const dd_candidate *candidate)
{
    if (rule.step >= DD_STEP_HEAD && parent == DD_NONE) return DD_NONE;
    switch (rule.step) {
    case DD_STEP_STACK: return dd_stack(config, rule.index);
    case DD_STEP_BUFFER: return dd_buffer_node(config, rule.index);
    case DD_STEP_FOCUS: return focus_node(config, rule.index);
    case DD_STEP_WAITING: return waiting_node(config, rule.index);
    case DD_STEP_FIRST_OUTSIDE: return first_outside(config);
    case DD_STEP_LAST_OUTSIDE: return last_outside(config);
    case DD_STEP_MOVE_HEAD: return candidate->head;
    case DD_STEP_MOVE_DEPENDENT: return candidate->dependent;
    case DD_STEP_HEAD: return config->nodes[parent].head;
    case DD_STEP_LEFT: return config->nodes[parent].left[rule.index];
    case DD_STEP_RIGHT: return config->nodes[parent].right[rule.index];
    case DD_STEP_NEAR_LEFT: return config->nodes[parent].near_left;
    case DD_STEP_NEAR_RIGHT: return config->nodes[parent].near_right;
    case DD_STEP_PREVIOUS: return parent > 1 ? parent - 1 : DD_NONE;
    default: return parent > 0 && parent < config->n ? parent + 1 : DD_NONE;
    }
}

/* 1, 2, 3, 4, 5-6, 7-10, more: near distances matter one by one, far ones do not. */
static uint64_t distance_step(int distance)
{
    if (distance < 0) distance = -distance;
    return distance <= 4 ? (uint64_t)distance : distance <= 6 ? 5 : distance <= 10 ? 7 : 11;
}

/* False: it is absent, as a node of it is, or as it is the label of a headless word. */
static inline bool evaluate(const dd_config *config, dd_value_rule rule, const dd_extraction *x,
                            const dd_candidate *candidate, uint32_t *value)
{
    int at = x->nodes[rule.node], other;
    if (at == DD_NONE) return false;
    const dd_node *node = &config->nodes[at];
    switch (rule.kind) {
    case DD_VALUE_LABEL:
        *value = dd_hash_number((uint64_t)node->label, 1);
        return node->label != DD_NONE;
    case DD_VALUE_LEFTS: *value = dd_hash_number(node->lefts, 2); return true;
    case DD_VALUE_RIGHTS: *value = dd_hash_number(node->rights, 3); return true;
    case DD_VALUE_LEFT_LABELS: *value = dd_hash_number(node->left_labels, 4); return true;
    case DD_VALUE_RIGHT_LABELS: *value = dd_hash_number(node->right_labels, 5); return true;
    case DD_VALUE_PLACE: *value = dd_hash_number(distance_step(candidate->place), 7); return true;
    case DD_VALUE_REST: *value = dd_hash_number(distance_step(candidate->rest), 8); return true;
    default: break;
    }
    if ((other = x->nodes[rule.other]) == DD_NONE) return false;
    int distance = dd_position_of(config, other) - dd_position_of(config, at);
    *value = dd_hash_number(distance_step(distance), 6);
    return true;
}

static inline void leave_out(dd_lane_set *present, const dd_lane_set *absent, int n_templates)
{
    for (int i = 0; i * 64 < n_templates; i++) present->words[i] &= ~absent->words[i];
}

/* The columns of a word, whole groups. */
static void copy_word(uint32_t *restrict to, const uint32_t *restrict from, int stride)
{
    for (int i = 0; i < stride; i += DD_VALUE_GROUP)
        memcpy(to + i, from + i, DD_VALUE_GROUP * sizeof *to);
}

typedef struct extracting {
    const dd_templates *templates;
    const dd_config *config;
    const dd_tokens *tokens;
    const dd_candidate *candidate; /* NULL: what is the same for all moves */
    dd_extraction *x;
} extracting;

/* Leaves out the templates that ask for a node that is not there. Without a move, that concerns
 * those of moves too; the same below for a label. */
static void miss_node(const extracting *e, int i)
{
    const dd_layout *one = &e->templates->of_configuration, *moves = &e->templates->of_moves;
    if (e->candidate) {
        leave_out(&e->x->present, &moves->without_node[i], moves->n_templates);
        return;
    }
    leave_out(&e->x->present, &one->without_node[i], one->n_templates);
    leave_out(&e->x->present_moves, &moves->without_node[i], moves->n_templates);
}

static void miss_value(const extracting *e, int i)
{
    const dd_layout *one = &e->templates->of_configuration, *moves = &e->templates->of_moves;
    if (e->candidate) {
        leave_out(&e->x->present, &moves->without_value[i], moves->n_templates);
        return;
    }
    leave_out(&e->x->present, &one->without_value[i], one->n_templates);
    leave_out(&e->x->present_moves, &moves->without_value[i], moves->n_templates);
}

/* Nodes, and the columns of their words. */
static void find_nodes(const extracting *e, int from, int to)
{
    const dd_templates *templates = e->templates;
    dd_extraction *x = e->x;
    int stride = templates->stride;
    const uint32_t *words = e->tokens->values;
    for (int i = from; i < to; i++) {
        dd_node_rule rule = templates->nodes[i];
        int node = follow(e->config, rule, x->nodes[rule.parent], e->candidate);
        x->nodes[i] = node;
        if (node == DD_NONE)
            miss_node(e, i);
        else
            copy_word(x->values + i * stride, words + (size_t)node * (size_t)stride, stride);
    }
}

static void find_values(const extracting *e, int from, int to)
{
    const dd_templates *templates = e->templates;
    dd_extraction *x = e->x;
    uint32_t *values = x->values + templates->n_nodes * templates->stride - templates->n_words;
    for (int i = from; i < to; i++)
        if (!evaluate(e->config, templates->values[i], x, e->candidate, &values[i]) &&
            templates->values[i].kind == DD_VALUE_LABEL)
            miss_value(e, i);
}

void dd_find_nodes(const dd_templates *templates, const dd_config *config, int *nodes)
{
    for (int i = 0; i < templates->n_settled_nodes; i++) {
        dd_node_rule rule = templates->nodes[i];
        nodes[i] = follow(config, rule, nodes[rule.parent], NULL);
    }
}

int dd_extract(const dd_templates *templates, const dd_config *config, const dd_tokens *tokens,
               dd_extraction *x, uint32_t *keys)
{
    const dd_layout *layout = &templates->of_configuration, *moves = &templates->of_moves;
    extracting e = {templates, config, tokens, NULL, x};
    x->present = layout->lanes;
    x->present_moves = moves->lanes;
    find_nodes(&e, 0, templates->n_settled_nodes);
    find_values(&e, templates->n_words, templates->n_settled);
    templates->kernels->hash_keys(&moves->settled, moves->n_groups, x->values, NULL,
                                  &moves->all_groups, x->base);
    return templates->kernels->hash_keys(&layout->settled, layout->n_groups, x->values, NULL,
                                         &x->present, keys);
}

int dd_extract_move(const dd_templates *templates, const dd_config *config, const dd_tokens *tokens,
                    dd_candidate candidate, dd_extraction *x, uint32_t *keys)
{
    const dd_layout *layout = &templates->of_moves;
    extracting e = {templates, config, tokens, &candidate, x};
    x->present = x->present_moves;
    find_nodes(&e, templates->n_settled_nodes, templates->n_nodes);
    find_values(&e, templates->n_settled, templates->n_values);
    return templates->kernels->hash_keys(&layout->moving, layout->n_groups, x->values, x->base,
                                         &x->present, keys);
}
