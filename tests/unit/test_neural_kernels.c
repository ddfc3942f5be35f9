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

static float *draw_fractions(dd_random *random, size_t count)
{
    float *made = malloc((count + 1) * sizeof *made);
    for (size_t i = 0; i < count; i++) made[i] = (float)dd_random_unit(random) - 0.5f;
    return made;
}

static float *copy_floats(const float *from, size_t count)
{
    float *made = malloc((count + 1) * sizeof *made);
    memcpy(made, from, count * sizeof *made);
    return made;
}

/* c[m][n] += a * b with whole rows of numbers between those of c that must stay as they are. */
typedef struct product {
    size_t m, n, k, stride;
    float *a, *b, *c;
    dd_matrix left, right;
} product;

static product draw_product(dd_random *random, size_t m, size_t n, size_t k, int shape,
                            float *(*draw)(dd_random *, size_t))
{
    product made = {.m = m, .n = n, .k = k, .stride = n + (size_t)shape % 3};
    bool a_turned = shape % 2, b_turned = shape % 3 == 0;
    made.a = draw(random, m * k);
    made.b = draw(random, k * n);
    made.c = draw(random, m * made.stride);
    made.left = (dd_matrix){made.a, a_turned ? 1 : k, a_turned ? m : 1};
    made.right = (dd_matrix){made.b, b_turned ? 1 : n, b_turned ? k : 1};
    return made;
}

static void free_product(product *p)
{
    free(p->a);
    free(p->b);
    free(p->c);
}

static float *multiply_plainly(const product *p)
{
    float *c = copy_floats(p->c, p->m * p->stride);
    for (size_t i = 0; i < p->m; i++)
        for (size_t j = 0; j < p->n; j++)
            for (size_t q = 0; q < p->k; q++)
                c[i * p->stride + j] += p->a[i * p->left.row + q * p->left.column] *
                                        p->b[q * p->right.row + j * p->right.column];
    return c;
}

/* Rows from..to of the product, with b as it is or packed. */
static void multiply_rows(const dd_kernels *by, const product *p, bool packed, size_t from,
                          size_t to, float *c)
{
    dd_gemm_space *space = malloc(sizeof *space);
    dd_matrix left = {p->a + from * p->left.row, p->left.row, p->left.column};
    float *at = c + from * p->stride;
    if (packed) {
        float *b = malloc((dd_gemm_packed_size(p->n, p->k) + 1) * sizeof *b);
        dd_gemm_pack(b, p->n, p->k, p->right);
        by->gemm_packed(space, to - from, p->n, p->k, left, b, at, p->stride);
        free(b);
    } else {
        by->gemm(space, to - from, p->n, p->k, left, p->right, at, p->stride);
    }
    free(space);
}

/* Sums of whole numbers are exact in any order. */
static void products_of_floats_equal_plain_sums(void **state)
{
    (void)state;
    enum { SMALL = 40, LARGE = 600, TALL = 110 }; /* beyond all blocks */
    dd_random random = {31};
    for (int round = 0; round < 200; round++) {
        size_t most = round < 195 ? SMALL : LARGE;
        size_t m = 1 + dd_random_below(&random, round < 195 ? SMALL / 2 : TALL),
               n = 1 + dd_random_below(&random, (uint32_t)most);
        if (round % 4 == 1) n = (n + 15) / 16 * 16;
        product p = draw_product(&random, m, n, dd_random_below(&random, (uint32_t)most), round,
                                 draw_floats);
        float *want = multiply_plainly(&p);
        for (int run = 0; dd_kernels_at(run / 2); run++) {
            float *c = copy_floats(p.c, m * p.stride);
            multiply_rows(dd_kernels_at(run / 2), &p, run % 2, 0, m, c);
            assert_memory_equal(c, want, m * p.stride * sizeof *c);
            free(c);
        }
        free(want);
        free_product(&p);
    }
}

/* Otherwise a model would depend on how a minibatch is cut. */
static void products_do_not_depend_on_how_rows_are_shared_out(void **state)
{
    (void)state;
    dd_random random = {33};
    for (int round = 0; round < 24; round++) {
        size_t m = 90 + dd_random_below(&random, 30), n = round % 2 ? 48 : 41;
        product p = draw_product(&random, m, n, 250 + dd_random_below(&random, 90), round / 2,
                                 draw_fractions);
        for (int row = 0; dd_kernels_at(row); row++) {
            float *whole = copy_floats(p.c, m * p.stride);
            multiply_rows(dd_kernels_at(row), &p, false, 0, m, whole);
            for (int packed = 0; packed < 2; packed++) {
                float *pieces = copy_floats(p.c, m * p.stride);
                for (size_t from = 0, to; from < m; from = to) {
                    to = from + 1 + dd_random_below(&random, from % 2 ? 7 : 40);
                    if (to > m) to = m;
                    multiply_rows(dd_kernels_at(row), &p, packed, from, to, pieces);
                }
                assert_memory_equal(pieces, whole, m * p.stride * sizeof *whole);
                free(pieces);
            }
            free(whole);
        }
        free_product(&p);
    }
}

