#include "learn/learner.h"

#include "core/memory.h"
#include "learn/lanes.h"
#include "learn/packed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows of weights lie in one pool. A row is a head cell and a power of two of cells, its capacity.
 * Most rows are sparse: a cell a weight, and weights that are 0 are not stored. A row with many
 * weights is dense: the memory of its cells begins with one weight a class. Averaging is lazy: with
 * u the sum of step * change over all changes of a weight w, its average over the first T steps is
 * w - u / T (Daume 2006, section 2.1.1). The sums lie in an array of their own beside the pool, as
 * scoring does not need them: that of the i-th weight of a row at row + 1 + i. */
typedef struct cell {
    int32_t weight;    /* in a head cell: capacity of the row */
    uint32_t class_id; /* in a head cell: weights in the row, or DENSE */
} cell;

static const uint32_t DENSE = UINT32_MAX;

typedef struct slot {
    uint64_t key;
    uint32_t row; /* index in the pool; 0: free */
    uint32_t unused;
} slot;

enum { MIN_SLOTS = 1 << 16, MIN_ROW = 2, MAX_SPARSE_ROW = 16, ROW_SIZES = 20 };

typedef struct learner {
    const dd_templates *templates;
    int classes;
    dd_add_lanes *add_lanes;
    uint64_t steps;    /* of learning: what averages are over */
    slot *slots;       /* [slot_count] open addressing, linear probing */
    size_t slot_count; /* a power of two */
    size_t slots_used;
    cell *cells;   /* [cells_used] the pool; cell 0 is never used */
    int64_t *sums; /* [cells_used] u of the weight beside it */
    size_t cells_used, cells_capacity, sums_capacity;
    uint32_t vacant[ROW_SIZES]; /* first of the vacant rows of each size, linked by class_id */
    dd_extraction extraction;
    int32_t *scores;     /* [lanes] of the features summed last */
    int n_keys;          /* features of the configuration scored last */
    uint64_t *keys;      /* [templates] the first n_keys hold */
    uint32_t *rows;      /* [templates] rows of the features at hand, 0 if there is none */
    uint64_t *move_keys; /* [moves * move templates] features of its moves */
    int *n_move_keys;    /* [moves] */
    size_t move_keys_capacity, n_move_keys_capacity;
} learner;

void dd_learner_free(void *handle)
{
    learner *l = handle;
    if (!l) return;
    free(l->slots);
    free(l->cells);
    free(l->sums);
    free(l->keys);
    free(l->rows);
    free(l->scores);
    free(l->move_keys);
    free(l->n_move_keys);
    free(l);
}

dd_status dd_learner_new(void **out, const dd_templates *templates, int classes, dd_error *error)
{
    learner *l = dd_calloc(1, sizeof *l);
    if (!l) return dd_fail_memory(error);
    l->templates = templates;
    l->classes = classes;
    l->add_lanes = dd_lanes_adder();
    l->slot_count = MIN_SLOTS;
    l->cells_used = 1;
    l->slots = dd_calloc(l->slot_count, sizeof *l->slots);
    l->keys = dd_calloc((size_t)dd_templates_count(templates), sizeof *l->keys);
    l->rows = dd_calloc((size_t)dd_templates_count(templates), sizeof *l->rows);
    l->scores = dd_calloc(dd_lanes_for((uint32_t)classes), sizeof *l->scores);
    if (!l->slots || !l->keys || !l->rows || !l->scores) {
        dd_learner_free(l);
        return dd_fail_memory(error);
    }
    *out = l;
    return DD_OK;
}

static slot *find_slot(const learner *l, uint64_t key)
{
    size_t mask = l->slot_count - 1;
    size_t at = (size_t)key & mask;
    while (l->slots[at].row && l->slots[at].key != key) at = (at + 1) & mask;
    return &l->slots[at];
}

static int32_t *dense_weights(const learner *l, uint32_t row)
{
    return &l->cells[row + 1].weight;
}

/* Three passes, so that the memory behind all features is on its way before the first is used. */
static void sum(learner *l, const uint64_t *keys, int n, int32_t *scores)
{
    for (int t = 0; t < n; t++)
        __builtin_prefetch(&l->slots[(size_t)keys[t] & (l->slot_count - 1)]);
    for (int t = 0; t < n; t++) {
        l->rows[t] = find_slot(l, keys[t])->row;
        if (l->rows[t]) __builtin_prefetch(&l->cells[l->rows[t]]);
    }
    uint32_t lanes = dd_lanes_for((uint32_t)l->classes);
    memset(l->scores, 0, lanes * sizeof *l->scores);
    for (int t = 0; t < n; t++) {
        if (!l->rows[t]) continue;
        const cell *head = &l->cells[l->rows[t]];
        if (head->class_id == DENSE)
            l->add_lanes(l->scores, dense_weights(l, l->rows[t]), lanes);
        else
            for (uint32_t i = 1; i <= head->class_id; i++)
                l->scores[head[i].class_id] += head[i].weight;
    }
    memcpy(scores, l->scores, (size_t)l->classes * sizeof *scores);
}

