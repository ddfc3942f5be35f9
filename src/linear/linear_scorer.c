#include "linear/linear.h"

#include "core/memory.h"

#include <math.h>
#include <stdlib.h>

/* ---- packed weights ------------------------------------------------------------------------ */

static const char *fault_in(const dd_packed_header *header, size_t size, int templates, int classes)
{
    size_t row = dd_lanes_for((uint32_t)classes) * sizeof(int16_t);
    if (header->classes != (uint32_t)classes) return "number of transitions";
    if (header->templates != (uint32_t)templates) return "number of templates";
    if (header->bucket_range == 0 || header->bucket_range > header->bucket_count ||
        header->bucket_count > size / sizeof(dd_packed_bucket) ||
        header->bucket_count > UINT32_MAX / sizeof(dd_packed_bucket))
        return "number of features";
    if (header->cell_count > size / sizeof(dd_packed_cell) || header->dense_count > size / row)
        return "number of weights";
    if (dd_packed_dense_start(header) + (size_t)header->dense_count * row != size) return "size";
    if (!isfinite(header->unit) || header->unit <= 0) return "unit";
    return NULL;
}

static void point_into(dd_packed *p, const char *section)
{
    const char *buckets = section + sizeof p->header;
    const char *cells = buckets + (size_t)p->header.bucket_count * sizeof *p->buckets;
    p->buckets = (const dd_packed_bucket *)(const void *)buckets;
    p->cells = (const dd_packed_cell *)(const void *)cells;
    p->dense = (const int16_t *)(const void *)(section + dd_packed_dense_start(&p->header));
    p->lanes = dd_lanes_for(p->header.classes);
    size_t groups = p->lanes / DD_LANE_GROUP;
    if (p->header.dense_count > 0)
        p->dense_limit = ((size_t)p->header.dense_count - 1) * groups + 1;
    p->class_mask = DD_LANE_GROUP;
    while (p->class_mask < p->header.classes) p->class_mask *= 2;
    p->class_mask--;
}

/* Checks a section, which must outlive what is mapped. */
static dd_status map_packed(dd_packed *p, dd_text section, int templates, int classes,
                            dd_error *error)
{
    const char *fault = section.size < sizeof p->header ? "size" : NULL;
    *p = (dd_packed){0};
    if (!fault) {
        memcpy(&p->header, section.data, sizeof p->header);
        fault = fault_in(&p->header, section.size, templates, classes);
    }
    if (!fault) {
        point_into(p, section.data);
        if (dd_packed_passes_on(&p->buckets[p->header.bucket_count - 1])) fault = "last bucket";
    }
    return fault ? dd_fail(error, DD_ERROR_MODEL, "the weights have a wrong %s", fault) : DD_OK;
}

static void free_sums(dd_sum_space *space)
{
    free(space->keys);
    free(space->buckets);
    free(space->sparse);
    free(space->dense);
    free(space->sums);
    free(space->scores);
}

/* Of all zeros; false if allocation fails, with what there is to be freed. */
static bool make_sums(dd_sum_space *space, const dd_packed *packed, size_t keys)
{
    space->keys = dd_calloc(keys, sizeof *space->keys);
    space->buckets = dd_calloc(keys, sizeof *space->buckets);
    space->sparse = dd_calloc(keys, sizeof *space->sparse);
    space->dense = dd_calloc(keys, sizeof *space->dense);
    space->sums = dd_calloc((size_t)packed->class_mask + 1, sizeof *space->sums);
    space->scores = dd_calloc(packed->lanes, sizeof *space->scores);
    return space->keys && space->buckets && space->sparse && space->dense && space->sums &&
           space->scores;
}

/* ---- weights ------------------------------------------------------------------------------ */

static void unmap(void *frozen)
{
    dd_linear *linear = frozen;
    if (!linear) return;
    dd_templates_free(linear->templates);
    free(linear);
}

