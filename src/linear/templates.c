#include "linear/templates.h"

#include "core/memory.h"
#include "core/status.h"
#include "core/strings.h"
#include "text/utf8.h"

#include <dodona_tools.h>
#include <stdlib.h>
#include <string.h>

/* Where the parser stands, for messages. */
typedef struct reading {
    dd_templates *set;
    dd_template_items read;
    int n_templates;
    const char *name;
    uint64_t line;
    dd_error *error;
} reading;

static dd_status bad(const reading *r, const char *what, dd_text item)
{
    return dd_fail_at(r->error, DD_ERROR_FORMAT, r->name, r->line, 0, "%s '%s'", what,
                      dd_quote_text(item).text);
}

static dd_status add_node(reading *r, dd_node_rule rule, uint8_t *index)
{
    dd_templates *set = r->set;
    for (int i = 0; i < set->n_nodes; i++) {
        *index = (uint8_t)i;
        if (memcmp(&set->nodes[i], &rule, sizeof rule) == 0) return DD_OK;
    }
    if (set->n_nodes == DD_MAX_NODES)
        return dd_fail_at(r->error, DD_ERROR_FORMAT, r->name, r->line, 0,
                          "more than %d different nodes", DD_MAX_NODES);
    *index = (uint8_t)set->n_nodes;
    set->nodes[set->n_nodes++] = rule;
    return DD_OK;
}

/* Nodes with a number, S0..S9, and nodes without. */
static const struct {
    const char *name;
    dd_node_step step;
    bool numbered;
} bases[] = {
    {"S", DD_STEP_STACK, true},           {"B", DD_STEP_BUFFER, true},
    {"L", DD_STEP_FOCUS, true},           {"R", DD_STEP_BUFFER, true},
    {"W", DD_STEP_WAITING, true},         {"CL", DD_STEP_FIRST_OUTSIDE, false},
    {"CR", DD_STEP_LAST_OUTSIDE, false},  {"H", DD_STEP_MOVE_HEAD, false},
    {"D", DD_STEP_MOVE_DEPENDENT, false},
};

static dd_status read_base(reading *r, dd_text part, uint8_t *node)
{
    bool digit = part.size == 2 && part.data[1] >= '0' && part.data[1] <= '9';
    dd_text name = {part.data, digit ? 1 : part.size};
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
        if (!dd_text_is(name, bases[i].name) || digit != bases[i].numbered) continue;
        dd_node_rule rule = {.step = (uint8_t)bases[i].step,
                             .index = digit ? (uint8_t)(part.data[1] - '0') : 0};
        rule.moving = rule.step == DD_STEP_MOVE_HEAD || rule.step == DD_STEP_MOVE_DEPENDENT;
        return add_node(r, rule, node);
    }
    return bad(r, "expected a node such as S0, B0, L0 or H instead of", part);
}

/* True if the part is a step, such as h or l1. */
static bool read_step(dd_text part, dd_node_rule *rule)
{
    static const struct {
        const char *name;
        dd_node_step step;
        uint8_t index;
    } steps[] = {
        {"h", DD_STEP_HEAD, 0},        {"l1", DD_STEP_LEFT, 0},       {"l2", DD_STEP_LEFT, 1},
        {"r1", DD_STEP_RIGHT, 0},      {"r2", DD_STEP_RIGHT, 1},      {"ln", DD_STEP_NEAR_LEFT, 0},
        {"rn", DD_STEP_NEAR_RIGHT, 0}, {"prev", DD_STEP_PREVIOUS, 0}, {"next", DD_STEP_NEXT, 0},
    };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        if (!dd_text_is(part, steps[i].name)) continue;
        rule->step = (uint8_t)steps[i].step;
        rule->index = steps[i].index;
        return true;
    }
    return false;
}

/* Follows S0.l1.h..; *rest keeps what is not a step: the attribute. */
static dd_status read_node(reading *r, dd_text *rest, uint8_t *node)
{
    dd_status status = read_base(r, dd_text_cut(rest, '.'), node);
    while (status == DD_OK && rest->size > 0) {
        dd_text behind = *rest;
        dd_node_rule rule = {.parent = *node, .moving = r->set->nodes[*node].moving};
        if (!read_step(dd_text_cut(&behind, '.'), &rule)) break;
        *rest = behind;
        status = add_node(r, rule, node);
    }
    return status;
}

