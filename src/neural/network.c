#include "neural/network.h"

#include <math.h>

int dd_network_inputs(const dd_network_shape *shape)
{
    int size = 0;
    for (int i = 0; i < DD_INPUT_CHARS; i++)
        if (shape->vocabulary[i]) size += shape->size[i];
    return size + (shape->vocabulary[DD_INPUT_CHARS] ? 2 * shape->char_width : 0);
}

static int add(dd_network_parts *parts, dd_part_kind kind, int rows, int columns, double range)
{
    return dd_parts_add(
        &parts->list,
        (dd_part){.kind = kind, .rows = (size_t)rows, .columns = (size_t)columns, .range = range});
}

static void describe_embeddings(dd_network_parts *parts, const dd_network_shape *shape)
{
    for (int i = 0; i < DD_INPUTS; i++) {
        bool used = shape->vocabulary[i] > 0;
        int part =
            add(parts, DD_PART_EMBEDDING, shape->vocabulary[i], used ? shape->size[i] : 0, 1);
        parts->list.all[part].fixed = i == DD_INPUT_VECTOR;
    }
}

static void describe_layers(dd_network_parts *parts, const dd_network_shape *shape)
{
    const dd_encoder *encoder = shape->encoder ? shape->encoder : dd_encoder_find(NULL);
    parts->characters = parts->list.count;
    if (shape->vocabulary[DD_INPUT_CHARS])
        encoder->describe(&parts->list, shape->size[DD_INPUT_CHARS], shape->char_width,
                          DD_MET_CHARACTERS);
    for (int layer = 0; layer < shape->layers; layer++) {
        parts->layers[layer] = parts->list.count;
        encoder->describe(&parts->list, layer ? 2 * shape->width : dd_network_inputs(shape),
                          shape->width, layer ? DD_MET_STATES : DD_MET_INPUTS);
    }
}

static void describe_slots(dd_network_parts *parts, const dd_network_shape *shape)
{
    int columns = (int)dd_network_slot_columns(shape);
    parts->slots =
        add(parts, DD_PART_MATRIX, 2 * shape->width, columns, 1 / sqrt(2.0 * shape->width));
    parts->slots_bias = add(parts, DD_PART_BIAS, 1, columns, 0);
    parts->list.all[parts->slots].scale = DD_SLOT_ONE;
    parts->list.all[parts->slots_bias].scale = DD_SLOT_ONE;
    parts->list.all[parts->slots_bias].fixed = true;
    parts->missing = add(parts, DD_PART_SHORTS, shape->slots, shape->hidden, 0.1);
}

void dd_network_describe(dd_network_parts *parts, const dd_network_shape *shape)
{
    *parts = (dd_network_parts){0};
    describe_embeddings(parts, shape);
    describe_layers(parts, shape);
    describe_slots(parts, shape);
    parts->hidden_bias = add(parts, DD_PART_SHORTS, 1, shape->hidden, 0);
    parts->moves =
        add(parts, DD_PART_OUTPUTS, shape->outputs, shape->hidden, 1 / sqrt((double)shape->hidden));
    parts->moves_bias = add(parts, DD_PART_OUTPUT_BIAS, 1, shape->outputs, 0);
    parts->label_bias = add(parts, DD_PART_SHORTS, 1, shape->label_hidden, 0);
    parts->labels = add(parts, DD_PART_OUTPUTS, shape->labels, shape->label_hidden,
                        1 / sqrt((double)shape->label_hidden));
    parts->labels_bias = add(parts, DD_PART_OUTPUT_BIAS, 1, shape->labels, 0);
}

void dd_network_set(dd_network *network, const dd_network_shape *shape)
{
    const dd_network_parts *parts = &network->parts;
    const dd_tensor *tensors = network->tensors.all;
    *network = (dd_network){.shape = *shape};
    if (!shape->encoder) network->shape.encoder = dd_encoder_find(NULL);
    dd_network_describe(&network->parts, shape);
    dd_tensors_place(&network->tensors, &parts->list);
    for (int i = 0; i < DD_INPUTS; i++) network->embeddings[i] = tensors[i];
    network->slots = tensors[parts->slots];
    network->missing = tensors[parts->missing];
    network->hidden_bias = tensors[parts->hidden_bias];
    network->moves = tensors[parts->moves];
    network->moves_bias = tensors[parts->moves_bias];
    network->label_bias = tensors[parts->label_bias];
    network->labels = tensors[parts->labels];
    network->labels_bias = tensors[parts->labels_bias];
}
