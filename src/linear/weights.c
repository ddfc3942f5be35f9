#include "linear/weights.h"

#include "core/memory.h"
#include "kernels/sum.h"

#include <stdlib.h>
#include <string.h>

enum { MIN_SLOT_BITS = 16, MAX_SLOT_BITS = 32 };

bool dd_weights_start(dd_weights *weights, int classes)
{
    *weights = (dd_weights){.classes = classes, .slot_bits = MIN_SLOT_BITS, .cells_used = 1};
    weights->slots = dd_calloc((size_t)1 << MIN_SLOT_BITS, sizeof *weights->slots);
    return weights->slots != NULL;
}

void dd_weights_free(dd_weights *weights)
{
    free(weights->slots);
    free(weights->cells);
    free(weights->sums);
    *weights = (dd_weights){0};
}

static int size_for(uint32_t capacity)
{
    int size = 0;
    while (((uint32_t)DD_MIN_ROW << size) < capacity) size++;
    return size;
}

static uint32_t capacity_of(const dd_weights *w, uint32_t row)
{
    return (uint32_t)DD_MIN_ROW << w->cells[row].size;
}

static bool reserve_cells(dd_weights *w, size_t need)
{
    if (need <= w->cells_capacity && need <= w->sums_capacity) return true;
    if (!DD_RESERVE(&w->cells, &w->cells_capacity, need) ||
        !DD_RESERVE(&w->sums, &w->sums_capacity, need))
        return false;
    dd_prefer_huge_pages(w->cells, w->cells_capacity * sizeof *w->cells);
    dd_prefer_huge_pages(w->sums, w->sums_capacity * sizeof *w->sums);
    return true;
}

/* An empty row; 0 if allocation fails. */
static uint32_t take_row(dd_weights *w, uint32_t capacity, uint16_t feature_template)
{
    int size = size_for(capacity);
    uint32_t row = w->vacant[size];
    if (row) {
        w->vacant[size] = w->cells[row].count;
    } else {
        size_t need = w->cells_used + ((size_t)DD_MIN_ROW << size) + 1;
        if (need > UINT32_MAX || !reserve_cells(w, need)) return 0;
        row = (uint32_t)w->cells_used;
        w->cells_used = need;
    }
    w->cells[row].feature_template = feature_template;
    w->cells[row].size = (uint16_t)size;
    w->cells[row].count = 0;
    return row;
}

static void give_back_row(dd_weights *w, uint32_t row)
{
    w->cells[row].count = w->vacant[w->cells[row].size];
    w->vacant[w->cells[row].size] = row;
}

static void copy_to_dense(dd_weights *w, uint32_t from, uint32_t to)
{
    int32_t *dense = dd_dense_row(w, to);
    w->cells[to].count = DD_DENSE_ROW;
    memset(dense, 0, dd_lanes_for((uint32_t)w->classes) * sizeof *dense);
    memset(w->sums + to + 1, 0, (size_t)w->classes * sizeof *w->sums);
    for (uint32_t i = 1; i <= w->cells[from].count; i++) {
        uint32_t id = w->cells[from + i].class_id;
        dense[id] = w->cells[from + i].weight;
        w->sums[to + 1 + id] = w->sums[from + i];
    }
}

static void copy_to_sparse(dd_weights *w, uint32_t from, uint32_t to)
{
    uint32_t count = w->cells[from].count;
    memcpy(w->cells + to + 1, w->cells + from + 1, count * sizeof *w->cells);
    memcpy(w->sums + to + 1, w->sums + from + 1, count * sizeof *w->sums);
    w->cells[to].count = count;
}

/* The row with twice the room, or with room for all classes; 0 if allocation fails. */
static uint32_t grow_row(dd_weights *w, uint32_t row)
{
    uint32_t capacity = capacity_of(w, row) * 2;
    bool dense = capacity > DD_MAX_SPARSE_ROW;
    if (dense && capacity < (uint32_t)w->classes) capacity = (uint32_t)w->classes;
    uint32_t grown = take_row(w, capacity, w->cells[row].feature_template);
    if (!grown) return 0;
    if (dense)
        copy_to_dense(w, row, grown);
    else
        copy_to_sparse(w, row, grown);
    give_back_row(w, row);
    return grown;
}

