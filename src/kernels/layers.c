#include "kernels/layers.h"

#include "kernels/processor.h"
#include "kernels/vectors.h"

#include <string.h>

/* ---- products of bytes -------------------------------------------------------------------- */

/* One row of a group of columns, whose sums the compiler keeps in vectors. */
static void multiply_row(size_t k, const uint8_t *a, const int8_t *w, int32_t *c)
{
    int32_t sums[DD_DENSE_COLUMNS] = {0};
    for (size_t p = 0; p < k; p += DD_DENSE_DEPTH, w += DD_DENSE_DEPTH * DD_DENSE_COLUMNS)
        for (size_t j = 0; j < DD_DENSE_COLUMNS; j++) {
            const int8_t *four = w + j * DD_DENSE_DEPTH;
            sums[j] +=
                a[p] * four[0] + a[p + 1] * four[1] + a[p + 2] * four[2] + a[p + 3] * four[3];
        }
    memcpy(c, sums, sizeof sums);
}

void dd_dense_plain(size_t m, size_t n, size_t k, const uint8_t *a, size_t a_stride,
                    const int8_t *w, int32_t *c, size_t c_stride)
{
    for (size_t j = 0; j < n; j += DD_DENSE_COLUMNS)
        for (size_t i = 0; i < m; i++)
            multiply_row(k, a + i * a_stride, w + j * k, c + i * c_stride + j);
}

/* ---- the gates of an LSTM ----------------------------------------------------------------- */

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

/* Two loops, so that the processor works on more units at a time: each unit has a long chain of
 * operations. */
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

/* ---- the last layers ---------------------------------------------------------------------- */

typedef int16_t shorts __attribute__((vector_size(2 * DD_FLOATS)));

DD_ALWAYS_INLINE dd_numbers load_shorts(const int16_t *from)
{
    shorts made;
    memcpy(&made, from, sizeof made);
    return __builtin_convertvector(made, dd_numbers);
}

DD_ALWAYS_INLINE void store_shorts(int16_t *to, dd_numbers values)
{
    shorts made = __builtin_convertvector(values, shorts);
    memcpy(to, &made, sizeof made);
}

DD_ALWAYS_INLINE dd_numbers cut(dd_numbers x, int32_t most)
{
    dd_numbers upper = x - x + most, lower = -upper;
    dd_numbers above = x > upper, below = x < lower;
    return (x & ~above & ~below) | (upper & above) | (lower & below);
}

/* Limits x to what the shorter type can hold. */
DD_ALWAYS_INLINE dd_floats cut_floats(dd_floats x, float most)
{
    dd_floats upper = x - x + most, lower = -upper;
    dd_numbers above = x > upper, below = x < lower;
    return (dd_floats)(((dd_numbers)x & ~above & ~below) | ((dd_numbers)upper & above) |
                       ((dd_numbers)lower & below));
}

/* One half, with the sign of x. */
DD_ALWAYS_INLINE dd_floats half_of(dd_floats x)
{
    const int32_t half = 0x3f000000;
    return (dd_floats)(((dd_numbers)x & INT32_MIN) | half);
}

DD_ALWAYS_INLINE void quantise(size_t count, const int32_t *sums, const float *factors,
                               const float *bias, int16_t *to)
{
    for (size_t j = 0; j < count; j += DD_FLOATS) {
        dd_floats x =
            dd_load_floats(bias + j) + dd_load_sums(sums + j) * dd_load_floats(factors + j);
        x = cut_floats(x, INT16_MAX);
        store_shorts(to + j, __builtin_convertvector(x + half_of(x), dd_numbers));
    }
}

/* Below 0 about a tenth, 205 / 2048, which is rounded towards 0. */
DD_ALWAYS_INLINE void rectify(size_t count, const int16_t *const *rows, int n_rows, int16_t *units)
{
    for (size_t j = 0; j < count; j += DD_FLOATS) {
        dd_numbers sum = load_shorts(rows[0] + j);
        for (int i = 1; i < n_rows; i++) sum += load_shorts(rows[i] + j);
        dd_numbers below = sum < 0, tenth = -((-sum * 205) >> 11);
        store_shorts(units + j, cut((tenth & below) | (sum & ~below), DD_UNIT_MOST));
    }
}

