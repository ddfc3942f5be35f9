#include "features/extract.h"

#include "core/memory.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* Values are odd, so that multiplying by one loses nothing, and multiplying by an absent one gives
 * an absent product. */
static const uint64_t absent_value = 0;
static const uint64_t root_value = UINT64_C(0xC949D7C7509E6557);

void dd_tokens_free(dd_tokens *tokens)
{
    free(tokens->values);
    *tokens = (dd_tokens){0};
}

static uint64_t hash_text(dd_text text)
{
    return XXH3_64bits(text.data, text.size) | 1;
}

/* The value of one feature in Name=Value|Name=Value, or of `_` if it is not there. */
static uint64_t hash_feature(dd_text feats, dd_text name)
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

bool dd_tokens_set(dd_tokens *tokens, const dd_templates *templates, const dd_sentence *sentence,
                   uint32_t *present)
{
    int columns = templates->n_columns;
    size_t need = ((size_t)sentence->n + 2) * (size_t)columns;
    if (!DD_RESERVE(&tokens->values, &tokens->capacity, need)) return false;
    tokens->n = sentence->n;
    tokens->columns = columns;
    uint64_t *value = tokens->values;
    for (int i = 0; i < columns; i++) *value++ = root_value;
    for (int word = 1; word <= sentence->n; word++) {
        for (int i = 0; i < columns; i++) {
            const dd_token_column *rule = &templates->columns[i];
            dd_text cell = dd_cell(sentence, word, rule->column);
            bool blank = cell.size == 1 && *cell.data == '_';
            if (!blank) *present |= UINT32_C(1) << rule->column;
            *value++ = rule->feature.size ? hash_feature(cell, rule->feature) : hash_text(cell);
        }
    }
    for (int i = 0; i < columns; i++) *value++ = absent_value;
    return true;
}

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

/* A step from a node that is there. */
static int step_from(const dd_config *config, dd_node_rule rule, int parent)
{
    const dd_node *node = &config->nodes[parent];
    switch (rule.step) {
    case DD_STEP_HEAD: return node->head;
    case DD_STEP_LEFT: return node->left[rule.index];
    case DD_STEP_RIGHT: return node->right[rule.index];
    case DD_STEP_NEAR_LEFT: return node->near_left;
    case DD_STEP_NEAR_RIGHT: return node->near_right;
    case DD_STEP_PREVIOUS: return parent > 1 ? parent - 1 : DD_NONE;
    default: return parent > 0 && parent < config->n ? parent + 1 : DD_NONE;
    }
}

static int follow(const dd_config *config, dd_node_rule rule, const int *nodes,
                  const dd_candidate *candidate)
{
    switch (rule.step) {
    case DD_STEP_STACK: return dd_stack(config, rule.index);
    case DD_STEP_BUFFER: return dd_buffer_node(config, rule.index);
    case DD_STEP_FOCUS: return focus_node(config, rule.index);
    case DD_STEP_FIRST_OUTSIDE: return first_outside(config);
    case DD_STEP_LAST_OUTSIDE: return last_outside(config);
    case DD_STEP_MOVE_HEAD: return candidate->head;
    case DD_STEP_MOVE_DEPENDENT: return candidate->dependent;
    default: break;
    }
    int parent = nodes[rule.parent];
    return parent == DD_NONE ? DD_NONE : step_from(config, rule, parent);
}

/* 1, 2, 3, 4, 5-6, 7-10, more: near distances matter one by one, far ones do not. */
static uint64_t distance_step(int distance)
{
    if (distance < 0) distance = -distance;
    return distance <= 4 ? (uint64_t)distance : distance <= 6 ? 5 : distance <= 10 ? 7 : 11;
}

/* Small numbers, spread over 64 bits; `kind` keeps them apart from each other. */
static uint64_t hash_number(uint64_t number, uint64_t kind)
{
    uint64_t mixed = (number + (kind << 56) + 1) * UINT64_C(0xD6E8FEB86659FD93);
    return (mixed ^ (mixed >> 32)) | 1;
}

