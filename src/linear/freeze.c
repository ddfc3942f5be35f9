#include "linear/weights.h"

#include "core/memory.h"
#include "kernels/sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* So many places in ten of the buckets are filled, so that few features must go to a later one. */
enum { FILLED = 6 };
/* Rows lie in another order than their slots, so they are fetched so many slots before their use.
 */
enum { ROWS_AHEAD = 16 };
enum { LEFT_OUT = -1 };

typedef struct freezing {
    const dd_weights *weights;
    size_t n_slots; /* in weights */
    dd_packed_header header;
    double least_feature, least_weight; /* what is smaller is left out */
    dd_packed_bucket *buckets;          /* [room] */
    uint64_t room;
    uint8_t *filled; /* [room] features in each bucket */
    int8_t *kinds;   /* [n_slots] dd_packed_kind, or LEFT_OUT */
    dd_packed_cell *cells;
    int16_t *dense;
    uint64_t cells_used, dense_used;
} freezing;

static void fetch_row_ahead(const dd_weights *w, size_t n_slots, size_t slot)
{
    if (slot + ROWS_AHEAD >= n_slots) return;
    uint32_t row = w->slots[slot + ROWS_AHEAD].row;
    if (!row) return;
    __builtin_prefetch(&w->cells[row]);
    __builtin_prefetch(&w->sums[row]);
}

/* ---- the unit, and what is left out ------------------------------------------------------- */

/* A configuration has at most one feature of each template, so no sum for a class is larger than
 * the sum of the largest weights for it in each template. That shall fit into 16 bits. */
static bool choose_unit(freezing *f, int n_templates, double prune)
{
    const dd_weights *w = f->weights;
    size_t classes = (size_t)w->classes, templates = (size_t)n_templates;
    float *largest = dd_calloc(classes * templates, sizeof *largest);
    if (!largest) return false;
    for (size_t s = 0; s < f->n_slots; s++) {
        uint32_t row = w->slots[s].row;
        fetch_row_ahead(w, f->n_slots, s);
        for (int i = 0; row && i < dd_row_size(w, row); i++) {
            float *most = &largest[w->cells[row].feature_template * classes +
                                   (size_t)dd_row_class(w, row, i)];
            *most = fmaxf(*most, (float)fabs(dd_row_average(w, row, i)));
        }
    }
    double bound = 0, most = 0;
    for (size_t c = 0; c < classes; c++) {
        double sum = 0;
        for (size_t t = 0; t < templates; t++) {
            sum += (double)largest[t * classes + c];
            most = fmax(most, (double)largest[t * classes + c]);
        }
        bound = fmax(bound, sum);
    }
    free(largest);
    f->least_feature = most * prune / 100;
    f->least_weight = f->least_feature / 4;
    /* rounding can add a half to each weight */
    f->header.unit = bound > 0 ? bound / (INT16_MAX - n_templates) : 1;
    return true;
}

static int16_t quantise(const freezing *f, uint32_t row, int i)
{
    double average = dd_row_average(f->weights, row, i);
    return fabs(average) < f->least_weight ? 0 : (int16_t)lrint(average / f->header.unit);
}

/* ---- how much fits ------------------------------------------------------------------------ */

typedef struct weighed {
    float largest;
    uint32_t bytes;
} weighed;

static int by_weight(const void *a, const void *b)
{
    float x = ((const weighed *)a)->largest, y = ((const weighed *)b)->largest;
    return (x < y) - (x > y);
}

/* About what a feature takes up: its share of a bucket, and its row. */
static uint32_t bytes_of(const dd_weights *w, uint32_t row)
{
    uint32_t size = (uint32_t)sizeof(dd_packed_bucket) * 10 / (FILLED * DD_BUCKET_FEATURES);
    uint32_t weights = (uint32_t)dd_row_size(w, row), classes = (uint32_t)w->classes;
    if (dd_packed_is_dense(weights, classes)) return size + dd_lanes_for(classes) * 2;
    return weights <= 2 ? size : size + weights * (uint32_t)sizeof(dd_packed_cell);
}

