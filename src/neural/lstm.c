#include "neural/lstm.h"

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

static void fill_rows(dd_real *to, const dd_real *row, size_t rows, size_t width)
{
    for (size_t r = 0; r < rows; r++) memcpy(to + r * width, row, width * sizeof *to);
}

/* One position. */
typedef struct position {
    dd_real *gates;           /* [4 * width] sums, activations, then gradients of the sums */
    const dd_real *last_cell; /* [width] NULL: the first position */
    dd_real *cell, *tanhs;    /* [width] */
} position;

static position at_row(const dd_lstm *lstm, const dd_lstm_run *run, const dd_steps *steps, int b,
                       int step)
{
    size_t width = (size_t)lstm->width, row = row_of(lstm, steps, b, step);
    const dd_real *last_cell =
        step > 0 ? run->cells + row_of(lstm, steps, b, step - 1) * width : NULL;
    return (position){run->gates + row * 4 * width, last_cell, run->cells + row * width,
                      run->tanhs + row * width};
}

#ifdef DD_NEURAL_DOUBLE

static dd_real sigmoid(dd_real x)
{
    return 1 / (1 + exp(-x));
}

static void activate(const dd_multiplier *by, size_t width, const position *at, dd_real *h)
{
    (void)by;
    for (size_t j = 0; j < width; j++) {
        dd_real i = sigmoid(at->gates[j]), f = sigmoid(at->gates[width + j]);
        dd_real g = tanh(at->gates[2 * width + j]), o = sigmoid(at->gates[3 * width + j]);
        at->gates[j] = i;
        at->gates[width + j] = f;
        at->gates[2 * width + j] = g;
        at->gates[3 * width + j] = o;
        at->cell[j] = i * g + (at->last_cell ? f * at->last_cell[j] : 0);
        at->tanhs[j] = tanh(at->cell[j]);
        h[j] = o * at->tanhs[j];
    }
}

static void differentiate(const dd_multiplier *by, size_t width, const position *at,
                          const dd_real *dh, dd_real *dc)
{
    (void)by;
    for (size_t j = 0; j < width; j++) {
        dd_real i = at->gates[j], f = at->gates[width + j], g = at->gates[2 * width + j],
                o = at->gates[3 * width + j];
        dd_real d = dc[j] + dh[j] * o * (1 - at->tanhs[j] * at->tanhs[j]);
        at->gates[j] = d * g * i * (1 - i);
        at->gates[width + j] = at->last_cell ? d * at->last_cell[j] * f * (1 - f) : 0;
        at->gates[2 * width + j] = d * i * (1 - g * g);
        at->gates[3 * width + j] = dh[j] * at->tanhs[j] * o * (1 - o);
        dc[j] = d * f;
    }
}

#else

static void activate(const dd_multiplier *by, size_t width, const position *at, dd_real *h)
{
    dd_lstm_row row = {at->gates, at->last_cell, at->cell, at->tanhs};
    by->kernels->activate(width, &row, h);
}

static void differentiate(const dd_multiplier *by, size_t width, const position *at,
                          const dd_real *dh, dd_real *dc)
{
    dd_lstm_row row = {at->gates, at->last_cell, at->cell, at->tanhs};
    by->kernels->differentiate(width, &row, dh, dc);
}

#endif

/* The states of the step before, in rows without gaps, and what they add to the gates' sums. */
static void add_states(const dd_lstm *lstm, const dd_steps *steps, const dd_multiplier *by,
                       const dd_real *h, size_t stride, int step, dd_lstm_run *run)
{
    size_t width = (size_t)lstm->width, active = (size_t)steps->active[step];
    dd_real *last = run->carry;
    for (size_t b = 0; b < active; b++) {
        dd_real *before = run->before + row_of(lstm, steps, (int)b, step) * width;
        memcpy(last + b * width, h + row_of(lstm, steps, (int)b, step - 1) * stride,
               width * sizeof *last);
        memcpy(before, last + b * width, width * sizeof *last);
    }
    memset(run->step, 0, active * 4 * width * sizeof *run->step);
    dd_multiply_packed(by, active, 4 * width, width, dd_rows_of(last, width), lstm->from_state,
                       run->step, 4 * width);
    for (size_t b = 0; b < active; b++) {
        dd_real *gates = run->gates + row_of(lstm, steps, (int)b, step) * 4 * width;
        for (size_t j = 0; j < 4 * width; j++) gates[j] += run->step[b * 4 * width + j];
    }
}

