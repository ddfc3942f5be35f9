/* bilstm.c - an encoder of long short-term memories in both directions (Hochreiter and Schmidhuber
 * 1997, with forget gates; Graves and Schmidhuber 2005)
 *
 *     i = sigmoid(..)  f = sigmoid(..)  g = tanh(..)  o = sigmoid(..)    each of x and the last h
 *     c = f * last c + i * g
 *     h = o * tanh(c)
 *
 * The states of the run from the first item to the last stand before those of the reverse one. The
 * gates i, f, g and o stand beside each other. */
#include "neural/encoder.h"

#include <math.h>
#include <string.h>

/* The parts of one direction, in their order. */
enum { FROM_INPUT, FROM_STATE, BIAS, PARTS };

static void describe(dd_parts *parts, int inputs, int width, dd_met met)
{
    const double range = 1 / sqrt((double)width);
    const size_t w = (size_t)width, gates = 4 * w;
    for (int d = 0; d < 2; d++) {
        dd_parts_add(parts, (dd_part){.kind = DD_PART_MATRIX,
                                      .rows = (size_t)inputs,
                                      .columns = gates,
                                      .range = range,
                                      .met = met});
        dd_parts_add(parts, (dd_part){.kind = DD_PART_MATRIX,
                                      .rows = w,
                                      .columns = gates,
                                      .range = range,
                                      .met = DD_MET_STATES});
        dd_parts_add(parts,
                     (dd_part){.kind = DD_PART_BIAS, .rows = 1, .columns = gates, .range = range});
    }
}

/* ---- floats: one direction ----------------------------------------------------------------- */

typedef struct direction {
    int inputs, width;
    bool reverse;              /* from the last position to the first */
    const dd_real *from_input; /* [inputs][4 * width] packed, as are the next three */
    const dd_real *from_state; /* [width][4 * width] */
    const dd_real *to_input;   /* [4 * width][inputs] transposed, for the backward pass */
    const dd_real *to_state;   /* [4 * width][width] transposed, for the backward pass */
    const dd_real *bias;       /* [4 * width] not packed */
} direction;

/* Of the weights, in the same order, not packed. */
typedef struct gradients_of_one {
    dd_real *from_input, *from_state, *bias;
} gradients_of_one;

/* What a run forward leaves for the way back; each has a row for each position. */
typedef struct run_of_one {
    dd_real *gates;  /* [rows][4 * width] after their functions; on the way back their gradients */
    dd_real *cells;  /* [rows][width] */
    dd_real *tanhs;  /* [rows][width] of cells */
    dd_real *before; /* [rows][width] h of the position before, in the direction of the run */
    dd_real *step;   /* [sequences][4 * width] working memory */
    dd_real *carry;  /* [2][sequences][width] working memory */
} run_of_one;

static size_t size_of_one(int width, size_t rows, int sequences)
{
    size_t numbers = (size_t)width * (rows * 7 + (size_t)sequences * 6);
    return (numbers + 15) / 16 * 16;
}

static size_t memory_size(int inputs, int width, size_t rows, int sequences)
{
    (void)inputs;
    return 2 * size_of_one(width, rows, sequences);
}

static run_of_one place_run(int width, size_t rows, int sequences, dd_real *memory)
{
    size_t w = (size_t)width;
    run_of_one run = {.gates = memory};
    run.cells = run.gates + rows * 4 * w;
    run.tanhs = run.cells + rows * w;
    run.before = run.tanhs + rows * w;
    run.step = run.before + rows * w;
    run.carry = run.step + (size_t)sequences * 4 * w;
    return run;
}

static size_t row_of(const direction *lstm, const dd_steps *steps, int sequence, int step)
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

