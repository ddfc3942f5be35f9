/* The kernels: plain C against slow, obvious code, and each further row of the table likewise. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/random.h"
#include "kernels/kernels.h"

enum { LONGEST = 70 };

static uint32_t any_bits(dd_random *random)
{
    return (uint32_t)(dd_random_next(random) >> 32);
}

static bool in_two(dd_random *random)
{
    return dd_random_below(random, 2) == 0;
}

static void the_table_begins_with_plain_c_and_ends_with_the_best(void **state)
{
    (void)state;
    int count = 0;
    assert_string_equal(dd_kernels_at(0)->name, "plain");
    for (; dd_kernels_at(count); count++) {
        const dd_kernels *kernels = dd_kernels_at(count);
        assert_true(kernels->largest && kernels->add_lanes && kernels->hash_keys && kernels->sum);
        assert_true(kernels->gemm && kernels->gemm_packed && kernels->dense && kernels->gates);
        assert_true(kernels->quantise && kernels->rectify && kernels->outputs);
        assert_true(kernels->activate && kernels->differentiate && kernels->adam_update);
        for (int k = 0; k < count; k++)
            assert_string_not_equal(dd_kernels_at(k)->name, kernels->name);
    }
    assert_ptr_equal(dd_kernels_best(), dd_kernels_at(count - 1));
    assert_null(dd_kernels_at(count + 1));
#ifdef BEST_ROW /* where the processor is known: tests/kernels/run.sh */
    assert_string_equal(dd_kernels_best()->name, BEST_ROW);
#endif
}

/* ---- the largest of some numbers ---- */

enum { FEW = 0, ANY, ENDS, LEAST, MOST, N_STYLES };

static int32_t draw_number(dd_random *random, int style)
{
    switch (style) {
    case FEW: return (int32_t)dd_random_below(random, 4) - 2;
    case ANY: return (int32_t)any_bits(random);
    case ENDS: return in_two(random) ? INT32_MIN : INT32_MAX;
    case LEAST: return INT32_MIN;
    default: return INT32_MAX;
    }
}

/* What lies around the numbers is as large as can be, and must not be seen. Of numbers that lie
 * alone AddressSanitizer sees whether more is read. */
static void expect_largest(const int32_t *numbers, int count)
{
    enum { AROUND = 16 };
    int32_t framed[LONGEST + 2 * AROUND], *alone = malloc((size_t)count * sizeof *alone);
    int want = 0;
    assert_non_null(alone);
    memcpy(alone, numbers, (size_t)count * sizeof *numbers);
    for (int i = 0; i < LONGEST + 2 * AROUND; i++) framed[i] = INT32_MAX;
    memcpy(framed + AROUND, numbers, (size_t)count * sizeof *numbers);
    for (int i = 1; i < count; i++)
        if (numbers[i] > numbers[want]) want = i;
    for (int k = 0; dd_kernels_at(k); k++) {
        assert_int_equal(dd_kernels_at(k)->largest(framed + AROUND, count), want);
        assert_int_equal(dd_kernels_at(k)->largest(alone, count), want);
    }
    free(alone);
}

static void the_first_of_the_largest_is_found(void **state)
{
    (void)state;
    dd_random random = {19};
    int32_t numbers[LONGEST];
    for (int count = 1; count <= LONGEST; count++) {
        for (int round = 0; round < 20 * N_STYLES; round++) {
            for (int i = 0; i < count; i++) numbers[i] = draw_number(&random, round % N_STYLES);
            expect_largest(numbers, count);
        }
        for (int at = 0; at < count; at++) {
            for (int i = 0; i < count; i++) numbers[i] = INT32_MIN + (i >= at);
            expect_largest(numbers, count);
            for (int i = 0; i < count; i++) numbers[i] = INT32_MAX - (i != at);
            expect_largest(numbers, count);
        }
    }
}

/* ---- sums of rows that are being learnt ---- */

/* Two numbers whose sum is one too. */
static void draw_addends(dd_random *random, int style, int32_t *a, int32_t *b)
{
    *a = draw_number(random, style);
    *b = draw_number(random, style);
    if (style == ENDS) {
        *b = *a < 0 ? INT32_MAX : -INT32_MAX;
    } else if (style != FEW) {
        *a /= 2;
        *b /= 2;
    }
}

