/* freeze.c - from floats that were learnt to whole numbers, and back, part by part */
#include "core/memory.h"
#include "neural/frozen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What 1 is worth in the bytes that the rows of matrices meet. */
typedef struct worth {
    double inputs[DD_INPUTS]; /* of each embedding's bytes */
    double *rows[DD_METS];    /* [inputs], [characters] by byte; of states all are worth the same */
} worth;

static bool make_worth(worth *w, const dd_network_shape *shape)
{
    w->rows[DD_MET_INPUTS] = dd_calloc((size_t)dd_network_inputs(shape), sizeof(double));
    w->rows[DD_MET_CHARACTERS] = dd_calloc((size_t)shape->size[DD_INPUT_CHARS], sizeof(double));
    return w->rows[DD_MET_INPUTS] && w->rows[DD_MET_CHARACTERS];
}

static void free_worth(worth *w)
{
    for (int i = 0; i < DD_METS; i++) free(w->rows[i]);
}

static void fill(double *rows, int count, double value)
{
    for (int i = 0; i < count; i++) rows[i] = value;
}

/* Once the embeddings' are known. */
static void spread_worth(worth *w, const dd_network_shape *shape)
{
    double *at = w->rows[DD_MET_INPUTS];
    fill(w->rows[DD_MET_CHARACTERS], shape->size[DD_INPUT_CHARS], w->inputs[DD_INPUT_CHARS]);
    for (int i = 0; i < DD_INPUT_CHARS; i++) {
        if (!shape->vocabulary[i]) continue;
        fill(at, shape->size[i], w->inputs[i]);
        at += shape->size[i];
    }
    if (shape->vocabulary[DD_INPUT_CHARS]) fill(at, 2 * shape->char_width, 1.0 / DD_STATE_ONE);
}

static double worth_at(const worth *w, dd_met met, size_t row)
{
    return met == DD_MET_STATES ? 1.0 / DD_STATE_ONE : w->rows[met][row];
}

static int scale_of(const dd_part *part)
{
    return part->scale ? part->scale : 1;
}

static int8_t byte_at(const dd_frozen_matrix *matrix, size_t row, size_t column)
{
    return matrix->weights[dd_dense_place(matrix->rows, row, column)];
}

/* What bytes of 64 in all rows add to a column. */
static double zero_at(const dd_frozen_matrix *matrix, size_t column)
{
    long sum = 0;
    for (size_t r = 0; r < matrix->rows; r++) sum += byte_at(matrix, r, column);
    return (double)DD_STATE_ZERO * (double)sum * (double)matrix->factors[column];
}

/* ---- freezing ------------------------------------------------------------------------------ */

/* A frozen network that is being filled. */
typedef struct freezing {
    const dd_network *network;
    const dd_real *weights;
    long step; /* bytes of weights are multiples of it */
    dd_frozen frozen;
    char *bytes; /* NULL: sizes are only added up */
    size_t size;
    worth worth;
    double unit; /* of the outputs frozen last */
} freezing;

static const void *lay_out(void *user, size_t bytes)
{
    freezing *f = user;
    const void *here = f->bytes ? f->bytes + f->size : NULL;
    f->size += dd_fill_up(bytes, 64);
    return here;
}

/* Not fmax(), at whose reductions gcc 12 for ARM ends with an internal error. */
static double larger(double one, double other)
{
    return other > one ? other : one;
}

static double largest(const freezing *f, dd_tensor tensor)
{
    double most = 0;
    for (size_t i = 0; i < tensor.rows * tensor.columns; i++)
        most = larger(most, fabs((double)f->weights[tensor.at + i]));
    return most;
}

static double weight_at(const freezing *f, dd_tensor tensor, size_t row, size_t column)
{
    return (double)f->weights[tensor.at + row * tensor.columns + column];
}

static long bounded(double number, long most)
{
    long whole = lrint(number);
    return whole > most ? most : whole < -most ? -most : whole;
}

/* The largest byte of a weight, not above the given one. */
static long top(const freezing *f, long most)
{
    return most / f->step * f->step;
}

static long quantise(const freezing *f, double number, long most)
{
    return f->step * bounded(number / (double)f->step, most / f->step);
}

static bool are_multiples(const freezing *f, dd_tensor tensor, double one)
{
    const double rounding = 1e-3; /* of floats that were bytes */
    for (size_t k = 0; k < tensor.rows * tensor.columns; k++) {
        double number = (double)f->weights[tensor.at + k] / (one * (double)f->step);
        if (fabs(number - rint(number)) > rounding) return false;
    }
    return true;
}

