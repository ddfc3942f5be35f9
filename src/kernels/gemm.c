#include "kernels/gemm.h"

#include "kernels/processor.h"

#include <string.h>

/* Blocks of the factors are copied so that the innermost loop reads both front to back (Goto and
 * van de Geijn 2008): a in strips of TILE_ROWS rows, b in strips of TILE_COLUMNS columns, filled up
 * with zeros. */
enum { TILE_ROWS = 6, TILE_COLUMNS = 16 };

/* tile[TILE_ROWS][TILE_COLUMNS] += a strip of a times a strip of b */
typedef void tile_kernel(size_t k, const float *a, const float *b, float *tile, size_t stride);

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void pack_a(float *to, dd_matrix a, size_t m, size_t k)
{
    for (size_t i = 0; i < m; i += TILE_ROWS) {
        size_t rows = smaller(TILE_ROWS, m - i);
        for (size_t p = 0; p < k; p++) {
            for (size_t r = 0; r < rows; r++) to[r] = a.data[(i + r) * a.row + p * a.column];
            for (size_t r = rows; r < TILE_ROWS; r++) to[r] = 0;
            to += TILE_ROWS;
        }
    }
}

static void pack_b(float *to, dd_matrix b, size_t k, size_t n)
{
    for (size_t j = 0; j < n; j += TILE_COLUMNS) {
        size_t columns = smaller(TILE_COLUMNS, n - j);
        for (size_t p = 0; p < k; p++) {
            const float *from = b.data + p * b.row + j * b.column;
            if (b.column == 1 && columns == TILE_COLUMNS) {
                memcpy(to, from, TILE_COLUMNS * sizeof *to);
            } else {
                for (size_t c = 0; c < columns; c++) to[c] = from[c * b.column];
                for (size_t c = columns; c < TILE_COLUMNS; c++) to[c] = 0;
            }
            to += TILE_COLUMNS;
        }
    }
}

/* A tile at the edge of c is made beside it. */
static void add_edge(tile_kernel *kernel, size_t k, const float *a, const float *b, float *c,
                     size_t stride, size_t rows, size_t columns)
{
    float tile[TILE_ROWS * TILE_COLUMNS] = {0};
    kernel(k, a, b, tile, TILE_COLUMNS);
    for (size_t r = 0; r < rows; r++)
        for (size_t j = 0; j < columns; j++) c[r * stride + j] += tile[r * TILE_COLUMNS + j];
}

static void multiply_block(tile_kernel *kernel, const dd_gemm_space *space, size_t m, size_t n,
                           size_t k, float *c, size_t stride)
{
    for (size_t j = 0; j < n; j += TILE_COLUMNS)
        for (size_t i = 0; i < m; i += TILE_ROWS) {
            const float *a = space->a + i * k, *b = space->b + j * k;
            float *to = c + i * stride + j;
            if (m - i >= TILE_ROWS && n - j >= TILE_COLUMNS)
                kernel(k, a, b, to, stride);
            else
                add_edge(kernel, k, a, b, to, stride, smaller(TILE_ROWS, m - i),
                         smaller(TILE_COLUMNS, n - j));
        }
}

static void multiply(tile_kernel *kernel, dd_gemm_space *space, size_t m, size_t n, size_t k,
                     dd_matrix a, dd_matrix b, float *c, size_t stride)
{
    for (size_t j = 0; j < n; j += DD_GEMM_COLUMNS)
        for (size_t p = 0; p < k; p += DD_GEMM_DEPTH) {
            size_t columns = smaller(DD_GEMM_COLUMNS, n - j), depth = smaller(DD_GEMM_DEPTH, k - p);
            dd_matrix from_b = {b.data + p * b.row + j * b.column, b.row, b.column};
            pack_b(space->b, from_b, depth, columns);
            for (size_t i = 0; i < m; i += DD_GEMM_ROWS) {
                size_t rows = smaller(DD_GEMM_ROWS, m - i);
                dd_matrix from_a = {a.data + i * a.row + p * a.column, a.row, a.column};
                pack_a(space->a, from_a, rows, depth);
                multiply_block(kernel, space, rows, columns, depth, c + i * stride + j, stride);
            }
        }
}

static void tile_plain(size_t k, const float *a, const float *b, float *tile, size_t stride)
{
    float sums[TILE_ROWS][TILE_COLUMNS] = {{0}};
    for (size_t p = 0; p < k; p++)
        for (size_t r = 0; r < TILE_ROWS; r++)
            for (size_t j = 0; j < TILE_COLUMNS; j++)
                sums[r][j] += a[p * TILE_ROWS + r] * b[p * TILE_COLUMNS + j];
    for (size_t r = 0; r < TILE_ROWS; r++)
        for (size_t j = 0; j < TILE_COLUMNS; j++) tile[r * stride + j] += sums[r][j];
}

void dd_gemm_plain(dd_gemm_space *space, size_t m, size_t n, size_t k, dd_matrix a, dd_matrix b,
                   float *c, size_t stride)
{
    multiply(tile_plain, space, m, n, k, a, b, c, stride);
}

#if DD_HAS_AVX2_CODE

#include <immintrin.h>

/* Twelve sums, two columns of b and a number of a: fifteen of the sixteen registers. */
__attribute__((target("avx2,fma"))) static void tile_avx2(size_t k, const float *a, const float *b,
                                                          float *tile, size_t stride)
{
    __m256 sums[TILE_ROWS][2];
#pragma GCC unroll 6
    for (int r = 0; r < TILE_ROWS; r++) sums[r][0] = sums[r][1] = _mm256_setzero_ps();
    for (size_t p = 0; p < k; p++) {
        __m256 left = _mm256_loadu_ps(b + p * TILE_COLUMNS);
        __m256 right = _mm256_loadu_ps(b + p * TILE_COLUMNS + 8);
#pragma GCC unroll 6
        for (int r = 0; r < TILE_ROWS; r++) {
            __m256 number = _mm256_broadcast_ss(a + p * TILE_ROWS + r);
            sums[r][0] = _mm256_fmadd_ps(number, left, sums[r][0]);
            sums[r][1] = _mm256_fmadd_ps(number, right, sums[r][1]);
        }
    }
#pragma GCC unroll 6
    for (int r = 0; r < TILE_ROWS; r++) {
        float *to = tile + (size_t)r * stride;
        _mm256_storeu_ps(to, _mm256_add_ps(_mm256_loadu_ps(to), sums[r][0]));
        _mm256_storeu_ps(to + 8, _mm256_add_ps(_mm256_loadu_ps(to + 8), sums[r][1]));
    }
}

void dd_gemm_avx2(dd_gemm_space *space, size_t m, size_t n, size_t k, dd_matrix a, dd_matrix b,
                  float *c, size_t stride)
{
    multiply(tile_avx2, space, m, n, k, a, b, c, stride);
}

#endif