static bool grow_slots(dd_weights *w)
{
    dd_weight_slot *old = w->slots;
    size_t old_count = (size_t)1 << w->slot_bits;
    if (w->slot_bits == MAX_SLOT_BITS) return false;
    dd_weight_slot *grown = dd_calloc(old_count * 2, sizeof *grown);
    if (!grown) return false;
    dd_prefer_huge_pages(grown, old_count * 2 * sizeof *grown);
    w->slots = grown;
    w->slot_bits++;
    for (size_t i = 0; i < old_count; i++)
        if (old[i].row) *dd_weights_find(w, old[i].key) = old[i];
    free(old);
    return true;
}

/* The place of a class in a sparse row, which may move to make room; 0 if allocation fails. */
static uint32_t place_in_row(dd_weights *w, uint32_t *row, uint32_t class_id)
{
    uint32_t count = w->cells[*row].count, at = 1;
    while (at <= count && w->cells[*row + at].class_id != class_id) at++;
    if (at <= count) return at;
    if (count == capacity_of(w, *row) && !(*row = grow_row(w, *row))) return 0;
    if (w->cells[*row].count == DD_DENSE_ROW) return class_id + 1;
    w->cells[*row].count = count + 1;
    w->cells[*row + at] = (dd_weight_cell){.class_id = class_id};
    w->sums[*row + at] = 0;
    return at;
}

/* The row, which may have moved; 0 if allocation fails. */
static uint32_t change_row(dd_weights *w, uint32_t row, int class_id, int change)
{
    uint32_t at = (uint32_t)class_id + 1;
    if (w->cells[row].count != DD_DENSE_ROW && !(at = place_in_row(w, &row, (uint32_t)class_id)))
        return 0;
    if (w->cells[row].count == DD_DENSE_ROW)
        dd_dense_row(w, row)[class_id] += change;
    else
        w->cells[row + at].weight += change;
    dd_average_change(&w->sums[row + at], w->steps, change);
    return row;
}

/* A slot for a key that has none yet, with an empty row. */
static dd_weight_slot *add_feature(dd_weights *w, uint32_t key, int feature_template)
{
    size_t slots = (size_t)1 << w->slot_bits;
    if (10 * (w->slots_used + 1) > 6 * slots && !grow_slots(w)) return NULL;
    dd_weight_slot *place = dd_weights_find(w, key);
    uint32_t row = take_row(w, DD_MIN_ROW, (uint16_t)feature_template);
    if (!row) return NULL;
    *place = (dd_weight_slot){.key = key, .row = row};
    w->slots_used++;
    return place;
}

bool dd_weights_close(dd_weights *weights, double least)
{
    size_t count = (size_t)1 << weights->slot_bits;
    dd_weight_slot *old = weights->slots, *kept = dd_calloc(count, sizeof *kept);
    if (!kept) return false;
    weights->slots = kept;
    weights->slots_used = 0;
    weights->closed = true;
    for (size_t i = 0; i < count; i++) {
        if (!old[i].row) continue;
        if (dd_row_largest(weights, old[i].row) < least) {
            give_back_row(weights, old[i].row);
            continue;
        }
        *dd_weights_find(weights, old[i].key) = old[i];
        weights->slots_used++;
    }
    free(old);
    return true;
}

bool dd_weights_change(dd_weights *weights, uint32_t key, int feature_template, int class_id,
                       int change)
{
    dd_weight_slot *place = dd_weights_find(weights, key);
    if (!place->row && weights->closed) return true;
    if (!place->row && !(place = add_feature(weights, key, feature_template))) return false;
    uint32_t row = change_row(weights, place->row, class_id, change);
    if (row) place->row = row;
    return row != 0;
}
