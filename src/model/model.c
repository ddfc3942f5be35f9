#include "model/model.h"

#include "core/memory.h"
#include "core/status.h"
#include "core/strings.h"
#include "model/image.h"
#include "segment/segment_network.h"
#include "systems/registry.h"
#include "text/rules.h"
#include "text/utf8.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static void release_image(const char *image, size_t size, dd_image_kind kind)
{
    if (kind == DD_IMAGE_MAPPED)
        munmap((char *)image, size);
    else if (kind == DD_IMAGE_ALLOCATED)
        free((char *)image);
}

void dd_model_free(dd_model *model)
{
    if (!model) return;
    if (model->frozen) model->scorer->unmap(model->frozen);
    dd_inventory_free(&model->inventory);
    dd_unlift_free(&model->unlift);
    dd_segmenter_free(model->segmenter);
    dd_tagger_free(model->tagger);
    dd_lemmatizer_free(model->lemmatizer);
    if (model->image) release_image(model->image, model->size, model->kind);
    free(model);
}

void dd_model_choose_kernels(dd_model *model, const dd_kernels *kernels)
{
    model->scorer->choose_kernels(model->frozen, kernels);
    if (model->segmenter && model->segmenter->network)
        dd_segment_network_choose_kernels(model->segmenter->network, kernels);
    if (model->tagger) dd_tagger_choose_kernels(model->tagger, kernels);
    model->inventory.kernels = kernels;
}

/* The order of sections in the file; others stand where the empty name is. */
static const char *const places[] = {"facts", "templates", "labels", "weights",
                                     "",      "tokenizer", "tagger", "lemmatizer"};
enum { PLACES = sizeof places / sizeof *places, OTHERS = 4 };

static int place_of(const char *name)
{
    for (int i = 0; i < PLACES; i++)
        if (strcmp(places[i], name) == 0) return i;
    return OTHERS;
}

dd_status dd_model_assemble(char **image, size_t *size, const dd_sections *sections,
                            dd_error *error)
{
    dd_sections ordered = {0};
    for (int place = 0; place < PLACES; place++)
        for (int i = 0; i < sections->count; i++)
            if (sections->contents[i].data && place_of(sections->names[i]) == place)
                dd_sections_add(&ordered, sections->names[i], sections->contents[i]);
    return dd_image_make(image, size, &ordered, error);
}

/* Cuts the next "key<TAB>value\n" off; false at the end or where the form is broken. */
static bool next_fact(dd_text *rest, dd_text *key, dd_text *value)
{
    const char *end = rest->size ? memchr(rest->data, '\n', rest->size) : NULL;
    if (!end) return false;
    const char *tab = memchr(rest->data, '\t', (size_t)(end - rest->data));
    if (!tab) return false;
    *key = (dd_text){rest->data, (size_t)(tab - rest->data)};
    *value = (dd_text){tab + 1, (size_t)(end - tab) - 1};
    size_t used = (size_t)(end - rest->data) + 1;
    *rest = (dd_text){end + 1, rest->size - used};
    return true;
}

bool dd_model_fact(const dd_model *model, size_t index, dd_text *key, dd_text *value)
{
    dd_text rest = model->facts;
    while (next_fact(&rest, key, value))
        if (index-- == 0) return true;
    return false;
}

dd_text dd_facts_find(dd_text facts, const char *wanted)
{
    dd_text key, value;
    while (next_fact(&facts, &key, &value))
        if (dd_text_is(key, wanted)) return value;
    return (dd_text){NULL, 0};
}

dd_text dd_model_find_fact(const dd_model *model, const char *key)
{
    return dd_facts_find(model->facts, key);
}

bool dd_columns_write(uint32_t columns, dd_buffer *out)
{
    const char *gap = "";
    for (int c = 0; c < DD_COLUMNS; c++) {
        if (!(columns >> c & 1)) continue;
        if (!dd_buffer_printf(out, "%s%s", gap, dd_column_name(c))) return false;
        gap = " ";
    }
    return true;
}

