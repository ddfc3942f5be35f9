/* vectors.h - eight floats at a time, in vectors of the compiler's own
 *
 * The same source serves all processors: for each `target` the compiler uses the instructions that
 * it has. As only operations are used that IEEE 754 rounds exactly, and none may be fused
 * (-ffp-contract=off in meson.build), all give the same bits. */
#ifndef DODONA_KERNELS_VECTORS_H
#define DODONA_KERNELS_VECTORS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define DD_ALWAYS_INLINE static inline __attribute__((always_inline))

enum { DD_FLOATS = 8 };
typedef float dd_floats __attribute__((vector_size(4 * DD_FLOATS)));
typedef int32_t dd_numbers __attribute__((vector_size(4 * DD_FLOATS)));

DD_ALWAYS_INLINE dd_floats dd_load_floats(const float *from)
{
    dd_floats made;
    memcpy(&made, from, sizeof made);
    return made;
}

DD_ALWAYS_INLINE dd_floats dd_load_sums(const int32_t *from)
{
    dd_numbers made;
    memcpy(&made, from, sizeof made);
    return __builtin_convertvector(made, dd_floats);
}

DD_ALWAYS_INLINE void dd_store_floats(float *to, dd_floats numbers)
{
    memcpy(to, &numbers, sizeof numbers);
}

DD_ALWAYS_INLINE dd_floats dd_choose(dd_numbers mask, dd_floats yes, dd_floats no)
{
    return (dd_floats)(((dd_numbers)yes & mask) | ((dd_numbers)no & ~mask));
}

/* dd_tanh, operation for operation. */
DD_ALWAYS_INLINE dd_floats dd_tanh_of(dd_floats x)
{
    const dd_floats most = {3.649f, 3.649f, 3.649f, 3.649f, 3.649f, 3.649f, 3.649f, 3.649f};
    x = dd_choose(x > most, most, dd_choose(x < -most, -most, x));
    dd_floats square = x * x;
    dd_floats above = x * (945.0f + square * (105.0f + square));
    dd_floats below = 945.0f + square * (420.0f + square * 15.0f);
    return above / below;
}

DD_ALWAYS_INLINE dd_floats dd_sigmoid_of(dd_floats x)
{
    return 0.5f + 0.5f * dd_tanh_of(0.5f * x);
}

#endif
