#include "kernels/gates.h"

#include "kernels/processor.h"
#include "kernels/vectors.h"

DD_ALWAYS_INLINE dd_floats gate_sum(const dd_gates_factors *f, const dd_gates_row *row, size_t at,
                                    bool first)
{
    dd_floats sum = dd_load_floats((first ? f->first_bias : f->bias) + at) +
                    dd_load_sums(row->of_input + at) * dd_load_floats(f->of_input + at);
    if (first) return sum;
    return sum + dd_load_sums(row->of_state + at) * dd_load_floats(f->of_state + at);
}

DD_ALWAYS_INLINE void make_cells(size_t width, const dd_gates_factors *f, const dd_gates_row *row,
                                 bool first)
{
    for (size_t j = 0; j < width; j += DD_FLOATS) {
        dd_floats i = dd_sigmoid_of(gate_sum(f, row, j, first));
        dd_floats g = dd_tanh_of(gate_sum(f, row, 2 * width + j, first));
        dd_floats cell = i * g;
        if (!first)
            cell = cell + dd_sigmoid_of(gate_sum(f, row, width + j, first)) *
                              dd_load_floats(row->cell + j);
        dd_store_floats(row->cell + j, cell);
    }
}

enum { CHUNK = 64 }; /* states that become bytes together */

DD_ALWAYS_INLINE void make_states(size_t width, const dd_gates_factors *f, const dd_gates_row *row,
                                  bool first, size_t from, size_t count)
{
    int32_t states[CHUNK];
    for (size_t j = 0; j < count; j += DD_FLOATS) {
        dd_floats o = dd_sigmoid_of(gate_sum(f, row, 3 * width + from + j, first));
        dd_floats h = o * dd_tanh_of(dd_load_floats(row->cell + from + j));
        dd_numbers state = __builtin_convertvector(
            h * (float)DD_STATE_ONE + ((float)DD_STATE_ZERO + 0.5f), dd_numbers);
        memcpy(states + j, &state, sizeof state);
    }
    for (size_t j = 0; j < count; j++) row->state[from + j] = (uint8_t)states[j];
}

/* The way from sums to a state is long: two loops keep more units on their way at a time. */
DD_ALWAYS_INLINE void run(size_t width, const dd_gates_factors *f, const dd_gates_row *row,
                          bool first)
{
    make_cells(width, f, row, first);
    for (size_t j = 0; j < width; j += CHUNK)
        make_states(width, f, row, first, j, width - j < CHUNK ? width - j : CHUNK);
}

void dd_gates_plain(size_t width, const dd_gates_factors *factors, const dd_gates_row *row)
{
    if (row->of_state)
        run(width, factors, row, false);
    else
        run(width, factors, row, true);
}

#if DD_HAS_AVX2_CODE

__attribute__((target("avx2"))) void dd_gates_avx2(size_t width, const dd_gates_factors *factors,
                                                   const dd_gates_row *row)
{
    if (row->of_state)
        run(width, factors, row, false);
    else
        run(width, factors, row, true);
}

#endif