bool dd_components_write(uint32_t components, dd_buffer *out)
{
    static const char *const names[] = {"tokenizer", "tagger", "lemmatizer", "parser"};
    const char *gap = "";
    for (int c = 0; c < 4; c++) {
        if (!(components >> c & 1)) continue;
        if (!dd_buffer_printf(out, "%s%s", gap, names[c])) return false;
        gap = " ";
    }
    return true;
}

bool dd_model_gains_from_batches(const dd_model *model)
{
    return model->scorer && model->scorer->batches;
}

uint32_t dd_model_components(const dd_model *model)
{
    return (model->segmenter ? (uint32_t)DD_TOKENIZER : 0) |
           (model->tagger ? (uint32_t)DD_TAGGER : 0) |
           (model->lemmatizer ? (uint32_t)DD_LEMMATIZER : 0) |
           (model->system ? (uint32_t)DD_PARSER : 0);
}

static uint32_t columns_in(dd_text names)
{
    uint32_t columns = 0;
    while (names.size > 0) {
        const char *gap = memchr(names.data, ' ', names.size);
        dd_text name = {names.data, gap ? (size_t)(gap - names.data) : names.size};
        for (int c = 0; c < DD_COLUMNS; c++)
            if (dd_text_is(name, dd_column_name(c))) columns |= UINT32_C(1) << c;
        size_t used = name.size + (gap != NULL);
        names = (dd_text){names.data + used, names.size - used};
    }
    return columns;
}

/* Reads the beam that the model was trained with; models of greedy parsers have no such fact. */
static dd_status find_beam(dd_model *model, dd_error *error)
{
    dd_text text = dd_model_find_fact(model, "beam");
    model->beam = text.data ? dd_rule_number(text) : 1;
    int most = model->system->arc_factored ? 1 : DD_MAX_BEAM;
    if (model->beam >= 1 && model->beam <= most) return DD_OK;
    return dd_fail(error, DD_ERROR_MODEL, "the beam '%s' is not a number from 1 to %d",
                   dd_quote_text(text).text, most);
}

static dd_status find_parts(dd_model *model, dd_error *error)
{
    dd_text system = dd_model_find_fact(model, "system");
    dd_text scorer = dd_model_find_fact(model, "scorer");
    model->system = dd_system_or_graph(system);
    if (!model->system)
        return dd_fail(error, DD_ERROR_MODEL, "unknown transition system '%s'",
                       dd_quote_text(system).text);
    model->scorer = scorer.data ? dd_scorer_find(scorer) : NULL;
    if (!model->scorer)
        return dd_fail(error, DD_ERROR_MODEL, "unknown scorer '%s'", dd_quote_text(scorer).text);
    model->columns = columns_in(dd_model_find_fact(model, "columns"));
    model->single_root = dd_text_is(dd_model_find_fact(model, "single root"), "yes");
    model->tidy = dd_text_is(dd_model_find_fact(model, "tidy"), "yes");
    return find_beam(model, error);
}

int dd_model_beam(const dd_model *model)
{
    return model->beam;
}

static const dd_vocab *label_names(const dd_model *model)
{
    bool plain = model->unlift.scheme == DD_PSEUDO_PROJECTIVE_NONE;
    return plain ? &model->inventory.labels : &model->unlift.names;
}

dd_text dd_model_label(const dd_model *model, int label)
{
    return dd_vocab_text(label_names(model), label);
}

bool dd_model_label_at(const dd_model *model, size_t index, dd_text *out)
{
    if (index >= (size_t)label_names(model)->count) return false;
    *out = dd_model_label(model, (int)index);
    return true;
}

int dd_model_find_label(const dd_model *model, dd_text label)
{
    return dd_vocab_find(label_names(model), label);
}

/* Refuses labels of several parts in a model without lifting: such labels could not be written. */
static dd_status refuse_parted_labels(const dd_model *model, dd_error *error)
{
    dd_text labels = {model->inventory.labels.bytes, model->inventory.labels.bytes_size};
    if (!memchr(labels.data, '\t', labels.size)) return DD_OK;
    return dd_fail(error, DD_ERROR_MODEL, "labels of lifted trees without a scheme");
}

