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

/* ---- units ---- */

enum { UNITS = 48, ROWS = 5, OUTPUTS = 7 };

static int16_t draw_short(dd_random *random, int most)
{
    return (int16_t)((int)dd_random_below(random, 2 * (uint32_t)most + 1) - most);
}

static void shortened_sums_are_rounded_and_cut(void **state)
{
    (void)state;
    dd_random random = {43};
    for (int round = 0; round < 300; round++) {
        int32_t sums[UNITS];
        float factors[UNITS], bias[UNITS];
        for (int j = 0; j < UNITS; j++) {
            sums[j] = (int32_t)dd_random_below(&random, 2000001) - 1000000;
            factors[j] = round % 3 ? (float)dd_random_unit(&random) * 0.05f : 0.5f;
            bias[j] = round % 3 == 2 ? 1e6f : 0;
        }
        for (int row = 0; dd_kernels_at(row); row++) {
            int16_t got[UNITS];
            dd_kernels_at(row)->shorten(UNITS, sums, factors, bias, got);
            for (int j = 0; j < UNITS; j++) {
                float x = bias[j] + (float)sums[j] * factors[j];
                double want = fmax(-32767, fmin(32767, (x < 0 ? ceil((double)(x - 0.5f))
                                                              : floor((double)(x + 0.5f)))));
                assert_int_equal(got[j], (int)want);
            }
        }
    }
}

static void units_are_bent_and_cut(void **state)
{
    (void)state;
    dd_random random = {47};
    for (int round = 0; round < 300; round++) {
        int16_t numbers[ROWS][UNITS];
        const int16_t *rows[ROWS];
        int n_rows = 1 + (int)dd_random_below(&random, ROWS);
        for (int i = 0; i < ROWS; i++) {
            rows[i] = numbers[i];
            for (int j = 0; j < UNITS; j++)
                numbers[i][j] = draw_short(&random, round % 2 ? 300 : INT16_MAX);
        }
        for (int row = 0; dd_kernels_at(row); row++) {
            int16_t got[UNITS];
            dd_kernels_at(row)->bend(UNITS, rows, n_rows, got);
            for (int j = 0; j < UNITS; j++) {
                int sum = 0;
                for (int i = 0; i < n_rows; i++) sum += numbers[i][j];
                int want = sum > 0 ? sum : sum * 205 / 2048;
                want = want > DD_UNIT_MOST ? DD_UNIT_MOST : want;
                assert_int_equal(got[j], want < -DD_UNIT_MOST ? -DD_UNIT_MOST : want);
            }
        }
    }
}

static void outputs_equal_plain_sums(void **state)
{
    (void)state;
    dd_random random = {53};
    for (int round = 0; round < 300; round++) {
        int16_t units[UNITS], weights[OUTPUTS * UNITS];
        int32_t bias[OUTPUTS];
        bool extreme = round % 5 == 0;
        for (int j = 0; j < UNITS; j++)
            units[j] = extreme ? INT16_MIN : draw_short(&random, DD_UNIT_MOST);
        for (int j = 0; j < OUTPUTS * UNITS; j++)
            weights[j] = extreme ? INT16_MIN + 1 : draw_short(&random, 1023);
        for (int o = 0; o < OUTPUTS; o++) bias[o] = extreme ? INT32_MAX : 100 * o;
        for (int row = 0; dd_kernels_at(row); row++) {
            int32_t got[OUTPUTS];
            dd_kernels_at(row)->outputs(UNITS, units, OUTPUTS, weights, bias, got);
            for (int o = 0; o < OUTPUTS; o++) {
                int64_t want = bias[o];
                for (int j = 0; j < UNITS; j++) want += (int64_t)units[j] * weights[o * UNITS + j];
                assert_true((uint32_t)got[o] == (uint32_t)(uint64_t)want);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_of_floats_equal_plain_sums),
        cmocka_unit_test(products_of_bytes_equal_plain_sums),
        cmocka_unit_test(weights_have_a_place_each),
        cmocka_unit_test(gates_equal_plain_ones),
        cmocka_unit_test(shortened_sums_are_rounded_and_cut),
        cmocka_unit_test(units_are_bent_and_cut),
        cmocka_unit_test(outputs_equal_plain_sums),
        cmocka_unit_test(tanh_is_close),
    };
    return cmocka_run_group_tests_name("neural_kernels", tests, NULL, NULL);
}
