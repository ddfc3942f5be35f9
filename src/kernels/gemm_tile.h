/* gemm_tile.h - the innermost loop of products of matrices: a few rows and columns of the product,
 * whose sums stay in registers */
#ifndef DODONA_KERNELS_GEMM_TILE_H
#define DODONA_KERNELS_GEMM_TILE_H

#include "kernels/training.h"

#include <stdbool.h>

/* The columns of b are taken in strips. */
enum { DD_TILE_ROWS = 6, DD_STRIP = 16, DD_TILE_STRIPS = 4 };

/* Where the tile's parts of the factors and of the product begin, and how they continue. */
typedef struct dd_tile {
    size_t k;
    const float *a; /* element (r, p) at a[r * a_row + p * a_step] */
    size_t a_row, a_step;
    size_t a_band;  /* from here to the same place DD_TILE_ROWS rows below */
    const float *b; /* row p of strip s at b[p * b_step + s * b_strip] */
    size_t b_step, b_strip;
    float *c;
    size_t c_row;
} dd_tile;

/* What a processor has for this. */
typedef struct dd_tiles {
    int strips[DD_TILE_ROWS + 1]; /* of a wide tile with so many rows */
    /* c[rows][columns] += a * b, where columns are those of a wide tile, or of one strip. */
    void (*add)(int rows, bool wide, const dd_tile *tile);
} dd_tiles;

void dd_gemm_by_tiles(const dd_tiles *tiles, dd_gemm_space *space, size_t m, size_t n, size_t k,
                      dd_matrix a, dd_matrix b, float *c, size_t stride);
void dd_gemm_packed_by_tiles(const dd_tiles *tiles, dd_gemm_space *space, size_t m, size_t n,
                             size_t k, dd_matrix a, const float *packed, float *c, size_t stride);

#endif
