#include "linear/templates.h"

#include <string.h>
#include <xxhash.h>

/* Nodes of moves last; the node that another starts from stays before it. */
static void order_nodes(dd_templates *set)
{
    dd_node_rule ordered[DD_MAX_NODES];
    uint8_t new_index[DD_MAX_NODES];
    int count = 0;
    for (int moving = 0; moving <= 1; moving++) {
        for (int i = 0; i < set->n_nodes; i++) {
            if (set->nodes[i].moving != moving) continue;
            new_index[i] = (uint8_t)count;
            ordered[count] = set->nodes[i];
            ordered[count++].parent = new_index[set->nodes[i].parent];
        }
        if (moving == 0) set->n_settled_nodes = count;
    }
    for (int i = 0; i < count; i++) set->nodes[i] = ordered[i];
    for (int i = 0; i < set->n_values; i++) {
        set->values[i].node = new_index[set->values[i].node];
        set->values[i].other = new_index[set->values[i].other];
    }
}

/* Values of words first, as extraction has a short way to them, and those of moves last. */
static int rank_of(dd_value_rule rule)
{
    return rule.kind == DD_VALUE_TOKEN ? 0 : rule.moving ? 2 : 1;
}

static void order_values(dd_templates *set, dd_template_items *read)
{
    dd_value_rule ordered[DD_MAX_VALUES];
    uint16_t new_index[DD_MAX_VALUES];
    int count = 0, ends[3];
    for (int rank = 0; rank < 3; rank++) {
        for (int i = 0; i < set->n_values; i++) {
            if (rank_of(set->values[i]) != rank) continue;
            new_index[i] = (uint16_t)count;
            ordered[count++] = set->values[i];
        }
        ends[rank] = count;
    }
    set->n_words = ends[0];
    set->n_settled = ends[1];
    for (int i = 0; i < count; i++) set->values[i] = ordered[i];
    for (int i = 0; i < read->n_items; i++) read->items[i] = new_index[read->items[i]];
}

static bool is_moving(const dd_templates *set, const dd_template_items *read, int t)
{
    for (int i = read->first[t]; i < read->first[t + 1]; i++)
        if (set->values[read->items[i]].moving) return true;
    return false;
}

/* ---- which templates stand together ---- */

typedef struct grouping {
    const dd_templates *set;
    const dd_template_items *read;
    bool in_group[DD_MAX_VALUES]; /* values of the group at hand */
} grouping;

/* Values that a template would add to the group. */
static int new_values(const grouping *g, int t)
{
    int count = 0;
    for (int i = g->read->first[t]; i < g->read->first[t + 1]; i++)
        count += !g->in_group[g->read->items[i]];
    return count;
}

static void join(grouping *g, int t)
{
    for (int i = g->read->first[t]; i < g->read->first[t + 1]; i++)
        g->in_group[g->read->items[i]] = true;
}

/* Each group has one term for each of its values, so templates with the same values shall stand
 * together: the next one is always one that adds the fewest. `order` has the templates in their
 * order in the text. */
static void gather(const dd_templates *set, const dd_template_items *read, int *order, int count)
{
    grouping g = {.set = set, .read = read};
    for (int at = 0; at < count; at++) {
        if (at % DD_KEY_LANES == 0) memset(g.in_group, 0, sizeof g.in_group);
        int best = at;
        for (int i = at + 1; i < count && at % DD_KEY_LANES != 0; i++)
            if (new_values(&g, order[i]) < new_values(&g, order[best])) best = i;
        int chosen = order[best];
        memmove(order + at + 1, order + at, (size_t)(best - at) * sizeof *order);
        order[at] = chosen;
        join(&g, chosen);
    }
}

/* ---- terms ---- */

/* Odd, so that no value is lost by it. It depends on the place in the text alone, so that keys do
 * not depend on the layout. */
static uint32_t factor_of(int t, int item)
{
    uint16_t place[2] = {(uint16_t)t, (uint16_t)item};
    return (uint32_t)(XXH3_64bits(place, sizeof place) >> 32) | 1;
}

static void add_factor(dd_terms *terms, int group, int lane, uint16_t place, uint32_t factor)
{
    uint16_t *end = &terms->first[group + 1];
    uint16_t at = terms->first[group];
    while (at < *end && terms->places[at] != place) at++;
    if (at == *end) terms->places[(*end)++] = place;
    terms->factors[at][lane] += factor;
}

/* Terms are hashed two by two, so the group before is filled up with one that adds nothing. */
static void begin_group(dd_terms *terms, int group)
{
    uint16_t start = terms->first[group];
    if (start % 2) terms->places[start++] = 0;
    terms->first[group] = terms->first[group + 1] = start;
}

static void add_lane(dd_lane_set *set, int lane)
{
    set->words[lane / 64] |= UINT64_C(1) << lane % 64;
}

/* What must be there for the template to give a key. */
static void note_needs(const dd_templates *set, dd_layout *layout, uint16_t value, int lane)
{
    dd_value_rule rule = set->values[value];
    add_lane(&layout->without_node[rule.node], lane);
    if (rule.kind == DD_VALUE_DISTANCE) add_lane(&layout->without_node[rule.other], lane);
    if (rule.kind == DD_VALUE_LABEL) add_lane(&layout->without_value[value], lane);
}

static void lay_out(const dd_templates *set, const dd_template_items *read, bool moving, int n,
                    dd_layout *layout)
{
    int order[DD_MAX_TEMPLATES];
    for (int t = 0; t < n; t++)
        if (is_moving(set, read, t) == moving) order[layout->n_templates++] = t;
    gather(set, read, order, layout->n_templates);
    layout->n_groups = (layout->n_templates + DD_KEY_LANES - 1) / DD_KEY_LANES;
    for (int lane = 0; lane < layout->n_groups * DD_KEY_LANES; lane++)
        add_lane(&layout->all_groups, lane);
    for (int lane = 0; lane < layout->n_templates; lane++) {
        int t = order[lane], group = lane / DD_KEY_LANES;
        if (lane % DD_KEY_LANES == 0) {
            begin_group(&layout->settled, group);
            begin_group(&layout->moving, group);
        }
        add_lane(&layout->lanes, lane);
        layout->templates[lane] = (uint16_t)t;
        for (int i = read->first[t]; i < read->first[t + 1]; i++) {
            uint16_t value = read->items[i];
            dd_terms *terms = set->values[value].moving ? &layout->moving : &layout->settled;
            add_factor(terms, group, lane % DD_KEY_LANES, (uint16_t)dd_value_place(set, value),
                       factor_of(t, i - read->first[t]));
            note_needs(set, layout, value, lane);
        }
    }
}

void dd_templates_lay_out(dd_templates *set, dd_template_items *read, int n_templates)
{
    order_nodes(set);
    order_values(set, read);
    set->stride = (set->n_columns + DD_VALUE_GROUP - 1) / DD_VALUE_GROUP * DD_VALUE_GROUP;
    set->kernels = dd_kernels_best();
    lay_out(set, read, false, n_templates, &set->of_configuration);
    lay_out(set, read, true, n_templates, &set->of_moves);
    for (int i = 0; i < 2; i++) {
        dd_layout *layout = i == 0 ? &set->of_configuration : &set->of_moves;
        begin_group(&layout->settled, layout->n_groups);
        begin_group(&layout->moving, layout->n_groups);
    }
    set->n_templates = set->of_configuration.n_templates;
    set->n_move_templates = set->of_moves.n_templates;
}
