#include "tag/rows.h"

#include "core/memory.h"

#include <stdlib.h>

void dd_rows_free(dd_rows *rows)
{
    for (size_t i = 0; i < rows->slot_count; i++) free(rows->rows[i].weights);
    free(rows->keys);
    free(rows->rows);
    *rows = (dd_rows){0};
}

/* The slot that holds the feature, or the free one where it would go. 0 marks a free slot, so the
 * feature 0 shares its row with 1. */
static size_t slot_of(const dd_rows *rows, uint64_t feature)
{
    size_t mask = rows->slot_count - 1, slot = (size_t)(feature >> 20) & mask;
    feature += feature == 0;
    while (rows->keys[slot] && rows->keys[slot] != feature) slot = (slot + 1) & mask;
    return slot;
}

static bool grow(dd_rows *rows)
{
    dd_rows wider = {.slot_count = rows->slot_count ? rows->slot_count * 2 : 1024};
    wider.keys = dd_calloc(wider.slot_count, sizeof *wider.keys);
    wider.rows = dd_calloc(wider.slot_count, sizeof *wider.rows);
    if (!wider.keys || !wider.rows) {
        free(wider.keys);
        free(wider.rows);
        return false;
    }
    for (size_t i = 0; i < rows->slot_count; i++) {
        if (!rows->keys[i]) continue;
        size_t slot = slot_of(&wider, rows->keys[i]);
        wider.keys[slot] = rows->keys[i];
        wider.rows[slot] = rows->rows[i];
    }
    free(rows->keys);
    free(rows->rows);
    rows->keys = wider.keys;
    rows->rows = wider.rows;
    rows->slot_count = wider.slot_count;
    return true;
}

void dd_rows_score(const dd_rows *rows, const uint64_t *features, int count, int32_t *scores)
{
    if (rows->slot_count == 0) return;
    for (int i = 0; i < count; i++) {
        const dd_row *row = &rows->rows[slot_of(rows, features[i])];
        for (uint32_t k = 0; k < row->size; k++)
            scores[row->weights[k].part] += row->weights[k].value;
    }
}

static dd_row_weight *weight_in(dd_row *row, uint32_t part, uint32_t step)
{
    for (uint32_t k = 0; k < row->size; k++)
        if (row->weights[k].part == part) return &row->weights[k];
    if (row->size == row->capacity) {
        uint32_t capacity = row->capacity ? row->capacity * 2 : 2;
        dd_row_weight *weights = realloc(row->weights, capacity * sizeof *weights);
        if (!weights) return NULL;
        row->weights = weights;
        row->capacity = capacity;
    }
    row->weights[row->size] = (dd_row_weight){.part = part, .stamp = step};
    return &row->weights[row->size++];
}

int64_t dd_rows_sum(const dd_rows *rows, const dd_row_weight *weight)
{
    return weight->sum + (int64_t)weight->value * (rows->step - weight->stamp);
}

static bool change_one(dd_rows *rows, uint64_t feature, uint32_t part, int32_t change)
{
    if (2 * (rows->used + 1) > rows->slot_count && !grow(rows)) return false;
    size_t slot = slot_of(rows, feature);
    dd_row_weight *weight = weight_in(&rows->rows[slot], part, rows->step);
    if (!weight) return false;
    if (!rows->keys[slot]) {
        rows->keys[slot] = feature + (feature == 0);
        rows->used++;
    }
    weight->sum = dd_rows_sum(rows, weight);
    weight->stamp = rows->step;
    weight->value += change;
    rows->rows[slot].changes++;
    return true;
}

bool dd_rows_change(dd_rows *rows, const uint64_t *features, int count, uint32_t part,
                    int32_t change)
{
    for (int i = 0; i < count; i++)
        if (!change_one(rows, features[i], part, change)) return false;
    return true;
}
