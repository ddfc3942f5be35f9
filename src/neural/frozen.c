#include "neural/frozen.h"

#include <math.h>
#include <string.h>

static void place_matrix(dd_frozen_matrix *matrix, size_t rows, size_t columns,
                         dd_frozen_visit *each, void *user)
{
    matrix->rows = dd_fill_up(rows, DD_DENSE_DEPTH);
    matrix->columns = dd_fill_up(columns, DD_DENSE_COLUMNS);
    matrix->weights = each(user, matrix->rows * matrix->columns);
    matrix->factors = each(user, matrix->columns * sizeof(float));
}

static void place_lstm(dd_frozen_lstm *lstm, size_t inputs, size_t width, dd_frozen_visit *each,
                       void *user)
{
    place_matrix(&lstm->from_input, inputs, 4 * width, each, user);
    place_matrix(&lstm->from_state, width, 4 * width, each, user);
    lstm->first_bias = each(user, 4 * width * sizeof(float));
    lstm->bias = each(user, 4 * width * sizeof(float));
}

static size_t count_inputs(const dd_frozen_header *h)
{
    size_t inputs = 0;
    for (int i = 0; i < DD_INPUT_CHARS; i++)
        if (h->vocabulary[i]) inputs += h->size[i];
    return inputs + (h->vocabulary[DD_INPUT_CHARS] ? 2 * (size_t)h->char_width : 0);
}

void dd_frozen_place(dd_frozen *f, dd_frozen_visit *each, void *user)
{
    const dd_frozen_header *h = &f->header;
    f->inputs = count_inputs(h);
    for (int i = 0; i < DD_INPUTS; i++)
        if (i != DD_INPUT_VECTOR)
            f->embeddings[i] = each(user, (size_t)h->vocabulary[i] * h->size[i]);
    for (int d = 0; d < 2 && h->vocabulary[DD_INPUT_CHARS]; d++)
        place_lstm(&f->characters[d], h->size[DD_INPUT_CHARS], h->char_width, each, user);
    for (uint32_t layer = 0; layer < h->layers; layer++)
        for (int d = 0; d < 2; d++)
            place_lstm(&f->words[layer][d], layer ? 2 * (size_t)h->width : f->inputs, h->width,
                       each, user);
    size_t columns = dd_frozen_pairs_at(f) + 2 * (size_t)h->pairs + 2 * (size_t)h->label_hidden;
    place_matrix(&f->slots, 2 * (size_t)h->width, columns, each, user);
    f->slots_bias = each(user, f->slots.columns * sizeof(float));
    f->missing = each(user, (size_t)h->slots * h->hidden * sizeof(int16_t));
    f->hidden_bias = each(user, h->hidden * sizeof(int16_t));
    f->moves = each(user, (size_t)h->outputs * h->hidden * sizeof(int16_t));
    f->moves_bias = each(user, h->outputs * sizeof(int32_t));
    f->label_bias = each(user, h->label_hidden * sizeof(int16_t));
    f->label_weights = each(user, (size_t)h->labels * h->label_hidden * sizeof(int16_t));
    f->labels_bias = each(user, h->labels * sizeof(int32_t));
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

/* What keeps all products of sizes far from overflow. */
static bool is_sane(const dd_frozen_header *h)
{
    const uint32_t most = 1 << 12, most_outputs = 1 << 17, most_symbols = 1 << 26;
    for (int i = 0; i < DD_INPUTS; i++)
        if (h->vocabulary[i] > most_symbols || h->size[i] > most ||
            (h->vocabulary[i] && h->size[i] == 0))
            return false;
    bool spells = h->vocabulary[DD_INPUT_CHARS] > 0;
    bool known = h->version == DD_FROZEN_VERSION || h->version == DD_FROZEN_WITH_PAIRS;
    return known && count_inputs(h) > 0 && h->char_width <= most && h->char_width % 8 == 0 &&
           (!spells || h->char_width > 0) && h->layers >= 1 && h->layers <= DD_MAX_LAYERS &&
           h->width >= 8 && h->width <= most && h->width % 8 == 0 && h->slots >= 1 &&
           h->slots <= 16 && h->hidden >= 1 && h->hidden <= most &&
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

static bool lstm_has_numbers(const dd_frozen_lstm *lstm, size_t width)
{
    return are_numbers(lstm->from_input.factors, lstm->from_input.columns) &&
           are_numbers(lstm->from_state.factors, lstm->from_state.columns) &&
           are_numbers(lstm->first_bias, 4 * width) && are_numbers(lstm->bias, 4 * width);
}

/* What is not a number, or absurdly large, could not be made whole. */
static bool has_numbers(const dd_frozen *f)
{
    const dd_frozen_header *h = &f->header;
    bool ok = are_numbers(f->slots.factors, f->slots.columns) &&
              are_numbers(f->slots_bias, f->slots.columns);
    for (int d = 0; d < 2 && ok && h->vocabulary[DD_INPUT_CHARS]; d++)
        ok = lstm_has_numbers(&f->characters[d], h->char_width);
    for (uint32_t layer = 0; layer < h->layers; layer++)
        for (int d = 0; d < 2 && ok; d++) ok = lstm_has_numbers(&f->words[layer][d], h->width);
    return ok;
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
        return dd_fail(error, DD_ERROR_MODEL, "the network has numbers that are none");
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
        return dd_fail(error, DD_ERROR_MODEL, "vectors and their words are not both there");
    dd_status status = dd_frozen_map(frozen, network, vectors, error);
    const uint32_t *vocabulary = frozen->header.vocabulary;
    if (status == DD_OK) status = dd_coder_read(coder, symbols, words, columns, vocabulary, error);
    for (int i = 0; i < DD_INPUTS && status == DD_OK; i++)
        if ((uint32_t)coder->symbols[i].count != vocabulary[i])
            status = dd_fail(error, DD_ERROR_MODEL, "the network does not fit its symbols");
    return status;
}
