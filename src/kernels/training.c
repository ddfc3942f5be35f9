#include "kernels/training.h"

#include "kernels/processor.h"
#include "kernels/vectors.h"

#include <math.h>

/* ---- a step of an LSTM -------------------------------------------------------------------- */

/* `count` is below DD_FLOATS only at the end of a row; the rest is 0. */
DD_ALWAYS_INLINE dd_floats load(const float *from, size_t count)
{
    dd_floats made = {0};
    if (count == DD_FLOATS) return dd_load_floats(from);
    memcpy(&made, from, count * sizeof *from);
    return made;
}

DD_ALWAYS_INLINE void store(float *to, dd_floats numbers, size_t count)
{
    if (count == DD_FLOATS)
        dd_store_floats(to, numbers);
    else
        memcpy(to, &numbers, count * sizeof *to);
}

/* The first position has no cell before it. */
DD_ALWAYS_INLINE dd_floats load_last(const dd_lstm_row *row, size_t j, size_t count)
{
    const dd_floats none = {0};
    return row->last_cell ? load(row->last_cell + j, count) : none;
}

DD_ALWAYS_INLINE void activate_some(size_t width, const dd_lstm_row *row, float *h, size_t j,
                                    size_t count)
{
    float *gates = row->gates + j;
    dd_floats i = dd_sigmoid_of(load(gates, count));
    dd_floats f = dd_sigmoid_of(load(gates + width, count));
    dd_floats g = dd_tanh_of(load(gates + 2 * width, count));
    dd_floats o = dd_sigmoid_of(load(gates + 3 * width, count));
    dd_floats cell = f * load_last(row, j, count) + i * g;
    dd_floats tanhs = dd_tanh_of(cell);
    store(gates, i, count);
    store(gates + width, f, count);
    store(gates + 2 * width, g, count);
    store(gates + 3 * width, o, count);
    store(row->cell + j, cell, count);
    store(row->tanhs + j, tanhs, count);
    store(h + j, o * tanhs, count);
}

DD_ALWAYS_INLINE void activate(size_t width, const dd_lstm_row *row, float *h)
{
    size_t j = 0;
    for (; j + DD_FLOATS <= width; j += DD_FLOATS) activate_some(width, row, h, j, DD_FLOATS);
    if (j < width) activate_some(width, row, h, j, width - j);
}

DD_ALWAYS_INLINE void differentiate_some(size_t width, const dd_lstm_row *row, const float *dh,
                                         float *dc, size_t j, size_t count)
{
    float *gates = row->gates + j;
    dd_floats i = load(gates, count), f = load(gates + width, count);
    dd_floats g = load(gates + 2 * width, count), o = load(gates + 3 * width, count);
    dd_floats tanhs = load(row->tanhs + j, count), of_h = load(dh + j, count);
    dd_floats d = load(dc + j, count) + of_h * o * (1 - tanhs * tanhs);
    store(gates, d * g * i * (1 - i), count);
    store(gates + width, d * load_last(row, j, count) * f * (1 - f), count);
    store(gates + 2 * width, d * i * (1 - g * g), count);
    store(gates + 3 * width, of_h * tanhs * o * (1 - o), count);
    store(dc + j, d * f, count);
}

DD_ALWAYS_INLINE void differentiate(size_t width, const dd_lstm_row *row, const float *dh,
                                    float *dc)
{
    size_t j = 0;
    for (; j + DD_FLOATS <= width; j += DD_FLOATS)
        differentiate_some(width, row, dh, dc, j, DD_FLOATS);
    if (j < width) differentiate_some(width, row, dh, dc, j, width - j);
}

void dd_activate_plain(size_t width, const dd_lstm_row *row, float *h)
{
    activate(width, row, h);
}

void dd_differentiate_plain(size_t width, const dd_lstm_row *row, const float *dh, float *dc)
{
    differentiate(width, row, dh, dc);
}

#if DD_HAS_AVX2_CODE

__attribute__((target("avx2"))) void dd_activate_avx2(size_t width, const dd_lstm_row *row,
                                                      float *h)
{
    activate(width, row, h);
}

__attribute__((target("avx2"))) void dd_differentiate_avx2(size_t width, const dd_lstm_row *row,
                                                           const float *dh, float *dc)
{
    differentiate(width, row, dh, dc);
}

#endif

/* ---- Adam (Kingma and Ba 2015, Algorithm 1) ----------------------------------------------- */

/* All versions come from one text, of whose loop the compiler makes vectors as wide as `target`
 * allows: square roots and quotients are rounded exactly in all of them. */
static inline __attribute__((always_inline)) void
adam_update(size_t count, const dd_adam_rates *rates, const float *restrict gradients,
            float *restrict weights, float *restrict first, float *restrict second)
{
    const dd_adam_rates by = *rates;
    for (size_t i = 0; i < count; i++) {
        float gradient = gradients[i] * by.scale + by.decay * weights[i];
        first[i] = by.beta1 * first[i] + (1 - by.beta1) * gradient;
        second[i] = by.beta2 * second[i] + (1 - by.beta2) * gradient * gradient;
        weights[i] -= by.step * first[i] / (sqrtf(second[i] * by.correction) + 1e-8f);
    }
}

void dd_adam_update_plain(size_t count, const dd_adam_rates *rates, const float *gradients,
                          float *weights, float *first, float *second)
{
    adam_update(count, rates, gradients, weights, first, second);
}

#if DD_HAS_AVX2_CODE

__attribute__((target("avx2"))) void dd_adam_update_avx2(size_t count, const dd_adam_rates *rates,
                                                         const float *gradients, float *weights,
                                                         float *first, float *second)
{
    adam_update(count, rates, gradients, weights, first, second);
}

#endif
