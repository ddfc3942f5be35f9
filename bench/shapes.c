#include "shapes.h"

#include "core/memory.h"
#include "systems/registry.h"

#include <stdlib.h>
#include <string.h>

void shape_counter_free(shape_counter *counter)
{
    dd_spine_table_free(&counter->table);
    free(counter->scratch);
    *counter = (shape_counter){0};
}

int right_stack_size(const dd_config *config, const dd_gold *gold, int32_t *marks)
{
    int size = 0;
    if (config->front == 0) return 1; /* all belongs to 0, which waits itself */
    memset(marks, 0, ((size_t)config->n + 1) * sizeof *marks);
    for (int k = 0; k < config->depth; k++) {
        int head = gold->heads[config->stack[k]];
        if (config->stack[k] > 0) marks[head] = 1;
    }
    for (int word = config->front; word <= config->n; word++) {
        int head = gold->heads[word];
        if (head >= config->front && !marks[word]) continue;
        marks[head] = 1;
        size++;
    }
    return size;
}

/* What a complete gold subtree has in the buffer. */
typedef struct subtrees {
    int32_t *order;         /* [n + 1] heads before their dependents */
    int32_t *count;         /* [n + 1] buffer words in the subtree of each node */
    int32_t *first, *end;   /* [n + 1] span of these words */
    int32_t *arcs_to_stack; /* [n + 1] gold arcs in the subtree from a buffer word to the stack */
    int32_t *gone;          /* [n + 1] reduced to a node above */
} subtrees;

static void order_nodes(const dd_gold *gold, int32_t *order)
{
    int count = 0;
    order[count++] = 0;
    for (int at = 0; at < count; at++)
        for (int d = gold->first[order[at]]; d < gold->first[order[at] + 1]; d++)
            order[count++] = gold->dependents[d];
}

/* Sums over the subtrees, from the leaves to the root. */
static void sum_subtrees(subtrees *s, const dd_config *config, const dd_gold *gold)
{
    for (int node = 0; node <= config->n; node++) {
        bool waits = node >= config->front;
        s->count[node] = waits;
        s->first[node] = waits ? node : config->n + 1;
        s->end[node] = waits ? node + 1 : 0;
        s->arcs_to_stack[node] = 0;
    }
    for (int at = config->n; at >= 1; at--) {
        int word = s->order[at], head = gold->heads[word];
        bool head_waits = head >= config->front;
        s->count[head] += s->count[word];
        if (s->first[word] < s->first[head]) s->first[head] = s->first[word];
        if (s->end[word] > s->end[head]) s->end[head] = s->end[word];
        s->arcs_to_stack[head] +=
            s->arcs_to_stack[word] + (head_waits && config->nodes[word].on_stack);
    }
}

/* Bottom-up completeness and zero gap-degree. Arcs from the subtree's own root to the stack do no
 * harm. */
static bool is_reducible(const subtrees *s, const dd_config *config, const dd_gold *gold, int node)
{
    int own = 0;
    for (int d = gold->first[node]; d < gold->first[node + 1]; d++)
        own += config->nodes[gold->dependents[d]].on_stack;
    return s->arcs_to_stack[node] == own && s->end[node] - s->first[node] == s->count[node];
}

int reduced_buffer_size(const dd_config *config, const dd_gold *gold, int32_t *scratch)
{
    int nodes = config->n + 1, size = 0;
    subtrees s = {scratch,
                  scratch + nodes,
                  scratch + 2 * nodes,
                  scratch + 3 * nodes,
                  scratch + 4 * nodes,
                  scratch + 5 * nodes};
    if (config->front == 0) return 1; /* as above */
    order_nodes(gold, s.order);
    sum_subtrees(&s, config, gold);
    s.gone[0] = 0;
    for (int at = 1; at <= config->n; at++) {
        int word = s.order[at], head = gold->heads[word];
        bool head_waits = head >= config->front;
        s.gone[word] = s.gone[head] || (head_waits && is_reducible(&s, config, gold, head));
        size += word >= config->front && !s.gone[word];
    }
    return size;
}

static void raise_to(int *largest, int value)
{
    if (value > *largest) *largest = value;
}

static bool add_table(shape_counter *counter, const dd_config *config, const dd_gold *gold)
{
    shapes *to = &counter->sums;
    dd_spine_table *table = &counter->table;
    dd_spine_rules rules = {.drop_useless = true, .drop_dominated = true};
    int loss;
    if (!dd_spine_table_fill(table, config, gold, rules, &loss)) return false;
    to->tables++;
    for (int d = 0; d < table->diagonals; d++)
        raise_to(&to->longest[d < SHAPE_DIAGONALS ? d : SHAPE_DIAGONALS - 1], table->longest[d]);
    return true;
}

bool shape_counter_knows(const dd_system *system)
{
    return system == &dd_arc_standard || system == &dd_lr_spine || system == &dd_attardi;
}

bool shape_counter_add(shape_counter *counter, const dd_config *config, const dd_gold *gold)
{
    shapes *to = &counter->sums;
    if (gold->unknown > 0) return true;
    if (!DD_RESERVE(&counter->scratch, &counter->capacity, 6 * ((size_t)config->n + 1)))
        return false;
    int buffer = config->end - config->front;
    int reduced = counter->system == &dd_attardi
                      ? reduced_buffer_size(config, gold, counter->scratch)
                      : right_stack_size(config, gold, counter->scratch);
    to->configurations++;
    to->stack += (uint64_t)config->depth;
    to->buffer += (uint64_t)buffer;
    to->reduced += (uint64_t)reduced;
    raise_to(&to->largest_stack, config->depth);
    raise_to(&to->largest_buffer, buffer);
    raise_to(&to->largest_reduced, reduced);
    to->share += (double)(config->depth + reduced) / config->n;
    bool due =
        counter->tables_every > 0 && to->configurations % (uint64_t)counter->tables_every == 0;
    return !due || counter->system != &dd_lr_spine || add_table(counter, config, gold);
}