static dd_status add_column(reading *r, dd_column column, dd_text feature, uint8_t *index)
{
    dd_templates *set = r->set;
    for (int i = 0; i < set->n_columns; i++) {
        const dd_token_column *held = &set->columns[i];
        *index = (uint8_t)i;
        if (held->column == column && dd_text_same(held->feature, feature)) return DD_OK;
    }
    if (set->n_columns == DD_MAX_TOKEN_COLUMNS)
        return dd_fail_at(r->error, DD_ERROR_FORMAT, r->name, r->line, 0,
                          "more than %d different columns and features", DD_MAX_TOKEN_COLUMNS);
    *index = (uint8_t)set->n_columns;
    set->columns[set->n_columns++] = (dd_token_column){column, feature};
    return DD_OK;
}

static dd_status read_attribute(reading *r, dd_text part, dd_value_rule *rule)
{
    static const struct {
        const char *name;
        dd_value_kind kind;
        dd_column column;
    } attributes[] = {
        {"form", DD_VALUE_TOKEN, DD_FORM},
        {"lemma", DD_VALUE_TOKEN, DD_LEMMA},
        {"upos", DD_VALUE_TOKEN, DD_UPOS},
        {"xpos", DD_VALUE_TOKEN, DD_XPOS},
        {"feats", DD_VALUE_TOKEN, DD_FEATS},
        {"label", DD_VALUE_LABEL, DD_COLUMNS},
        {"lefts", DD_VALUE_LEFTS, DD_COLUMNS},
        {"rights", DD_VALUE_RIGHTS, DD_COLUMNS},
        {"leftset", DD_VALUE_LEFT_LABELS, DD_COLUMNS},
        {"rightset", DD_VALUE_RIGHT_LABELS, DD_COLUMNS},
        {"place", DD_VALUE_PLACE, DD_COLUMNS},
        {"rest", DD_VALUE_REST, DD_COLUMNS},
    };
    dd_text feature = part;
    dd_text name = dd_text_cut(&feature, ':');
    bool has_colon = name.size < part.size;
    if (has_colon && (feature.size == 0 || !dd_text_is(name, "feats")))
        return bad(r, "unknown attribute", part);
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        if (!dd_text_is(name, attributes[i].name)) continue;
        rule->kind = (uint8_t)attributes[i].kind;
        bool of_move = rule->kind == DD_VALUE_PLACE || rule->kind == DD_VALUE_REST;
        if (of_move && r->set->nodes[rule->node].step != DD_STEP_MOVE_HEAD)
            return bad(r, "only H has the attribute", part);
        if (rule->kind != DD_VALUE_TOKEN) return DD_OK;
        return add_column(r, attributes[i].column, feature, &rule->column);
    }
    return bad(r, "unknown attribute", part);
}

static dd_status read_distance(reading *r, dd_text item, dd_value_rule *rule)
{
    size_t open = sizeof "dist(" - 1;
    dd_text inner = {item.data + open, item.size - open - 1};
    dd_text first = dd_text_cut(&inner, ',');
    dd_status status = read_node(r, &first, &rule->node);
    if (status == DD_OK) status = read_node(r, &inner, &rule->other);
    if (status == DD_OK && (first.size || inner.size)) return bad(r, "expected two nodes in", item);
    rule->kind = DD_VALUE_DISTANCE;
    return status;
}

static dd_status read_value(reading *r, dd_text item, dd_value_rule *rule)
{
    size_t open = sizeof "dist(" - 1;
    if (item.size > open + 1 && memcmp(item.data, "dist(", open) == 0 &&
        item.data[item.size - 1] == ')')
        return read_distance(r, item, rule);
    dd_text rest = item;
    dd_status status = read_node(r, &rest, &rule->node);
    if (status != DD_OK) return status;
    if (rest.size == 0) return bad(r, "no attribute in", item);
    return read_attribute(r, rest, rule);
}

