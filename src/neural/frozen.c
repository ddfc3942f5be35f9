#include "neural/frozen.h"

#include <math.h>
#include <string.h>

void dd_frozen_shape(const dd_frozen_header *h, dd_network_shape *shape)
{
    *shape = (dd_network_shape){.encoder = dd_encoder_numbered(h->encoder),
                                .char_width = (int)h->char_width,
                                .layers = (int)h->layers,
                                .width = (int)h->width,
                                .slots = (int)h->slots,
                                .hidden = (int)h->hidden,
                                .outputs = (int)h->outputs,
                                .pairs = (int)h->pairs,
                                .label_hidden = (int)h->label_hidden,
                                .labels = (int)h->labels};
    for (int i = 0; i < DD_INPUTS; i++) {
        shape->vocabulary[i] = (int)h->vocabulary[i];
        shape->size[i] = (int)h->size[i];
    }
}

static uint32_t version_of(const dd_network_shape *shape)
{
    if (shape->encoder->number != 0) return DD_FROZEN_WITH_ENCODER;
    return shape->pairs > 0 ? DD_FROZEN_WITH_PAIRS : DD_FROZEN_VERSION;
}

void dd_frozen_set_header(dd_frozen_header *h, const dd_network_shape *shape)
{
    *h = (dd_frozen_header){.version = version_of(shape),
                            .char_width = (uint32_t)shape->char_width,
                            .layers = (uint32_t)shape->layers,
                            .width = (uint32_t)shape->width,
                            .slots = (uint32_t)shape->slots,
                            .hidden = (uint32_t)shape->hidden,
                            .outputs = (uint32_t)shape->outputs,
                            .label_hidden = (uint32_t)shape->label_hidden,
                            .labels = (uint32_t)shape->labels,
                            .pairs = (uint32_t)shape->pairs,
                            .encoder = shape->encoder->number};
    for (int i = 0; i < DD_INPUTS; i++) {
        h->vocabulary[i] = (uint32_t)shape->vocabulary[i];
        h->size[i] = (uint32_t)shape->size[i];
    }
}

void dd_frozen_place(dd_frozen *f, dd_frozen_visit *each, void *user)
{
    const dd_network_parts *parts = &f->parts;
    const dd_frozen_part *arrays = f->arrays;
    memset(f->arrays, 0, sizeof f->arrays);
    dd_frozen_shape(&f->header, &f->shape);
    dd_network_describe(&f->parts, &f->shape);
    dd_frozen_parts_place(f->arrays, &parts->list, each, user);
    for (int i = 0; i < DD_INPUTS; i++) f->embeddings[i] = arrays[i].bytes;
    f->slots = arrays[parts->slots].matrix;
    f->slots_bias = arrays[parts->slots_bias].bias[0];
    f->missing = arrays[parts->missing].shorts;
    f->hidden_bias = arrays[parts->hidden_bias].shorts;
    f->moves = arrays[parts->moves].shorts;
    f->moves_bias = arrays[parts->moves_bias].wholes;
    f->label_bias = arrays[parts->label_bias].shorts;
    f->label_weights = arrays[parts->labels].shorts;
    f->labels_bias = arrays[parts->labels_bias].wholes;
}

/* ---- mapping ------------------------------------------------------------------------------ */

typedef struct cursor {
    dd_text rest;
    bool ok;
} cursor;

static const void *take(void *user, size_t bytes)
{
    cursor *c = user;
    size_t filled = dd_fill_up(bytes, 64);
    c->ok = c->ok && filled >= bytes && filled <= c->rest.size;
    if (!c->ok) return NULL;
    const void *here = c->rest.data;
    c->rest = (dd_text){c->rest.data + filled, c->rest.size - filled};
    return here;
}

/* Products with a float of it are numbers. */
static bool is_unit(double unit)
{
    return isfinite(unit) && unit > 0 && unit < 1e30;
}

static bool is_known(const dd_frozen_header *h)
{
    if (h->version == DD_FROZEN_WITH_ENCODER) return h->encoder && dd_encoder_numbered(h->encoder);
    return h->encoder == 0 && dd_encoder_numbered(0) &&
           (h->version == DD_FROZEN_VERSION || h->version == DD_FROZEN_WITH_PAIRS);
}

