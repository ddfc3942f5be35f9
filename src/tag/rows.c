#include "tag/rows.h"

#include "core/learning.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void dd_rows_free(dd_rows *rows)
{
    for (size_t i = 0; i < rows->slot_count; i++) {
        free(rows->rows[i].weights);
        free(rows->rows[i].sums);
    }
    free(rows->rows);
    *rows = (dd_rows){0};
}

static size_t first_slot(const dd_rows *rows, uint64_t feature)
{
    return (size_t)(feature >> 20) & (rows->slot_count - 1);
}

/* The slot that holds the feature, or the free one where it would go. 0 marks a free slot, so the
 * feature 0 shares its row with 1. */
static size_t slot_of(const dd_rows *rows, uint64_t feature)
{
    size_t mask = rows->slot_count - 1, slot = first_slot(rows, feature);
    feature += feature == 0;
    while (rows->rows[slot].feature && rows->rows[slot].feature != feature)
        slot = (slot + 1) & mask;
    return slot;
}

static bool grow(dd_rows *rows)
{
    dd_rows wider = {.slot_count = rows->slot_count ? rows->slot_count * 2 : 1024};
    wider.rows = dd_calloc(wider.slot_count, sizeof *wider.rows);
    if (!wider.rows) return false;
    dd_prefer_huge_pages(wider.rows, wider.slot_count * sizeof *wider.rows);
    for (size_t i = 0; i < rows->slot_count; i++)
        if (rows->rows[i].feature)
            wider.rows[slot_of(&wider, rows->rows[i].feature)] = rows->rows[i];
    free(rows->rows);
    rows->rows = wider.rows;
    rows->slot_count = wider.slot_count;
    return true;
}

/* Most of the time goes by waiting for memory, so everything is asked for before it is used. */
void dd_rows_score(const dd_rows *rows, const uint64_t *features, int count, int32_t *scores)
{
    enum { TOGETHER = 64 };
    const dd_row *found[TOGETHER];
    if (rows->slot_count == 0) return;
    for (int done = 0, n; done < count; done += n) {
        n = count - done < TOGETHER ? count - done : TOGETHER;
        for (int i = 0; i < n; i++)
            __builtin_prefetch(&rows->rows[first_slot(rows, features[done + i])]);
        for (int i = 0; i < n; i++) {
            found[i] = &rows->rows[slot_of(rows, features[done + i])];
            __builtin_prefetch(found[i]->weights);
        }
        for (int i = 0; i < n; i++) {
            const dd_row_weight *weights = found[i]->weights;
            uint32_t size = found[i]->size; /* of weights, which are NULL if there are none */
            for (uint32_t k = 0; k < size; k++) scores[weights[k].part] += weights[k].value;
        }
    }
}

static bool widen(dd_row *row)
{
    uint32_t capacity = row->capacity ? row->capacity * 2 : 2;
    dd_row_weight *weights = realloc(row->weights, capacity * sizeof *weights);
    if (!weights) return false;
    row->weights = weights;
    int64_t *sums = realloc(row->sums, capacity * sizeof *sums);
    if (!sums) return false;
    row->sums = sums;
    row->capacity = capacity;
    return true;
}

/* Where the part's weight is, made if it is new; -1 if allocation fails. */
static int64_t place_in(dd_row *row, uint32_t part)
{
    uint32_t at = 0;
    while (at < row->size && row->weights[at].part < part) at++;
    if (at < row->size && row->weights[at].part == part) return at;
    if (row->size == row->capacity && !widen(row)) return -1;
    memmove(row->weights + at + 1, row->weights + at, (row->size - at) * sizeof *row->weights);
    memmove(row->sums + at + 1, row->sums + at, (row->size - at) * sizeof *row->sums);
    row->weights[at] = (dd_row_weight){part, 0};
    row->sums[at] = 0;
    row->size++;
    return at;
}

double dd_rows_average(const dd_rows *rows, const dd_row *row, uint32_t i)
{
    return dd_average(row->weights[i].value, row->sums[i], rows->steps);
}

static bool has(const dd_rows *rows, uint64_t feature, uint32_t part)
{
    if (rows->slot_count == 0) return false;
    const dd_row *row = &rows->rows[slot_of(rows, feature)];
    for (uint32_t i = 0; i < row->size; i++)
        if (row->weights[i].part == part) return true;
    return false;
}

static void prune_row(const dd_rows *rows, dd_row *row, double least)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < row->size; i++) {
        if (fabs(dd_rows_average(rows, row, i)) < least) continue;
        row->weights[kept] = row->weights[i];
        row->sums[kept++] = row->sums[i];
    }
    row->size = kept;
}

void dd_rows_prune(dd_rows *rows, double least)
{
    for (size_t i = 0; i < rows->slot_count; i++) prune_row(rows, &rows->rows[i], least);
    rows->closed = true;
}

static bool change_one(dd_rows *rows, uint64_t feature, uint32_t part, int32_t change)
{
    if (rows->closed && !has(rows, feature, part)) return true;
    if (2 * (rows->used + 1) > rows->slot_count && !grow(rows)) return false;
    dd_row *row = &rows->rows[slot_of(rows, feature)];
    int64_t at = place_in(row, part);
    if (at < 0) return false;
    rows->used += row->feature == 0;
    row->feature = feature + (feature == 0);
    row->weights[at].value += change;
    dd_average_change(&row->sums[at], rows->steps, change);
    return true;
}

bool dd_rows_change(dd_rows *rows, const uint64_t *features, int count, uint32_t part,
                    int32_t change)
{
    for (int i = 0; i < count; i++)
        if (!change_one(rows, features[i], part, change)) return false;
    return true;
}