void dd_learner_score(void *handle, const dd_config *config, const dd_tokens *tokens,
                      int32_t *scores)
{
    learner *l = handle;
    l->n_keys = dd_extract(l->templates, config, tokens, &l->extraction, l->keys);
    sum(l, l->keys, l->n_keys, scores);
}

bool dd_learner_score_move(void *handle, const dd_config *config, const dd_tokens *tokens, int move,
                           dd_candidate candidate, int32_t *scores)
{
    learner *l = handle;
    size_t templates = (size_t)l->templates->n_move_templates, at = (size_t)move;
    if (!DD_RESERVE(&l->n_move_keys, &l->n_move_keys_capacity, at + 1) ||
        !DD_RESERVE(&l->move_keys, &l->move_keys_capacity, (at + 1) * templates))
        return false;
    uint64_t *keys = l->move_keys + at * templates;
    l->n_move_keys[move] =
        dd_extract_move(l->templates, config, tokens, candidate, &l->extraction, keys);
    sum(l, keys, l->n_move_keys[move], scores);
    return true;
}

static int row_size_class(int32_t capacity)
{
    int size = 0;
    while ((MIN_ROW << size) < capacity) size++;
    return size;
}

static bool reserve_cells(learner *l, size_t need)
{
    if (need <= l->cells_capacity && need <= l->sums_capacity) return true;
    if (!DD_RESERVE(&l->cells, &l->cells_capacity, need) ||
        !DD_RESERVE(&l->sums, &l->sums_capacity, need))
        return false;
    dd_prefer_huge_pages(l->cells, l->cells_capacity * sizeof *l->cells);
    dd_prefer_huge_pages(l->sums, l->sums_capacity * sizeof *l->sums);
    return true;
}

/* An empty row; 0 when memory is out. */
static uint32_t take_row(learner *l, int32_t capacity)
{
    int size = row_size_class(capacity);
    uint32_t row = l->vacant[size];
    if (row) {
        l->vacant[size] = l->cells[row].class_id;
    } else {
        size_t need = l->cells_used + (size_t)capacity + 1;
        if (need > UINT32_MAX || !reserve_cells(l, need)) return 0;
        row = (uint32_t)l->cells_used;
        l->cells_used = need;
    }
    l->cells[row] = (cell){.weight = capacity, .class_id = 0};
    return row;
}

static void give_back_row(learner *l, uint32_t row)
{
    int size = row_size_class(l->cells[row].weight);
    l->cells[row].class_id = l->vacant[size];
    l->vacant[size] = row;
}

static void copy_to_dense(learner *l, uint32_t from, uint32_t to)
{
    int32_t *weights = dense_weights(l, to);
    l->cells[to].class_id = DENSE;
    memset(weights, 0, dd_lanes_for((uint32_t)l->classes) * sizeof *weights);
    memset(l->sums + to + 1, 0, (size_t)l->classes * sizeof *l->sums);
    for (uint32_t i = 1; i <= l->cells[from].class_id; i++) {
        uint32_t id = l->cells[from + i].class_id;
        weights[id] = l->cells[from + i].weight;
        l->sums[to + 1 + id] = l->sums[from + i];
    }
}

static void copy_to_sparse(learner *l, uint32_t from, uint32_t to)
{
    uint32_t count = l->cells[from].class_id;
    memcpy(l->cells + to + 1, l->cells + from + 1, count * sizeof *l->cells);
    memcpy(l->sums + to + 1, l->sums + from + 1, count * sizeof *l->sums);
    l->cells[to].class_id = count;
}

/* The row with twice the room, or with room for all classes; 0 when memory is out. */
static uint32_t grow_row(learner *l, uint32_t row)
{
    int32_t capacity = l->cells[row].weight * 2;
    bool dense = capacity > MAX_SPARSE_ROW;
    while (dense && capacity < l->classes) capacity *= 2;
    uint32_t grown = take_row(l, capacity);
    if (!grown) return 0;
    if (dense)
        copy_to_dense(l, row, grown);
    else
        copy_to_sparse(l, row, grown);
    give_back_row(l, row);
    return grown;
}

