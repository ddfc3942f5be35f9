#include "neural/neural.h"

#include "core/memory.h"
#include "neural/run.h"

#include <stdlib.h>
#include <string.h>

/* ---- slots -------------------------------------------------------------------------------- */

void dd_slots_free(dd_slots *slots)
{
    dd_templates_free(slots->templates);
    *slots = (dd_slots){0};
}

/* A template of one slot's form for each. */
static bool write_templates(dd_text names, dd_buffer *out, int *count)
{
    *count = 0;
    while (names.size > 0) {
        const char *gap = memchr(names.data, ' ', names.size);
        size_t size = gap ? (size_t)(gap - names.data) : names.size, used = size + (gap != NULL);
        if (!dd_buffer_append(out, names.data, size) || !dd_buffer_text(out, ".form\n"))
            return false;
        names = (dd_text){names.data + used, names.size - used};
        ++*count;
    }
    return true;
}

dd_status dd_slots_read(dd_slots *slots, dd_text names, dd_error *error)
{
    dd_buffer text = {0};
    dd_status status = DD_ERROR_MEMORY;
    if (write_templates(names, &text, &slots->count))
        status =
            dd_templates_parse(&slots->templates, "slots", (dd_text){text.data, text.size}, error);
    else
        dd_fail_memory(error);
    dd_buffer_free(&text);
    if (status != DD_OK) return status;
    const dd_templates *set = slots->templates;
    bool fits = slots->count <= DD_MAX_SLOTS && set->n_values == slots->count;
    for (int i = 0; fits && i < slots->count; i++) {
        slots->node[i] = set->values[i].node;
        slots->heads += set->values[i].moving;
        fits = !set->values[i].moving || set->nodes[slots->node[i]].step == DD_STEP_MOVE_HEAD;
    }
    return fits ? DD_OK : dd_fail(error, DD_ERROR_MODEL, "the list of slots is damaged");
}

void dd_slots_find(const dd_slots *slots, const dd_config *config, int *nodes)
{
    int found[DD_MAX_NODES];
    dd_find_nodes(slots->templates, config, found);
    for (int i = 0; i < slots->count; i++)
        nodes[i] = i < slots->count - slots->heads ? found[slots->node[i]] : DD_NONE;
}

/* ---- weights ------------------------------------------------------------------------------ */

typedef struct network {
    dd_frozen frozen;
    dd_coder coder;
    dd_slots slots;
    const dd_inventory *inventory;
    const dd_kernels *kernels;
} network;

static void unmap(void *handle)
{
    network *n = handle;
    if (!n) return;
    dd_coder_free(&n->coder);
    dd_slots_free(&n->slots);
    free(n);
}

static bool fits(const network *n)
{
    const dd_frozen_header *h = &n->frozen.header;
    return h->slots == (uint32_t)n->slots.count &&
           h->outputs == (uint32_t)n->inventory->system->n_rules &&
           h->labels == (uint32_t)n->inventory->labels.count;
}

static dd_status map_sections(network *n, const dd_sections *sections, uint32_t columns,
                              dd_error *error)
{
    const dd_network_names names = {"network", "symbols"};
    dd_text slots;
    if (!dd_sections_find(sections, "slots", &slots))
        return dd_fail(error, DD_ERROR_MODEL, "a section is missing");
    dd_status status = dd_frozen_find(&n->frozen, &n->coder, sections, &names, columns, error);
    if (status == DD_OK) status = dd_slots_read(&n->slots, slots, error);
    if (status == DD_OK && !fits(n))
        return dd_fail(error, DD_ERROR_MODEL, "the network does not fit its slots and labels");
    return status;
}

static dd_status map(void **out, const dd_sections *sections, const dd_inventory *inventory,
                     uint32_t columns, dd_error *error)
{
    network *n = dd_calloc(1, sizeof *n);
    if (!n) return dd_fail_memory(error);
    n->inventory = inventory;
    n->kernels = dd_kernels_best();
    dd_status status = map_sections(n, sections, columns, error);
    if (status == DD_OK)
        *out = n;
    else
        unmap(n);
    return status;
}

static double unit(const void *frozen)
{
    return ((const network *)frozen)->frozen.header.unit;
}

static bool by_move(const void *frozen)
{
    return ((const network *)frozen)->slots.heads > 0;
}

static void choose_kernels(void *frozen, const dd_kernels *kernels)
{
    ((network *)frozen)->kernels = kernels;
}

