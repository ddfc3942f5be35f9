#include "learn/neural/lstm.h"

#include <math.h>
#include <string.h>

size_t dd_lstm_run_size(int width, size_t rows, int sequences)
{
    return (size_t)width * (rows * 7 + (size_t)sequences * 6);
}

void dd_lstm_run_place(dd_lstm_run *run, int width, size_t rows, int sequences, dd_real *memory)
{
    size_t w = (size_t)width;
    run->gates = memory;
    run->cells = run->gates + rows * 4 * w;
    run->tanhs = run->cells + rows * w;
    run->before = run->tanhs + rows * w;
    run->step = run->before + rows * w;
    run->carry = run->step + (size_t)sequences * 4 * w;
}

static size_t row_of(const dd_lstm *lstm, const dd_steps *steps, int sequence, int step)
{
    return dd_steps_row_in(steps, lstm->reverse, sequence, step);
}

#ifdef DD_NEURAL_DOUBLE
#define TANH       tanh
#define SIGMOID(x) (1 / (1 + exp(-(x))))
#else
#define TANH    dd_tanh
#define SIGMOID dd_sigmoid
#endif

static void fill_rows(dd_real *to, const dd_real *row, size_t rows, size_t width)
{
    for (size_t r = 0; r < rows; r++) memcpy(to + r * width, row, width * sizeof *to);
}

/* The gates of a row hold their sums. */
static void activate(dd_real *gates, const dd_real *last_cell, dd_real *cell, dd_real *tanhs,
                     dd_real *h, size_t width)
{
    for (size_t j = 0; j < 2 * width; j++) gates[j] = SIGMOID(gates[j]);
    for (size_t j = 2 * width; j < 3 * width; j++) gates[j] = TANH(gates[j]);
    for (size_t j = 3 * width; j < 4 * width; j++) gates[j] = SIGMOID(gates[j]);
    for (size_t j = 0; j < width; j++) {
        dd_real kept = last_cell ? gates[width + j] * last_cell[j] : 0;
        cell[j] = kept + gates[j] * gates[2 * width + j];
        tanhs[j] = TANH(cell[j]);
        h[j] = gates[3 * width + j] * tanhs[j];
    }
}

void dd_lstm_forward(const dd_lstm *lstm, const dd_steps *steps, const dd_multiplier *by,
                     const dd_real *x, dd_real *h, size_t stride, dd_lstm_run *run)
{
    size_t width = (size_t)lstm->width, inputs = (size_t)lstm->inputs;
    size_t rows = steps->first[steps->steps];
    fill_rows(run->gates, lstm->bias, rows, 4 * width);
    dd_multiply(by, rows, 4 * width, inputs, dd_rows_of(x, inputs),
                dd_rows_of(lstm->from_input, 4 * width), run->gates, 4 * width);
    for (int s = 0; s < steps->steps; s++) {
        size_t active = (size_t)steps->active[s];
        dd_real *last = run->carry; /* h of the step before, in rows without gaps */
        if (s > 0) {
            for (size_t b = 0; b < active; b++)
                memcpy(last + b * width, h + row_of(lstm, steps, (int)b, s - 1) * stride,
                       width * sizeof *last);
            memset(run->step, 0, active * 4 * width * sizeof *run->step);
            dd_multiply(by, active, 4 * width, width, dd_rows_of(last, width),
                        dd_rows_of(lstm->from_state, 4 * width), run->step, 4 * width);
        }
        for (size_t b = 0; b < active; b++) {
            size_t row = row_of(lstm, steps, (int)b, s);
            dd_real *gates = run->gates + row * 4 * width;
            const dd_real *last_cell = NULL;
            memset(run->before + row * width, 0, width * sizeof *run->before);
            if (s > 0) {
                const dd_real *sums = run->step + b * 4 * width;
                for (size_t j = 0; j < 4 * width; j++) gates[j] += sums[j];
                memcpy(run->before + row * width, last + b * width, width * sizeof *last);
                last_cell = run->cells + row_of(lstm, steps, (int)b, s - 1) * width;
            }
            activate(gates, last_cell, run->cells + row * width, run->tanhs + row * width,
                     h + row * stride, width);
        }
    }
}