static position at_row(const direction *lstm, const run_of_one *run, const dd_steps *steps, int b,
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
static void add_states(const direction *lstm, const dd_steps *steps, const dd_multiplier *by,
                       const dd_real *h, size_t stride, int step, run_of_one *run)
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

static void forward_one(const direction *lstm, const dd_steps *steps, const dd_multiplier *by,
                        const dd_real *x, dd_real *h, size_t stride, run_of_one *run)
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
static void spread(const direction *lstm, size_t rows, const dd_multiplier *by, const dd_real *x,
                   const run_of_one *run, const gradients_of_one *gradients, dd_real *dx)
{
    size_t width = (size_t)lstm->width, inputs = (size_t)lstm->inputs;
    dd_factor gates = dd_rows_of(run->gates, 4 * width);
    dd_multiply(by, inputs, 4 * width, rows, dd_columns_of(x, inputs), gates, gradients->from_input,
                4 * width);
    dd_multiply(by, width, 4 * width, rows, dd_columns_of(run->before, width), gates,
                gradients->from_state, 4 * width);
    add_columns(run->gates, rows, 4 * width, gradients->bias);
    dd_multiply_packed(by, rows, inputs, 4 * width, gates, lstm->to_input, dx, inputs);
}

static void backward_one(const direction *lstm, const dd_steps *steps, const dd_multiplier *by,
                         const dd_real *x, const dd_real *dh, size_t stride, run_of_one *run,
                         const gradients_of_one *gradients, dd_real *dx)
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

/* ---- floats: both directions --------------------------------------------------------------- */

static direction direction_of(const dd_layer *layer, int d)
{
    const dd_tensor *t = layer->tensors + d * PARTS;
    return (direction){.inputs = layer->inputs,
                       .width = layer->width,
                       .reverse = d == 1,
                       .from_input = layer->packed + t[FROM_INPUT].packed,
                       .from_state = layer->packed + t[FROM_STATE].packed,
                       .to_input = layer->packed + t[FROM_INPUT].packed_back,
                       .to_state = layer->packed + t[FROM_STATE].packed_back,
                       .bias = layer->weights + t[BIAS].at};
}

static gradients_of_one gradients_of(const dd_layer *layer, int d)
{
    const dd_tensor *t = layer->tensors + d * PARTS;
    return (gradients_of_one){layer->gradients + t[FROM_INPUT].at,
                              layer->gradients + t[FROM_STATE].at, layer->gradients + t[BIAS].at};
}

static run_of_one run_of(const dd_layer *layer, const dd_steps *steps, int d, dd_real *memory)
{
    size_t rows = dd_steps_rows(steps);
    return place_run(layer->width, rows, steps->sequences,
                     memory + (size_t)d * size_of_one(layer->width, rows, steps->sequences));
}

static void forward(const dd_layer *layer, const dd_steps *steps, const dd_real *x, dd_real *h,
                    dd_real *memory)
{
    size_t width = (size_t)layer->width;
    for (int d = 0; d < 2; d++) {
        direction lstm = direction_of(layer, d);
        run_of_one run = run_of(layer, steps, d, memory);
        forward_one(&lstm, steps, layer->by, x, h + (size_t)d * width, 2 * width, &run);
    }
}

static void backward(const dd_layer *layer, const dd_steps *steps, const dd_real *x,
                     const dd_real *dh, dd_real *memory, dd_real *dx)
{
    size_t width = (size_t)layer->width;
    for (int d = 0; d < 2; d++) {
        direction lstm = direction_of(layer, d);
        gradients_of_one gradients = gradients_of(layer, d);
        run_of_one run = run_of(layer, steps, d, memory);
        backward_one(&lstm, steps, layer->by, x, dh + (size_t)d * width, 2 * width, &run,
                     &gradients, dx);
    }
}

/* ---- bytes --------------------------------------------------------------------------------- */

/* Memory of one direction. */
typedef struct byte_memory {
    uint8_t *inputs, *states;         /* of the positions of a step, in rows without gaps */
    int32_t *input_sums, *state_sums; /* [sequences][4 * width] */
    float *cells;                     /* [sequences][width] */
} byte_memory;

static bool reserve(const dd_byte_layer *layer, const dd_frozen_part *parts, size_t sequences,
                    byte_memory *m)
{
    const dd_frozen_matrix *from_input = &parts[FROM_INPUT].matrix;
    const dd_frozen_matrix *from_state = &parts[FROM_STATE].matrix;
    dd_scratch *scratch = layer->scratch;
    m->inputs = dd_scratch_get(scratch, 0, sequences * from_input->rows);
    m->states = dd_scratch_get(scratch, 1, sequences * from_state->rows);
    m->input_sums =
        dd_scratch_get(scratch, 2, sequences * from_input->columns * sizeof *m->input_sums);
    m->state_sums =
        dd_scratch_get(scratch, 3, sequences * from_state->columns * sizeof *m->state_sums);
    m->cells = dd_scratch_get(scratch, 4, sequences * from_state->rows * sizeof *m->cells);
    return m->inputs && m->states && m->input_sums && m->state_sums && m->cells;
}

/* The positions of one step. */
typedef struct moment {
    const dd_steps *steps;
    bool reverse;
    int step;
    size_t active;
} moment;

static size_t row_at(const moment *at, size_t sequence)
{
    return dd_steps_row_in(at->steps, at->reverse, (int)sequence, at->step);
}

static void gather(const moment *at, const uint8_t *from, size_t from_stride, size_t width,
                   uint8_t *to, size_t stride)
{
    for (size_t b = 0; b < at->active; b++)
        memcpy(to + b * stride, from + row_at(at, b) * from_stride, width);
}

/* The products with inputs and with the states of the step before. What fills a row of inputs up
 * meets weights of 0. */
static void multiply(const dd_byte_layer *layer, const dd_frozen_part *parts, const moment *at,
                     dd_layer_input from, const uint8_t *to, const byte_memory *m)
{
    const dd_frozen_matrix *of_input = &parts[FROM_INPUT].matrix;
    const dd_frozen_matrix *of_state = &parts[FROM_STATE].matrix;
    if (from.bytes) {
        gather(at, from.bytes, from.size, from.size, m->inputs, of_input->rows);
        layer->kernels->dense(at->active, of_input->columns, of_input->rows, m->inputs,
                              of_input->rows, of_input->weights, m->input_sums, of_input->columns);
    }
    if (at->step == 0) return;
    moment before = *at;
    before.step--;
    gather(&before, to, 2 * layer->width, layer->width, m->states, of_state->rows);
    layer->kernels->dense(at->active, of_state->columns, of_state->rows, m->states, of_state->rows,
                          of_state->weights, m->state_sums, of_state->columns);
}

/* Biases of the first position, which has no state before it, and of all others. */
static bool run_one(const dd_byte_layer *layer, const dd_frozen_part *parts, const dd_steps *steps,
                    bool reverse, dd_layer_input from, uint8_t *to)
{
    size_t n = parts[FROM_INPUT].matrix.columns, width = layer->width;
    dd_gates_factors factors = {parts[FROM_INPUT].matrix.factors, parts[FROM_STATE].matrix.factors,
                                parts[BIAS].bias[0], parts[BIAS].bias[1]};
    byte_memory m;
    if (!reserve(layer, parts, (size_t)steps->sequences, &m)) return false;
    memset(m.inputs, 0, (size_t)steps->sequences * parts[FROM_INPUT].matrix.rows);
    for (int s = 0; s < steps->steps; s++) {
        moment at = {steps, reverse, s, (size_t)steps->active[s]};
        multiply(layer, parts, &at, from, to, &m);
        for (size_t b = 0; b < at.active; b++) {
            size_t row = row_at(&at, b);
            const int32_t *of_input = from.bytes
                                          ? m.input_sums + b * n
                                          : from.sums + (size_t)from.places[row] * from.stride;
            dd_gates_row gates = {of_input, s > 0 ? m.state_sums + b * n : NULL,
                                  m.cells + b * parts[FROM_STATE].matrix.rows,
                                  to + row * 2 * width};
            layer->kernels->gates(width, &factors, &gates);
        }
    }
    return true;
}

static bool run(const dd_byte_layer *layer, const dd_steps *steps, dd_layer_input from, uint8_t *to)
{
    dd_layer_input reverse = from;
    if (!from.bytes) reverse.sums += layer->parts[FROM_INPUT].matrix.columns;
    return run_one(layer, layer->parts, steps, false, from, to) &&
           run_one(layer, layer->parts + PARTS, steps, true, reverse, to + layer->width);
}

const dd_encoder dd_bilstm = {
    .name = "bilstm",
    .number = 0,
    .describe = describe,
    .memory_size = memory_size,
    .forward = forward,
    .backward = backward,
    .run = run,
};
