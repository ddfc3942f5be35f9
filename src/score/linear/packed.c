#include "score/linear/packed.h"

#include "core/memory.h"

#include <math.h>
#include <stdlib.h>

typedef struct space {
    dd_extraction extraction;
    dd_sum_space sum;
} space;

static const char *fault_in(const dd_packed_header *header, size_t size,
                            const dd_templates *templates, int classes)
{
    size_t row = dd_lanes_for((uint32_t)classes) * sizeof(int16_t);
    if (header->classes != (uint32_t)classes) return "number of transitions";
    if (header->templates != (uint32_t)dd_templates_count(templates)) return "number of templates";
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

dd_status dd_packed_map(void **out, dd_text section, const dd_templates *templates, int classes,
                        dd_error *error)
{
    dd_packed_scorer *scorer = dd_calloc(1, sizeof *scorer);
    if (!scorer) return dd_fail_memory(error);
    dd_packed *p = &scorer->packed;
    const char *fault = section.size < sizeof p->header ? "size" : NULL;
    if (!fault) {
        memcpy(&p->header, section.data, sizeof p->header);
        fault = fault_in(&p->header, section.size, templates, classes);
    }
    if (!fault) {
        point_into(p, section.data);
        scorer->templates = templates;
        scorer->kernels = dd_kernels_best();
        if (dd_packed_passes_on(&p->buckets[p->header.bucket_count - 1])) fault = "last bucket";
    }
    if (fault) {
        free(scorer);
        return dd_fail(error, DD_ERROR_MODEL, "the weights have a wrong %s", fault);
    }
    *out = scorer;
    return DD_OK;
}

void dd_packed_free(void *frozen)
{
    free(frozen);
}

void dd_packed_space_free(void *handle)
{
    space *s = handle;
    if (!s) return;
    free(s->sum.keys);
    free(s->sum.buckets);
    free(s->sum.sparse);
    free(s->sum.dense);
    free(s->sum.sums);
    free(s->sum.scores);
    free(s);
}

dd_status dd_packed_space_new(void **out, const void *frozen, dd_error *error)
{
    const dd_packed_scorer *scorer = frozen;
    const dd_packed *p = &scorer->packed;
    size_t room = dd_keys_room(scorer->templates);
    space *s = dd_calloc(1, sizeof *s);
    if (!s) return dd_fail_memory(error);
    dd_sum_space *sum = &s->sum;
    sum->keys = dd_calloc(room, sizeof *sum->keys);
    sum->buckets = dd_calloc(room, sizeof *sum->buckets);
    sum->sparse = dd_calloc(room, sizeof *sum->sparse);
    sum->dense = dd_calloc(room, sizeof *sum->dense);
    sum->sums = dd_calloc((size_t)p->class_mask + 1, sizeof *sum->sums);
    sum->scores = dd_calloc(p->lanes, sizeof *sum->scores);
    if (!sum->keys || !sum->buckets || !sum->sparse || !sum->dense || !sum->sums || !sum->scores) {
        dd_packed_space_free(s);
        return dd_fail_memory(error);
    }
    *out = s;
    return DD_OK;
}

void dd_packed_score(const void *frozen, void *handle, const dd_config *config,
                     const dd_tokens *tokens, int32_t *scores)
{
    const dd_packed_scorer *scorer = frozen;
    const dd_packed *p = &scorer->packed;
    space *s = handle;
    scorer->kernels->sum(
        p, &s->sum, dd_extract(scorer->templates, config, tokens, &s->extraction, s->sum.keys));
    memcpy(scores, s->sum.scores, p->header.classes * sizeof *scores);
}

void dd_packed_score_move(const void *frozen, void *handle, const dd_config *config,
                          const dd_tokens *tokens, dd_candidate candidate, int32_t *scores)
{
    const dd_packed_scorer *scorer = frozen;
    const dd_packed *p = &scorer->packed;
    space *s = handle;
    scorer->kernels->sum(
        p, &s->sum,
        dd_extract_move(scorer->templates, config, tokens, candidate, &s->extraction, s->sum.keys));
    memcpy(scores, s->sum.scores, p->header.classes * sizeof *scores);
}

void dd_packed_choose_kernels(void *frozen, const dd_kernels *kernels)
{
    ((dd_packed_scorer *)frozen)->kernels = kernels;
}

double dd_packed_unit(const void *frozen)
{
    return ((const dd_packed_scorer *)frozen)->packed.header.unit;
}
