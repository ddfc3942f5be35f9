#include "kernels/gemm_tile.h"

#include <stdint.h>
#include <string.h>

/* As in Goto and van de Geijn 2008, blocks of the factors are copied where the innermost loop could
 * not read them front to back: a into bands of DD_TILE_ROWS rows, b into strips of DD_STRIP
 * columns, filled up with zeros. */

/* Up to here a b that lies in rows is read so few times that copying it does not pay. */
enum { FEW_ROWS = 32 };

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void pack_band(float *to, dd_matrix a, size_t rows, size_t k)
{
    for (size_t p = 0; p < k; p++)
        for (size_t r = 0; r < DD_TILE_ROWS; r++)
            to[p * DD_TILE_ROWS + r] = r < rows ? a.data[r * a.row + p * a.column] : 0;
}

static void pack_whole_band(float *to, dd_matrix a, size_t k)
{
    for (size_t p = 0; p < k; p++)
        for (size_t r = 0; r < DD_TILE_ROWS; r++)
            to[p * DD_TILE_ROWS + r] = a.data[r * a.row + p * a.column];
}

static void pack_a(float *to, dd_matrix a, size_t m, size_t k)
{
    for (size_t i = 0; i < m; i += DD_TILE_ROWS, to += DD_TILE_ROWS * k) {
        dd_matrix band = {a.data + i * a.row, a.row, a.column};
        if (m - i >= DD_TILE_ROWS)
            pack_whole_band(to, band, k);
        else
            pack_band(to, band, m - i, k);
    }
}

typedef float four __attribute__((vector_size(16)));
typedef int32_t places __attribute__((vector_size(16)));

#ifdef __clang__
#define SHUFFLE __builtin_shufflevector
#else
#define SHUFFLE(x, y, ...) __builtin_shuffle(x, y, (places){__VA_ARGS__})
#endif

static four load_four(const float *from)
{
    four made;
    memcpy(&made, from, sizeof made);
    return made;
}

static void store_four(float *to, four numbers)
{
    memcpy(to, &numbers, sizeof numbers);
}

/* Four rows of four numbers become columns, by way of pairs. */
static void turn_square(float *to, const float *from, size_t column)
{
    four w = load_four(from), x = load_four(from + column), y = load_four(from + 2 * column),
         z = load_four(from + 3 * column);
    four wx = SHUFFLE(w, x, 0, 4, 1, 5), yz = SHUFFLE(y, z, 0, 4, 1, 5);
    store_four(to, SHUFFLE(wx, yz, 0, 1, 4, 5));
    store_four(to + DD_STRIP, SHUFFLE(wx, yz, 2, 3, 6, 7));
    wx = SHUFFLE(w, x, 2, 6, 3, 7), yz = SHUFFLE(y, z, 2, 6, 3, 7);
    store_four(to + 2 * DD_STRIP, SHUFFLE(wx, yz, 0, 1, 4, 5));
    store_four(to + 3 * DD_STRIP, SHUFFLE(wx, yz, 2, 3, 6, 7));
}

/* A strip of a b whose columns lie front to back. */
static void turn_strip(float *to, const float *from, size_t column, size_t k)
{
    size_t p = 0;
    for (; p + 4 <= k; p += 4)
        for (size_t j = 0; j < DD_STRIP; j += 4)
            turn_square(to + p * DD_STRIP + j, from + j * column + p, column);
    for (; p < k; p++)
        for (size_t j = 0; j < DD_STRIP; j++) to[p * DD_STRIP + j] = from[j * column + p];
}

static void pack_edge(float *to, dd_matrix b, size_t columns, size_t k)
{
    for (size_t p = 0; p < k; p++)
        for (size_t j = 0; j < DD_STRIP; j++)
            to[p * DD_STRIP + j] = j < columns ? b.data[p * b.row + j * b.column] : 0;
}

void dd_gemm_pack(float *to, size_t n, size_t k, dd_matrix b)
{
    for (size_t j = 0; j < n; j += DD_STRIP, to += DD_STRIP * k) {
        dd_matrix strip = {b.data + j * b.column, b.row, b.column};
        if (n - j < DD_STRIP || (b.column != 1 && b.row != 1))
            pack_edge(to, strip, smaller(DD_STRIP, n - j), k);
        else if (b.column == 1)
            for (size_t p = 0; p < k; p++)
                memcpy(to + p * DD_STRIP, strip.data + p * b.row, DD_STRIP * sizeof *to);
        else
            turn_strip(to, strip.data, b.column, k);
    }
}

size_t dd_gemm_packed_size(size_t n, size_t k)
{
    return (n + DD_STRIP - 1) / DD_STRIP * DD_STRIP * k;
}

/* ---- tiles of a product ---- */

/* The tile at a row where a band begins and a column where a strip does. */
static dd_tile tile_at(dd_tile tile, size_t i, size_t j)
{
    tile.a += i / DD_TILE_ROWS * tile.a_band;
    tile.b += j / DD_STRIP * tile.b_strip;
    tile.c += i * tile.c_row + j;
    return tile;
}

/* Columns that do not fill a strip are made beside c. */
static void add_edge(const dd_tiles *tiles, int rows, size_t columns, dd_tile tile)
{
    float sums[DD_TILE_ROWS * DD_STRIP] = {0}, *c = tile.c;
    size_t c_row = tile.c_row;
    tile.c = sums;
    tile.c_row = DD_STRIP;
    tiles->add(rows, false, &tile);
    for (size_t r = 0; r < (size_t)rows; r++)
        for (size_t j = 0; j < columns; j++) c[r * c_row + j] += sums[r * DD_STRIP + j];
}

