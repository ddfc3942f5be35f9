/* kernels.c - how fast the kernels of the neural scorer are, in each row of the table that this
 * processor can run
 *
 *     kernels [SECONDS]
 *
 * Products are given in billions of multiplications with their additions per second, the rest in
 * nanoseconds per number; both of the fastest of many rounds, which together take SECONDS (0.2) of
 * processor time for each figure. Nothing but the kernel is in a round, and its data is in the
 * caches: a floor for what calls it. */
#include "kernels/kernels.h"
#include "core/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WIDTH = 128, GATES = 4 * WIDTH, MOST = 512, WEIGHTS = 1 << 14 };

/* What the kernels read and write. */
typedef struct arrays {
    float a[MOST * MOST], b[MOST * MOST], c[MOST * MOST], packed[MOST * MOST];
    float gates[GATES], cells[2][WIDTH], tanhs[WIDTH], h[WIDTH], dh[WIDTH], dc[WIDTH];
    float factors[2][GATES], biases[2][GATES];
    float gradients[WEIGHTS], weights[WEIGHTS], first[WEIGHTS], second[WEIGHTS];
    uint8_t bytes[MOST * MOST], states[WIDTH];
    int8_t byte_weights[MOST * MOST];
    int32_t sums[MOST * MOST], of_input[GATES], of_state[GATES];
    dd_gemm_space space;
} arrays;

typedef struct task {
    const char *name;
    void (*run)(const dd_kernels *by, arrays *in, const struct task *t);
    size_t m, n, k; /* of a product; or n numbers */
} task;

static void multiply(const dd_kernels *by, arrays *in, const task *t)
{
    dd_matrix a = {in->a, t->k, 1}, b = {in->b, t->n, 1};
    by->gemm(&in->space, t->m, t->n, t->k, a, b, in->c, t->n);
}

static void multiply_turned(const dd_kernels *by, arrays *in, const task *t)
{
    dd_matrix a = {in->a, 1, t->m}, b = {in->b, t->n, 1};
    by->gemm(&in->space, t->m, t->n, t->k, a, b, in->c, t->n);
}

static void multiply_by_turned(const dd_kernels *by, arrays *in, const task *t)
{
    dd_matrix a = {in->a, t->k, 1}, b = {in->b, 1, t->k};
    by->gemm(&in->space, t->m, t->n, t->k, a, b, in->c, t->n);
}

static void multiply_by_packed(const dd_kernels *by, arrays *in, const task *t)
{
    dd_matrix a = {in->a, t->k, 1};
    by->gemm_packed(&in->space, t->m, t->n, t->k, a, in->packed, in->c, t->n);
}

static void multiply_bytes(const dd_kernels *by, arrays *in, const task *t)
{
    by->dense(t->m, t->n, t->k, in->bytes, t->k, in->byte_weights, in->sums, t->n);
}

static void gates(const dd_kernels *by, arrays *in, const task *t)
{
    dd_gates_factors factors = {in->factors[0], in->factors[1], in->biases[0], in->biases[1]};
    dd_gates_row row = {in->of_input, in->of_state, in->cells[0], in->states};
    by->gates(t->n, &factors, &row);
}

static dd_lstm_row lstm_row(arrays *in)
{
    return (dd_lstm_row){in->gates, in->cells[0], in->cells[1], in->tanhs};
}

static void activate(const dd_kernels *by, arrays *in, const task *t)
{
    dd_lstm_row row = lstm_row(in);
    by->activate(t->n, &row, in->h);
}

static void differentiate(const dd_kernels *by, arrays *in, const task *t)
{
    dd_lstm_row row = lstm_row(in);
    memcpy(in->gates, in->biases[0], sizeof in->gates); /* which gradients replace */
    memcpy(in->dc, in->dh, sizeof in->dc);
    by->differentiate(t->n, &row, in->dh, in->dc);
}

static void adam_update(const dd_kernels *by, arrays *in, const task *t)
{
    const dd_adam_rates rates = {0.01f, 0, 0.9f, 0.9f, 0.002f, 1.5f};
    by->adam_update(t->n, &rates, in->gradients, in->weights, in->first, in->second);
}

