#include "kernels/gemm_tile.h"
#include "kernels/processor.h"

#if DD_HAS_AVX512_CODE

#include "kernels/vnni.h"

/* As in gemm_avx2.c; here 24 sums, a line of each of four strips and a number of a are 29 of the 32
 * registers. */
DD_AVX512 __attribute__((always_inline)) static inline void add(int rows, int strips,
                                                                const dd_tile *t)
{
    __m512 sums[DD_TILE_ROWS][DD_TILE_STRIPS], lines[DD_TILE_STRIPS];
    const float *a = t->a, *b = t->b;
    DD_UNROLL
    for (int r = 0; r < rows; r++) {
        DD_UNROLL
        for (int s = 0; s < strips; s++) sums[r][s] = _mm512_setzero_ps();
    }
    for (size_t p = 0; p < t->k; p++, a += t->a_step, b += t->b_step) {
        DD_UNROLL
        for (int s = 0; s < strips; s++) lines[s] = _mm512_loadu_ps(b + (size_t)s * t->b_strip);
        DD_UNROLL
        for (int r = 0; r < rows; r++) {
            __m512 number = _mm512_set1_ps(a[(size_t)r * t->a_row]);
            DD_UNROLL
            for (int s = 0; s < strips; s++)
                sums[r][s] = _mm512_fmadd_ps(number, lines[s], sums[r][s]);
        }
    }
    DD_UNROLL
    for (int r = 0; r < rows; r++) {
        DD_UNROLL
        for (int s = 0; s < strips; s++) {
            float *to = t->c + (size_t)r * t->c_row + s * DD_STRIP;
            _mm512_storeu_ps(to, _mm512_add_ps(_mm512_loadu_ps(to), sums[r][s]));
        }
    }
}

DD_AVX512 static void add_avx512(int rows, bool wide, const dd_tile *t)
{
    switch (rows) {
    case 1: wide ? add(1, 4, t) : add(1, 1, t); break;
    case 2: wide ? add(2, 4, t) : add(2, 1, t); break;
    case 3: wide ? add(3, 4, t) : add(3, 1, t); break;
    case 4: wide ? add(4, 4, t) : add(4, 1, t); break;
    case 5: wide ? add(5, 4, t) : add(5, 1, t); break;
    default: wide ? add(6, 4, t) : add(6, 1, t); break;
    }
}

static const dd_tiles avx512 = {{0, 4, 4, 4, 4, 4, 4}, add_avx512};

void dd_gemm_avx512(dd_gemm_space *space, size_t m, size_t n, size_t k, dd_matrix a, dd_matrix b,
                    float *c, size_t stride)
{
    dd_gemm_by_tiles(&avx512, space, m, n, k, a, b, c, stride);
}

void dd_gemm_packed_avx512(dd_gemm_space *space, size_t m, size_t n, size_t k, dd_matrix a,
                           const float *packed, float *c, size_t stride)
{
    dd_gemm_packed_by_tiles(&avx512, space, m, n, k, a, packed, c, stride);
}

#endif