void dd_quantise_plain(size_t count, const int32_t *sums, const float *factors, const float *bias,
                       int16_t *to)
{
    quantise(count, sums, factors, bias, to);
}

void dd_rectify_plain(size_t count, const int16_t *const *rows, int n_rows, int16_t *units)
{
    rectify(count, rows, n_rows, units);
}

void dd_outputs_plain(size_t count, const int16_t *units, size_t outputs, const int16_t *weights,
                      const int32_t *bias, int32_t *scores)
{
    for (size_t o = 0; o < outputs; o++) {
        uint32_t sum = (uint32_t)bias[o];
        for (size_t j = 0; j < count; j++) sum += (uint32_t)(units[j] * weights[o * count + j]);
        scores[o] = (int32_t)sum;
    }
}

#if DD_HAS_AVX2_CODE

#include <immintrin.h>

__attribute__((target("avx2"))) void dd_quantise_avx2(size_t count, const int32_t *sums,
                                                      const float *factors, const float *bias,
                                                      int16_t *to)
{
    quantise(count, sums, factors, bias, to);
}

__attribute__((target("avx2"))) void dd_rectify_avx2(size_t count, const int16_t *const *rows,
                                                     int n_rows, int16_t *units)
{
    rectify(count, rows, n_rows, units);
}

__attribute__((target("avx2"))) static inline int32_t add_up(__m256i sums)
{
    __m128i four = _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
    __m128i two = _mm_add_epi32(four, _mm_shuffle_epi32(four, _MM_SHUFFLE(1, 0, 3, 2)));
    return _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32(two, _MM_SHUFFLE(2, 3, 0, 1))));
}

__attribute__((target("avx2"))) void dd_outputs_avx2(size_t count, const int16_t *units,
                                                     size_t outputs, const int16_t *weights,
                                                     const int32_t *bias, int32_t *scores)
{
    for (size_t o = 0; o < outputs; o++) {
        __m256i sums = _mm256_setzero_si256();
        const int16_t *row = weights + o * count;
        for (size_t j = 0; j < count; j += 16) {
            __m256i unit = _mm256_loadu_si256((const __m256i *)(const void *)(units + j));
            __m256i weight = _mm256_loadu_si256((const __m256i *)(const void *)(row + j));
            sums = _mm256_add_epi32(sums, _mm256_madd_epi16(unit, weight));
        }
        scores[o] = (int32_t)((uint32_t)bias[o] + (uint32_t)add_up(sums));
    }
}

#endif

#if DD_HAS_SIMD128_CODE

#include <wasm_simd128.h>

static inline v128_t multiply_eight(const int16_t *units, const int16_t *weights)
{
    return wasm_i32x4_dot_i16x8(wasm_v128_load(units), wasm_v128_load(weights));
}

static inline int32_t add_up_four(v128_t sums)
{
    v128_t two = wasm_i32x4_add(sums, wasm_i32x4_shuffle(sums, sums, 2, 3, 0, 1));
    return wasm_i32x4_extract_lane(wasm_i32x4_add(two, wasm_i32x4_shuffle(two, two, 1, 0, 3, 2)),
                                   0);
}

void dd_outputs_simd128(size_t count, const int16_t *units, size_t outputs, const int16_t *weights,
                        const int32_t *bias, int32_t *scores)
{
    for (size_t o = 0; o < outputs; o++, weights += count) {
        v128_t even = wasm_i32x4_splat(0), odd = even;
        for (size_t j = 0; j < count; j += 16) {
            even = wasm_i32x4_add(even, multiply_eight(units + j, weights + j));
            odd = wasm_i32x4_add(odd, multiply_eight(units + j + 8, weights + j + 8));
        }
        scores[o] = (int32_t)((uint32_t)bias[o] + (uint32_t)add_up_four(wasm_i32x4_add(even, odd)));
    }
}

#endif