void dd_lstm_forward(const dd_lstm *lstm, const dd_steps *steps, const dd_multiplier *by,
                     const dd_real *x, dd_real *h, size_t stride, dd_lstm_run *run)
{
    size_t width = (size_t)lstm->width, inputs = (size_t)lstm->inputs;
    size_t rows = steps->first[steps->steps];
    fill_rows(run->gates, lstm->bias, rows, 4 * width);
    dd_multiply_packed(by, rows, 4 * width, inputs, dd_rows_of(x, inputs), lstm->from_input,
                       run->gates, 4 * width);
    for (int s = 0; s < steps->steps; s++) {
        if (s > 0) add_states(lstm, steps, by, h, stride, s, run);
        for (int b = 0; b < steps->active[s]; b++) {
            position at = at_row(lstm, run, steps, b, s);
            size_t row = row_of(lstm, steps, b, s);
            if (s == 0) memset(run->before + row * width, 0, width * sizeof *run->before);
            activate(by, width, &at, h + row * stride);
        }
    }
}

static void add_columns(const dd_real *matrix, size_t rows, size_t width, dd_real *sums)
{
    for (size_t r = 0; r < rows; r++)
        for (size_t j = 0; j < width; j++) sums[j] += matrix[r * width + j];
}

/* What the gates' gradients mean for weights and inputs, for all positions at once. */
static void spread(const dd_lstm *lstm, size_t rows, const dd_multiplier *by, const dd_real *x,
                   const dd_lstm_run *run, const dd_lstm_gradients *gradients, dd_real *dx)
{
    size_t width = (size_t)lstm->width, inputs = (size_t)lstm->inputs;
    dd_factor gates = dd_rows_of(run->gates, 4 * width);
    dd_multiply(by, inputs, 4 * width, rows, dd_columns_of(x, inputs), gates, gradients->from_input,
                4 * width);
    dd_multiply(by, width, 4 * width, rows, dd_columns_of(run->before, width), gates,
                gradients->from_state, 4 * width);
    add_columns(run->gates, rows, 4 * width, gradients->bias);
    if (dx) dd_multiply_packed(by, rows, inputs, 4 * width, gates, lstm->to_input, dx, inputs);
}

void dd_lstm_backward(const dd_lstm *lstm, const dd_steps *steps, const dd_multiplier *by,
                      const dd_real *x, const dd_real *dh, size_t stride, dd_lstm_run *run,
                      const dd_lstm_gradients *gradients, dd_real *dx)
{
    size_t width = (size_t)lstm->width, sequences = (size_t)steps->sequences;
    dd_real *carried_h = run->carry, *carried_c = run->carry + sequences * width;
    memset(run->carry, 0, 2 * sequences * width * sizeof *run->carry);
    for (int s = steps->steps - 1; s >= 0; s--) {
        size_t active = (size_t)steps->active[s];
        for (size_t b = 0; b < active; b++) {
            position at = at_row(lstm, run, steps, (int)b, s);
            const dd_real *more = dh + row_of(lstm, steps, (int)b, s) * stride;
            for (size_t j = 0; j < width; j++) carried_h[b * width + j] += more[j];
            differentiate(by, width, &at, carried_h + b * width, carried_c + b * width);
            memcpy(run->step + b * 4 * width, at.gates, 4 * width * sizeof *at.gates);
        }
        memset(carried_h, 0, active * width * sizeof *carried_h);
        if (s > 0)
            dd_multiply_packed(by, active, width, 4 * width, dd_rows_of(run->step, 4 * width),
                               lstm->to_state, carried_h, width);
    }
    spread(lstm, steps->first[steps->steps], by, x, run, gradients, dx);
}
