#include "tag/weights.h"

#include "core/learning.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- weights that training changes -------------------------------------------------------- */

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

/* Most of the time is spent waiting for memory, so everything is prefetched before it is used. */
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

/* The index of the part's weight, which is added if new; -1 if allocation fails. */
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

/* The average over all steps of the row's i-th weight. */
static double average_of(const dd_rows *rows, const dd_row *row, uint32_t i)
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
        if (fabs(average_of(rows, row, i)) < least) continue;
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

/* ---- packed weights ----------------------------------------------------------------------- */

enum { MAX_COUNT = 255, MAX_WEIGHT = 127, RECORD_HEAD = 3 };

/* A weight of 1 in training is this much: 127 * 127 are then weights of about 63. */
static const double unit = 256;

static int part_bytes(int parts)
{
    return parts <= 256 ? 1 : 2;
}

static int code_of(double value)
{
    double root = sqrt(fabs(value) * unit) + 0.5;
    int code = root < MAX_WEIGHT ? (int)root : MAX_WEIGHT;
    return value < 0 ? -code : code;
}

static bool is_kept(const dd_rows *rows, const dd_row *row, uint32_t i, double least)
{
    double value = average_of(rows, row, i);
    return fabs(value) >= least && code_of(value) != 0;
}

static size_t count_kept(const dd_rows *rows, const dd_row *row, double least)
{
    size_t count = 0;
    for (uint32_t i = 0; i < row->size; i++) count += is_kept(rows, row, i, least);
    return count < MAX_COUNT ? count : MAX_COUNT;
}

static int by_feature(const void *a, const void *b)
{
    uint64_t x = (*(const dd_row *const *)a)->feature, y = (*(const dd_row *const *)b)->feature;
    return (x > y) - (x < y);
}

/* The rows that keep any weight, by feature; NULL if allocation fails. */
static const dd_row **collect(const dd_rows *rows, double least, size_t *count)
{
    const dd_row **kept = dd_calloc(rows->used, sizeof *kept);
    *count = 0;
    for (size_t i = 0; kept && i < rows->slot_count; i++)
        if (rows->rows[i].feature && count_kept(rows, &rows->rows[i], least))
            kept[(*count)++] = &rows->rows[i];
    if (kept) qsort(kept, *count, sizeof *kept, by_feature);
    return kept;
}

static bool put_weight(dd_buffer *out, uint32_t part, int code, int bytes)
{
    const unsigned char packed[3] = {(unsigned char)(part & 0xFF), (unsigned char)(part >> 8),
                                     (unsigned char)(signed char)code};
    return dd_buffer_append(out, packed, (size_t)bytes) && dd_buffer_append(out, &packed[2], 1);
}

static bool put_record(const dd_rows *rows, const dd_row *row, int bytes, double least,
                       dd_buffer *out)
{
    size_t count = count_kept(rows, row, least);
    const unsigned char head[RECORD_HEAD] = {(unsigned char)(row->feature & 0xFF),
                                             (unsigned char)(row->feature >> 8 & 0xFF),
                                             (unsigned char)count};
    if (!dd_buffer_append(out, head, sizeof head)) return false;
    for (uint32_t i = 0; i < row->size && count > 0; i++) {
        if (!is_kept(rows, row, i, least)) continue;
        int code = code_of(average_of(rows, row, i));
        if (!put_weight(out, row->weights[i].part, code, bytes)) return false;
        count--;
    }
    return true;
}

static bool put_records(const dd_rows *rows, const dd_row *const *kept, size_t count, int parts,
                        double least, dd_buffer *section)
{
    size_t buckets = 2, at = 0;
    int shift = 63;
    while (buckets < count / 2) buckets *= 2, shift--;
    uint32_t *starts = dd_calloc(buckets + 1, sizeof *starts);
    dd_buffer bytes = {0};
    bool ok = starts != NULL;
    for (size_t bucket = 0; ok && bucket < buckets; bucket++) {
        for (; ok && at < count && kept[at]->feature >> shift == bucket; at++)
            ok = put_record(rows, kept[at], part_bytes(parts), least, &bytes);
        ok = ok && bytes.size <= UINT32_MAX;
        if (ok) starts[bucket + 1] = (uint32_t)bytes.size;
    }
    ok = ok && dd_block_put(section, DD_ALIGN_NUMBERS, starts, (buckets + 1) * sizeof *starts) &&
         dd_block_put(section, DD_ALIGN_NUMBERS, bytes.data, bytes.size);
    free(starts);
    dd_buffer_free(&bytes);
    return ok;
}