/* Vectors are not learnt. Those of a model that is fine-tuned keep their bytes, and so remain the
 * ones that its tagger has, also if they are multiples of a larger step than new weights. */
static long step_of_vectors(const freezing *of, dd_tensor tensor, double most)
{
    freezing f = *of;
    f.step = most > 0 ? 1L << (DD_WEIGHT_BITS - DD_FEWEST_WEIGHT_BITS) : 0;
    for (; f.step > of->step; f.step /= 2)
        if (are_multiples(&f, tensor, most / (double)top(&f, DD_STATE_ONE))) return f.step;
    return of->step;
}

static void freeze_embedding(freezing *f, int input)
{
    dd_tensor tensor = f->network->embeddings[input];
    double most = largest(f, tensor);
    long step = f->step;
    if (input == DD_INPUT_VECTOR) f->step = step_of_vectors(f, tensor, most);
    double one = most > 0 ? most / (double)top(f, DD_STATE_ONE) : 1;
    uint8_t *to = (uint8_t *)(uintptr_t)f->frozen.embeddings[input];
    f->worth.inputs[input] = one;
    for (size_t k = 0; k < tensor.rows * tensor.columns; k++)
        to[k] = (uint8_t)(DD_STATE_ZERO +
                          quantise(f, (double)f->weights[tensor.at + k] / one, DD_STATE_ONE));
    f->step = step;
}

static void freeze_column(const freezing *f, const dd_part *part, dd_tensor tensor, size_t column,
                          const dd_frozen_matrix *to)
{
    float *factor = (float *)(uintptr_t)to->factors + column;
    int8_t *weights = (int8_t *)(uintptr_t)to->weights;
    double most = 0;
    size_t rows = column < tensor.columns ? tensor.rows : 0;
    for (size_t r = 0; r < rows; r++)
        most =
            larger(most, fabs(weight_at(f, tensor, r, column) * worth_at(&f->worth, part->met, r)));
    *factor = (float)(most > 0 ? most / (double)top(f, DD_DENSE_MOST) : 1);
    for (size_t r = 0; r < rows; r++) {
        double weight = weight_at(f, tensor, r, column) * worth_at(&f->worth, part->met, r);
        weights[dd_dense_place(to->rows, r, column)] =
            (int8_t)quantise(f, weight / (double)*factor, DD_DENSE_MOST);
    }
    *factor *= (float)scale_of(part);
}

static void freeze_matrix(const freezing *f, const dd_part *part, dd_tensor tensor,
                          const dd_frozen_matrix *to)
{
    for (size_t c = 0; c < to->columns; c++) freeze_column(f, part, tensor, c, to);
}

/* What bytes of 64 add to the products of the matrices before it is taken off, matrix by matrix. */
static void freeze_bias(const freezing *f, const dd_part *part, dd_tensor tensor,
                        const dd_frozen_part *to)
{
    const dd_frozen_part *matrices = to - to->n_bias;
    for (size_t c = 0; c < to->columns; c++) {
        double bias = -0.0;
        if (c < tensor.columns) bias = weight_at(f, tensor, 0, c) * scale_of(part);
        for (int k = 0; k < to->n_bias; k++) {
            bias -= zero_at(&matrices[k].matrix, c);
            ((float *)(uintptr_t)to->bias[k])[c] = (float)bias;
        }
    }
}

static void freeze_shorts(const freezing *f, dd_tensor tensor, double one, long most,
                          const int16_t *place)
{
    int16_t *to = (int16_t *)(uintptr_t)place;
    for (size_t i = 0; i < tensor.rows * tensor.columns; i++)
        to[i] = (int16_t)bounded((double)f->weights[tensor.at + i] * one, most);
}

/* The outputs' weights, and what a score of 1 is then worth. */
static double freeze_outputs(const freezing *f, dd_tensor tensor, const int16_t *to)
{
    double most = largest(f, tensor), one = most > 0 ? DD_OUTPUT_MOST / most : 1;
    freeze_shorts(f, tensor, one, DD_OUTPUT_MOST, to);
    return 1 / (one * DD_SLOT_ONE);
}

static void freeze_output_bias(const freezing *f, dd_tensor tensor, const int32_t *place)
{
    int32_t *to = (int32_t *)(uintptr_t)place;
    for (size_t i = 0; i < tensor.columns; i++)
        to[i] = (int32_t)bounded((double)f->weights[tensor.at + i] / f->unit, 1000000000);
}

