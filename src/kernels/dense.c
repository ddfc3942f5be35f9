#include "kernels/dense.h"

#include <string.h>

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
