/* units.h - the last layers of a network of whole numbers: from sums of products to slots, from
 * slots to units, from units to outputs */
#ifndef DODONA_KERNELS_UNITS_H
#define DODONA_KERNELS_UNITS_H

#include <stddef.h>
#include <stdint.h>

/* Units are cut here, so that products with weights of up to 10 bits can be added up. */
enum { DD_UNIT_MOST = 8191, DD_UNITS_TOGETHER = 16 };

/* to[j] = bias[j] + sums[j] * factors[j], cut at 32767 and rounded, away from 0 in the middle;
 * count is a multiple of 16. */
typedef void dd_quantise(size_t count, const int32_t *sums, const float *factors, const float *bias,
                         int16_t *to);

/* units[j] = the leaky ReLU of what the rows (up to 32) hold at j, added; count is a multiple of
 * 16. */
typedef void dd_rectify(size_t count, const int16_t *const *rows, int n_rows, int16_t *units);

/* scores[o] = bias[o] + units times weights[o][count], modulo 2^32; count is a multiple of 16. */
typedef void dd_outputs(size_t count, const int16_t *units, size_t outputs, const int16_t *weights,
                        const int32_t *bias, int32_t *scores);

dd_quantise dd_quantise_plain, dd_quantise_avx2;
dd_rectify dd_rectify_plain, dd_rectify_avx2;
dd_outputs dd_outputs_plain, dd_outputs_avx2, dd_outputs_simd128;

#endif
