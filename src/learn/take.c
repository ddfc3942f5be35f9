/* take.c - components of a model that is there, instead of training them once more */
#include "core/status.h"
#include "learn/components.h"
#include "model/image.h"

#include <stdio.h>
#include <string.h>

static bool copy(dd_buffer *to, dd_text from)
{
    return dd_buffer_append(to, from.data, from.size);
}

/* What its sections are called in a model; a linear one has the first only. */
static bool copy_tagger(dd_draft *to, const dd_sections *from)
{
    static const char *const names[] = {"tagger", "tagger-network", "tagger-symbols", "vectors",
                                        "vector-words"};
    dd_text section;
    size_t count = dd_sections_find(from, "tagger-network", &section) ? 5 : 1;
    for (size_t i = 0; i < count; i++)
        if (dd_sections_find(from, names[i], &section) &&
            !copy(dd_draft_add(to, names[i]), section))
            return false;
    return true;
}

static bool copy_all(dd_components *to, const dd_model *model, uint32_t taken)
{
    dd_sections from;
    dd_text section;
    dd_image_list(model->image, &from);
    return (!(taken & DD_TAGGER) || copy_tagger(&to->tagger, &from)) &&
           (!(taken & DD_TOKENIZER) || !dd_sections_find(&from, "tokenizer", &section) ||
            copy(&to->tokenizer, section)) &&
           (!(taken & DD_LEMMATIZER) || !dd_sections_find(&from, "lemmatizer", &section) ||
            copy(&to->lemmatizer, section));
}

/* So that the new model's facts say of the tagger what the old ones do. */
static void note_tagger(const dd_model *model, dd_train_options *options)
{
    char text[40];
    dd_text fact = dd_model_find_fact(model, "tagger");
    options->tagger = DD_TAGGER_LINEAR;
    if (!fact.data || fact.size >= sizeof text) return;
    memcpy(text, fact.data, fact.size);
    text[fact.size] = '\0';
    if (sscanf(text, "neural, %d x %d", &options->tagger_layers, &options->tagger_width) == 2)
        options->tagger = DD_TAGGER_NEURAL;
}

dd_status dd_components_take(dd_components *components, dd_train_options *options, dd_error *error)
{
    dd_model *model;
    dd_status status = dd_model_load(&model, options->components_from, error);
    if (status != DD_OK) return status;
    options->taken = dd_model_components(model) & ~options->components & ~(uint32_t)DD_PARSER;
    options->components |= options->taken;
    if (!options->taken)
        status = dd_fail(error, DD_ERROR_ARGUMENT, "components-from: %.200s has nothing to take",
                         options->components_from);
    else if (!copy_all(components, model, options->taken))
        status = dd_fail_memory(error);
    if (options->taken & DD_TAGGER) note_tagger(model, options);
    dd_model_free(model);
    return status;
}

dd_status dd_components_check_shared(const dd_components *components,
                                     const dd_train_options *options, const dd_draft *sections,
                                     dd_error *error)
{
    const dd_draft *tagger = &components->tagger;
    dd_sections own = {0};
    dd_text section;
    dd_draft_list(sections, &own);
    for (int i = 0; i < tagger->count; i++) {
        const dd_buffer *taken = &tagger->contents[i];
        if (!dd_sections_find(&own, tagger->names[i], &section)) continue;
        if (section.size != taken->size || memcmp(section.data, taken->data, taken->size) != 0)
            return dd_fail(error, DD_ERROR_ARGUMENT,
                           "components-from: the vectors of %.200s are not those of 'vectors'",
                           options->components_from);
    }
    return DD_OK;
}
