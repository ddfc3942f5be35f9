#include "score/linear/linear.h"

#include "core/memory.h"

#include <stdlib.h>

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
    return dd_packed_map(&linear->packed, weights, dd_templates_count(linear->templates), classes,
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
    dd_sum_space_free(&s->sum);
    free(s);
}

static dd_status space_new(void **out, const void *frozen, dd_error *error)
{
    const dd_linear *linear = frozen;
    space *s = dd_calloc(1, sizeof *s);
    if (!s) return dd_fail_memory(error);
    s->linear = linear;
    if (!dd_sum_space_make(&s->sum, &linear->packed, dd_keys_room(linear->templates))) {
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
