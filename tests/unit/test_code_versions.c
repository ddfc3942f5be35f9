/* Sums in the versions of the code for different processors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/random.h"
#include "score/linear/lanes.h"
#include "score/linear/packed.h"
#include "score/linear/sum.h"

/* Rows of any number of groups, also of more than fit into registers. */
static void all_versions_add_dense_rows(void **state)
{
    (void)state;
    enum { LANES = 20 * DD_LANE_GROUP, ROWS = 5 };
    dd_random random = {29};
    static int16_t dense[ROWS * LANES];
    for (int i = 0; i < ROWS * LANES; i++)
        dense[i] = (int16_t)((int)dd_random_below(&random, 65536) - 32768);
    for (uint32_t classes = 1; classes <= LANES; classes += 7) {
        uint32_t keys[ROWS] = {0, 1, 2, 3, 4}, buckets[ROWS];
        dd_sparse_row sparse[ROWS];
        const int16_t *rows[ROWS];
        uint16_t sums[512];
        int32_t scores[LANES];
        static dd_packed_bucket bucket;
        size_t lanes = dd_lanes_for(classes);
        bucket = (dd_packed_bucket){.checks = {0, 1, 2, 3, 4, 9, 9, 9}};
        for (uint64_t r = 0; r < ROWS; r++) {
            uint64_t bits = DD_PACKED_DENSE | r * lanes / DD_LANE_GROUP << 2;
            memcpy(bucket.features + 6 * r, &bits, 6);
        }
        dd_packed packed = {.header = {.classes = classes, .bucket_range = 1, .bucket_count = 1},
                            .buckets = &bucket,
                            .dense = dense,
                            .lanes = lanes,
                            .dense_limit = (ROWS - 1) * lanes / DD_LANE_GROUP + 1,
                            .class_mask = 511};
        dd_sum_space space = {keys, buckets, sparse, rows, sums, scores};
        for (int version = 0; dd_sum_version(version); version++) {
            dd_sum_version(version)(&packed, &space, ROWS);
            for (size_t i = 0; i < lanes; i++) {
                uint16_t want = 0;
                for (size_t r = 0; r < ROWS; r++) want = (uint16_t)(want + dense[r * lanes + i]);
                assert_int_equal(scores[i], (int16_t)want);
            }
        }
    }
}

static void all_versions_add_the_same(void **state)
{
    (void)state;
    enum { LANES = 5 * DD_LANE_GROUP };
    dd_random random = {17};
    int32_t weights[LANES];
    for (int i = 0; i < LANES; i++)
        weights[i] = (int32_t)dd_random_below(&random, 2000000) - 1000000;
    for (int version = 0; dd_lanes_version(version); version++) {
        for (int lanes = 0; lanes <= LANES; lanes += DD_LANE_GROUP) {
            int32_t sums[LANES];
            for (int i = 0; i < LANES; i++) sums[i] = 7 * i;
            dd_lanes_version(version)(sums, weights, (size_t)lanes);
            for (int i = 0; i < LANES; i++)
                assert_int_equal(sums[i], 7 * i + (i < lanes ? weights[i] : 0));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_versions_add_dense_rows),
        cmocka_unit_test(all_versions_add_the_same),
    };
    return cmocka_run_group_tests_name("code_versions", tests, NULL, NULL);
}
