#include "slow_beam.h"

#include "core/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { MOST_MOVES = 512 };

int32_t slow_gain(const scenario *s, const dd_config *config, dd_move move, int class_id)
{
    uint64_t hash = s->seed;
    int32_t facts[] = {config->depth, config->front, config->focus, move.kind, move.k, class_id};
    hash = XXH3_64bits_withSeed(facts, sizeof facts, hash);
    hash = XXH3_64bits_withSeed(config->stack, (size_t)config->depth * sizeof *config->stack, hash);
    for (int word = 1; word <= config->n; word++) {
        int32_t arc[] = {config->nodes[word].head, config->nodes[word].label};
        hash = XXH3_64bits_withSeed(arc, sizeof arc, hash);
    }
    int gain = (int)(hash % (uint64_t)(2 * s->range + 1)) - s->range;
    return gain + (move.kind == 0 ? s->shift_gain : 0);
}

static void score(const scenario *s, dd_decoder *decoder)
{
    const dd_inventory *inventory = s->inventory;
    const dd_view *view = &decoder->view;
    for (int id = 0; id < inventory->n_classes; id++) {
        dd_move move = {inventory->classes[id].kind, 0};
        bool arcless = inventory->classes[id].label == DD_NONE;
        view->scores[id] = view->by_move && !arcless ? 0 : slow_gain(s, &decoder->config, move, id);
    }
    for (int m = 0; view->by_move && m < view->n_moves; m++)
        for (int id = 0; id < inventory->n_classes; id++)
            dd_decoder_scores(decoder, m)[id] = slow_gain(s, &decoder->config, view->moves[m], id);
}

bool slow_score(void *user, dd_decoder *const *decoders, int count)
{
    const scenario *s = user;
    dd_view *views[DD_SCORED_TOGETHER];
    if (!dd_decoders_list_views(decoders, count, s->inventory->system->moves.most, views))
        return false;
    for (int i = 0; i < count; i++) score(s, decoders[i]);
    return true;
}

/* The root-label rule of inventory.h, told again. */
static bool serves(const dd_inventory *inventory, dd_move move, dd_arc arc, int id)
{
    const dd_system *system = inventory->system;
    dd_class class = inventory->classes[id];
    if (class.kind != move.kind) return false;
    if (arc.dependent == DD_NONE || class.label == DD_NONE)
        return arc.dependent == DD_NONE && class.label == DD_NONE;
    int seen = inventory->seen[class.label];
    if (arc.head == 0) return seen & DD_SEEN_ROOT;
    bool left = system->rules[move.kind].direction == DD_LEFT_ARC;
    return seen & (left ? DD_SEEN_LEFT : DD_SEEN_RIGHT);
}

typedef struct option {
    int64_t score;
    int32_t gain;
    size_t parent, order;
    dd_move move;
    int class_id;
} option;

typedef struct option_list {
    option *options;
    size_t count, capacity;
} option_list;

static bool has_pairs(const scenario *s)
{
    return strcmp(s->inventory->system->transitions, "SH NA LA RA") == 0;
}

/* Gains count from that of NA, where there is one. */
static int32_t gain_from(const scenario *s, const dd_config *config, dd_move move, int id)
{
    int32_t gain = slow_gain(s, config, move, id);
    for (int other = 0; has_pairs(s) && other < s->inventory->n_classes; other++)
        if (s->inventory->classes[other].kind == 1)
            gain -= slow_gain(s, config, (dd_move){1, 0}, other);
    return gain;
}

/* Whether another item of Covington's systems has more pairs of words before it. */
static bool waits(const scenario *s, const slow_list *list, const slow_item *item)
{
    for (size_t i = 0; has_pairs(s) && i < list->count; i++) {
        const dd_config *other = &list->items[i].config;
        if (other->front < item->config.front) return true;
        if (other->front == item->config.front && other->focus > item->config.focus) return true;
    }
    return false;
}

/* The only transition of a configuration where there is nothing to decide; it is not scored. */
static const dd_move *idle_move(const dd_system *system, const dd_config *config,
                                const dd_move *moves, int n_moves)
{
    int kind = system->search.idle ? system->search.idle(config) : DD_NONE;
    for (int m = 0; m < n_moves; m++)
        if ((n_moves == 1 || moves[m].kind == kind) &&
            dd_system_arc(system, config, moves[m]).dependent == DD_NONE)
            return &moves[m];
    return NULL;
}