static uint64_t evaluate(const dd_config *config, dd_value_rule rule, const dd_extraction *x,
                         const dd_candidate *candidate)
{
    const int *nodes = x->nodes;
    int at = nodes[rule.node];
    if (at == DD_NONE) return absent_value;
    const dd_node *node = &config->nodes[at];
    switch (rule.kind) {
    case DD_VALUE_TOKEN: return x->words[rule.node][rule.column];
    case DD_VALUE_LABEL:
        return node->label == DD_NONE ? absent_value : hash_number((uint64_t)node->label, 1);
    case DD_VALUE_LEFTS: return hash_number(node->lefts, 2);
    case DD_VALUE_RIGHTS: return hash_number(node->rights, 3);
    case DD_VALUE_LEFT_LABELS: return hash_number(node->left_labels, 4);
    case DD_VALUE_RIGHT_LABELS: return hash_number(node->right_labels, 5);
    case DD_VALUE_PLACE: return hash_number(distance_step(candidate->place), 7);
    case DD_VALUE_REST: return hash_number(distance_step(candidate->rest), 8);
    default: break;
    }
    int other = nodes[rule.other];
    if (other == DD_NONE) return absent_value;
    int distance = dd_position_of(config, other) - dd_position_of(config, at);
    return hash_number(distance_step(distance), 6);
}

static void find_node(const dd_templates *templates, const dd_config *config,
                      const dd_tokens *tokens, int i, const dd_candidate *candidate,
                      dd_extraction *x)
{
    int node = follow(config, templates->nodes[i], x->nodes, candidate);
    size_t row = (size_t)(node == DD_NONE ? tokens->n + 1 : node);
    x->nodes[i] = node;
    x->words[i] = tokens->values + row * (size_t)tokens->columns;
}

static void multiply(const dd_templates *templates, dd_extraction *x, int from, int to)
{
    for (int i = from; i < to; i++) {
        dd_product rule = templates->products[i];
        uint64_t product = x->products[rule.before] * x->values[rule.value];
        x->products[i] = product ^ (product >> 32);
    }
}

static int make_keys(const dd_template *rules, int n_rules, const uint64_t *products,
                     uint64_t *keys)
{
    int count = 0;
    for (int t = 0; t < n_rules; t++) {
        keys[count] = products[rules[t].product] * rules[t].seed;
        count += keys[count] != 0;
    }
    return count;
}

int dd_extract(const dd_templates *templates, const dd_config *config, const dd_tokens *tokens,
               dd_extraction *x, uint64_t *keys)
{
    for (int i = 0; i < templates->n_nodes; i++)
        if (!templates->nodes[i].moving) find_node(templates, config, tokens, i, NULL, x);
    for (int i = 0; i < templates->n_words; i++) {
        dd_value_rule rule = templates->values[i];
        x->values[i] = x->words[rule.node][rule.column];
    }
    for (int i = templates->n_words; i < templates->n_values; i++)
        if (!templates->values[i].moving)
            x->values[i] = evaluate(config, templates->values[i], x, NULL);
    x->products[0] = 1;
    multiply(templates, x, 1, templates->n_settled);
    return make_keys(templates->templates, templates->n_templates, x->products, keys);
}

int dd_extract_move(const dd_templates *templates, const dd_config *config, const dd_tokens *tokens,
                    dd_candidate candidate, dd_extraction *x, uint64_t *keys)
{
    for (int i = 0; i < templates->n_nodes; i++)
        if (templates->nodes[i].moving) find_node(templates, config, tokens, i, &candidate, x);
    for (int i = templates->n_words; i < templates->n_values; i++)
        if (templates->values[i].moving)
            x->values[i] = evaluate(config, templates->values[i], x, &candidate);
    multiply(templates, x, templates->n_settled, templates->n_products);
    return make_keys(templates->move_templates, templates->n_move_templates, x->products, keys);
}