static void freeze_part(freezing *f, int i)
{
    const dd_part *part = &f->network->parts.list.all[i];
    const dd_frozen_part *to = &f->frozen.arrays[i];
    dd_tensor tensor = f->network->tensors.all[i];
    switch (part->kind) {
    case DD_PART_EMBEDDING: freeze_embedding(f, i); break;
    case DD_PART_MATRIX: freeze_matrix(f, part, tensor, &to->matrix); break;
    case DD_PART_BIAS: freeze_bias(f, part, tensor, to); break;
    case DD_PART_SHORTS: freeze_shorts(f, tensor, DD_SLOT_ONE, DD_UNIT_MOST, to->shorts); break;
    case DD_PART_OUTPUTS: f->unit = freeze_outputs(f, tensor, to->shorts); break;
    case DD_PART_OUTPUT_BIAS: freeze_output_bias(f, tensor, to->wholes); break;
    }
}

static void freeze_parts(freezing *f)
{
    const dd_network_parts *parts = &f->network->parts;
    dd_frozen_header *h = &f->frozen.header;
    for (int i = 0; i < parts->list.count; i++) {
        if (i == DD_INPUTS) spread_worth(&f->worth, &f->network->shape);
        freeze_part(f, i);
        if (i == parts->moves) h->unit = f->unit;
        if (i == parts->labels) h->label_unit = f->unit / h->unit;
    }
    if (h->pairs > 0)
        h->pair_unit = 1 / (DD_SLOT_ONE * DD_SLOT_ONE * sqrt((double)h->pairs) * h->unit);
    memcpy(f->bytes, h, sizeof *h);
}

/* The words and vectors of all networks of a model are the same. */
static bool add_vectors(freezing *f, const dd_coder *coder, dd_draft *sections)
{
    dd_tensor tensor = f->network->embeddings[DD_INPUT_VECTOR];
    size_t size = tensor.rows * tensor.columns;
    if (size == 0) return true;
    dd_buffer *section = dd_draft_add(sections, "vectors");
    if (!dd_buffer_reserve(section, size)) return false;
    section->size = size;
    f->frozen.embeddings[DD_INPUT_VECTOR] = (const uint8_t *)section->data;
    return dd_coder_write_vectors(coder, dd_draft_add(sections, "vector-words"));
}

static bool fill_sections(freezing *f, const dd_coder *coder, const dd_network_names *names,
                          dd_draft *sections)
{
    bool ok = add_vectors(f, coder, sections) && make_worth(&f->worth, &f->network->shape);
    if (ok) freeze_parts(f);
    free_worth(&f->worth);
    if (!ok || !names->symbols) return ok;
    return dd_coder_write(coder, dd_draft_add(sections, names->symbols));
}

bool dd_network_freeze(const dd_network *network, const dd_real *weights, const dd_coder *coder,
                       const dd_network_names *names, const dd_freezing_options *how,
                       dd_draft *sections)
{
    freezing f = {.network = network,
                  .weights = weights,
                  .step = 1L << (how->bits ? DD_WEIGHT_BITS - how->bits : 0),
                  .size = sizeof(dd_frozen_header)};
    dd_buffer *section = dd_draft_add(sections, names->network);
    dd_frozen_set_header(&f.frozen.header, &network->shape);
    f.frozen.header.normal = how->normal;
    dd_frozen_place(&f.frozen, lay_out, &f);
    if (!dd_buffer_reserve(section, f.size)) return false;
    memset(section->data, 0, f.size);
    section->size = f.size;
    f.bytes = section->data;
    f.size = sizeof(dd_frozen_header);
    dd_frozen_place(&f.frozen, lay_out, &f);
    return fill_sections(&f, coder, names, sections);
}

/* ---- thawing ------------------------------------------------------------------------------- */

/* A network that is being thawed. */
typedef struct thawing {
    const dd_network *network;
    const dd_frozen *frozen;
    dd_real *weights;
    worth worth;
    double unit; /* of the outputs thawed last */
} thawing;

static double length_of(const uint8_t *bytes, size_t count)
{
    double squares = 0;
    for (size_t i = 0; i < count; i++) {
        double number = (double)bytes[i] - DD_STATE_ZERO;
        squares += number * number;
    }
    return sqrt(squares);
}