static dd_status add_item(reading *r, dd_text item)
{
    dd_templates *set = r->set;
    dd_value_rule rule = {0};
    dd_status status = read_value(r, item, &rule);
    if (status != DD_OK) return status;
    rule.moving = set->nodes[rule.node].moving ||
                  (rule.kind == DD_VALUE_DISTANCE && set->nodes[rule.other].moving);
    int index = 0;
    while (index < set->n_values && memcmp(&set->values[index], &rule, sizeof rule) != 0) index++;
    if (index == DD_MAX_VALUES)
        return dd_fail_at(r->error, DD_ERROR_FORMAT, r->name, r->line, 0,
                          "more than %d different items", DD_MAX_VALUES);
    if (index == set->n_values) set->values[set->n_values++] = rule;
    r->read.items[r->read.n_items++] = (uint16_t)index;
    return DD_OK;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static dd_text next_word(dd_text *line)
{
    while (line->size && is_blank(*line->data)) *line = (dd_text){line->data + 1, line->size - 1};
    dd_text word = {line->data, 0};
    while (word.size < line->size && !is_blank(word.data[word.size])) word.size++;
    *line = (dd_text){line->data + word.size, line->size - word.size};
    return word;
}

static dd_status read_line(reading *r, dd_text line)
{
    dd_template_items *read = &r->read;
    if (line.size && memchr(line.data, 0, line.size))
        return dd_fail_at(r->error, DD_ERROR_FORMAT, r->name, r->line, 0, "NUL byte");
    line = dd_text_cut(&line, '#');
    dd_text whole = line;
    int first = read->n_items;
    for (dd_text word; (word = next_word(&line)).size > 0;) {
        if (r->n_templates == DD_MAX_TEMPLATES)
            return dd_fail_at(r->error, DD_ERROR_FORMAT, r->name, r->line, 0,
                              "more than %d templates", DD_MAX_TEMPLATES);
        if (read->n_items - first == DD_MAX_ITEMS) return bad(r, "more than 8 items in", whole);
        dd_status status = add_item(r, word);
        if (status != DD_OK) return status;
    }
    if (read->n_items > first) read->first[++r->n_templates] = read->n_items;
    return DD_OK;
}

dd_status dd_templates_parse(dd_templates **out, const char *name, dd_text text, dd_error *error)
{
    dd_templates *set = dd_calloc(1, sizeof *set);
    if (!set || !(set->text = dd_copy_text(text.data, text.size))) {
        dd_templates_free(set);
        return dd_fail_memory(error);
    }
    set->text_size = text.size;
    reading r = {.set = set, .name = name, .error = error};
    dd_text rest = {set->text, set->text_size};
    dd_status status = DD_OK;
    while (status == DD_OK && rest.size > 0) {
        r.line++;
        status = read_line(&r, dd_text_cut(&rest, '\n'));
    }
    if (status == DD_OK && r.n_templates == 0)
        status = dd_fail(error, DD_ERROR_FORMAT, "%.200s: no templates", name);
    if (status == DD_OK) dd_templates_lay_out(set, &r.read, r.n_templates);
    if (status != DD_OK) {
        dd_templates_free(set);
        return status;
    }
    *out = set;
    return DD_OK;
}

void dd_templates_free(dd_templates *templates)
{
    if (!templates) return;
    free(templates->text);
    free(templates);
}

/* ---- built-in sets --------------------------------------------------------------------------- */

/* Made from the .templates files in this folder at build time. */
#include "builtin_templates.inc"

bool dd_templates_at(size_t index, const char **name, dd_text *text)
{
    if (index >= sizeof builtin_sets / sizeof *builtin_sets) return false;
    *name = builtin_sets[index].name;
    *text = (dd_text){builtin_sets[index].text, strlen(builtin_sets[index].text)};
    return true;
}

dd_text dd_templates_builtin(const char *wanted)
{
    const char *name;
    dd_text text;
    for (size_t i = 0; dd_templates_at(i, &name, &text); i++)
        if (strcmp(name, wanted) == 0) return text;
    return (dd_text){NULL, 0};
}