static const task tasks[] = {
    {"dense", multiply_bytes, 1, 512, 128},
    {"dense", multiply_bytes, 4, 512, 128},
    {"dense", multiply_bytes, 16, 512, 128},
    {"dense", multiply_bytes, 16, 512, 256},
    {"dense", multiply_bytes, 64, 512, 256},
    {"gemm_packed", multiply_by_packed, 1, 512, 128},
    {"gemm_packed", multiply_by_packed, 4, 512, 128},
    {"gemm_packed", multiply_by_packed, 16, 512, 128},
    {"gemm_packed", multiply_by_packed, 60, 512, 128},
    {"gemm_packed", multiply_by_packed, 16, 128, 512},
    {"gemm", multiply, 4, 512, 128},
    {"gemm", multiply, 60, 512, 128},
    {"gemm", multiply, 250, 512, 448},
    {"gemm, a turned", multiply_turned, 448, 512, 250},
    {"gemm, b turned", multiply_by_turned, 16, 128, 512},
    {"gemm, b turned", multiply_by_turned, 250, 448, 512},
    {"gates", gates, 0, WIDTH, 0},
    {"activate", activate, 0, WIDTH, 0},
    {"differentiate", differentiate, 0, WIDTH, 0},
    {"adam_update", adam_update, 0, WEIGHTS, 0},
};

static void fill(float *numbers, size_t count, dd_random *random, float most)
{
    for (size_t i = 0; i < count; i++) numbers[i] = ((float)dd_random_unit(random) * 2 - 1) * most;
}

#define FILL(array, most) fill((float *)(array), sizeof(array) / sizeof(float), &random, most)

/* Such numbers that none of them becomes so small that processors slow down. */
static void fill_arrays(arrays *to)
{
    dd_random random = {1};
    FILL(to->a, 1);
    FILL(to->b, 1);
    FILL(to->packed, 1);
    FILL(to->factors, 1e-4f);
    FILL(to->biases, 1);
    FILL(to->cells, 1);
    FILL(to->gates, 1);
    FILL(to->dh, 1);
    FILL(to->gradients, 1);
    FILL(to->weights, 1);
    for (size_t i = 0; i < WEIGHTS; i++) to->second[i] = 0.5f;
    for (size_t i = 0; i < GATES; i++) {
        to->of_input[i] = (int32_t)dd_random_below(&random, 20001) - 10000;
        to->of_state[i] = (int32_t)dd_random_below(&random, 20001) - 10000;
    }
    for (size_t i = 0; i < sizeof to->bytes; i++)
        to->bytes[i] = (uint8_t)dd_random_below(&random, 256);
    for (size_t i = 0; i < sizeof to->byte_weights; i++)
        to->byte_weights[i] = (int8_t)((int)dd_random_below(&random, 127) - DD_DENSE_MOST);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now); /* of a shared machine */
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double time_calls(const dd_kernels *by, arrays *in, const task *t, int calls)
{
    double start = seconds();
    for (int i = 0; i < calls; i++) t->run(by, in, t);
    return (seconds() - start) / calls;
}

/* Seconds that a call takes. */
static double measure(const dd_kernels *by, arrays *in, const task *t, double budget)
{
    double least = time_calls(by, in, t, 1), end = seconds() + budget;
    int calls = 1 + (int)(2e-3 / (least + 1e-9));
    if (calls > 10000) calls = 10000;
    while (seconds() < end) {
        double time = time_calls(by, in, t, calls);
        if (time < least) least = time;
    }
    return least;
}

static void print_task(arrays *in, const task *t, double budget)
{
    if (t->m)
        printf("%-15s %3zu x %3zu x %3zu  G/s", t->name, t->m, t->n, t->k);
    else
        printf("%-15s %15zu   ns", t->name, t->n);
    for (int row = 0; dd_kernels_at(row); row++) {
        double time = measure(dd_kernels_at(row), in, t, budget);
        printf(" %12.2f",
               t->m ? (double)(t->m * t->n * t->k) * 1e-9 / time : time * 1e9 / (double)t->n);
        fflush(stdout);
    }
    printf("\n");
}

int main(int count, char **arguments)
{
    double budget = count > 1 ? strtod(arguments[1], NULL) : 0.2;
    arrays *in = calloc(1, sizeof *in);
    if (!in) return 1;
    fill_arrays(in);
    printf("%-15s %15s     ", "kernel", "m x n x k");
    for (int row = 0; dd_kernels_at(row); row++) printf(" %12s", dd_kernels_at(row)->name);
    printf("\n");
    for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++) print_task(in, &tasks[i], budget);
    free(in);
    return 0;
}