/* ---- products of bytes ---- */

/* Rows of both sides have gaps, and none of the arrays is aligned. */
typedef struct byte_product {
    size_t m, n, k, a_stride, c_stride;
    uint8_t *a;
    int8_t *w;
    int32_t *want; /* with MARK in the gaps */
} byte_product;

enum { ODD = 1, MARK = -12345 };

static int32_t *marked(const byte_product *p)
{
    int32_t *made = malloc((p->m * p->c_stride + 1) * sizeof *made);
    for (size_t i = 0; i < p->m * p->c_stride; i++) made[i] = MARK;
    return made;
}

static void multiply_bytes_plainly(byte_product *p)
{
    p->want = marked(p);
    for (size_t i = 0; i < p->m; i++)
        for (size_t j = 0; j < p->n; j++) {
            int32_t sum = 0;
            for (size_t q = 0; q < p->k; q++)
                sum += p->a[ODD + i * p->a_stride + q] * p->w[ODD + dd_dense_place(p->k, q, j)];
            p->want[i * p->c_stride + j] = sum;
        }
}

/* Extreme ones are as far from 0 as can be, all weights of a column to the same side. */
static byte_product draw_byte_product(dd_random *random, size_t m, size_t n, size_t k, bool extreme)
{
    byte_product p = {.m = m, .n = n, .k = k, .a_stride = k + dd_random_below(random, 4)};
    p.c_stride = n + dd_random_below(random, 3);
    p.a = malloc(ODD + m * p.a_stride);
    p.w = malloc(ODD + k * n);
    for (size_t i = 0; i < ODD + m * p.a_stride; i++)
        p.a[i] = (uint8_t)(extreme ? (i % 7 ? DD_DENSE_BYTE : 0)
                                   : dd_random_below(random, DD_DENSE_BYTE + 1));
    for (size_t i = 0; i < ODD + k * n; i++) {
        int32_t any = (int32_t)dd_random_below(random, 2 * DD_DENSE_MOST + 1) - DD_DENSE_MOST;
        p.w[i] = (int8_t)(!extreme ? any : i / 4 % 2 ? DD_DENSE_MOST : -DD_DENSE_MOST);
    }
    multiply_bytes_plainly(&p);
    return p;
}

static void free_byte_product(byte_product *p)
{
    free(p->a);
    free(p->w);
    free(p->want);
}