/* What keeps all products of sizes far from overflow. */
static bool is_sane(const dd_frozen_header *h)
{
    const uint32_t most = 1 << 12, most_outputs = 1 << 17, most_symbols = 1 << 26;
    for (int i = 0; i < DD_INPUTS; i++)
        if (h->vocabulary[i] > most_symbols || h->size[i] > most ||
            (h->vocabulary[i] && h->size[i] == 0))
            return false;
    bool spells = h->vocabulary[DD_INPUT_CHARS] > 0;
    dd_network_shape shape;
    dd_frozen_shape(h, &shape);
    return is_known(h) && h->char_width <= most && dd_network_inputs(&shape) > 0 &&
           h->char_width % 8 == 0 && (!spells || h->char_width > 0) && h->layers >= 1 &&
           h->layers <= DD_MAX_LAYERS && h->width >= 8 && h->width <= most && h->width % 8 == 0 &&
           h->slots >= 1 && h->slots <= 16 && h->hidden >= 1 && h->hidden <= most &&
           h->hidden % DD_UNITS_TOGETHER == 0 && h->outputs >= 1 && h->outputs <= most_outputs &&
           h->label_hidden <= most && h->label_hidden % DD_UNITS_TOGETHER == 0 &&
           h->labels <= most && (h->labels == 0 || h->label_hidden > 0) && h->normal <= 1 &&
           h->pairs <= most && h->pairs % DD_UNITS_TOGETHER == 0 && is_unit(h->unit) &&
           is_unit(h->label_unit) && (h->pairs == 0 || is_unit(h->pair_unit));
}

static bool are_numbers(const float *numbers, size_t count)
{
    const float most = 1e6f;
    for (size_t i = 0; i < count; i++)
        if (!(numbers[i] >= -most && numbers[i] <= most)) return false;
    return true;
}

/* What is not a number, or absurdly large, could not be made whole. */
static bool has_numbers(const dd_frozen *f)
{
    for (int i = 0; i < f->parts.list.count; i++) {
        const dd_frozen_part *part = &f->arrays[i];
        dd_part_kind kind = f->parts.list.all[i].kind;
        if (kind == DD_PART_MATRIX && !are_numbers(part->matrix.factors, part->matrix.columns))
            return false;
        for (int k = 0; kind == DD_PART_BIAS && k < part->n_bias; k++)
            if (!are_numbers(part->bias[k], part->columns)) return false;
    }
    return true;
}

/* Those of all networks of a model are in one section. */
static bool take_vectors(dd_frozen *f, dd_text vectors)
{
    const dd_frozen_header *h = &f->header;
    if (h->vocabulary[DD_INPUT_VECTOR] == 0) return true;
    f->embeddings[DD_INPUT_VECTOR] = (const uint8_t *)vectors.data;
    return vectors.size == (size_t)h->vocabulary[DD_INPUT_VECTOR] * h->size[DD_INPUT_VECTOR];
}

dd_status dd_frozen_map(dd_frozen *frozen, dd_text section, dd_text vectors, dd_error *error)
{
    cursor c = {section, true};
    const void *header = take(&c, sizeof frozen->header);
    if (header) memcpy(&frozen->header, header, sizeof frozen->header);
    if (!header || !is_sane(&frozen->header))
        return dd_fail(error, DD_ERROR_MODEL, "the network has a wrong header");
    dd_frozen_place(frozen, take, &c);
    if (!c.ok || c.rest.size > 0 || !take_vectors(frozen, vectors))
        return dd_fail(error, DD_ERROR_MODEL, "the network has a wrong size");
    if (!has_numbers(frozen))
        return dd_fail(error, DD_ERROR_MODEL, "the network has infinite or undefined numbers");
    return DD_OK;
}

dd_status dd_frozen_find(dd_frozen *frozen, dd_coder *coder, const dd_sections *sections,
                         const dd_network_names *names, uint32_t columns, dd_error *error)
{
    dd_text network, symbols, vectors = {NULL, 0}, words = {NULL, 0};
    if (!dd_sections_find(sections, names->network, &network) ||
        !dd_sections_find(sections, names->symbols, &symbols))
        return dd_fail(error, DD_ERROR_MODEL, "a section is missing");
    if (dd_sections_find(sections, "vectors", &vectors) !=
        dd_sections_find(sections, "vector-words", &words))
        return dd_fail(error, DD_ERROR_MODEL, "word vectors or their words are missing");
    dd_status status = dd_frozen_map(frozen, network, vectors, error);
    const uint32_t *vocabulary = frozen->header.vocabulary;
    if (status == DD_OK) status = dd_coder_read(coder, symbols, words, columns, vocabulary, error);
    for (int i = 0; i < DD_INPUTS && status == DD_OK; i++)
        if ((uint32_t)coder->symbols[i].count != vocabulary[i])
            status = dd_fail(error, DD_ERROR_MODEL, "the network does not fit its symbols");
    return status;
}