bool dd_tag_weights_write(const dd_rows *rows, int parts, double least, dd_buffer *section)
{
    size_t count;
    const dd_row **kept = collect(rows, least, &count);
    bool ok = kept && put_records(rows, kept, count, parts, least, section);
    free(kept);
    return ok;
}

static size_t size_of(const dd_rows *rows, int parts, double least)
{
    size_t records = 0, weights = 0;
    for (size_t i = 0; i < rows->slot_count; i++) {
        size_t kept = rows->rows[i].feature ? count_kept(rows, &rows->rows[i], least) : 0;
        records += kept > 0;
        weights += kept;
    }
    size_t buckets = 2;
    while (buckets < records / 2) buckets *= 2;
    return buckets * sizeof(uint32_t) + records * RECORD_HEAD +
           weights * ((size_t)part_bytes(parts) + 1);
}

double dd_tag_weights_least(const dd_rows *rows, int parts, size_t most_bytes)
{
    double low = 0, high = MAX_WEIGHT;
    if (most_bytes == 0 || size_of(rows, parts, low) <= most_bytes) return 0;
    for (int i = 0; i < 16; i++) {
        double middle = (low + high) / 2;
        if (size_of(rows, parts, middle) <= most_bytes)
            high = middle;
        else
            low = middle;
    }
    return high;
}

static uint32_t part_at(const unsigned char *at, int bytes)
{
    return bytes == 1 ? at[0] : at[0] | (uint32_t)at[1] << 8;
}

/* Whether the records fill the bytes exactly, name no part beyond the last and none twice: sums are
 * then bounded by the number of features. */
static bool check_bucket(const unsigned char *at, const unsigned char *end, int bytes, int parts)
{
    while (at < end) {
        if (end - at < RECORD_HEAD) return false;
        ptrdiff_t size = (ptrdiff_t)at[2] * (bytes + 1);
        at += RECORD_HEAD;
        if (end - at < size) return false;
        int64_t last = -1;
        for (const unsigned char *stop = at + size; at < stop; at += bytes + 1) {
            int64_t part = part_at(at, bytes);
            if (part <= last || part >= parts) return false;
            last = part;
        }
    }
    return true;
}

bool dd_tag_weights_map(dd_tag_weights *weights, dd_cursor *section, int parts)
{
    size_t count;
    const uint32_t *starts = dd_cursor_block(section, sizeof *starts, &count);
    dd_text records = dd_cursor_text(section);
    if (section->failed) return false;
    *weights = (dd_tag_weights){.starts = starts,
                                .records = (const unsigned char *)records.data,
                                .buckets = count - 1,
                                .shift = 64,
                                .part_bytes = part_bytes(parts)};
    if (count < 3 || (weights->buckets & (weights->buckets - 1)) ||
        !dd_offsets_ascend(starts, count, records.size))
        return false;
    for (size_t buckets = weights->buckets; buckets > 1; buckets /= 2) weights->shift--;
    for (size_t i = 0; i < weights->buckets; i++)
        if (!check_bucket(weights->records + weights->starts[i],
                          weights->records + weights->starts[i + 1], weights->part_bytes, parts))
            return false;
    return true;
}

static inline void add_record(const unsigned char *at, int count, int bytes, int32_t *scores)
{
    for (int i = 0; i < count; i++, at += bytes + 1) {
        int32_t weight = (signed char)at[bytes];
        scores[part_at(at, bytes)] += weight * (weight < 0 ? -weight : weight);
    }
}

static inline void score_all(const dd_tag_weights *weights, const uint64_t *features, int count,
                             int bytes, int32_t *scores)
{
    for (int i = 0; i < count; i++) {
        const uint32_t *start = weights->starts + (features[i] >> weights->shift);
        const unsigned char *at = weights->records + start[0], *end = weights->records + start[1];
        unsigned char low = (unsigned char)features[i], high = (unsigned char)(features[i] >> 8);
        while (at < end && (at[0] != low || at[1] != high))
            at += RECORD_HEAD + (size_t)at[2] * (size_t)(bytes + 1);
        if (at < end) add_record(at + RECORD_HEAD, at[2], bytes, scores);
    }
}

void dd_tag_weights_score(const dd_tag_weights *weights, const uint64_t *features, int count,
                          int32_t *scores)
{
    for (int i = 0; i < count; i++)
        __builtin_prefetch(weights->starts + (features[i] >> weights->shift));
    for (int i = 0; i < count; i++)
        __builtin_prefetch(weights->records + weights->starts[features[i] >> weights->shift]);
    if (weights->part_bytes == 1)
        score_all(weights, features, count, 1, scores);
    else
        score_all(weights, features, count, 2, scores);
}