/* What can follow an item; one that waits or is finished follows itself. */
static void list_options(const scenario *s, const slow_list *list, size_t parent, option_list *out)
{
    dd_move moves[MOST_MOVES];
    slow_item *item = &list->items[parent];
    const dd_inventory *inventory = s->inventory;
    int n_moves = dd_system_permissible(inventory->system, &item->config, moves);
    bool waiting = waits(s, list, item);
    item->final = !waiting && inventory->system->final(&item->config);
    if (waiting || item->final) {
        if (!DD_RESERVE(&out->options, &out->capacity, out->count + 1)) abort();
        out->options[out->count] = (option){item->score, 0, parent, out->count, {DD_NONE, 0}, 0};
        out->count++;
        return;
    }
    const dd_move *idle =
        has_pairs(s) ? idle_move(inventory->system, &item->config, moves, n_moves) : NULL;
    for (int m = 0; m < n_moves; m++) {
        if (idle && idle != &moves[m]) continue;
        dd_arc arc = dd_system_arc(inventory->system, &item->config, moves[m]);
        for (int id = 0; id < inventory->n_classes; id++) {
            if (!serves(inventory, moves[m], arc, id)) continue;
            int32_t gain = idle ? 0 : gain_from(s, &item->config, moves[m], id);
            if (!DD_RESERVE(&out->options, &out->capacity, out->count + 1)) abort();
            out->options[out->count] =
                (option){item->score + gain, gain, parent, out->count, moves[m], id};
            out->count++;
        }
    }
}

static float margin_of(const option_list *list, const option *chosen, double unit)
{
    double other = -INFINITY;
    for (size_t i = 0; i < list->count; i++)
        if (list->options[i].parent == chosen->parent && &list->options[i] != chosen)
            other = fmax(other, list->options[i].gain);
    return (float)((chosen->gain - other) * unit);
}

static void add_item(const scenario *s, slow_list *list, const slow_item *from, const option *how,
                     float margin)
{
    size_t nodes = (size_t)s->n + 1;
    if (!DD_RESERVE(&list->items, &list->capacity, list->count + 1)) abort();
    slow_item *item = &list->items[list->count++];
    *item = (slow_item){.score = how->score, .final = from->final};
    item->margins = malloc(nodes * sizeof *item->margins);
    memcpy(item->margins, from->margins, nodes * sizeof *item->margins);
    if (!dd_config_copy(&item->config, &from->config)) abort();
    if (how->move.kind == DD_NONE) return;
    const dd_system *system = s->inventory->system;
    dd_arc arc = dd_system_arc(system, &item->config, how->move);
    if (arc.dependent != DD_NONE) item->margins[arc.dependent] = margin;
    dd_system_apply(system, &item->config, how->move, s->inventory->classes[how->class_id].label);
}

static void begin(const scenario *s, slow_list *list)
{
    *list = (slow_list){0};
    if (!DD_RESERVE(&list->items, &list->capacity, 1)) abort();
    list->items[0] = (slow_item){.margins = malloc(((size_t)s->n + 1) * sizeof(float))};
    for (int word = 0; word <= s->n; word++) list->items[0].margins[word] = INFINITY;
    if (!dd_system_begin(s->inventory->system, &list->items[0].config, s->n, s->single_root))
        abort();
    list->count = 1;
}

void slow_free(slow_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        dd_config_free(&list->items[i].config);
        free(list->items[i].margins);
    }
    free(list->items);
    *list = (slow_list){0};
}

static int by_score(const void *one, const void *other)
{
    const option *a = one, *b = other;
    if (a->score != b->score) return a->score > b->score ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

/* One round; false when nothing is left to do. */
static bool advance(const scenario *s, size_t width, slow_list *list)
{
    option_list all = {0};
    slow_list next = {0};
    bool finished = true;
    for (size_t i = 0; i < list->count; i++) list_options(s, list, i, &all);
    for (size_t i = 0; i < list->count; i++) finished &= list->items[i].final;
    if (!finished && all.count > 0) {
        option_list sorted = {malloc(all.count * sizeof(option)), all.count, 0};
        memcpy(sorted.options, all.options, all.count * sizeof(option));
        qsort(sorted.options, sorted.count, sizeof(option), by_score);
        for (size_t i = 0; i < sorted.count && i < width; i++) {
            const option *chosen = &all.options[sorted.options[i].order];
            add_item(s, &next, &list->items[chosen->parent], chosen, margin_of(&all, chosen, 1));
        }
        free(sorted.options);
        slow_free(list);
        *list = next;
    }
    bool more = !finished && all.count > 0;
    free(all.options);
    return more;
}

void slow_beam(const scenario *s, int width, slow_list *out)
{
    begin(s, out);
    while (advance(s, (size_t)width, out))
        ;
}

void slow_all(const scenario *s, slow_list *out)
{
    begin(s, out);
    while (advance(s, SIZE_MAX, out))
        ;
}