/* ---- scoring ------------------------------------------------------------------------------ */

typedef struct space {
    const network *network;
    dd_codes codes;
    dd_network_run run;
    int16_t *units;  /* [largest of hidden and label_hidden] */
    int32_t *labels; /* [labels] */
    int32_t *moves;  /* [moves of a view] */
    size_t moves_capacity;
} space;

static void space_free(void *handle)
{
    space *s = handle;
    if (!s) return;
    dd_codes_free(&s->codes);
    dd_network_run_free(&s->run);
    free(s->units);
    free(s->labels);
    free(s->moves);
    free(s);
}

static dd_status space_new(void **out, const void *frozen, dd_error *error)
{
    const network *n = frozen;
    const dd_frozen_header *h = &n->frozen.header;
    space *s = dd_calloc(1, sizeof *s);
    if (!s) return dd_fail_memory(error);
    s->network = n;
    dd_network_run_start(&s->run, &n->frozen, n->kernels);
    s->units =
        dd_calloc(h->hidden > h->label_hidden ? h->hidden : h->label_hidden, sizeof *s->units);
    s->labels = dd_calloc(h->labels, sizeof *s->labels);
    if (!s->units || !s->labels) {
        space_free(s);
        return dd_fail_memory(error);
    }
    *out = s;
    return DD_OK;
}

static bool prepare(void *handle, const dd_sentence *const *sentences, size_t count)
{
    space *s = handle;
    return dd_codes_set(&s->codes, &s->network->coder, sentences, count) &&
           dd_network_run_encode(&s->run, &s->codes);
}

enum { MOST_SCORE = 1000000000 };

static int32_t cut(int32_t score)
{
    return score > MOST_SCORE ? MOST_SCORE : score < -MOST_SCORE ? -MOST_SCORE : score;
}

/* What an arc adds to the score of the move that builds it. */
static int32_t score_pair(space *s, const dd_view *view, int dependent, int head)
{
    const dd_frozen *f = &s->network->frozen;
    const int32_t nothing = 0;
    size_t pairs = f->header.pairs, at = dd_network_pairs_at(&f->shape);
    int32_t product;
    if (pairs == 0 || dependent == DD_NONE || head == DD_NONE) return 0;
    s->run.kernels->outputs(pairs, dd_network_run_slots(&s->run, view->sentence, dependent) + at, 1,
                            dd_network_run_slots(&s->run, view->sentence, head) + at + pairs,
                            &nothing, &product);
    float score = (float)product * (float)f->header.pair_unit;
    return score > 1e9f ? MOST_SCORE : score < -1e9f ? -MOST_SCORE : (int32_t)score;
}

/* With what its arc adds, less what the arc had added that it replaces. */
static int32_t add_arc(space *s, const dd_view *view, int move, int32_t score)
{
    dd_candidate arc = view->arcs[move];
    score = cut(score + score_pair(s, view, arc.dependent, arc.head));
    return cut(score - score_pair(s, view, arc.dependent, dd_view_old_head(view, move)));
}

/* scores[outputs] of all kinds of moves. */
static void score_nodes(space *s, const dd_view *view, const int *nodes, int32_t *scores)
{
    dd_network_run_outputs(&s->run, view->sentence, nodes, s->units, scores);
    for (uint32_t o = 0; o < s->network->frozen.header.outputs; o++) scores[o] = cut(scores[o]);
}

static void score_labels(space *s, const dd_view *view, dd_candidate arc)
{
    const dd_frozen *f = &s->network->frozen;
    const dd_kernels *kernels = s->run.kernels;
    size_t hidden = f->header.label_hidden,
           at = dd_network_pairs_at(&f->shape) + 2 * (size_t)f->header.pairs;
    const int16_t *rows[] = {f->label_bias,
                             dd_network_run_slots(&s->run, view->sentence, arc.dependent) + at,
                             dd_network_run_slots(&s->run, view->sentence, arc.head) + at + hidden};
    kernels->rectify(hidden, rows, 3, s->units);
    kernels->outputs(hidden, s->units, f->header.labels, f->label_weights, f->labels_bias,
                     s->labels);
}

