#include "kernels/gemm_tile.h"
#include "kernels/processor.h"

#if DD_HAS_AVX2_CODE

#include <immintrin.h>

/* `rows` and `strips` are constants in each call, so that the sums stay in registers: twelve, two
 * halves of a strip and a number of a are fifteen of the sixteen. */
__attribute__((target("avx2,fma"), always_inline)) static inline void add(int rows, int strips,
                                                                          const dd_tile *t)
{
    __m256 sums[DD_TILE_ROWS][2 * DD_TILE_STRIPS], line[2 * DD_TILE_STRIPS];
    const float *a = t->a, *b = t->b;
    DD_UNROLL
    for (int r = 0; r < rows; r++) {
        DD_UNROLL
        for (int s = 0; s < 2 * strips; s++) sums[r][s] = _mm256_setzero_ps();
    }
    for (size_t p = 0; p < t->k; p++, a += t->a_step, b += t->b_step) {
        DD_UNROLL
        for (int s = 0; s < 2 * strips; s++)
            line[s] = _mm256_loadu_ps(b + (size_t)(s / 2) * t->b_strip + s % 2 * 8);
        DD_UNROLL
        for (int r = 0; r < rows; r++) {
            __m256 number = _mm256_broadcast_ss(a + (size_t)r * t->a_row);
            DD_UNROLL
            for (int s = 0; s < 2 * strips; s++)
                sums[r][s] = _mm256_fmadd_ps(number, line[s], sums[r][s]);
        }
    }
    DD_UNROLL
    for (int r = 0; r < rows; r++) {
        DD_UNROLL
        for (int s = 0; s < 2 * strips; s++) {
            float *to = t->c + (size_t)r * t->c_row + s * 8;
            _mm256_storeu_ps(to, _mm256_add_ps(_mm256_loadu_ps(to), sums[r][s]));
        }
    }
}

__attribute__((target("avx2,fma"))) static void add_avx2(int rows, bool wide, const dd_tile *t)
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

static const dd_tiles avx2 = {{0, 4, 2, 1, 1, 1, 1}, add_avx2};

void dd_gemm_avx2(dd_gemm_space *space, size_t m, size_t n, size_t k, dd_matrix a, dd_matrix b,
                  float *c, size_t stride)
{
    dd_gemm_by_tiles(&avx2, space, m, n, k, a, b, c, stride);
}

void dd_gemm_packed_avx2(dd_gemm_space *space, size_t m, size_t n, size_t k, dd_matrix a,
                         const float *packed, float *c, size_t stride)
{
    dd_gemm_packed_by_tiles(&avx2, space, m, n, k, a, packed, c, stride);
}

#endif
