#include "kernels/gates.h"

#include "kernels/processor.h"

#include <string.h>

/* All versions come from one text, in vectors of the compiler's own that each `target` makes of
 * what it has. Products and sums must not be fused, which would round differently
 * (-ffp-contract=off in meson.build). */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

enum { LANES = 8 };
typedef float floats __attribute__((vector_size(4 * LANES)));
typedef int32_t numbers __attribute__((vector_size(4 * LANES)));

ALWAYS_INLINE floats choose(numbers mask, floats yes, floats no)
{
    return (floats)(((numbers)yes & mask) | ((numbers)no & ~mask));
}

/* dd_tanh, operation for operation. */
ALWAYS_INLINE floats tanh_of(floats x)
{
    const floats most = {4.97f, 4.97f, 4.97f, 4.97f, 4.97f, 4.97f, 4.97f, 4.97f};
    x = choose(x > most, most, choose(x < -most, -most, x));
    floats square = x * x;
    floats above = x * (135135.0f + square * (17325.0f + square * (378.0f + square)));
    floats below = 135135.0f + square * (62370.0f + square * (3150.0f + square * 28.0f));
    return above / below;
}

ALWAYS_INLINE floats sigmoid_of(floats x)
{
    return 0.5f + 0.5f * tanh_of(0.5f * x);
}

ALWAYS_INLINE floats load_floats(const float *from)
{
    floats made;
    memcpy(&made, from, sizeof made);
    return made;
}

ALWAYS_INLINE floats load_sums(const int32_t *from)
{
    numbers made;
    memcpy(&made, from, sizeof made);
    return __builtin_convertvector(made, floats);
}

ALWAYS_INLINE floats gate_sum(const dd_gates_factors *f, const dd_gates_row *row, size_t at,
                              bool first)
{
    floats sum = load_floats((first ? f->first_bias : f->bias) + at) +
                 load_sums(row->of_input + at) * load_floats(f->of_input + at);
    if (first) return sum;
    return sum + load_sums(row->of_state + at) * load_floats(f->of_state + at);
}

ALWAYS_INLINE void run(size_t width, const dd_gates_factors *f, const dd_gates_row *row, bool first)
{
    for (size_t j = 0; j < width; j += LANES) {
        floats i = sigmoid_of(gate_sum(f, row, j, first));
        floats g = tanh_of(gate_sum(f, row, 2 * width + j, first));
        floats cell = i * g;
        if (!first)
            cell =
                cell + sigmoid_of(gate_sum(f, row, width + j, first)) * load_floats(row->cell + j);
        floats o = sigmoid_of(gate_sum(f, row, 3 * width + j, first));
        floats h = o * tanh_of(cell) * (float)DD_STATE_ONE + ((float)DD_STATE_ZERO + 0.5f);
        numbers state = __builtin_convertvector(h, numbers);
        memcpy(row->cell + j, &cell, sizeof cell);
        for (int lane = 0; lane < LANES; lane++)
            row->state[j + (size_t)lane] = (uint8_t)state[lane];
    }
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