bool dd_freeze_threshold(const dd_weights *weights, size_t bytes, double *least)
{
    size_t slots = (size_t)1 << weights->slot_bits, count = 0, sum = 0;
    weighed *all = dd_calloc(weights->slots_used, sizeof *all);
    if (!all) return false;
    for (size_t s = 0; s < slots; s++) {
        uint32_t row = weights->slots[s].row;
        fetch_row_ahead(weights, slots, s);
        if (!row) continue;
        all[count] = (weighed){(float)dd_row_largest(weights, row), bytes_of(weights, row)};
        sum += all[count++].bytes;
    }
    *least = 0;
    if (sum > bytes) {
        qsort(all, count, sizeof *all, by_weight);
        size_t first_left_out = 0;
        for (sum = all[0].bytes; sum <= bytes;) sum += all[++first_left_out].bytes;
        /* Those that weigh as much as the first that does not fit do not fit either. */
        *least = (double)nextafterf(all[first_left_out].largest, INFINITY);
    }
    free(all);
    return true;
}

/* ---- the form of a feature ---------------------------------------------------------------- */

typedef struct shape {
    int kind; /* dd_packed_kind, or LEFT_OUT */
    uint32_t weights;
} shape;

static shape shape_of(const freezing *f, uint32_t row)
{
    const dd_weights *w = f->weights;
    double largest = 0;
    bool fits = true;
    shape found = {LEFT_OUT, 0};
    for (int i = 0; row && i < dd_row_size(w, row); i++) {
        int weight = quantise(f, row, i);
        found.weights += weight != 0;
        largest = fmax(largest, fabs(dd_row_average(w, row, i)));
        if (weight != 0)
            fits = fits && abs(weight) <= DD_PACKED_PAIR_WEIGHT &&
                   dd_row_class(w, row, i) < DD_PACKED_PAIR_CLASSES;
    }
    if (found.weights == 0 || largest < f->least_feature) return found;
    if (fits && found.weights <= 2)
        found.kind = DD_PACKED_PAIR;
    else
        found.kind = dd_packed_is_dense(found.weights, (uint32_t)w->classes) ? DD_PACKED_DENSE
                                                                             : DD_PACKED_SPARSE;
    return found;
}

/* The kinds of all features, and how much room they take. False if allocation fails. */
static bool measure(freezing *f)
{
    dd_packed_header *header = &f->header;
    f->kinds = dd_calloc(f->n_slots, sizeof *f->kinds);
    if (!f->kinds) return false;
    for (size_t s = 0; s < f->n_slots; s++) {
        fetch_row_ahead(f->weights, f->n_slots, s);
        shape found = shape_of(f, f->weights->slots[s].row);
        f->kinds[s] = (int8_t)found.kind;
        header->feature_count += found.kind != LEFT_OUT;
        header->dense_count += found.kind == DD_PACKED_DENSE;
        if (found.kind == DD_PACKED_SPARSE) header->cell_count += found.weights;
    }
    header->bucket_range = header->feature_count * 10 / (FILLED * DD_BUCKET_FEATURES) + 1;
    return true;
}

/* ---- filling ------------------------------------------------------------------------------ */

static uint64_t put_pair(const freezing *f, uint32_t row)
{
    uint64_t pair = 0;
    int at = 0;
    for (int i = 0; i < dd_row_size(f->weights, row); i++) {
        int16_t weight = quantise(f, row, i);
        if (weight == 0) continue;
        uint64_t class_id = (uint64_t)dd_row_class(f->weights, row, i);
        pair |= (class_id | (uint64_t)(weight & 0xFFF) << 10) << at;
        at += DD_PACKED_HALF;
    }
    return pair;
}

static uint64_t put_sparse(freezing *f, uint32_t row)
{
    uint64_t first = f->cells_used;
    for (int i = 0; i < dd_row_size(f->weights, row); i++) {
        int16_t weight = quantise(f, row, i);
        if (weight != 0)
            f->cells[f->cells_used++] =
                (dd_packed_cell){(uint16_t)dd_row_class(f->weights, row, i), weight};
    }
    return first << 12 | (f->cells_used - first);
}

static uint64_t put_dense(freezing *f, uint32_t row)
{
    int16_t *to = f->dense + f->dense_used * dd_lanes_for(f->header.classes);
    for (int i = 0; i < dd_row_size(f->weights, row); i++)
        to[dd_row_class(f->weights, row, i)] = quantise(f, row, i);
    return f->dense_used++ * (dd_lanes_for(f->header.classes) / DD_LANE_GROUP);
}

