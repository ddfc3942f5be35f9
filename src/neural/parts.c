#include "neural/parts.h"

#include <assert.h>

int dd_parts_add(dd_parts *parts, dd_part part)
{
    assert(parts->count < DD_MAX_PARTS);
    parts->all[parts->count] = part;
    return parts->count++;
}

/* ---- floats ------------------------------------------------------------------------------- */

static size_t place_packed(dd_tensors *tensors, size_t n, size_t k)
{
    size_t at = tensors->packed_size;
    tensors->packed_size += (dd_packed_size(n, k) + 15) / 16 * 16;
    return at;
}

static dd_tensor place(dd_tensors *tensors, const dd_part *part, size_t *end)
{
    dd_tensor made = {.at = *end, .rows = part->rows, .columns = part->columns};
    *end += made.rows * made.columns;
    if (part->kind == DD_PART_MATRIX) {
        made.packed = place_packed(tensors, made.columns, made.rows);
        made.packed_back = place_packed(tensors, made.rows, made.columns);
    }
    return made;
}

void dd_tensors_place(dd_tensors *tensors, const dd_parts *parts)
{
    *tensors = (dd_tensors){0};
    for (int i = 0; i < parts->count; i++)
        if (!parts->all[i].fixed) tensors->all[i] = place(tensors, &parts->all[i], &tensors->size);
    tensors->whole = tensors->size;
    for (int i = 0; i < parts->count; i++)
        if (parts->all[i].fixed && parts->all[i].kind == DD_PART_EMBEDDING)
            tensors->all[i] = place(tensors, &parts->all[i], &tensors->whole);
}

void dd_tensors_draw(const dd_tensors *tensors, const dd_parts *parts, dd_random *random,
                     dd_real *weights)
{
    for (int i = 0; i < parts->count; i++) {
        dd_tensor tensor = tensors->all[i];
        double range = parts->all[i].range;
        if (parts->all[i].fixed || range == 0) continue;
        for (size_t k = 0; k < tensor.rows * tensor.columns; k++)
            weights[tensor.at + k] = (dd_real)(range * (2 * dd_random_unit(random) - 1));
    }
}

void dd_tensors_pack(const dd_tensors *tensors, const dd_parts *parts, const dd_real *weights,
                     int share, int shares, dd_real *packed)
{
    int matrices = 0;
    for (int i = 0; i < parts->count; i++) {
        const dd_tensor *t = &tensors->all[i];
        if (parts->all[i].kind != DD_PART_MATRIX || matrices++ % shares != share) continue;
        dd_pack(packed + t->packed, t->columns, t->rows, dd_rows_of(weights + t->at, t->columns));
        dd_pack(packed + t->packed_back, t->rows, t->columns,
                dd_columns_of(weights + t->at, t->columns));
    }
}

/* ---- whole numbers ------------------------------------------------------------------------- */

static void place_matrix(dd_frozen_matrix *matrix, const dd_part *part, dd_frozen_visit *each,
                         void *user)
{
    matrix->rows = dd_fill_up(part->rows, DD_DENSE_DEPTH);
    matrix->columns = dd_fill_up(part->columns, DD_DENSE_COLUMNS);
    matrix->weights = each(user, matrix->rows * matrix->columns);
    matrix->factors = each(user, matrix->columns * sizeof *matrix->factors);
}

static void place_biases(dd_frozen_part *frozen, const dd_part *part, int matrices,
                         dd_frozen_visit *each, void *user)
{
    frozen->columns = dd_fill_up(part->columns, DD_DENSE_COLUMNS);
    frozen->n_bias = matrices;
    for (int i = 0; i < matrices; i++)
        frozen->bias[i] = each(user, frozen->columns * sizeof **frozen->bias);
}

void dd_frozen_parts_place(dd_frozen_part *frozen, const dd_parts *parts, dd_frozen_visit *each,
                           void *user)
{
    int matrices = 0; /* right before the part */
    for (int i = 0; i < parts->count; i++) {
        const dd_part *part = &parts->all[i];
        size_t count = part->rows * part->columns;
        switch (part->kind) {
        case DD_PART_EMBEDDING:
            if (!part->fixed) frozen[i].bytes = each(user, count);
            break;
        case DD_PART_MATRIX: place_matrix(&frozen[i].matrix, part, each, user); break;
        case DD_PART_BIAS: place_biases(&frozen[i], part, matrices, each, user); break;
        case DD_PART_OUTPUT_BIAS: frozen[i].wholes = each(user, count * sizeof(int32_t)); break;
        default: frozen[i].shorts = each(user, count * sizeof(int16_t));
        }
        matrices = part->kind == DD_PART_MATRIX ? matrices + 1 : 0;
    }
}
