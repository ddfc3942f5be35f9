#include "linear/extract.h"

#include "core/memory.h"
#include "core/random.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* ---- words as hashes ---------------------------------------------------------------------- */

static const uint32_t root_value = UINT32_C(0x509E6557);

void dd_token_batch_free(dd_token_batch *batch)
{
    free(batch->tokens);
    free(batch->values);
    *batch = (dd_token_batch){0};
}

uint32_t dd_templates_columns(const dd_templates *templates)
{
    uint32_t columns = 0;
    for (int i = 0; i < templates->n_columns; i++)
        columns |= UINT32_C(1) << templates->columns[i].column;
    return columns;
}

static uint32_t hash_text(dd_text text)
{
    return (uint32_t)XXH3_64bits(text.data, text.size);
}

/* The value of one feature in Name=Value|Name=Value, or of `_` if it is not there. */
static uint32_t hash_feature(dd_text feats, dd_text name)
{
    const char *at = feats.data, *end = feats.data + feats.size;
    while (at < end) {
        const char *bar = memchr(at, '|', (size_t)(end - at));
        const char *stop = bar ? bar : end;
        size_t size = (size_t)(stop - at);
        if (size > name.size && at[name.size] == '=' && memcmp(at, name.data, name.size) == 0)
            return hash_text((dd_text){at + name.size + 1, size - name.size - 1});
        at = bar ? bar + 1 : end;
    }
    return hash_text((dd_text){"_", 1});
}

static void set_word(uint32_t *values, const dd_templates *templates, const dd_sentence *sentence,
                     int word, uint32_t columns)
{
    for (int i = 0; i < templates->n_columns; i++) {
        const dd_token_column *rule = &templates->columns[i];
        bool used = columns >> rule->column & 1;
        dd_text cell = used ? dd_cell(sentence, word, rule->column) : (dd_text){"_", 1};
        values[i] = rule->feature.size ? hash_feature(cell, rule->feature) : hash_text(cell);
    }
}

static void set_sentence(dd_tokens *tokens, const dd_templates *templates,
                         const dd_sentence *sentence, uint32_t columns)
{
    size_t stride = (size_t)templates->stride;
    memset(tokens->values, 0, ((size_t)sentence->n + 1) * stride * sizeof *tokens->values);
    for (int i = 0; i < templates->n_columns; i++) tokens->values[i] = root_value;
    for (int word = 1; word <= sentence->n; word++)
        set_word(tokens->values + (size_t)word * stride, templates, sentence, word, columns);
}

/* Room for more nodes; those that there are may move. There is room even where no template asks for
 * a column, so that values are not NULL. */
static bool reserve_nodes(dd_token_batch *batch, int stride, size_t nodes)
{
    uintptr_t before = (uintptr_t)batch->values;
    if (!DD_RESERVE(&batch->values, &batch->values_capacity,
                    batch->used + nodes * (size_t)stride + 1))
        return false;
    if ((uintptr_t)batch->values == before) return true;
    size_t at = 0;
    for (size_t i = 0; i < batch->count; i++) {
        batch->tokens[i].values = batch->values + at;
        at += ((size_t)batch->tokens[i].n + 1) * (size_t)stride;
    }
    return true;
}

static void add_sentence(dd_token_batch *batch, const dd_templates *templates,
                         const dd_sentence *sentence, uint32_t columns)
{
    dd_tokens *tokens = &batch->tokens[batch->count++];
    *tokens = (dd_tokens){sentence->n, templates->stride, batch->values + batch->used};
    set_sentence(tokens, templates, sentence, columns);
    batch->used += ((size_t)sentence->n + 1) * (size_t)templates->stride;
}

bool dd_token_batch_set(dd_token_batch *batch, const dd_templates *templates,
                        const dd_sentence *const *sentences, size_t count, uint32_t columns)
{
    size_t nodes = 0;
    batch->count = batch->used = 0;
    for (size_t i = 0; i < count; i++) nodes += (size_t)sentences[i]->n + 1;
    if (!DD_RESERVE(&batch->tokens, &batch->tokens_capacity, count) ||
        !reserve_nodes(batch, templates->stride, nodes))
        return false;
    for (size_t i = 0; i < count; i++) add_sentence(batch, templates, sentences[i], columns);
    return true;
}

bool dd_token_batch_add(dd_token_batch *batch, const dd_templates *templates,
                        const dd_sentence *sentence, uint32_t columns)
{
    if (!DD_RESERVE(&batch->tokens, &batch->tokens_capacity, batch->count + 1) ||
        !reserve_nodes(batch, templates->stride, (size_t)sentence->n + 1))
        return false;
    add_sentence(batch, templates, sentence, columns);
    return true;
}

void dd_token_batch_forget(dd_token_batch *batch, size_t count)
{
    if (count >= batch->count) return;
    batch->used = (size_t)(batch->tokens[count].values - batch->values);
    batch->count = count;
}

/* ---- keys of configurations and moves ----------------------------------------------------- */

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