/* n columns of at most a band of rows. */
static void add_band(const dd_tiles *tiles, size_t rows, size_t n, dd_tile tile)
{
    size_t wide = (size_t)tiles->strips[rows] * DD_STRIP, j = 0;
    for (; j + wide <= n; j += wide) {
        dd_tile at = tile_at(tile, 0, j);
        tiles->add((int)rows, true, &at);
    }
    for (; j + DD_STRIP <= n; j += DD_STRIP) {
        dd_tile at = tile_at(tile, 0, j);
        tiles->add((int)rows, false, &at);
    }
    if (j < n) add_edge(tiles, (int)rows, n - j, tile_at(tile, 0, j));
}

/* All whole bands meet some strips before the next ones, which thus stay in the nearest cache. */
static void add_bands(const dd_tiles *tiles, size_t m, size_t n, dd_tile tile)
{
    size_t whole = m - m % DD_TILE_ROWS, wide = (size_t)tiles->strips[DD_TILE_ROWS] * DD_STRIP;
    for (size_t j = 0; whole > 0 && j < n; j += wide)
        for (size_t i = 0; i < whole; i += DD_TILE_ROWS)
            add_band(tiles, DD_TILE_ROWS, smaller(wide, n - j), tile_at(tile, i, j));
    if (m > whole) add_band(tiles, m - whole, n, tile_at(tile, whole, 0));
}

/* The whole of a and c, of whose rows `tile` has what belongs to b, k and the first row of c. */
static void add_rows(const dd_tiles *tiles, dd_gemm_space *space, size_t m, size_t n, dd_matrix a,
                     dd_tile tile)
{
    for (size_t i = 0; i < m; i += DD_GEMM_ROWS) {
        size_t rows = smaller(DD_GEMM_ROWS, m - i);
        dd_matrix from = {a.data + i * a.row, a.row, a.column};
        dd_tile at = tile;
        at.c += i * tile.c_row;
        if (a.column == 1) {
            at.a = from.data, at.a_row = a.row, at.a_step = 1, at.a_band = DD_TILE_ROWS * a.row;
        } else {
            pack_a(space->a, from, rows, tile.k);
            at.a = space->a, at.a_row = 1, at.a_step = DD_TILE_ROWS,
            at.a_band = DD_TILE_ROWS * tile.k;
        }
        add_bands(tiles, rows, n, at);
    }
}

void dd_gemm_by_tiles(const dd_tiles *tiles, dd_gemm_space *space, size_t m, size_t n, size_t k,
                      dd_matrix a, dd_matrix b, float *c, size_t stride)
{
    bool as_it_lies = b.column == 1 && n % DD_STRIP == 0 && m <= FEW_ROWS;
    for (size_t j = 0; j < n; j += DD_GEMM_COLUMNS)
        for (size_t p = 0; p < k; p += DD_GEMM_DEPTH) {
            size_t columns = smaller(DD_GEMM_COLUMNS, n - j), depth = smaller(DD_GEMM_DEPTH, k - p);
            dd_matrix from_a = {a.data + p * a.column, a.row, a.column};
            dd_matrix from_b = {b.data + p * b.row + j * b.column, b.row, b.column};
            dd_tile tile = {.k = depth, .c = c + j, .c_row = stride};
            if (as_it_lies) {
                tile.b = from_b.data, tile.b_step = b.row, tile.b_strip = DD_STRIP;
            } else {
                dd_gemm_pack(space->b, columns, depth, from_b);
                tile.b = space->b, tile.b_step = DD_STRIP, tile.b_strip = DD_STRIP * depth;
            }
            add_rows(tiles, space, m, columns, from_a, tile);
        }
}

void dd_gemm_packed_by_tiles(const dd_tiles *tiles, dd_gemm_space *space, size_t m, size_t n,
                             size_t k, dd_matrix a, const float *packed, float *c, size_t stride)
{
    for (size_t j = 0; j < n; j += DD_GEMM_COLUMNS)
        for (size_t p = 0; p < k; p += DD_GEMM_DEPTH) {
            dd_matrix from_a = {a.data + p * a.column, a.row, a.column};
            dd_tile tile = {.k = smaller(DD_GEMM_DEPTH, k - p), .c = c + j, .c_row = stride};
            tile.b = packed + j * k + p * DD_STRIP;
            tile.b_step = DD_STRIP, tile.b_strip = DD_STRIP * k;
            add_rows(tiles, space, m, smaller(DD_GEMM_COLUMNS, n - j), from_a, tile);
        }
}

/* ---- plain C ---- */

static void add_plain(int rows, bool wide, const dd_tile *t)
{
    (void)wide;
    float sums[DD_TILE_ROWS][DD_STRIP] = {{0}};
    for (size_t p = 0; p < t->k; p++)
        for (size_t r = 0; r < (size_t)rows; r++)
            for (size_t j = 0; j < DD_STRIP; j++)
                sums[r][j] += t->a[r * t->a_row + p * t->a_step] * t->b[p * t->b_step + j];
    for (size_t r = 0; r < (size_t)rows; r++)
        for (size_t j = 0; j < DD_STRIP; j++) t->c[r * t->c_row + j] += sums[r][j];
}

static const dd_tiles plain = {{0, 1, 1, 1, 1, 1, 1}, add_plain};

void dd_gemm_plain(dd_gemm_space *space, size_t m, size_t n, size_t k, dd_matrix a, dd_matrix b,
                   float *c, size_t stride)
{
    dd_gemm_by_tiles(&plain, space, m, n, k, a, b, c, stride);
}

void dd_gemm_packed_plain(dd_gemm_space *space, size_t m, size_t n, size_t k, dd_matrix a,
                          const float *packed, float *c, size_t stride)
{
    dd_gemm_packed_by_tiles(&plain, space, m, n, k, a, packed, c, stride);
}
