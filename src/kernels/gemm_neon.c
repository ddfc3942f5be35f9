#include "kernels/gemm_tile.h"
#include "kernels/processor.h"

#if DD_HAS_NEON_CODE

#include "kernels/neon.h"

enum { QUARTERS = 4 }; /* of a strip, as many floats as a register has */

/* As in gemm_avx2.c; here 24 sums, a line of a strip and a number of a are 29 of the 32 registers.
 */
static inline __attribute__((always_inline)) void add(int rows, int strips, const dd_tile *t)
{
    float32x4_t sums[DD_TILE_ROWS][DD_TILE_STRIPS * QUARTERS], line[DD_TILE_STRIPS * QUARTERS];
    const float *a = t->a, *b = t->b;
    const int quarters = strips * QUARTERS;
    DD_UNROLL
    for (int r = 0; r < rows; r++) {
        DD_UNROLL
        for (int s = 0; s < quarters; s++) sums[r][s] = vdupq_n_f32(0);
    }
    for (size_t p = 0; p < t->k; p++, a += t->a_step, b += t->b_step) {
        DD_UNROLL
        for (int s = 0; s < quarters; s++)
            line[s] = vld1q_f32(b + (size_t)(s / QUARTERS) * t->b_strip + s % QUARTERS * 4);
        DD_UNROLL
        for (int r = 0; r < rows; r++) {
            float number = a[(size_t)r * t->a_row];
            DD_UNROLL
            for (int s = 0; s < quarters; s++)
                sums[r][s] = vfmaq_n_f32(sums[r][s], line[s], number);
        }
    }
    DD_UNROLL
    for (int r = 0; r < rows; r++) {
        DD_UNROLL
        for (int s = 0; s < quarters; s++) {
            float *to = t->c + (size_t)r * t->c_row + s * 4;
            vst1q_f32(to, vaddq_f32(vld1q_f32(to), sums[r][s]));
        }
    }
}

static void add_neon(int rows, bool wide, const dd_tile *t)
{
    switch (rows) {
    case 1: wide ? add(1, 4, t) : add(1, 1, t); break;
    case 2: wide ? add(2, 2, t) : add(2, 1, t); break;
    case 3: add(3, 1, t); break;
    case 4: add(4, 1, t); break;
    case 5: add(5, 1, t); break;
    default: add(6, 1, t); break;
    }
}

static const dd_tiles neon = {{0, 4, 2, 1, 1, 1, 1}, add_neon};

void dd_gemm_neon(dd_gemm_space *space, size_t m, size_t n, size_t k, dd_matrix a, dd_matrix b,
                  float *c, size_t stride)
{
    dd_gemm_by_tiles(&neon, space, m, n, k, a, b, c, stride);
}

void dd_gemm_packed_neon(dd_gemm_space *space, size_t m, size_t n, size_t k, dd_matrix a,
                         const float *packed, float *c, size_t stride)
{
    dd_gemm_packed_by_tiles(&neon, space, m, n, k, a, packed, c, stride);
}

#endif
