#include "score/linear/packed.h"

#include "core/memory.h"

#include <math.h>
#include <stdlib.h>

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

dd_status dd_packed_map(dd_packed *p, dd_text section, int templates, int classes, dd_error *error)
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

void dd_sum_space_free(dd_sum_space *space)
{
    free(space->keys);
    free(space->buckets);
    free(space->sparse);
    free(space->dense);
    free(space->sums);
    free(space->scores);
}

bool dd_sum_space_make(dd_sum_space *space, const dd_packed *packed, size_t keys)
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
