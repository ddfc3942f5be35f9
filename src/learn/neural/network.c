#include "learn/neural/network.h"

static dd_tensor place(dd_network *network, int rows, int columns)
{
    dd_tensor made = {network->size, (size_t)rows, (size_t)columns};
    network->size += made.rows * made.columns;
    return made;
}

static dd_lstm_tensors place_lstm(dd_network *network, int inputs, int width)
{
    dd_lstm_tensors made;
    made.from_input = place(network, inputs, 4 * width);
    made.from_state = place(network, width, 4 * width);
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
    network->slots = place(network, 2 * shape->width, (int)dd_network_slot_columns(shape));
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
            (dd_tensor){network->size, (size_t)shape->vocabulary[DD_INPUT_VECTOR],
                        (size_t)shape->size[DD_INPUT_VECTOR]};
        network->whole += network->embeddings[DD_INPUT_VECTOR].rows *
                          network->embeddings[DD_INPUT_VECTOR].columns;
    }
}