/* Writes the six bytes of a feature, and keeps the others. */
static void set_feature(dd_packed_bucket *bucket, int i, uint64_t bits)
{
    for (int byte = 0; byte < 6; byte++)
        bucket->features[6 * i + byte] |= (uint8_t)(bits >> 8 * byte);
}

static void put_feature(freezing *f, dd_weight_slot from, int kind)
{
    uint64_t at = dd_packed_bucket_of(from.key, f->header.bucket_range), rest;
    if (kind == DD_PACKED_PAIR)
        rest = put_pair(f, from.row);
    else if (kind == DD_PACKED_SPARSE)
        rest = put_sparse(f, from.row);
    else
        rest = put_dense(f, from.row);
    for (; f->filled[at] == DD_BUCKET_FEATURES; at++)
        set_feature(&f->buckets[at], DD_BUCKET_FEATURES - 1, DD_PACKED_PASSED_ON);
    int i = f->filled[at]++;
    f->buckets[at].checks[i] = (uint16_t)from.key;
    set_feature(&f->buckets[at], i, rest << 2 | (uint64_t)kind);
    if (at >= f->header.bucket_count) f->header.bucket_count = at + 1;
}

/* Features with many weights were seen often, so they get the better places. */
static void put_features(freezing *f)
{
    for (int kind = DD_PACKED_DENSE; kind >= DD_PACKED_PAIR; kind--) {
        for (size_t s = 0; s < f->n_slots; s++) {
            fetch_row_ahead(f->weights, f->n_slots, s);
            if (f->kinds[s] == kind) put_feature(f, f->weights->slots[s], kind);
        }
    }
}

static bool append(const freezing *f, dd_buffer *section)
{
    const dd_packed_header *header = &f->header;
    static const char fill[64];
    size_t buckets = (size_t)header->bucket_count * sizeof *f->buckets;
    size_t cells = (size_t)header->cell_count * sizeof *f->cells;
    size_t dense = (size_t)header->dense_count * dd_lanes_for(header->classes) * sizeof *f->dense;
    size_t gap = dd_packed_dense_start(header) - sizeof *header - buckets - cells;
    return dd_buffer_reserve(section, sizeof *header + buckets + cells + gap + dense) &&
           dd_buffer_append(section, header, sizeof *header) &&
           dd_buffer_append(section, f->buckets, buckets) &&
           dd_buffer_append(section, f->cells, cells) && dd_buffer_append(section, fill, gap) &&
           dd_buffer_append(section, f->dense, dense);
}

static bool make_room(freezing *f)
{
    size_t features = (size_t)f->header.feature_count;
    f->room = f->header.bucket_range + features / DD_BUCKET_FEATURES + 1;
    f->buckets = dd_calloc((size_t)f->room, sizeof *f->buckets);
    f->filled = dd_calloc((size_t)f->room, sizeof *f->filled);
    f->cells = dd_calloc((size_t)f->header.cell_count, sizeof *f->cells);
    f->dense = dd_calloc((size_t)f->header.dense_count * dd_lanes_for(f->header.classes),
                         sizeof *f->dense);
    return f->buckets && f->filled && f->cells && f->dense;
}

bool dd_freeze(const dd_weights *weights, int n_templates, dd_freezing how, dd_buffer *section)
{
    freezing f = {
        .weights = weights,
        .n_slots = (size_t)1 << weights->slot_bits,
        .header = {.classes = (uint32_t)weights->classes, .templates = (uint32_t)n_templates}};
    double least = 0;
    if (!choose_unit(&f, n_templates, how.prune)) return false;
    if (how.bytes > 0 && !dd_freeze_threshold(weights, how.bytes, &least)) return false;
    f.least_feature = fmax(f.least_feature, least);
    bool ok = measure(&f) && make_room(&f);
    f.header.bucket_count = f.header.bucket_range;
    if (ok) put_features(&f);
    ok = ok && append(&f, section);
    free(f.buckets);
    free(f.filled);
    free(f.kinds);
    free(f.cells);
    free(f.dense);
    return ok;
}
