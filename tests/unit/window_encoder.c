/* window_encoder.c - a second encoder, to show what one takes: a hidden layer over an item and its
 * two neighbours. The neighbour of an item at the edge of its sequence is the item itself.
 *
 *     u = this x + before x' + after x" + bias     h = u / (1 + |u|) */
#include "neural/encoder.h"

#include <math.h>
#include <string.h>

/* Its parts; the shifts are from an item to the one that the matrix meets. */
enum { MATRICES = 3, BIAS = MATRICES };
static const int shifts[MATRICES] = {0, -1, 1};

static void describe(dd_parts *parts, int inputs, int width, dd_met met)
{
    const double range = 1 / sqrt((double)(MATRICES * inputs));
    for (int m = 0; m < MATRICES; m++)
        dd_parts_add(parts, (dd_part){.kind = DD_PART_MATRIX,
                                      .rows = (size_t)inputs,
                                      .columns = 2 * (size_t)width,
                                      .range = range,
                                      .met = met});
    dd_parts_add(parts, (dd_part){.kind = DD_PART_BIAS, .rows = 1, .columns = 2 * (size_t)width});
}

/* Calls `each` with every item's row and that of the neighbour that a matrix meets. */
typedef void for_pair(void *user, size_t row, size_t neighbour);

static void for_pairs(const dd_steps *steps, int shift, for_pair *each, void *user)
{
    for (int b = 0; b < steps->sequences; b++)
        for (int i = 0; i < steps->lengths[b]; i++) {
            int other = i + shift < 0 || i + shift >= steps->lengths[b] ? i : i + shift;
            each(user, dd_steps_row(steps, b, i), dd_steps_row(steps, b, other));
        }
}

/* ---- floats -------------------------------------------------------------------------------- */

static size_t memory_size(int inputs, int width, size_t rows, int sequences)
{
    (void)inputs;
    (void)sequences;
    return 2 * rows * 2 * (size_t)width;
}

/* Numbers of one row each, in rows of `width`. */
typedef struct rows_of {
    dd_real *to;
    const dd_real *from;
    size_t width;
} rows_of;

static void add_neighbour(void *user, size_t row, size_t neighbour)
{
    const rows_of *r = user;
    for (size_t j = 0; j < r->width; j++)
        r->to[row * r->width + j] += r->from[neighbour * r->width + j];
}

static void add_to_neighbour(void *user, size_t row, size_t neighbour)
{
    add_neighbour(user, neighbour, row);
}

static void forward(const dd_layer *layer, const dd_steps *steps, const dd_real *x, dd_real *h,
                    dd_real *memory)
{
    size_t n = 2 * (size_t)layer->width, rows = dd_steps_rows(steps);
    size_t inputs = (size_t)layer->inputs;
    dd_real *u = memory, *products = memory + rows * n;
    for (size_t i = 0; i < rows; i++)
        memcpy(u + i * n, layer->weights + layer->tensors[BIAS].at, n * sizeof *u);
    for (int m = 0; m < MATRICES; m++) {
        rows_of sum = {u, products, n};
        memset(products, 0, rows * n * sizeof *products);
        dd_multiply_packed(layer->by, rows, n, inputs, dd_rows_of(x, inputs),
                           layer->packed + layer->tensors[m].packed, products, n);
        for_pairs(steps, shifts[m], add_neighbour, &sum);
    }
    for (size_t i = 0; i < rows * n; i++) h[i] = u[i] / (1 + (dd_real)fabs((double)u[i]));
}

