#include "neural/network.h"

#include "core/memory.h"
#include "neural/frozen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A frozen network that is being filled. */
typedef struct freezing {
    const dd_network *network;
    const dd_real *weights;
    dd_frozen frozen;
    char *bytes; /* NULL: sizes are only added up */
    size_t size;
    double worth[DD_INPUTS]; /* of 1 in an embedding's byte */
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

/* Vectors are in a section of their own. */
static void freeze_embeddings(freezing *f)
{
    for (int i = 0; i < DD_INPUTS; i++) {
        dd_tensor tensor = f->network->embeddings[i];
        double most = largest(f, tensor);
        uint8_t *to = (uint8_t *)(uintptr_t)f->frozen.embeddings[i];
        f->worth[i] = most > 0 ? most / DD_STATE_ONE : 1;
        for (size_t k = 0; k < tensor.rows * tensor.columns; k++)
            to[k] =
                (uint8_t)(DD_STATE_ZERO +
                          bounded((double)f->weights[tensor.at + k] / f->worth[i], DD_STATE_ONE));
    }
}

/* Fills in weights and factors, times what the bytes of each row are worth; `zero` gets what bytes
 * of 64 add to each column, in worth. */
static void freeze_matrix(freezing *f, dd_tensor tensor, const double *worth,
                          const dd_frozen_matrix *to, double *zero)
{
    int8_t *weights = (int8_t *)(uintptr_t)to->weights;
    float *factors = (float *)(uintptr_t)to->factors;
    memset(weights, 0, to->rows * to->columns);
    for (size_t c = 0; c < to->columns; c++) {
        double most = 0;
        long sum = 0;
        for (size_t r = 0; r < tensor.rows && c < tensor.columns; r++)
            most = larger(most, fabs(weight_at(f, tensor, r, c) * worth[r]));
        factors[c] = (float)(most > 0 ? most / DD_DENSE_MOST : 1);
        for (size_t r = 0; r < tensor.rows && c < tensor.columns; r++) {
            long whole =
                bounded(weight_at(f, tensor, r, c) * worth[r] / (double)factors[c], DD_DENSE_MOST);
            weights[dd_dense_place(to->rows, r, c)] = (int8_t)whole;
            sum += whole;
        }
        if (c < tensor.columns) zero[c] = (double)DD_STATE_ZERO * (double)sum * (double)factors[c];
    }
}

enum { MOST_ROWS = 1 << 14 };

/* What the bytes of states are worth. */
static void fill_worth(double *worth, size_t count, double value)
{
    for (size_t i = 0; i < count; i++) worth[i] = value;
}

static bool freeze_lstm(freezing *f, const dd_lstm_tensors *tensors, const double *worth,
                        const dd_frozen_lstm *to)
{
    size_t width = tensors->from_state.rows;
    double *of_input = dd_calloc(4 * width, sizeof *of_input);
    double *of_state = dd_calloc(4 * width, sizeof *of_state);
    double *states = dd_calloc(width, sizeof *states);
    bool ok = of_input && of_state && states;
    if (ok) {
        fill_worth(states, width, 1.0 / DD_STATE_ONE);
        freeze_matrix(f, tensors->from_input, worth, &to->from_input, of_input);
        freeze_matrix(f, tensors->from_state, states, &to->from_state, of_state);
        for (size_t j = 0; j < 4 * width; j++) {
            double bias = weight_at(f, tensors->bias, 0, j) - of_input[j];
            ((float *)(uintptr_t)to->first_bias)[j] = (float)bias;
            ((float *)(uintptr_t)to->bias)[j] = (float)(bias - of_state[j]);
        }
    }
    free(of_input);
    free(of_state);
    free(states);
    return ok;
}

static bool freeze_layers(freezing *f)
{
    const dd_network *n = f->network;
    double *worth = dd_calloc(MOST_ROWS, sizeof *worth), *at = worth;
    if (!worth) return false;
    fill_worth(worth, (size_t)n->shape.size[DD_INPUT_CHARS], f->worth[DD_INPUT_CHARS]);
    bool ok = true;
    for (int d = 0; d < 2 && ok && n->shape.vocabulary[DD_INPUT_CHARS]; d++)
        ok = freeze_lstm(f, &n->characters[d], worth, &f->frozen.characters[d]);
    for (int i = 0; i < DD_INPUT_CHARS; i++) {
        if (!n->shape.vocabulary[i]) continue;
        fill_worth(at, (size_t)n->shape.size[i], f->worth[i]);
        at += n->shape.size[i];
    }
    fill_worth(at, 2 * (size_t)n->shape.char_width, 1.0 / DD_STATE_ONE);
    for (int layer = 0; layer < n->shape.layers && ok; layer++) {
        for (int d = 0; d < 2 && ok; d++)
            ok = freeze_lstm(f, &n->words[layer][d], worth, &f->frozen.words[layer][d]);
        fill_worth(worth, 2 * (size_t)n->shape.width, 1.0 / DD_STATE_ONE);
    }
    free(worth);
    return ok;
}

static void freeze_shorts(const freezing *f, dd_tensor tensor, double one, long most,
                          const int16_t *place)
{
    int16_t *to = (int16_t *)(uintptr_t)place;
    for (size_t i = 0; i < tensor.rows * tensor.columns; i++)
        to[i] = (int16_t)bounded((double)f->weights[tensor.at + i] * one, most);
}

static bool freeze_slots(freezing *f)
{
    const dd_network *n = f->network;
    const dd_frozen_matrix *to = &f->frozen.slots;
    double *zero = dd_calloc(to->columns, sizeof *zero);
    double *states = dd_calloc(n->slots.rows, sizeof *states);
    bool ok = zero && states;
    if (ok) {
        fill_worth(states, n->slots.rows, 1.0 / DD_STATE_ONE);
        freeze_matrix(f, n->slots, states, to, zero);
        for (size_t c = 0; c < to->columns; c++) {
            ((float *)(uintptr_t)to->factors)[c] *= DD_SLOT_ONE;
            ((float *)(uintptr_t)f->frozen.slots_bias)[c] = (float)(-zero[c] * DD_SLOT_ONE);
        }
    }
    free(zero);
    free(states);
    return ok;
}

/* The outputs' weights, and what a score of 1 is then worth. */
static double freeze_outputs(const freezing *f, dd_tensor weights, dd_tensor bias,
                             const int16_t *to, const int32_t *to_bias)
{
    double most = largest(f, weights), one = most > 0 ? DD_OUTPUT_MOST / most : 1;
    double unit = 1 / (one * DD_SLOT_ONE);
    freeze_shorts(f, weights, one, DD_OUTPUT_MOST, to);
    for (size_t i = 0; i < bias.columns; i++)
        ((int32_t *)(uintptr_t)to_bias)[i] =
            (int32_t)bounded((double)f->weights[bias.at + i] / unit, 1000000000);
    return unit;
}

static void set_header(const dd_network_shape *shape, dd_frozen_header *h)
{
    *h = (dd_frozen_header){.version = shape->pairs > 0 ? DD_FROZEN_WITH_PAIRS : DD_FROZEN_VERSION,
                            .char_width = (uint32_t)shape->char_width,
                            .layers = (uint32_t)shape->layers,
                            .width = (uint32_t)shape->width,
                            .slots = (uint32_t)shape->slots,
                            .hidden = (uint32_t)shape->hidden,
                            .outputs = (uint32_t)shape->outputs,
                            .label_hidden = (uint32_t)shape->label_hidden,
                            .labels = (uint32_t)shape->labels,
                            .pairs = (uint32_t)shape->pairs};
    for (int i = 0; i < DD_INPUTS; i++) {
        h->vocabulary[i] = (uint32_t)shape->vocabulary[i];
        h->size[i] = (uint32_t)shape->size[i];
    }
}

static bool fill(freezing *f)
{
    const dd_network *n = f->network;
    dd_frozen *to = &f->frozen;
    freeze_embeddings(f);
    if (!freeze_layers(f) || !freeze_slots(f)) return false;
    freeze_shorts(f, n->missing, DD_SLOT_ONE, DD_UNIT_MOST, to->missing);
    freeze_shorts(f, n->hidden_bias, DD_SLOT_ONE, DD_UNIT_MOST, to->hidden_bias);
    freeze_shorts(f, n->label_bias, DD_SLOT_ONE, DD_UNIT_MOST, to->label_bias);
    to->header.unit = freeze_outputs(f, n->moves, n->moves_bias, to->moves, to->moves_bias);
    to->header.label_unit =
        freeze_outputs(f, n->labels, n->labels_bias, to->label_weights, to->labels_bias) /
        to->header.unit;
    if (n->shape.pairs > 0)
        to->header.pair_unit =
            1 / (DD_SLOT_ONE * DD_SLOT_ONE * sqrt((double)n->shape.pairs) * to->header.unit);
    memcpy(f->bytes, &to->header, sizeof to->header);
    return true;
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

bool dd_network_freeze(const dd_network *network, const dd_real *weights, const dd_coder *coder,
                       const dd_network_names *names, bool normal, dd_draft *sections)
{
    freezing f = {.network = network, .weights = weights, .size = sizeof(dd_frozen_header)};
    dd_buffer *section = dd_draft_add(sections, names->network);
    set_header(&network->shape, &f.frozen.header);
    f.frozen.header.normal = normal;
    dd_frozen_place(&f.frozen, lay_out, &f);
    if (!dd_buffer_reserve(section, f.size)) return false;
    memset(section->data, 0, f.size);
    section->size = f.size;
    f.bytes = section->data;
    f.size = sizeof(dd_frozen_header);
    dd_frozen_place(&f.frozen, lay_out, &f);
    return add_vectors(&f, coder, sections) && fill(&f) &&
           dd_coder_write(coder, dd_draft_add(sections, names->symbols));
}
