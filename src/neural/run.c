#include "neural/run.h"

#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

void dd_runner_free(dd_runner *r)
{
    free(r->gathered_input);
    free(r->gathered_state);
    free(r->sums_of_input);
    free(r->sums_of_state);
    free(r->cells);
    *r = (dd_runner){.kernels = r->kernels};
}

static bool reserve(dd_runner *r, const dd_frozen_lstm *lstm, size_t sequences)
{
    return DD_RESERVE(&r->gathered_input, &r->gathered_input_capacity,
                      sequences * lstm->from_input.rows) &&
           DD_RESERVE(&r->gathered_state, &r->gathered_state_capacity,
                      sequences * lstm->from_state.rows) &&
           DD_RESERVE(&r->sums_of_input, &r->sums_of_input_capacity,
                      sequences * lstm->from_input.columns) &&
           DD_RESERVE(&r->sums_of_state, &r->sums_of_state_capacity,
                      sequences * lstm->from_state.columns) &&
           DD_RESERVE(&r->cells, &r->cells_capacity, sequences * lstm->from_state.rows);
}

/* The rows of one step. */
typedef struct moment {
    const dd_steps *steps;
    bool reverse;
    int step;
    size_t active;
} moment;

static size_t row_of(const moment *at, size_t sequence)
{
    return dd_steps_row_in(at->steps, at->reverse, (int)sequence, at->step);
}

static void gather(const moment *at, dd_byte_rows from, uint8_t *to, size_t stride)
{
    for (size_t b = 0; b < at->active; b++)
        memcpy(to + b * stride, from.data + row_of(at, b) * from.stride, from.width);
}

/* What fills a row of inputs up meets weights of 0. */
static void multiply(dd_runner *r, const dd_frozen_lstm *lstm, const moment *at, dd_run_input from,
                     dd_byte_rows to)
{
    size_t k = lstm->from_input.rows, n = lstm->from_input.columns;
    size_t state_k = lstm->from_state.rows;
    if (from.bytes.data) {
        gather(at, from.bytes, r->gathered_input, k);
        r->kernels->dense(at->active, n, k, r->gathered_input, k, lstm->from_input.weights,
                          r->sums_of_input, n);
    }
    if (at->step == 0) return;
    moment before = *at;
    before.step--;
    gather(&before, to, r->gathered_state, state_k);
    r->kernels->dense(at->active, n, state_k, r->gathered_state, state_k, lstm->from_state.weights,
                      r->sums_of_state, n);
}

static bool run(dd_runner *r, const dd_frozen_lstm *lstm, const dd_steps *steps, bool reverse,
                dd_run_input from, dd_byte_rows to)
{
    size_t n = lstm->from_input.columns;
    dd_gates_factors factors = {lstm->from_input.factors, lstm->from_state.factors,
                                lstm->first_bias, lstm->bias};
    if (!reserve(r, lstm, (size_t)steps->sequences)) return false;
    memset(r->gathered_input, 0, (size_t)steps->sequences * lstm->from_input.rows);
    for (int s = 0; s < steps->steps; s++) {
        moment at = {steps, reverse, s, (size_t)steps->active[s]};
        multiply(r, lstm, &at, from, to);
        for (size_t b = 0; b < at.active; b++) {
            size_t row = row_of(&at, b);
            const int32_t *of_input = from.bytes.data
                                          ? r->sums_of_input + b * n
                                          : from.sums + (size_t)from.places[row] * from.stride;
            dd_gates_row gates = {of_input, s > 0 ? r->sums_of_state + b * n : NULL,
                                  r->cells + b * lstm->from_state.rows, to.data + row * to.stride};
            r->kernels->gates(to.width, &factors, &gates);
        }
    }
    return true;
}

bool dd_run_both(dd_runner *runner, const dd_frozen_lstm lstm[2], const dd_steps *steps,
                 dd_run_input from, uint8_t *to, size_t width)
{
    dd_run_input reverse = from;
    if (from.sums) reverse.sums += lstm[0].from_input.columns;
    return run(runner, &lstm[0], steps, false, from, (dd_byte_rows){to, 2 * width, width}) &&
           run(runner, &lstm[1], steps, true, reverse,
               (dd_byte_rows){to + width, 2 * width, width});
}
