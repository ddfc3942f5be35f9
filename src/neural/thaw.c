#include "neural/network.h"

#include "core/memory.h"

#include <math.h>
#include <stdlib.h>

enum { LARGEST = 1024 /* what settings allow, and vectors.h */ };

bool dd_network_shape_of(const dd_frozen_header *h, dd_network_shape *shape)
{
    const uint32_t sizes[] = {h->char_width, h->width, h->hidden, h->label_hidden, h->pairs};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i] > LARGEST) return false;
    *shape = (dd_network_shape){.char_width = (int)h->char_width,
                                .layers = (int)h->layers,
                                .width = (int)h->width,
                                .slots = (int)h->slots,
                                .hidden = (int)h->hidden,
                                .outputs = (int)h->outputs,
                                .pairs = (int)h->pairs,
                                .label_hidden = (int)h->label_hidden,
                                .labels = (int)h->labels};
    for (int i = 0; i < DD_INPUTS; i++) {
        if (h->size[i] > LARGEST) return false;
        shape->vocabulary[i] = (int)h->vocabulary[i];
        shape->size[i] = (int)h->size[i];
    }
    return true;
}

/* A network that is being thawed. */
typedef struct thawing {
    const dd_network *network;
    const dd_frozen *frozen;
    dd_real *weights;
    double worth[DD_INPUTS]; /* of 1 in an embedding's byte */
    double *rows; /* [rows of the matrix at hand] what the bytes that meet it are worth */
} thawing;

/* ---- embeddings --------------------------------------------------------------------------- */

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

static void thaw_embeddings(thawing *t)
{
    for (int i = 0; i < DD_INPUTS; i++) {
        dd_tensor tensor = t->network->embeddings[i];
        const uint8_t *bytes = t->frozen->embeddings[i];
        if (tensor.rows == 0) continue;
        t->worth[i] = worth_of(&t->frozen->header, i, bytes);
        for (size_t k = 0; k < tensor.rows * tensor.columns; k++)
            t->weights[tensor.at + k] = (dd_real)(((double)bytes[k] - DD_STATE_ZERO) * t->worth[i]);
    }
}

/* ---- matrices ----------------------------------------------------------------------------- */

static int8_t byte_at(const dd_frozen_matrix *from, size_t row, size_t column)
{
    return from->weights[dd_dense_place(from->rows, row, column)];
}

static void thaw_matrix(const thawing *t, dd_tensor tensor, const dd_frozen_matrix *from,
                        double factor)
{
    for (size_t r = 0; r < tensor.rows; r++)
        for (size_t c = 0; c < tensor.columns; c++)
            t->weights[tensor.at + r * tensor.columns + c] =
                (dd_real)(byte_at(from, r, c) * (double)from->factors[c] * factor / t->rows[r]);
}

/* What bytes of 64 add was taken off the bias. */
static void thaw_bias(const thawing *t, dd_tensor bias, const dd_frozen_lstm *from, size_t inputs)
{
    for (size_t c = 0; c < bias.columns; c++) {
        long sum = 0;
        for (size_t r = 0; r < inputs; r++) sum += byte_at(&from->from_input, r, c);
        double taken = (double)DD_STATE_ZERO * (double)sum * (double)from->from_input.factors[c];
        t->weights[bias.at + c] = (dd_real)((double)from->first_bias[c] + taken);
    }
}

static void fill(double *rows, size_t count, double worth)
{
    for (size_t i = 0; i < count; i++) rows[i] = worth;
}

/* `rows` is for the inputs. */
static void thaw_lstm(thawing *t, const dd_lstm_tensors *to, const dd_frozen_lstm *from)
{
    thaw_matrix(t, to->from_input, &from->from_input, 1);
    thaw_bias(t, to->bias, from, to->from_input.rows);
    double *of_input = t->rows;
    t->rows += to->from_input.rows;
    fill(t->rows, to->from_state.rows, 1.0 / DD_STATE_ONE);
    thaw_matrix(t, to->from_state, &from->from_state, 1);
    t->rows = of_input;
}

