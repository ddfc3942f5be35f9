/* Each kernel of the neural scorer, in all versions that this processor can run, against slow and
 * obvious code. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/random.h"
#include "kernels/kernels.h"

/* ---- products of floats ---- */

static float *draw_floats(dd_random *random, size_t count)
{
    float *made = malloc((count + 1) * sizeof *made);
    for (size_t i = 0; i < count; i++) made[i] = (float)dd_random_below(random, 17) - 8;
    return made;
}

/* Sums of whole numbers are exact in any order. */
static void products_of_floats_equal_plain_sums(void **state)
{
    (void)state;
    enum { SMALL = 40, LARGE = 600 };
    dd_random random = {31};
    dd_gemm_space *space = malloc(sizeof *space);
    for (int round = 0; round < 200; round++) {
        size_t most = round < 195 ? SMALL : LARGE;
        size_t m = 1 + dd_random_below(&random, (uint32_t)most / 2),
               n = 1 + dd_random_below(&random, (uint32_t)most);
        size_t k = dd_random_below(&random, (uint32_t)most);
        bool a_turned = round % 2, b_turned = round % 3 == 0;
        float *a = draw_floats(&random, m * k), *b = draw_floats(&random, k * n);
        float *start = draw_floats(&random, m * n), *want = malloc(m * n * sizeof *want);
        dd_matrix left = {a, a_turned ? 1 : k, a_turned ? m : 1};
        dd_matrix right = {b, b_turned ? 1 : n, b_turned ? k : 1};
        memcpy(want, start, m * n * sizeof *want);
        for (size_t i = 0; i < m; i++)
            for (size_t j = 0; j < n; j++)
                for (size_t p = 0; p < k; p++)
                    want[i * n + j] +=
                        a[i * left.row + p * left.column] * b[p * right.row + j * right.column];
        for (int row = 0; dd_kernels_at(row); row++) {
            float *c = malloc(m * n * sizeof *c);
            memcpy(c, start, m * n * sizeof *c);
            dd_kernels_at(row)->gemm(space, m, n, k, left, right, c, n);
            assert_memory_equal(c, want, m * n * sizeof *c);
            free(c);
        }
        free(a);
        free(b);
        free(start);
        free(want);
    }
    free(space);
}

/* ---- products of bytes ---- */

static void products_of_bytes_equal_plain_sums(void **state)
{
    (void)state;
    dd_random random = {37};
    for (int round = 0; round < 200; round++) {
        size_t m = dd_random_below(&random, 12), n = 16 * (1 + dd_random_below(&random, 5));
        size_t k = 4 * dd_random_below(&random, 40);
        bool extreme = round % 4 == 0;
        uint8_t *a = malloc(m * k + 1);
        int8_t *w = malloc(k * n + 1);
        int32_t *want = malloc((m * n + 1) * sizeof *want);
        for (size_t i = 0; i < m * k; i++)
            a[i] = extreme ? 255 : (uint8_t)dd_random_below(&random, 256);
        for (size_t i = 0; i < k * n; i++)
            w[i] = extreme ? (i % 16 < 8 ? DD_DENSE_MOST : -DD_DENSE_MOST)
                           : (int8_t)((int)dd_random_below(&random, 2 * DD_DENSE_MOST + 1) -
                                      DD_DENSE_MOST);
        for (size_t i = 0; i < m; i++)
            for (size_t j = 0; j < n; j++) {
                want[i * n + j] = 0;
                for (size_t p = 0; p < k; p++)
                    want[i * n + j] += a[i * k + p] * w[dd_dense_place(k, p, j)];
            }
        for (int row = 0; dd_kernels_at(row); row++) {
            int32_t *c = malloc((m * n + 1) * sizeof *c);
            dd_kernels_at(row)->dense(m, n, k, a, k, w, c, n);
            assert_memory_equal(c, want, m * n * sizeof *c);
            free(c);
        }
        free(a);
        free(w);
        free(want);
    }
}

static void weights_have_a_place_each(void **state)
{
    (void)state;
    enum { ROWS = 12, COLUMNS = 48 };
    bool taken[ROWS * COLUMNS] = {false};
    for (size_t p = 0; p < ROWS; p++)
        for (size_t j = 0; j < COLUMNS; j++) {
            size_t at = dd_dense_place(ROWS, p, j);
            assert_true(at < ROWS * COLUMNS && !taken[at]);
            taken[at] = true;
        }
}

/* ---- gates ---- */

static void gates_equal_plain_ones(void **state)
{
    (void)state;
    enum { WIDTH = 24 };
    dd_random random = {41};
    for (int round = 0; round < 500; round++) {
        int32_t x[4 * WIDTH], y[4 * WIDTH];
        float fx[4 * WIDTH], fy[4 * WIDTH], first_bias[4 * WIDTH], bias[4 * WIDTH], start[WIDTH];
        for (int j = 0; j < 4 * WIDTH; j++) {
            x[j] = (int32_t)dd_random_below(&random, 200001) - 100000;
            y[j] = (int32_t)dd_random_below(&random, 200001) - 100000;
            fx[j] = (float)dd_random_unit(&random) * 1e-4f;
            fy[j] = (float)dd_random_unit(&random) * 1e-4f;
            bias[j] = (float)dd_random_unit(&random) - 0.5f;
            first_bias[j] = (float)dd_random_unit(&random) - 0.5f;
        }
        for (int j = 0; j < WIDTH; j++) start[j] = (float)dd_random_unit(&random) * 8 - 4;
        dd_gates_factors factors = {fx, fy, first_bias, bias};
        const bool first = round % 2;
        for (int row = 0; dd_kernels_at(row); row++) {
            float cells[WIDTH];
            uint8_t states[WIDTH];
            memcpy(cells, start, sizeof cells);
            dd_gates_row at = {x, first ? NULL : y, cells, states};
            dd_kernels_at(row)->gates(WIDTH, &factors, &at);
            for (int j = 0; j < WIDTH; j++) {
                float sums[4];
                for (int g = 0; g < 4; g++) {
                    int k = g * WIDTH + j;
                    sums[g] = (first ? first_bias[k] : bias[k]) + (float)x[k] * fx[k];
                    if (!first) sums[g] = sums[g] + (float)y[k] * fy[k];
                }
                float cell = dd_sigmoid(sums[0]) * dd_tanh(sums[2]);
                if (!first) cell = cell + dd_sigmoid(sums[1]) * start[j];
                float h = dd_sigmoid(sums[3]) * dd_tanh(cell);
                assert_true(cells[j] == cell);
                assert_int_equal(states[j], (int)(h * 127.0f + 128.5f));
            }
        }
    }
}

static void tanh_is_close(void **state)
{
    (void)state;
    for (double x = -12; x <= 12; x += 0.001) {
        assert_true(fabs((double)dd_tanh((float)x) - tanh(x)) < 2e-4);
        assert_true(fabs((double)dd_sigmoid((float)x) - 1 / (1 + exp(-x))) < 2e-4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_of_floats_equal_plain_sums),
        cmocka_unit_test(products_of_bytes_equal_plain_sums),
        cmocka_unit_test(weights_have_a_place_each),
        cmocka_unit_test(gates_equal_plain_ones),
        cmocka_unit_test(tanh_is_close),
    };
    return cmocka_run_group_tests_name("neural_kernels", tests, NULL, NULL);
}