/* What a byte was worth is not kept, as only its product with the weights that it meets counts. So
 * that the next steps are as long as the first ones were, learnt embeddings get the deviation that
 * they were drawn with, of numbers between -1 and 1, which most words still have; and vectors the
 * length that vectors.h gives them. */
static double worth_of(const dd_frozen_header *h, int input, const uint8_t *bytes)
{
    const double mean_length = 3;
    size_t rows = h->vocabulary[input], size = h->size[input];
    double lengths = 0;
    if (input != DD_INPUT_VECTOR) {
        double length = length_of(bytes, rows * size);
        return length > 0 ? sqrt((double)(rows * size) / 3) / length : 1;
    }
    for (size_t row = DD_SYMBOL_ROOT + 1; row < rows; row++)
        lengths += length_of(bytes + row * size, size);
    return lengths > 0 ? mean_length * (double)(rows - DD_SYMBOL_ROOT - 1) / lengths : 1;
}

static void thaw_embedding(thawing *t, int input)
{
    dd_tensor tensor = t->network->embeddings[input];
    const uint8_t *bytes = t->frozen->embeddings[input];
    if (tensor.rows == 0) return;
    double one = worth_of(&t->frozen->header, input, bytes);
    t->worth.inputs[input] = one;
    for (size_t k = 0; k < tensor.rows * tensor.columns; k++)
        t->weights[tensor.at + k] = (dd_real)(((double)bytes[k] - DD_STATE_ZERO) * one);
}

static void thaw_matrix(const thawing *t, const dd_part *part, dd_tensor tensor,
                        const dd_frozen_matrix *from)
{
    double factor = 1.0 / scale_of(part);
    for (size_t r = 0; r < tensor.rows; r++)
        for (size_t c = 0; c < tensor.columns; c++)
            t->weights[tensor.at + r * tensor.columns + c] =
                (dd_real)(byte_at(from, r, c) * (double)from->factors[c] * factor /
                          worth_at(&t->worth, part->met, r));
}

/* The first bias lacks what bytes of 64 add to the products of the first matrix. */
static void thaw_bias(const thawing *t, const dd_part *part, dd_tensor tensor,
                      const dd_frozen_part *from)
{
    const dd_frozen_matrix *matrix = &(from - from->n_bias)->matrix;
    for (size_t c = 0; c < tensor.columns; c++)
        t->weights[tensor.at + c] =
            (dd_real)(((double)from->bias[0][c] + zero_at(matrix, c)) / scale_of(part));
}

static void thaw_shorts(const thawing *t, dd_tensor tensor, size_t count, const int16_t *from,
                        double one)
{
    for (size_t i = 0; i < count; i++) t->weights[tensor.at + i] = (dd_real)(from[i] * one);
}

/* The frozen part has the rows to go by. */
static void thaw_part(thawing *t, int i)
{
    const dd_part *part = &t->frozen->parts.list.all[i];
    const dd_frozen_part *from = &t->frozen->arrays[i];
    dd_tensor tensor = t->network->tensors.all[i];
    size_t count = part->rows * part->columns;
    switch (part->kind) {
    case DD_PART_EMBEDDING: thaw_embedding(t, i); break;
    case DD_PART_MATRIX: thaw_matrix(t, part, tensor, &from->matrix); break;
    case DD_PART_BIAS: thaw_bias(t, part, tensor, from); break;
    case DD_PART_SHORTS: thaw_shorts(t, tensor, count, from->shorts, 1.0 / DD_SLOT_ONE); break;
    case DD_PART_OUTPUTS: thaw_shorts(t, tensor, count, from->shorts, t->unit * DD_SLOT_ONE); break;
    case DD_PART_OUTPUT_BIAS:
        for (size_t k = 0; k < count; k++)
            t->weights[tensor.at + k] = (dd_real)((double)from->wholes[k] * t->unit);
    }
}

bool dd_network_thaw(const dd_network *network, const dd_frozen *frozen, dd_real *weights)
{
    const dd_frozen_header *h = &frozen->header;
    const dd_network_parts *parts = &frozen->parts;
    thawing t = {.network = network, .frozen = frozen, .weights = weights};
    bool ok = make_worth(&t.worth, &network->shape);
    for (int i = 0; ok && i < parts->list.count; i++) {
        if (i == DD_INPUTS) spread_worth(&t.worth, &network->shape);
        t.unit = i < parts->labels ? h->unit : h->unit * h->label_unit;
        thaw_part(&t, i);
    }
    free_worth(&t.worth);
    return ok;
}