static bool grow_slots(learner *l)
{
    slot *old = l->slots;
    size_t old_count = l->slot_count;
    slot *grown = dd_calloc(old_count * 2, sizeof *grown);
    if (!grown) return false;
    dd_prefer_huge_pages(grown, old_count * 2 * sizeof *grown);
    l->slots = grown;
    l->slot_count = old_count * 2;
    for (size_t i = 0; i < old_count; i++)
        if (old[i].row) *find_slot(l, old[i].key) = old[i];
    free(old);
    return true;
}

/* The place of a class in a sparse row, which may move to make room; 0 when memory is out. */
static uint32_t place_in_row(learner *l, uint32_t *row, uint32_t class_id)
{
    uint32_t count = l->cells[*row].class_id, at = 1;
    while (at <= count && l->cells[*row + at].class_id != class_id) at++;
    if (at <= count) return at;
    if (count == (uint32_t)l->cells[*row].weight && !(*row = grow_row(l, *row))) return 0;
    if (l->cells[*row].class_id == DENSE) return class_id + 1;
    l->cells[*row].class_id = count + 1;
    l->cells[*row + at] = (cell){.class_id = class_id};
    l->sums[*row + at] = 0;
    return at;
}

/* Adds `change` to the weight of a class; the row may move. 0 when memory is out. */
static uint32_t change_weight(learner *l, uint32_t row, int class_id, int change)
{
    uint32_t at = (uint32_t)class_id + 1;
    if (l->cells[row].class_id != DENSE && !(at = place_in_row(l, &row, (uint32_t)class_id)))
        return 0;
    if (l->cells[row].class_id == DENSE)
        dense_weights(l, row)[class_id] += change;
    else
        l->cells[row + at].weight += change;
    l->sums[row + at] += (int64_t)(l->steps - 1) * change;
    return row;
}

/* A slot for a key that has none yet, with an empty row. */
static slot *add_feature(learner *l, uint64_t key)
{
    if (10 * (l->slots_used + 1) > 6 * l->slot_count && !grow_slots(l)) return NULL;
    slot *place = find_slot(l, key);
    uint32_t row = take_row(l, MIN_ROW);
    if (!row) return NULL;
    *place = (slot){.key = key, .row = row};
    l->slots_used++;
    return place;
}

/* The slot is looked up anew for each change: others can have moved the row or the table. */
static bool change_feature(learner *l, uint64_t key, int class_id, int change)
{
    slot *place = find_slot(l, key);
    if (!place->row && !(place = add_feature(l, key))) return false;
    uint32_t row = change_weight(l, place->row, class_id, change);
    if (row) place->row = row;
    return row != 0;
}

static bool change_features(learner *l, const uint64_t *keys, int n, int class_id, int change)
{
    for (int t = 0; t < n; t++)
        if (!change_feature(l, keys[t], class_id, change)) return false;
    return true;
}

static bool change_pick(learner *l, dd_pick pick, int change)
{
    size_t templates = (size_t)l->templates->n_move_templates;
    if (!change_features(l, l->keys, l->n_keys, pick.class_id, change)) return false;
    if (templates == 0) return true;
    const uint64_t *keys = l->move_keys + (size_t)pick.move * templates;
    return change_features(l, keys, l->n_move_keys[pick.move], pick.class_id, change);
}

bool dd_learner_update(void *handle, dd_pick good, dd_pick bad)
{
    return change_pick(handle, good, 1) && change_pick(handle, bad, -1);
}

void dd_learner_step(void *handle)
{
    ((learner *)handle)->steps++;
}

bool dd_learner_change(void *handle, const dd_config *config, const dd_tokens *tokens,
                       dd_candidate candidate, int class_id, int change)
{
    learner *l = handle;
    int n = dd_extract(l->templates, config, tokens, &l->extraction, l->keys);
    if (!change_features(l, l->keys, n, class_id, change)) return false;
    if (l->templates->n_move_templates == 0 || candidate.dependent == DD_NONE) return true;
    n = dd_extract_move(l->templates, config, tokens, candidate, &l->extraction, l->keys);
    return change_features(l, l->keys, n, class_id, change);
}

/* ---- freezing ---- */

/* How many weights a row holds; below, the average of the i-th of them, from 0, and its class. */
static int row_size(const learner *l, uint32_t row)
{
    uint32_t count = l->cells[row].class_id;
    return count == DENSE ? l->classes : (int)count;
}

