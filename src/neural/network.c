#include "neural/network.h"

static dd_tensor place(dd_network *network, int rows, int columns)
{
    dd_tensor made = {.at = network->size, .rows = (size_t)rows, .columns = (size_t)columns};
    network->size += made.rows * made.columns;
    return made;
}

static size_t place_packed(dd_network *network, size_t n, size_t k)
{
    size_t at = network->packed_size;
    network->packed_size += (dd_packed_size(n, k) + 15) / 16 * 16;
    return at;
}

static dd_tensor place_factor(dd_network *network, int rows, int columns)
{
    dd_tensor made = place(network, rows, columns);
    made.packed = place_packed(network, made.columns, made.rows);
    made.packed_back = place_packed(network, made.rows, made.columns);
    return made;
}

static dd_lstm_tensors place_lstm(dd_network *network, int inputs, int width)
{
    dd_lstm_tensors made;
    made.from_input = place_factor(network, inputs, 4 * width);
    made.from_state = place_factor(network, width, 4 * width);
    made.bias = place(network, 1, 4 * width);
    return made;
}

int dd_network_inputs(const dd_network_shape *shape)
{
    int size = 0;
    for (int i = 0; i < DD_INPUT_CHARS; i++)
        if (shape->vocabulary[i]) size += shape->size[i];
    return size + (shape->vocabulary[DD_INPUT_CHARS] ? 2 * shape->char_width : 0);
}

void dd_network_set(dd_network *network, const dd_network_shape *shape)
{
    *network = (dd_network){.shape = *shape};
    for (int i = 0; i < DD_INPUTS; i++)
        if (shape->vocabulary[i] && i != DD_INPUT_VECTOR)
            network->embeddings[i] = place(network, shape->vocabulary[i], shape->size[i]);
    for (int d = 0; d < 2 && shape->vocabulary[DD_INPUT_CHARS]; d++)
        network->characters[d] =
            place_lstm(network, shape->size[DD_INPUT_CHARS], shape->char_width);
    for (int layer = 0; layer < shape->layers; layer++)
        for (int d = 0; d < 2; d++)
            network->words[layer][d] = place_lstm(
                network, layer ? 2 * shape->width : dd_network_inputs(shape), shape->width);
    network->slots = place_factor(network, 2 * shape->width, (int)dd_network_slot_columns(shape));
    network->missing = place(network, shape->slots, shape->hidden);
    network->hidden_bias = place(network, 1, shape->hidden);
    network->moves = place(network, shape->outputs, shape->hidden);
    network->moves_bias = place(network, 1, shape->outputs);
    network->label_bias = place(network, 1, shape->label_hidden);
    network->labels = place(network, shape->labels, shape->label_hidden);
    network->labels_bias = place(network, 1, shape->labels);
    network->whole = network->size;
    if (shape->vocabulary[DD_INPUT_VECTOR]) {
        network->embeddings[DD_INPUT_VECTOR] =
            (dd_tensor){.at = network->size,
                        .rows = (size_t)shape->vocabulary[DD_INPUT_VECTOR],
                        .columns = (size_t)shape->size[DD_INPUT_VECTOR]};
        network->whole += network->embeddings[DD_INPUT_VECTOR].rows *
                          network->embeddings[DD_INPUT_VECTOR].columns;
    }
}

/* The matrices that rows of words are multiplied by; those that the network lacks have no rows. */
enum { FACTORS = 1 + 4 + 4 * DD_MAX_LAYERS };

static void list_factors(const dd_network *network, const dd_tensor *factors[FACTORS])
{
    int count = 0;
    factors[count++] = &network->slots;
    for (int d = 0; d < 2; d++) {
        factors[count++] = &network->characters[d].from_input;
        factors[count++] = &network->characters[d].from_state;
        for (int layer = 0; layer < DD_MAX_LAYERS; layer++) {
            factors[count++] = &network->words[layer][d].from_input;
            factors[count++] = &network->words[layer][d].from_state;
        }
    }
}

void dd_network_pack(const dd_network *network, const dd_real *weights, int share, int shares,
                     dd_real *packed)
{
    const dd_tensor *factors[FACTORS];
    list_factors(network, factors);
    for (int i = share; i < FACTORS; i += shares) {
        const dd_tensor *f = factors[i];
        if (f->rows == 0) continue;
        dd_pack(packed + f->packed, f->columns, f->rows, dd_rows_of(weights + f->at, f->columns));
        dd_pack(packed + f->packed_back, f->rows, f->columns,
                dd_columns_of(weights + f->at, f->columns));
    }
}