static dd_status set_unlift(dd_model *model, dd_error *error)
{
    dd_text name = dd_model_find_fact(model, "pseudo-projective");
    if (!name.data) return refuse_parted_labels(model, error);
    int scheme = dd_pseudo_projective_find(name);
    if (scheme < 0)
        return dd_fail(error, DD_ERROR_MODEL, "unknown pseudo-projective scheme '%.*s'",
                       (int)(name.size < 60 ? name.size : 60), name.data);
    if (scheme == DD_PSEUDO_PROJECTIVE_NONE) return refuse_parted_labels(model, error);
    bool ok = dd_unlift_set(&model->unlift, (dd_pseudo_projective)scheme, &model->inventory.labels);
    return ok ? DD_OK : dd_fail_memory(error);
}

static dd_status open_parser(dd_model *model, const dd_sections *sections, dd_text labels,
                             dd_error *error)
{
    dd_status status = find_parts(model, error);
    if (status == DD_OK)
        status = dd_inventory_read(&model->inventory, labels, model->system, error);
    if (status == DD_OK) status = set_unlift(model, error);
    if (status == DD_OK)
        status =
            model->scorer->map(&model->frozen, sections, &model->inventory, model->columns, error);
    if (status == DD_OK) model->by_move = model->scorer->by_move(model->frozen);
    dd_text confidence;
    if (status == DD_OK && dd_sections_find(sections, "confidence", &confidence) &&
        !dd_confidence_read(&model->confidence, confidence))
        return dd_fail(error, DD_ERROR_MODEL, "section 'confidence' is damaged");
    return status;
}

static dd_status open_parts(dd_model *model, dd_error *error)
{
    dd_sections sections;
    dd_text tokenizer = {NULL, 0}, tagger = {NULL, 0}, lemmatizer = {NULL, 0}, labels = {NULL, 0};
    dd_text language;
    dd_image_list(model->image, &sections);
    bool any = dd_sections_find(&sections, "tokenizer", &tokenizer);
    any |= dd_sections_find(&sections, "tagger", &tagger);
    any |= dd_sections_find(&sections, "lemmatizer", &lemmatizer);
    bool parser = dd_sections_find(&sections, "labels", &labels);
    if (!dd_sections_find(&sections, "facts", &model->facts) || !(any || parser) ||
        (!parser && dd_model_find_fact(model, "system").data))
        return dd_fail(error, DD_ERROR_MODEL, "a section is missing");
    model->beam = 1;
    dd_status status = DD_OK;
    if (tokenizer.data) status = dd_segmenter_find(&model->segmenter, &sections, error);
    if (status == DD_OK && dd_sections_find(&sections, DD_LANGUAGE, &language))
        status = dd_profile_map(&model->profile, language, error);
    if (status == DD_OK && tagger.data) status = dd_tagger_find(&model->tagger, &sections, error);
    if (status == DD_OK && lemmatizer.data)
        status = dd_lemmatizer_map(&model->lemmatizer, lemmatizer, error);
    if (status == DD_OK && parser) status = open_parser(model, &sections, labels, error);
    return status;
}

dd_status dd_model_from_image(dd_model **out, const char *name, const char *image, size_t size,
                              dd_image_kind kind, dd_error *error)
{
    dd_status status = dd_image_check(name, image, size, error);
    dd_model *model = status == DD_OK ? dd_calloc(1, sizeof *model) : NULL;
    if (!model) {
        release_image(image, size, kind);
        return status == DD_OK ? dd_fail_memory(error) : status;
    }
    model->image = image;
    model->size = size;
    model->kind = kind;
    dd_error cause;
    status = open_parts(model, &cause);
    if (status != DD_OK) {
        dd_model_free(model);
        if (status == DD_ERROR_MEMORY) return dd_fail_memory(error);
        return dd_fail(error, DD_ERROR_MODEL, "%.200s: damaged model: %.250s", name, cause.message);
    }
    *out = model;
    return DD_OK;
}