static double average(const learner *l, uint32_t row, int i)
{
    bool dense = l->cells[row].class_id == DENSE;
    uint32_t at = row + 1 + (uint32_t)i;
    int32_t weight = dense ? dense_weights(l, row)[i] : l->cells[at].weight;
    return (double)weight - (double)l->sums[at] / (double)l->steps;
}

static int class_of(const learner *l, uint32_t row, int i)
{
    bool dense = l->cells[row].class_id == DENSE;
    return dense ? i : (int)l->cells[row + 1 + (uint32_t)i].class_id;
}

/* The largest weight becomes the largest 16-bit number. */
static double choose_unit(const learner *l)
{
    double largest = 0;
    for (size_t s = 0; s < l->slot_count; s++) {
        uint32_t row = l->slots[s].row;
        for (int i = 0; row && i < row_size(l, row); i++)
            largest = fmax(largest, fabs(average(l, row, i)));
    }
    return largest > 0 ? largest / INT16_MAX : 1;
}

static int16_t quantise(const learner *l, uint32_t row, int i, double unit)
{
    return (int16_t)lrint(average(l, row, i) / unit);
}

static uint32_t weights_left(const learner *l, uint32_t row, double unit)
{
    uint32_t left = 0;
    for (int i = 0; row && i < row_size(l, row); i++) left += quantise(l, row, i, unit) != 0;
    return left;
}

static uint32_t put_sparse(const learner *l, uint32_t row, double unit, dd_packed_cell *cells)
{
    uint32_t used = 0;
    for (int i = 0; i < row_size(l, row); i++) {
        int16_t weight = quantise(l, row, i, unit);
        if (weight == 0) continue;
        cells[used].class_id = (uint16_t)class_of(l, row, i);
        cells[used++].weight = weight;
    }
    return used;
}

static void put_dense(const learner *l, uint32_t row, double unit, int16_t *weights)
{
    for (int i = 0; i < row_size(l, row); i++)
        weights[class_of(l, row, i)] = quantise(l, row, i, unit);
}

static void put_feature(const learner *l, const slot *from, double unit, dd_packed_slot *slots,
                        size_t slot_count, dd_packed_cell *cells, uint32_t *used)
{
    uint32_t left = weights_left(l, from->row, unit);
    if (left == 0) return;
    size_t at = (size_t)from->key & (slot_count - 1);
    while (slots[at].row) at = (at + 1) & (slot_count - 1);
    slots[at] = (dd_packed_slot){.check = (uint32_t)(from->key >> 32), .row = *used};
    dd_packed_cell *head = &cells[(*used)++];
    if (dd_packed_is_dense(left, (uint32_t)l->classes)) {
        head->count = DD_PACKED_DENSE;
        put_dense(l, from->row, unit, &cells[*used].weights[0]);
        *used += dd_packed_dense_cells((uint32_t)l->classes);
    } else {
        head->count = put_sparse(l, from->row, unit, &cells[*used]);
        *used += head->count;
    }
}

static dd_packed_header measure(const learner *l)
{
    dd_packed_header header = {.classes = (uint32_t)l->classes,
                               .templates = (uint32_t)dd_templates_count(l->templates),
                               .cell_count = 1,
                               .unit = choose_unit(l)};
    for (size_t s = 0; s < l->slot_count; s++) {
        uint32_t left = weights_left(l, l->slots[s].row, header.unit);
        if (left == 0) continue;
        header.feature_count++;
        header.cell_count += 1 + dd_packed_row_cells(left, header.classes);
    }
    header.slot_count = 64;
    while (header.slot_count * 6 < header.feature_count * 10) header.slot_count *= 2;
    return header;
}

bool dd_learner_average(const void *handle, dd_buffer *section)
{
    const learner *l = handle;
    dd_packed_header header = measure(l);
    size_t slots_size = (size_t)header.slot_count * sizeof(dd_packed_slot);
    size_t cells_size = (size_t)header.cell_count * sizeof(dd_packed_cell);
    size_t start = section->size;
    if (!dd_buffer_reserve(section, sizeof header + slots_size + cells_size)) return false;
    char *at = section->data + start;
    memcpy(at, &header, sizeof header);
    memset(at + sizeof header, 0, slots_size + cells_size);
    section->size += sizeof header + slots_size + cells_size;
    dd_packed_slot *slots = (dd_packed_slot *)(void *)(at + sizeof header);
    dd_packed_cell *cells = (dd_packed_cell *)(void *)(at + sizeof header + slots_size);
    uint32_t used = 1;
    for (size_t s = 0; s < l->slot_count; s++)
        put_feature(l, &l->slots[s], header.unit, slots, (size_t)header.slot_count, cells, &used);
    return true;
}