static void fill_for_words(thawing *t)
{
    const dd_network_shape *shape = &t->network->shape;
    double *at = t->rows;
    for (int i = 0; i < DD_INPUT_CHARS; i++) {
        if (!shape->vocabulary[i]) continue;
        fill(at, (size_t)shape->size[i], t->worth[i]);
        at += shape->size[i];
    }
    if (shape->vocabulary[DD_INPUT_CHARS])
        fill(at, 2 * (size_t)shape->char_width, 1.0 / DD_STATE_ONE);
}

static void thaw_layers(thawing *t)
{
    const dd_network *n = t->network;
    const dd_network_shape *shape = &n->shape;
    fill(t->rows, (size_t)shape->size[DD_INPUT_CHARS], t->worth[DD_INPUT_CHARS]);
    for (int d = 0; d < 2 && shape->vocabulary[DD_INPUT_CHARS]; d++)
        thaw_lstm(t, &n->characters[d], &t->frozen->characters[d]);
    fill_for_words(t);
    for (int layer = 0; layer < shape->layers; layer++) {
        for (int d = 0; d < 2; d++) thaw_lstm(t, &n->words[layer][d], &t->frozen->words[layer][d]);
        fill(t->rows, 2 * (size_t)shape->width, 1.0 / DD_STATE_ONE);
    }
    thaw_matrix(t, n->slots, &t->frozen->slots, 1.0 / DD_SLOT_ONE);
}

/* ---- the rest ----------------------------------------------------------------------------- */

static void thaw_shorts(const thawing *t, size_t at, const int16_t *from, size_t count,
                        double worth)
{
    for (size_t i = 0; i < count; i++) t->weights[at + i] = (dd_real)(from[i] * worth);
}

static void thaw_outputs(const thawing *t, dd_tensor weights, dd_tensor bias, size_t outputs,
                         const int16_t *from, const int32_t *from_bias, double unit)
{
    thaw_shorts(t, weights.at, from, outputs * weights.columns, unit * DD_SLOT_ONE);
    for (size_t i = 0; i < outputs; i++)
        t->weights[bias.at + i] = (dd_real)((double)from_bias[i] * unit);
}

static void thaw_rest(const thawing *t)
{
    const dd_network *n = t->network;
    const dd_frozen *f = t->frozen;
    const dd_frozen_header *h = &f->header;
    const double slot = 1.0 / DD_SLOT_ONE;
    thaw_shorts(t, n->missing.at, f->missing, (size_t)h->slots * h->hidden, slot);
    thaw_shorts(t, n->hidden_bias.at, f->hidden_bias, h->hidden, slot);
    thaw_shorts(t, n->label_bias.at, f->label_bias, h->label_hidden, slot);
    thaw_outputs(t, n->moves, n->moves_bias, h->outputs, f->moves, f->moves_bias, h->unit);
    thaw_outputs(t, n->labels, n->labels_bias, h->labels, f->label_weights, f->labels_bias,
                 h->unit * h->label_unit);
}

bool dd_network_thaw(const dd_network *network, const dd_frozen *frozen, dd_real *weights)
{
    const dd_network_shape *shape = &network->shape;
    size_t words = (size_t)dd_network_inputs(shape) + (size_t)shape->width;
    size_t characters = (size_t)shape->size[DD_INPUT_CHARS] + (size_t)shape->char_width;
    size_t layers = 3 * (size_t)shape->width;
    double *rows = dd_calloc(words + characters + layers, sizeof *rows);
    if (!rows) return false;
    thawing t = {.network = network, .frozen = frozen, .weights = weights, .rows = rows};
    thaw_embeddings(&t);
    thaw_layers(&t);
    thaw_rest(&t);
    free(rows);
    return true;
}