static void products_of_bytes_equal_plain_sums(void **state)
{
    (void)state;
    dd_random random = {37};
    for (int round = 0; round < 300; round++) {
        size_t m = dd_random_below(&random, 12), n = 16 * (1 + dd_random_below(&random, 9));
        byte_product p =
            draw_byte_product(&random, m, n, 4 * dd_random_below(&random, 40), round % 4 == 0);
        for (int row = 0; dd_kernels_at(row); row++) {
            int32_t *c = marked(&p);
            dd_kernels_at(row)->dense(m, n, p.k, p.a + ODD, p.a_stride, p.w + ODD, c, p.c_stride);
            assert_memory_equal(c, p.want, m * p.c_stride * sizeof *c);
            free(c);
        }
        free_byte_product(&p);
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

enum { MOST_UNITS = 136 };

typedef struct gates_memory {
    int32_t x[4 * MOST_UNITS], y[4 * MOST_UNITS];
    float fx[4 * MOST_UNITS], fy[4 * MOST_UNITS];
    float first_bias[4 * MOST_UNITS], bias[4 * MOST_UNITS];
    float start[MOST_UNITS];
} gates_memory;

/* Sums up to 20, far beyond where sigmoid and tanh are flat. */
static void draw_gates(dd_random *random, gates_memory *m)
{
    for (int j = 0; j < 4 * MOST_UNITS; j++) {
        m->x[j] = (int32_t)dd_random_below(random, 200001) - 100000;
        m->y[j] = (int32_t)dd_random_below(random, 200001) - 100000;
        m->fx[j] = (float)dd_random_unit(random) * 1e-4f;
        m->fy[j] = (float)dd_random_unit(random) * 1e-4f;
        m->bias[j] = (float)dd_random_unit(random) - 0.5f;
        m->first_bias[j] = (float)dd_random_unit(random) - 0.5f;
    }
    for (int j = 0; j < MOST_UNITS; j++) m->start[j] = (float)dd_random_unit(random) * 8 - 4;
}

/* The cell of a unit and its state. */
static int pass_gates_plainly(const gates_memory *m, size_t width, size_t j, bool first,
                              float *cell)
{
    float sums[4];
    for (size_t g = 0; g < 4; g++) {
        size_t at = g * width + j;
        sums[g] = (first ? m->first_bias[at] : m->bias[at]) + (float)m->x[at] * m->fx[at];
        if (!first) sums[g] = sums[g] + (float)m->y[at] * m->fy[at];
    }
    *cell = dd_sigmoid(sums[0]) * dd_tanh(sums[2]);
    if (!first) *cell = *cell + dd_sigmoid(sums[1]) * m->start[j];
    return (int)(dd_sigmoid(sums[3]) * dd_tanh(*cell) * 63.0f + 64.5f);
}

static void gates_equal_plain_ones(void **state)
{
    (void)state;
    dd_random random = {41};
    gates_memory m;
    for (int round = 0; round < 300; round++) {
        size_t width = 8 * (1 + dd_random_below(&random, MOST_UNITS / 8));
        const bool first = round % 2;
        draw_gates(&random, &m);
        dd_gates_factors factors = {m.fx, m.fy, m.first_bias, m.bias};
        for (int row = 0; dd_kernels_at(row); row++) {
            float cells[MOST_UNITS], cell;
            uint8_t states[MOST_UNITS + 1] = {0};
            memcpy(cells, m.start, sizeof cells);
            dd_gates_row at = {m.x, first ? NULL : m.y, cells, states};
            dd_kernels_at(row)->gates(width, &factors, &at);
            for (size_t j = 0; j < width; j++) {
                assert_int_equal(states[j], pass_gates_plainly(&m, width, j, first, &cell));
                assert_true(cells[j] == cell);
            }
            assert_int_equal(states[width], 0);
        }
    }
}

/* ---- training ---- */

/* One unit, as in lstm.h; `gates` are its i, f, g, o, sums and then after their functions. */
static void step_plainly(float *gates, float last_cell, float *cell, float *tanhs, float *h)
{
    for (int g = 0; g < 4; g++) gates[g] = g == 2 ? dd_tanh(gates[g]) : dd_sigmoid(gates[g]);
    *cell = gates[1] * last_cell + gates[0] * gates[2];
    *tanhs = dd_tanh(*cell);
    *h = gates[3] * *tanhs;
}

enum { WIDEST = 35 };

typedef struct lstm_memory {
    float gates[4 * WIDEST + 1], last[WIDEST], cell[WIDEST + 1], tanhs[WIDEST + 1], h[WIDEST + 1];
    float dh[WIDEST], dc[WIDEST + 1];
} lstm_memory;

static float draw_between(dd_random *random, float least, float most)
{
    return least + (float)dd_random_unit(random) * (most - least);
}

static lstm_memory draw_memory(dd_random *random)
{
    lstm_memory made = {.gates = {0}};
    for (int j = 0; j < 4 * WIDEST; j++) made.gates[j] = draw_between(random, -14, 14);
    for (int j = 0; j < WIDEST; j++) {
        made.last[j] = draw_between(random, -3, 3);
        made.dh[j] = draw_between(random, -1, 1);
        made.dc[j] = draw_between(random, -1, 1);
    }
    return made;
}

static void activations_equal_plain_ones(void **state)
{
    (void)state;
    dd_random random = {43};
    for (size_t width = 0; width <= WIDEST; width++)
        for (int run = 0; dd_kernels_at(run / 2); run++) {
            lstm_memory start = draw_memory(&random), m = start;
            dd_lstm_row row = {m.gates, run % 2 ? m.last : NULL, m.cell, m.tanhs};
            dd_kernels_at(run / 2)->activate(width, &row, m.h);
            for (size_t j = 0; j < width; j++) {
                float gates[4], cell, tanhs, h;
                for (size_t g = 0; g < 4; g++) gates[g] = start.gates[g * width + j];
                step_plainly(gates, run % 2 ? start.last[j] : 0, &cell, &tanhs, &h);
                for (size_t g = 0; g < 4; g++) assert_true(m.gates[g * width + j] == gates[g]);
                assert_true(m.cell[j] == cell && m.tanhs[j] == tanhs && m.h[j] == h);
            }
            assert_true(m.gates[4 * width] == start.gates[4 * width]);
            assert_true(m.cell[width] == 0 && m.tanhs[width] == 0 && m.h[width] == 0);
        }
}

/* By the chain rule; a test of gradients against finite differences is in test_gradients.c. */
static void gradients_of_a_step_equal_plain_ones(void **state)
{
    (void)state;
    dd_random random = {47};
    for (size_t width = 0; width <= WIDEST; width++)
        for (int run = 0; dd_kernels_at(run / 2); run++) {
            lstm_memory m = draw_memory(&random), before;
            dd_lstm_row row = {m.gates, run % 2 ? m.last : NULL, m.cell, m.tanhs};
            dd_kernels_at(0)->activate(width, &row, m.h);
            before = m;
            dd_kernels_at(run / 2)->differentiate(width, &row, m.dh, m.dc);
            for (size_t j = 0; j < width; j++) {
                const float *gates = before.gates + j;
                float i = gates[0], f = gates[width], g = gates[2 * width], o = gates[3 * width];
                float t = m.tanhs[j], dh = m.dh[j], last = run % 2 ? m.last[j] : 0;
                float d = before.dc[j] + dh * o * (1 - t * t);
                assert_true(m.gates[j] == d * g * i * (1 - i));
                assert_true(m.gates[width + j] == d * last * f * (1 - f));
                assert_true(m.gates[2 * width + j] == d * i * (1 - g * g));
                assert_true(m.gates[3 * width + j] == dh * t * o * (1 - o));
                assert_true(m.dc[j] == d * f);
            }
            assert_true(m.gates[4 * width] == before.gates[4 * width]);
            assert_true(m.dc[width] == before.dc[width]);
        }
}

static void steps_of_adam_equal_plain_ones(void **state)
{
    (void)state;
    enum { MOST = 70 };
    dd_random random = {53};
    const dd_adam_rates rates = {0.25f, 0.01f, 0.9f, 0.95f, 0.002f, 1.75f};
    for (size_t count = 0; count < MOST; count++)
        for (int row = 0; dd_kernels_at(row); row++) {
            float w[MOST], first[MOST], second[MOST], g[MOST], want[MOST];
            for (size_t i = 0; i < MOST; i++) {
                w[i] = want[i] = draw_between(&random, -1, 1);
                first[i] = draw_between(&random, -1, 1);
                second[i] = i % 5 ? draw_between(&random, 0, 1) : 0;
                g[i] = i % 7 ? draw_between(&random, -2, 2) : 0;
            }
            for (size_t i = 0; i < count; i++) {
                float gradient = g[i] * 0.25f + 0.01f * w[i];
                float one = 0.9f * first[i] + (1 - 0.9f) * gradient;
                float two = 0.95f * second[i] + (1 - 0.95f) * gradient * gradient;
                want[i] -= 0.002f * one / ((float)sqrt((double)(two * 1.75f)) + 1e-8f);
            }
            dd_kernels_at(row)->adam_update(count, &rates, g, w, first, second);
            assert_memory_equal(w, want, sizeof w);
        }
}

static void tanh_is_close(void **state)
{
    (void)state;
    for (double x = -12; x <= 12; x += 0.001) {
        assert_true(fabs((double)dd_tanh((float)x) - tanh(x)) < 2e-3);
        assert_true(fabs((double)dd_sigmoid((float)x) - 1 / (1 + exp(-x))) < 2e-3);
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
            dd_kernels_at(row)->quantise(UNITS, sums, factors, bias, got);
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
            dd_kernels_at(row)->rectify(UNITS, rows, n_rows, got);
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
        cmocka_unit_test(products_do_not_depend_on_how_rows_are_shared_out),
        cmocka_unit_test(products_of_bytes_equal_plain_sums),
        cmocka_unit_test(weights_have_a_place_each),
        cmocka_unit_test(gates_equal_plain_ones),
        cmocka_unit_test(shortened_sums_are_rounded_and_cut),
        cmocka_unit_test(units_are_bent_and_cut),
        cmocka_unit_test(outputs_equal_plain_sums),
        cmocka_unit_test(activations_equal_plain_ones),
        cmocka_unit_test(gradients_of_a_step_equal_plain_ones),
        cmocka_unit_test(steps_of_adam_equal_plain_ones),
        cmocka_unit_test(tanh_is_close),
    };
    return cmocka_run_group_tests_name("neural_kernels", tests, NULL, NULL);
}