static void backward(const dd_layer *layer, const dd_steps *steps, const dd_real *x,
                     const dd_real *dh, dd_real *memory, dd_real *dx)
{
    size_t n = 2 * (size_t)layer->width, rows = dd_steps_rows(steps);
    size_t inputs = (size_t)layer->inputs;
    dd_real *du = memory, *d_products = memory + rows * n;
    for (size_t i = 0; i < rows * n; i++) {
        dd_real below = 1 + (dd_real)fabs((double)du[i]);
        du[i] = dh[i] / (below * below);
        layer->gradients[layer->tensors[BIAS].at + i % n] += du[i];
    }
    for (int m = 0; m < MATRICES; m++) {
        rows_of sum = {d_products, du, n};
        memset(d_products, 0, rows * n * sizeof *d_products);
        for_pairs(steps, shifts[m], add_to_neighbour, &sum);
        dd_multiply(layer->by, inputs, n, rows, dd_columns_of(x, inputs), dd_rows_of(d_products, n),
                    layer->gradients + layer->tensors[m].at, n);
        dd_multiply_packed(layer->by, rows, inputs, n, dd_rows_of(d_products, n),
                           layer->packed + layer->tensors[m].packed_back, dx, inputs);
    }
}

/* ---- bytes --------------------------------------------------------------------------------- */

typedef struct running {
    const dd_frozen_part *part; /* the matrix at hand */
    const int32_t *sums;        /* of its products: [rows][n], or as in dd_layer_input */
    const int *places;
    size_t stride, n;
    float *u; /* [rows][n] */
} running;

static void add_products(void *user, size_t row, size_t neighbour)
{
    const running *r = user;
    size_t place = r->places ? (size_t)r->places[neighbour] : neighbour;
    for (size_t j = 0; j < r->n; j++)
        r->u[row * r->n + j] += (float)r->sums[place * r->stride + j] * r->part->matrix.factors[j];
}

/* Products of all rows with one matrix; NULL if allocation fails. */
static const int32_t *multiply(const dd_byte_layer *layer, const dd_frozen_matrix *matrix,
                               size_t rows, dd_layer_input from)
{
    uint8_t *filled = dd_scratch_get(layer->scratch, 0, rows * matrix->rows);
    int32_t *sums = dd_scratch_get(layer->scratch, 1, rows * matrix->columns * sizeof *sums);
    if (!filled || !sums) return NULL;
    memset(filled, 0, rows * matrix->rows);
    for (size_t i = 0; i < rows; i++)
        memcpy(filled + i * matrix->rows, from.bytes + i * from.size, from.size);
    layer->kernels->dense(rows, matrix->columns, matrix->rows, filled, matrix->rows,
                          matrix->weights, sums, matrix->columns);
    return sums;
}

static uint8_t activate(float u)
{
    float h = DD_STATE_ONE * (u / (1 + fabsf(u)));
    return (uint8_t)(DD_STATE_ZERO + (int)(h < 0 ? h - 0.5f : h + 0.5f));
}

static bool run(const dd_byte_layer *layer, const dd_steps *steps, dd_layer_input from, uint8_t *to)
{
    size_t n = 2 * layer->width, rows = dd_steps_rows(steps);
    running r = {.places = from.places, .sums = from.sums, .stride = from.stride, .n = n};
    r.u = dd_scratch_get(layer->scratch, 2, rows * n * sizeof *r.u);
    if (!r.u) return false;
    for (size_t i = 0; i < rows; i++)
        memcpy(r.u + i * n, layer->parts[BIAS].bias[MATRICES - 1], n * sizeof *r.u);
    for (int m = 0; m < MATRICES; m++) {
        r.part = &layer->parts[m];
        if (from.bytes) {
            r.sums = multiply(layer, &r.part->matrix, rows, from);
            r.stride = r.part->matrix.columns;
            if (!r.sums) return false;
        }
        for_pairs(steps, shifts[m], add_products, &r);
        if (!from.bytes) r.sums += r.part->matrix.columns;
    }
    for (size_t i = 0; i < rows * n; i++) to[i] = activate(r.u[i]);
    return true;
}

extern const dd_encoder dd_window;
const dd_encoder dd_window = {
    .name = "window",
    .number = 1,
    .describe = describe,
    .memory_size = memory_size,
    .forward = forward,
    .backward = backward,
    .run = run,
};