/* Whole groups, wherever they start, and nothing beyond them. */
static void rows_are_added_lane_by_lane(void **state)
{
    (void)state;
    enum { ROOM = LONGEST + 4 * DD_LANE_GROUP };
    dd_random random = {17};
    for (uint32_t classes = 0; classes <= LONGEST; classes++) {
        for (int round = 0; round < 4 * N_STYLES; round++) {
            int32_t before[ROOM], weights[ROOM], sums[ROOM];
            int from = (int)dd_random_below(&random, DD_LANE_GROUP);
            int lanes = (int)dd_lanes_for(classes);
            for (int i = 0; i < ROOM; i++)
                draw_addends(&random, round % N_STYLES, &before[i], &weights[i]);
            for (int k = 0; dd_kernels_at(k); k++) {
                memcpy(sums, before, sizeof sums);
                dd_kernels_at(k)->add_lanes(sums + from, weights + from, (size_t)lanes);
                for (int i = 0; i < ROOM; i++) {
                    bool added = i >= from && i < from + lanes;
                    assert_int_equal(sums[i], before[i] + (added ? weights[i] : 0));
                }
            }
        }
    }
}

/* ---- keys ---- */

enum { PLACES = 100 };

typedef struct hashing {
    dd_terms terms;
    int n_groups;
    uint32_t values[PLACES];
    uint32_t base[DD_MAX_TEMPLATES];
    dd_lane_set present;
} hashing;

static uint32_t draw_value(dd_random *random)
{
    static const uint32_t edges[] = {0, 1, INT32_MAX, UINT32_C(1) << 31, UINT32_MAX};
    if (in_two(random)) return any_bits(random);
    return edges[dd_random_below(random, sizeof edges / sizeof *edges)];
}

/* Groups have any even number of terms, also none. */
static void draw_hashing(hashing *h, dd_random *random, int n_groups)
{
    int end = 0;
    h->n_groups = n_groups;
    for (int i = 0; i < PLACES; i++) h->values[i] = draw_value(random);
    for (int i = 0; i < DD_MAX_TEMPLATES; i++) h->base[i] = draw_value(random);
    for (int g = 0; g < n_groups; g++) {
        h->terms.first[g] = (uint16_t)end;
        end += 2 * (int)dd_random_below(random, 6);
    }
    h->terms.first[n_groups] = (uint16_t)end;
    for (int t = 0; t < end; t++) {
        h->terms.places[t] = (uint16_t)dd_random_below(random, PLACES);
        for (int i = 0; i < DD_KEY_LANES; i++) h->terms.factors[t][i] = draw_value(random);
    }
}

/* All lanes, none, many, or few: whole groups are left out then. */
static void draw_present(dd_lane_set *present, dd_random *random, int round)
{
    for (int i = 0; i < DD_MAX_TEMPLATES / 64; i++) {
        uint64_t some = dd_random_next(random), fewer = some & dd_random_next(random);
        const uint64_t words[] = {UINT64_MAX, 0, some, fewer & dd_random_next(random)};
        present->words[i] = words[round % 4];
    }
}

static int hash_slowly(const hashing *h, const uint32_t *base, uint32_t *keys)
{
    int count = 0;
    for (int lane = 0; lane < h->n_groups * DD_KEY_LANES; lane++) {
        int group = lane / DD_KEY_LANES;
        if (!(h->present.words[lane / 64] >> lane % 64 & 1)) continue;
        uint32_t key = base ? base[lane] : 0;
        for (int t = h->terms.first[group]; t < h->terms.first[group + 1]; t++)
            key += h->values[h->terms.places[t]] * h->terms.factors[t][lane % DD_KEY_LANES];
        keys[count++] = key;
    }
    return count;
}