static dd_status map_sections(dd_linear *linear, const dd_sections *sections, int classes,
                              dd_error *error)
{
    dd_text templates, weights;
    if (!dd_sections_find(sections, "templates", &templates) ||
        !dd_sections_find(sections, "weights", &weights))
        return dd_fail(error, DD_ERROR_MODEL, "a section is missing");
    dd_status status = dd_templates_parse(&linear->templates, "templates", templates, error);
    if (status != DD_OK) return status;
    return map_packed(&linear->packed, weights, dd_templates_count(linear->templates), classes,
                      error);
}

static dd_status map(void **out, const dd_sections *sections, const dd_inventory *inventory,
                     uint32_t columns, dd_error *error)
{
    dd_linear *linear = dd_calloc(1, sizeof *linear);
    if (!linear) return dd_fail_memory(error);
    linear->columns = columns;
    linear->kernels = dd_kernels_best();
    dd_status status = map_sections(linear, sections, inventory->n_classes, error);
    if (status == DD_OK)
        *out = linear;
    else
        unmap(linear);
    return status;
}

static double unit(const void *frozen)
{
    return ((const dd_linear *)frozen)->packed.header.unit;
}

static bool by_move(const void *frozen)
{
    return ((const dd_linear *)frozen)->templates->n_move_templates > 0;
}

static void choose_kernels(void *frozen, const dd_kernels *kernels)
{
    dd_linear *linear = frozen;
    linear->kernels = kernels;
    linear->templates->kernels = kernels;
}

/* ---- scoring ------------------------------------------------------------------------------ */

typedef struct space {
    const dd_linear *linear;
    dd_token_batch words;
    dd_extraction extraction;
    dd_sum_space sum;
} space;

static void space_free(void *handle)
{
    space *s = handle;
    if (!s) return;
    dd_token_batch_free(&s->words);
    free_sums(&s->sum);
    free(s);
}

static dd_status space_new(void **out, const void *frozen, dd_error *error)
{
    const dd_linear *linear = frozen;
    space *s = dd_calloc(1, sizeof *s);
    if (!s) return dd_fail_memory(error);
    s->linear = linear;
    if (!make_sums(&s->sum, &linear->packed, dd_keys_room(linear->templates))) {
        space_free(s);
        return dd_fail_memory(error);
    }
    *out = s;
    return DD_OK;
}

static bool prepare(void *handle, const dd_sentence *const *sentences, size_t count)
{
    space *s = handle;
    return dd_token_batch_set(&s->words, s->linear->templates, sentences, count,
                              s->linear->columns);
}

/* The scores of the configuration, and those of the move's own features if it builds an arc. */
static void score_move(space *s, const dd_view *view, const dd_tokens *words, int move)
{
    const dd_packed *p = &s->linear->packed;
    uint32_t classes = p->header.classes;
    int32_t *row = dd_view_row(view, move, (int)classes);
    memcpy(row, view->scores, classes * sizeof *row);
    if (view->arcs[move].dependent == DD_NONE) return;
    s->linear->kernels->sum(p, &s->sum,
                            dd_extract_move(s->linear->templates, view->config, words,
                                            view->arcs[move], &s->extraction, s->sum.keys));
    for (uint32_t i = 0; i < classes; i++) row[i] += s->sum.scores[i];
}

static bool score(void *handle, dd_view *const *views, int count)
{
    space *s = handle;
    const dd_packed *p = &s->linear->packed;
    for (int i = 0; i < count; i++) {
        const dd_view *view = views[i];
        const dd_tokens *words = &s->words.tokens[view->sentence];
        s->linear->kernels->sum(
            p, &s->sum,
            dd_extract(s->linear->templates, view->config, words, &s->extraction, s->sum.keys));
        memcpy(view->scores, s->sum.scores, p->header.classes * sizeof *view->scores);
        for (int m = 0; view->by_move && m < view->n_moves; m++) score_move(s, view, words, m);
    }
    return true;
}

const dd_scorer dd_linear_scorer = {
    .name = "averaged-perceptron",
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
