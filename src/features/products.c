#include "features/products.h"

#include <xxhash.h>

static bool is_word(dd_value_rule rule)
{
    return rule.kind == DD_VALUE_TOKEN && !rule.moving;
}

/* Values of words first: extraction has a short way to them. */
static void order_values(dd_templates *set, dd_template_items *read)
{
    dd_value_rule ordered[DD_MAX_VALUES];
    uint16_t new_index[DD_MAX_VALUES];
    int count = 0;
    for (int words = 1; words >= 0; words--) {
        for (int i = 0; i < set->n_values; i++) {
            if (is_word(set->values[i]) != (words == 1)) continue;
            new_index[i] = (uint16_t)count;
            ordered[count++] = set->values[i];
        }
        if (words == 1) set->n_words = count;
    }
    for (int i = 0; i < count; i++) set->values[i] = ordered[i];
    for (int i = 0; i < read->n_items; i++) read->items[i] = new_index[read->items[i]];
}

/* Whether value a stands before b in a template: values of moves last, so that what is before them
 * is multiplied once for all moves, and frequent ones first, so that more is shared. */
static bool goes_before(const dd_templates *set, const int *uses, uint16_t a, uint16_t b)
{
    if (set->values[a].moving != set->values[b].moving) return set->values[b].moving;
    return uses[a] != uses[b] ? uses[a] > uses[b] : a < b;
}

static void order_items(const dd_templates *set, dd_template_items *read, int n_templates)
{
    int uses[DD_MAX_VALUES] = {0};
    for (int i = 0; i < read->n_items; i++) uses[read->items[i]]++;
    for (int t = 0; t < n_templates; t++) {
        uint16_t *items = read->items + read->first[t];
        int count = read->first[t + 1] - read->first[t];
        for (int i = 1; i < count; i++) {
            uint16_t held = items[i];
            int at = i;
            for (; at > 0 && goes_before(set, uses, held, items[at - 1]); at--)
                items[at] = items[at - 1];
            items[at] = held;
        }
    }
}

static uint16_t find_product(dd_templates *set, uint16_t before, uint16_t value)
{
    for (int i = 1; i < set->n_products; i++)
        if (set->products[i].before == before && set->products[i].value == value)
            return (uint16_t)i;
    set->products[set->n_products] = (dd_product){before, value};
    return (uint16_t)set->n_products++;
}

/* The product of a template's values, as far as they do not differ from move to move, or all. */
static uint16_t multiply(dd_templates *set, const dd_template_items *read, int t, bool moving)
{
    uint16_t product = 0;
    for (int i = read->first[t]; i < read->first[t + 1]; i++)
        if (moving || !set->values[read->items[i]].moving)
            product = find_product(set, product, read->items[i]);
    return product;
}

void dd_templates_multiply(dd_templates *set, dd_template_items *read, int n_templates)
{
    order_values(set, read);
    order_items(set, read, n_templates);
    set->n_products = 1;
    for (int t = 0; t < n_templates; t++) multiply(set, read, t, false);
    set->n_settled = set->n_products;
    for (int t = 0; t < n_templates; t++) {
        bool moving = set->values[read->items[read->first[t + 1] - 1]].moving;
        dd_template rule = {
            .seed = XXH3_64bits_withSeed("template", 8, (XXH64_hash_t)t) | 1,
            .product = multiply(set, read, t, true),
        };
        if (moving)
            set->move_templates[set->n_move_templates++] = rule;
        else
            set->templates[set->n_templates++] = rule;
    }
}