static void keys_are_hashed_in_order_without_gaps(void **state)
{
    (void)state;
    enum { ROOM = DD_MAX_TEMPLATES + 2 * DD_KEY_LANES, MARK = 77 };
    dd_random random = {41};
    hashing *h = calloc(1, sizeof *h);
    assert_non_null(h);
    for (int n_groups = 0; n_groups <= DD_MAX_GROUPS; n_groups += n_groups < LONGEST ? 1 : 29) {
        draw_hashing(h, &random, n_groups);
        for (int round = 0; round < 16; round++) {
            uint32_t want[ROOM], keys[ROOM];
            const uint32_t *base = in_two(&random) ? h->base : NULL;
            draw_present(&h->present, &random, round);
            int n = hash_slowly(h, base, want);
            for (int k = 0; dd_kernels_at(k); k++) {
                for (int i = 0; i < ROOM; i++) keys[i] = MARK;
                assert_int_equal(dd_kernels_at(k)->hash_keys(&h->terms, n_groups, h->values, base,
                                                             &h->present, keys),
                                 n);
                assert_memory_equal(keys, want, (size_t)n * sizeof *keys);
                for (int i = n + DD_KEY_LANES; i < ROOM; i++) assert_int_equal(keys[i], MARK);
            }
        }
    }
    free(h);
}

/* ---- sums of packed weights ---- */

enum {
    FEATURES = 90,
    ABSENT = 30,  /* keys that no feature has */
    BUCKETS = 10, /* that keys pick: most are full, and pass features on */
    ALL_BUCKETS = BUCKETS + FEATURES / DD_BUCKET_FEATURES + 1,
    MAX_CELLS = 20, /* in a row */
    MAX_CLASSES = 400,
};

typedef struct weights {
    dd_packed packed;
    _Alignas(64) dd_packed_bucket buckets[ALL_BUCKETS];
    int filled[ALL_BUCKETS];
    dd_packed_cell cells[FEATURES * MAX_CELLS];
    int16_t dense[FEATURES * (MAX_CLASSES + DD_LANE_GROUP)];
    uint32_t keys[FEATURES + ABSENT];
    uint16_t slow[FEATURES + ABSENT][MAX_CLASSES]; /* what each key adds */
} weights;

static int16_t draw_weight(dd_random *random)
{
    if (in_two(random)) return (int16_t)((int)dd_random_below(random, 65536) - 32768);
    return in_two(random) ? INT16_MIN : INT16_MAX;
}

static uint64_t put_pair(weights *w, dd_random *random, int feature)
{
    uint64_t bits = 0;
    for (int half = 0; half < 2; half++) {
        uint32_t class_id = dd_random_below(random, w->packed.header.classes);
        int weight = draw_weight(random) >> 4;
        if (in_two(random)) weight = 0;
        w->slow[feature][class_id] = (uint16_t)(w->slow[feature][class_id] + weight);
        bits |= (class_id | ((uint64_t)weight & 0xFFF) << 10) << half * DD_PACKED_HALF;
    }
    return bits;
}

/* One in eight goes beyond the last cell, so that it must add nothing. */
static uint64_t put_sparse(weights *w, dd_random *random, int feature)
{
    uint64_t first = w->packed.header.cell_count, count = dd_random_below(random, MAX_CELLS + 1);
    if (dd_random_below(random, 8) == 0) return UINT64_C(0xFFFFFFFF) << 12 | (count + 1);
    for (uint64_t i = first; i < first + count; i++) {
        w->cells[i].class_id = (uint16_t)dd_random_below(random, w->packed.header.classes);
        w->cells[i].weight = draw_weight(random);
        uint16_t *sum = &w->slow[feature][w->cells[i].class_id];
        *sum = (uint16_t)(*sum + w->cells[i].weight);
    }
    w->packed.header.cell_count += count;
    return first << 12 | count;
}

/* The same for a row beyond the last one. */
static uint64_t put_dense(weights *w, dd_random *random, int feature)
{
    if (dd_random_below(random, 8) == 0) return UINT32_MAX - dd_random_below(random, 9);
    size_t at = (size_t)w->packed.header.dense_count++ * w->packed.lanes;
    for (uint32_t c = 0; c < w->packed.header.classes; c++) {
        w->dense[at + c] = draw_weight(random);
        w->slow[feature][c] = (uint16_t)w->dense[at + c];
    }
    w->packed.dense_limit = at / DD_LANE_GROUP + 1;
    return at / DD_LANE_GROUP;
}