/* A move counts with its best label; the others fall behind it. */
static void score_classes(space *s, const dd_view *view, int move, int32_t score, bool labels)
{
    const dd_inventory *inventory = s->network->inventory;
    dd_candidate arc = view->arcs[move];
    dd_class_list list = dd_classes_of(inventory, view->moves[move].kind,
                                       dd_use_of((dd_arc){arc.head, arc.dependent}));
    float unit_of_labels = (float)s->network->frozen.header.label_unit;
    int32_t best = INT32_MIN, *row = dd_view_row(view, move, inventory->n_classes);
    if (arc.dependent == DD_NONE || !labels) {
        for (int i = 0; i < list.count; i++) row[list.first + i] = score;
        return;
    }
    score_labels(s, view, arc);
    for (int i = 0; i < list.count; i++) {
        int32_t label = s->labels[inventory->classes[list.first + i].label];
        if (label > best) best = label;
    }
    for (int i = 0; i < list.count; i++) {
        int64_t behind = (int64_t)s->labels[inventory->classes[list.first + i].label] - best;
        float less = (float)behind * unit_of_labels;
        row[list.first + i] = score + (less < -1e9f ? -MOST_SCORE : (int32_t)less);
    }
}

static void score_moves(space *s, const dd_view *view)
{
    const dd_inventory *inventory = s->network->inventory;
    const dd_slots *slots = &s->network->slots;
    int32_t scores[DD_MAX_KINDS];
    int nodes[DD_MAX_SLOTS];
    dd_slots_find(slots, view->config, nodes);
    score_nodes(s, view, nodes, scores);
    if (inventory->going_on != DD_NONE)
        view->scores[inventory->going_on] = scores[inventory->classes[inventory->going_on].kind];
    for (int m = 0; m < view->n_moves; m++) {
        if (slots->heads > 0) {
            dd_slots_take_move(slots, view->arcs[m], nodes);
            score_nodes(s, view, nodes, scores);
        }
        s->moves[m] = add_arc(s, view, m, scores[view->moves[m].kind]);
    }
}

/* Labels do not change which move is best, and take most of the time. */
static bool score_view(space *s, const dd_view *view)
{
    const dd_frozen_header *header = &s->network->frozen.header;
    int best = 0;
    if (!DD_RESERVE(&s->moves, &s->moves_capacity, (size_t)view->n_moves)) return false;
    score_moves(s, view);
    if (header->normal && !view->best_only && view->n_moves > 0)
        dd_normalise(s->moves, view->n_moves, header->unit);
    for (int m = 1; m < view->n_moves; m++)
        if (s->moves[m] > s->moves[best]) best = m;
    for (int m = 0; m < view->n_moves; m++)
        score_classes(s, view, m, s->moves[m], !view->best_only || m == best);
    return true;
}

static bool score(void *handle, dd_view *const *views, int count)
{
    for (int i = 0; i < count; i++)
        if (!score_view(handle, views[i])) return false;
    return true;
}

const dd_scorer dd_neural_scorer = {
    .name = "neural",
    .batches = true,
    .map = map,
    .unmap = unmap,
    .unit = unit,
    .by_move = by_move,
    .space_new = space_new,
    .space_free = space_free,
    .prepare = prepare,
    .score = score,
    .choose_kernels = choose_kernels,
};

/* e^-x for x >= 0: e^(x / 16) by its series, whose error is below 1e-5 there. */
static double power_of_e(double x)
{
    const double small = 1e-9, far = 20;
    double t = x / 16, series = 1;
    if (x > far) return small;
    for (int k = 10; k > 0; k--) series = 1 + series * t / k;
    for (int i = 0; i < 4; i++) series *= series;
    return 1 / series;
}

/* Of x >= 1, by the series of atanh for what is left of it below 1.5. */
static double logarithm(double x)
{
    const double of_two = 0.69314718055994531;
    double sum = 0;
    for (; x > 1.5; x /= 2) sum += of_two;
    double z = (x - 1) / (x + 1), square = z * z;
    return sum + 2 * z * (1 + square * (1.0 / 3 + square * (1.0 / 5 + square / 7)));
}

void dd_normalise(int32_t *scores, int count, double unit)
{
    int32_t most = INT32_MIN;
    double sum = 0;
    for (int i = 0; i < count; i++)
        if (scores[i] > most) most = scores[i];
    for (int i = 0; i < count; i++) sum += power_of_e(((double)most - (double)scores[i]) * unit);
    double off = logarithm(sum) / unit;
    int64_t all = (int64_t)most + (off < 1e9 ? (int64_t)(off + 0.5) : 1000000000);
    for (int i = 0; i < count; i++) {
        int64_t less = (int64_t)scores[i] - all;
        scores[i] = less < -1000000000 ? -1000000000 : (int32_t)less;
    }
}
