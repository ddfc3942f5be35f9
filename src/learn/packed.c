#include "learn/packed.h"

#include "core/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct packed {
    const dd_templates *templates;
    dd_packed_header header;
    const dd_packed_slot *slots; /* [header.slot_count] */
    const dd_packed_cell *cells; /* [header.cell_count] */
    dd_add_short_lanes *add_lanes;
    uint32_t class_mask; /* classes rounded up to a power of two, minus 1 */
} packed;

typedef struct space {
    dd_extraction extraction;
    uint64_t *keys;   /* [templates] */
    uint32_t *rows;   /* [templates] */
    uint32_t *scores; /* [class_mask + 1] */
} space;

static const char *fault_in(const dd_packed_header *header, size_t size,
                            const dd_templates *templates, int classes)
{
    if (header->classes != (uint32_t)classes) return "number of transitions";
    if (header->templates != (uint32_t)dd_templates_count(templates)) return "number of templates";
    if (header->slot_count == 0 || (header->slot_count & (header->slot_count - 1)) != 0)
        return "number of slots";
    if (header->slot_count > size / sizeof(dd_packed_slot)) return "number of slots";
    if (header->cell_count == 0 || header->cell_count > size / sizeof(dd_packed_cell) ||
        header->cell_count > UINT32_MAX)
        return "number of weights";
    size_t want = sizeof *header + (size_t)header->slot_count * sizeof(dd_packed_slot) +
                  (size_t)header->cell_count * sizeof(dd_packed_cell);
    if (want != size) return "size";
    if (!isfinite(header->unit) || header->unit <= 0) return "unit";
    return NULL;
}

/* A free slot ends every search, so there must be one. */
static bool has_free_slot(const packed *p)
{
    for (uint64_t s = 0; s < p->header.slot_count; s++)
        if (p->slots[s].row == 0) return true;
    return false;
}

dd_status dd_packed_map(void **out, dd_text section, const dd_templates *templates, int classes,
                        dd_error *error)
{
    packed *p = dd_calloc(1, sizeof *p);
    if (!p) return dd_fail_memory(error);
    const char *fault = section.size < sizeof p->header ? "size" : NULL;
    if (!fault) {
        memcpy(&p->header, section.data, sizeof p->header);
        fault = fault_in(&p->header, section.size, templates, classes);
    }
    if (!fault) {
        const char *at = section.data + sizeof p->header;
        p->templates = templates;
        p->add_lanes = dd_short_lanes_adder();
        p->slots = (const dd_packed_slot *)(const void *)at;
        at += (size_t)p->header.slot_count * sizeof *p->slots;
        p->cells = (const dd_packed_cell *)(const void *)at;
        p->class_mask = DD_LANE_GROUP;
        while (p->class_mask < (uint32_t)classes) p->class_mask *= 2;
        p->class_mask--;
        if (!has_free_slot(p)) fault = "table of features";
    }
    if (fault) {
        free(p);
        return dd_fail(error, DD_ERROR_MODEL, "the weights have a wrong %s", fault);
    }
    *out = p;
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
    free(s->keys);
    free(s->rows);
    free(s->scores);
    free(s);
}

dd_status dd_packed_space_new(void **out, const void *frozen, dd_error *error)
{
    const packed *p = frozen;
    space *s = dd_calloc(1, sizeof *s);
    if (!s) return dd_fail_memory(error);
    s->keys = dd_calloc((size_t)dd_templates_count(p->templates), sizeof *s->keys);
    s->rows = dd_calloc((size_t)dd_templates_count(p->templates), sizeof *s->rows);
    s->scores = dd_calloc((size_t)p->class_mask + 1, sizeof *s->scores);
    if (!s->keys || !s->rows || !s->scores) {
        dd_packed_space_free(s);
        return dd_fail_memory(error);
    }
    *out = s;
    return DD_OK;
}

static uint32_t find_row(const packed *p, uint64_t key)
{
    size_t mask = (size_t)p->header.slot_count - 1;
    size_t at = (size_t)key & mask;
    uint32_t check = (uint32_t)(key >> 32);
    while (p->slots[at].row && p->slots[at].check != check) at = (at + 1) & mask;
    return p->slots[at].row;
}

/* A file made to deceive can name rows and classes that do not exist, or a class over and over. So
 * rows are cut to the cells that are there and to one weight a class, the mask keeps classes inside
 * `scores`, and sums that only such a file can reach wrap around. */
static void add_row(const packed *p, uint32_t row, uint32_t *scores)
{
    const dd_packed_cell *cell = p->cells + row;
    uint64_t room = p->header.cell_count - row - 1;
    if (cell->count == DD_PACKED_DENSE) {
        if (room >= dd_packed_dense_cells(p->header.classes))
            p->add_lanes(scores, cell[1].weights, dd_lanes_for(p->header.classes));
        return;
    }
    uint32_t count = cell->count <= p->header.classes ? cell->count : p->header.classes;
    if (count > room) count = (uint32_t)room;
    for (uint32_t i = 1; i <= count; i++)
        scores[cell[i].class_id & p->class_mask] += (uint32_t)cell[i].weight;
}

/* Three passes, so that the memory behind all features is on its way before the first is used. */
static void sum(const packed *p, space *s, int n, int32_t *scores)
{
    for (int t = 0; t < n; t++)
        __builtin_prefetch(&p->slots[(size_t)s->keys[t] & ((size_t)p->header.slot_count - 1)]);
    for (int t = 0; t < n; t++) {
        uint32_t row = find_row(p, s->keys[t]);
        s->rows[t] = row < p->header.cell_count ? row : 0;
        if (s->rows[t]) __builtin_prefetch(&p->cells[s->rows[t]]);
    }
    memset(s->scores, 0, ((size_t)p->class_mask + 1) * sizeof *s->scores);
    for (int t = 0; t < n; t++)
        if (s->rows[t]) add_row(p, s->rows[t], s->scores);
    memcpy(scores, s->scores, p->header.classes * sizeof *scores);
}

void dd_packed_score(const void *frozen, void *handle, const dd_config *config,
                     const dd_tokens *tokens, int32_t *scores)
{
    const packed *p = frozen;
    space *s = handle;
    sum(p, s, dd_extract(p->templates, config, tokens, &s->extraction, s->keys), scores);
}

void dd_packed_score_move(const void *frozen, void *handle, const dd_config *config,
                          const dd_tokens *tokens, dd_candidate candidate, int32_t *scores)
{
    const packed *p = frozen;
    space *s = handle;
    int n = dd_extract_move(p->templates, config, tokens, candidate, &s->extraction, s->keys);
    sum(p, s, n, scores);
}

double dd_packed_unit(const void *frozen)
{
    return ((const packed *)frozen)->header.unit;
}