static void put_feature(weights *w, uint32_t key, uint64_t bits)
{
    uint64_t at = dd_packed_bucket_of(key, BUCKETS);
    for (; w->filled[at] == DD_BUCKET_FEATURES; at++)
        w->buckets[at].features[sizeof w->buckets[at].features - 1] |= 0x80;
    int i = w->filled[at]++;
    w->buckets[at].checks[i] = (uint16_t)key;
    for (int byte = 0; byte < 6; byte++)
        w->buckets[at].features[6 * i + byte] = (uint8_t)(bits >> 8 * byte);
}

/* The low halves of all keys differ, as features are known by them. */
static void draw_weights(weights *w, dd_random *random, uint32_t classes)
{
    memset(w, 0, sizeof *w);
    w->packed = (dd_packed){.header = {.classes = classes, .bucket_range = BUCKETS},
                            .buckets = w->buckets,
                            .cells = w->cells,
                            .dense = w->dense,
                            .lanes = dd_lanes_for(classes),
                            .class_mask = 511};
    for (uint32_t i = 0; i < FEATURES + ABSENT; i++)
        w->keys[i] = any_bits(random) << 16 | (40503 * i & 0xFFFF);
    for (int i = 0; i < FEATURES; i++) {
        uint64_t kind = dd_random_below(random, 3);
        uint64_t rest = kind == DD_PACKED_PAIR     ? put_pair(w, random, i)
                        : kind == DD_PACKED_SPARSE ? put_sparse(w, random, i)
                                                   : put_dense(w, random, i);
        put_feature(w, w->keys[i], rest << 2 | kind);
    }
}

/* The sums wrap around, and nothing is left in them from the configuration before. */
static void expect_sums(const weights *w, dd_random *random, int n)
{
    uint32_t keys[LONGEST], buckets[LONGEST];
    dd_sparse_row sparse[LONGEST];
    const int16_t *dense[LONGEST];
    uint16_t sums[512], want[MAX_CLASSES] = {0};
    int32_t scores[MAX_CLASSES + DD_LANE_GROUP];
    dd_sum_space space = {keys, buckets, sparse, dense, sums, scores};
    for (int t = 0; t < n; t++) {
        uint32_t i = dd_random_below(random, FEATURES + ABSENT);
        keys[t] = w->keys[i];
        for (int c = 0; c < MAX_CLASSES; c++) want[c] = (uint16_t)(want[c] + w->slow[i][c]);
    }
    for (int k = 0; dd_kernels_at(k); k++) {
        memset(sums, 0xAA, sizeof sums);
        memset(scores, 0xAA, sizeof scores);
        dd_kernels_at(k)->sum(&w->packed, &space, n);
        for (uint32_t c = 0; c < w->packed.header.classes; c++)
            assert_int_equal(scores[c], (int16_t)want[c]);
    }
}

/* Few classes and many, also more than fit into registers. */
static void packed_weights_of_all_kinds_are_summed(void **state)
{
    (void)state;
    dd_random random = {29};
    weights *w = aligned_alloc(64, (sizeof *w + 63) / 64 * 64);
    assert_non_null(w);
    for (uint32_t classes = 1; classes <= MAX_CLASSES; classes += classes < LONGEST ? 1 : 11) {
        draw_weights(w, &random, classes);
        assert_false(dd_packed_passes_on(&w->buckets[ALL_BUCKETS - 1]));
        for (int n = 0; n <= LONGEST; n++) expect_sums(w, &random, n);
    }
    free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_begins_with_plain_c_and_ends_with_the_best),
        cmocka_unit_test(the_first_of_the_largest_is_found),
        cmocka_unit_test(rows_are_added_lane_by_lane),
        cmocka_unit_test(keys_are_hashed_in_order_without_gaps),
        cmocka_unit_test(packed_weights_of_all_kinds_are_summed),
    };
    return cmocka_run_group_tests_name("kernels", tests, NULL, NULL);
}