/* From the gradient of h to those of the gates' sums, which take the gates' place, and of the cell
 * before. */
static void differentiate(dd_real *gates, const dd_real *last_cell, const dd_real *tanhs,
                          const dd_real *dh, dd_real *dc, size_t width)
{
    for (size_t j = 0; j < width; j++) {
        dd_real i = gates[j], f = gates[width + j], g = gates[2 * width + j],
                o = gates[3 * width + j];
        dd_real d = dc[j] + dh[j] * o * (1 - tanhs[j] * tanhs[j]);
        gates[j] = d * g * i * (1 - i);
        gates[width + j] = last_cell ? d * last_cell[j] * f * (1 - f) : 0;
        gates[2 * width + j] = d * i * (1 - g * g);
        gates[3 * width + j] = dh[j] * tanhs[j] * o * (1 - o);
        dc[j] = d * f;
    }
}

static void add_columns(const dd_real *matrix, size_t rows, size_t width, dd_real *sums)
{
    for (size_t r = 0; r < rows; r++)
        for (size_t j = 0; j < width; j++) sums[j] += matrix[r * width + j];
}

/* What the gates' gradients mean for weights and inputs, for all positions at once. */
static void spread(const dd_lstm *lstm, size_t rows, const dd_multiplier *by, const dd_real *x,
                   const dd_lstm_run *run, const dd_lstm *gradients, dd_real *dx)
{
    size_t width = (size_t)lstm->width, inputs = (size_t)lstm->inputs;
    dd_factor gates = dd_rows_of(run->gates, 4 * width);
    dd_multiply(by, inputs, 4 * width, rows, dd_columns_of(x, inputs), gates, gradients->from_input,
                4 * width);
    dd_multiply(by, width, 4 * width, rows, dd_columns_of(run->before, width), gates,
                gradients->from_state, 4 * width);
    add_columns(run->gates, rows, 4 * width, gradients->bias);
    if (dx)
        dd_multiply(by, rows, inputs, 4 * width, gates, dd_columns_of(lstm->from_input, 4 * width),
                    dx, inputs);
}

void dd_lstm_backward(const dd_lstm *lstm, const dd_steps *steps, const dd_multiplier *by,
                      const dd_real *x, const dd_real *dh, size_t stride, dd_lstm_run *run,
                      const dd_lstm *gradients, dd_real *dx)
{
    size_t width = (size_t)lstm->width, sequences = (size_t)steps->sequences;
    dd_real *carried_h = run->carry, *carried_c = run->carry + sequences * width;
    memset(run->carry, 0, 2 * sequences * width * sizeof *run->carry);
    for (int s = steps->steps - 1; s >= 0; s--) {
        size_t active = (size_t)steps->active[s];
        for (size_t b = 0; b < active; b++) {
            size_t row = row_of(lstm, steps, (int)b, s);
            dd_real *gates = run->gates + row * 4 * width;
            const dd_real *last_cell =
                s > 0 ? run->cells + row_of(lstm, steps, (int)b, s - 1) * width : NULL;
            for (size_t j = 0; j < width; j++) carried_h[b * width + j] += dh[row * stride + j];
            differentiate(gates, last_cell, run->tanhs + row * width, carried_h + b * width,
                          carried_c + b * width, width);
            memcpy(run->step + b * 4 * width, gates, 4 * width * sizeof *gates);
        }
        memset(carried_h, 0, active * width * sizeof *carried_h);
        if (s > 0)
            dd_multiply(by, active, width, 4 * width, dd_rows_of(run->step, 4 * width),
                        dd_columns_of(lstm->from_state, 4 * width), carried_h, width);
    }
    spread(lstm, steps->first[steps->steps], by, x, run, gradients, dx);
}
