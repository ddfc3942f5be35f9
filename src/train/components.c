#include "train/components.h"

#include "core/learning.h"
#include "core/memory.h"
#include "core/status.h"
#include "model/image.h"
#include "score/learner.h"
#include "tag/tagset.h"
#include "text/io.h"
#include "train/training.h"

#include <string.h>

void dd_components_free(dd_components *components)
{
    dd_treebank_free(components->treebank);
    dd_treebank_free(components->dev);
    dd_draft_free(&components->tokenizer);
    dd_draft_free(&components->tagger);
    dd_buffer_free(&components->lemmatizer);
    dd_token_lists_free(&components->lists);
    dd_buffer_free(&components->lists_section);
    dd_buffer_free(&components->language);
    dd_buffer_free(&components->choice);
}

static dd_status read_files(dd_treebank **out, const dd_train_options *options,
                            const char *const *paths, size_t count, const char *what_for,
                            dd_error *error)
{
    dd_status status = dd_treebank_new(out, error);
    for (size_t i = 0; i < count && status == DD_OK; i++)
        status = dd_treebank_read(*out, paths[i], options, error);
    if (status == DD_OK && (*out)->count == 0)
        return dd_fail(error, DD_ERROR_DATA, "%.200s: no sentences to %s on", paths[0], what_for);
    return status;
}

/* Runs one trainer and tells the caller of it. */
typedef dd_status (*trainer)(dd_components *components, const dd_train_options *options,
                             dd_error *error);

static dd_status run(trainer train, dd_component which, dd_components *components,
                     const dd_train_options *options, dd_error *error)
{
    if (!(options->components & ~options->taken & (uint32_t)which)) return DD_OK;
    double start = dd_seconds_now();
    dd_status status = train(components, options, error);
    if (status == DD_OK && options->component)
        options->component(options->user, which, dd_seconds_now() - start);
    return status;
}

const dd_tagger_kind *dd_components_tagger(const dd_train_options *options)
{
    const char *kind = options->tagger;
    if (!(options->components & DD_TAGGER)) return NULL;
    if (!kind || strcmp(kind, "auto") == 0) kind = dd_learner_find(options->scorer)->tagger;
    return dd_tagger_kind_find(kind);
}

dd_network_options dd_components_tagger_network(const dd_train_options *options)
{
    dd_network_options network = options->network;
    network.layers = options->tagger_layers;
    network.width = options->tagger_width;
    return network;
}

int dd_components_tagger_iterations(const dd_train_options *options)
{
    if (options->tagger_iterations) return options->tagger_iterations;
    return dd_components_tagger(options)->iterations;
}

/* `network` must outlive them. */
static void set_tagger_options(dd_tagger_options *how, dd_network_options *network,
                               const dd_train_options *options)
{
    dd_tagger_options_init(how);
    how->seed = options->seed;
    how->most_bytes = options->tagger_bytes;
    how->threads = options->threads;
    how->report = options->component_report;
    how->user = options->user;
    how->iterations = dd_components_tagger_iterations(options);
    how->silver = options->tagger_silver;
    how->silver_weight = options->silver_weight;
    how->silver_window = options->silver_window;
    how->format = options->format;
    how->skip_bad = options->skip_bad;
    how->bad = options->bad;
    *network = dd_components_tagger_network(options);
    how->train = dd_components_tagger(options)->train;
    how->how = network;
}

/* The parser only has to see mistakes like those of the final tagger, and taggers for this must be
 * trained on each fold: a quick kind does. */
static void set_fold_tagger_options(dd_tagger_options *how, dd_network_options *network,
                                    const dd_train_options *options)
{
    const dd_tagger_kind *quick = dd_components_tagger(options)->folds;
    set_tagger_options(how, network, options);
    if (!quick) return;
    how->train = quick->train;
    how->iterations = quick->iterations;
    how->silver = NULL;
}

static const char *file_of(const dd_treebank *treebank, size_t sentence)
{
    size_t file = 0;
    while (treebank->ends[file] <= sentence) file++;
    return dd_path_is_standard(treebank->paths[file]) ? "<stdin>" : treebank->paths[file];
}

/* Here the file is still known. */
static dd_status check_features(const dd_treebank *treebank, dd_error *error)
{
    for (size_t i = 0; i < treebank->count; i++) {
        const dd_sentence *sentence = treebank->sentences[i];
        for (int word = 1; word <= sentence->n; word++) {
            int features = dd_tagset_features(dd_cell(sentence, word, DD_FEATS));
            if (features > DD_MAX_FEATURES)
                return dd_fail_at(error, DD_ERROR_DATA, file_of(treebank, i),
                                  dd_word_line(sentence, word), DD_FEATS + 1,
                                  "%d features; a tagger takes at most %d", features,
                                  DD_MAX_FEATURES);
        }
    }
    return DD_OK;
}

static dd_status train_tagger(dd_components *components, const dd_train_options *options,
                              dd_error *error)
{
    dd_tagger_options how;
    dd_network_options network;
    set_tagger_options(&how, &network, options);
    return how.train(&components->tagger, components->treebank->sentences,
                     components->treebank->count, &how, error);
}

static void set_lemmatizer_options(dd_lemmatizer_options *how, const dd_train_options *options)
{
    dd_lemmatizer_options_init(how);
    how->seed = options->seed;
    how->most_bytes = options->lemmatizer_bytes;
    how->report = options->component_report;
    how->user = options->user;
}

static dd_status train_lemmatizer(dd_components *components, const dd_train_options *options,
                                  dd_error *error)
{
    dd_lemmatizer_options how;
    set_lemmatizer_options(&how, options);
    return dd_lemmatizer_train(&components->lemmatizer, components->treebank->sentences,
                               components->treebank->count, &how, error);
}

/* ---- predicted tags ------------------------------------------------------------------------ */

/* The dev data gets its tags and lemmas as any other text would: from the model. */
static dd_status annotate(dd_components *components, const dd_train_options *options,
                          dd_error *error)
{
    dd_model *model = NULL;
    dd_parser *parser = NULL;
    dd_components other = {.treebank = components->treebank,
                           .tagger = components->tagger,
                           .lemmatizer = components->lemmatizer};
    dd_status status = dd_components_make_model(&other, options, &model, error);
    if (status == DD_OK) status = dd_parser_new(&parser, model, error);
    for (size_t i = 0; i < components->dev->count && status == DD_OK; i++)
        status = dd_parser_annotate(parser, components->dev->sentences[i], true, error);
    dd_parser_free(parser);
    dd_model_free(model);
    return status;
}

static dd_status write_treebank(const dd_treebank *treebank, const char *path, dd_error *error)
{
    dd_writer *writer;
    dd_status status = dd_writer_open(&writer, path, error);
    if (status != DD_OK) return status;
    for (size_t i = 0; i < treebank->count && status == DD_OK; i++)
        status = dd_writer_sentence(writer, treebank->sentences[i], error);
    if (status == DD_OK) return dd_writer_close(writer, error);
    dd_writer_drop(writer);
    return status;
}

static dd_status jackknife(dd_components *components, const dd_train_options *options,
                           dd_error *error)
{
    dd_tagger_options how;
    dd_network_options network;
    dd_lemmatizer_options lemmas;
    double start = dd_seconds_now();
    set_fold_tagger_options(&how, &network, options);
    set_lemmatizer_options(&lemmas, options);
    bool wants_lemmas = options->components & ~options->taken & DD_LEMMATIZER;
    dd_status status =
        dd_tagger_jackknife(components->treebank->sentences, components->treebank->count,
                            options->jackknife, &how, wants_lemmas ? &lemmas : NULL, error);
    if (status == DD_OK && options->jackknifed_path)
        status = write_treebank(components->treebank, options->jackknifed_path, error);
    if (status == DD_OK && options->jackknifed)
        options->jackknifed(options->user, dd_seconds_now() - start);
    return status;
}

dd_status dd_components_read(dd_components *components, const dd_train_options *options,
                             const char *const *train_paths, size_t n_train, const char *dev_path,
                             dd_error *error)
{
    bool parser = options->components & DD_PARSER;
    bool wants_dev = dev_path && (parser || dd_components_choose_segmenter(options));
    dd_status status =
        read_files(&components->treebank, options, train_paths, n_train, "train", error);
    if (status == DD_OK && wants_dev)
        status = read_files(&components->dev, options, &dev_path, 1, "evaluate", error);
    return status;
}

/* By which texts of the language are told from others. */
static dd_status learn_language(dd_components *components, const dd_train_options *options,
                                dd_error *error)
{
    const dd_treebank *treebank = components->treebank;
    if (!options->language || !(options->components & DD_TOKENIZER)) return DD_OK;
    return dd_profile_learn(&components->language, treebank->sentences, treebank->count, error);
}

dd_status dd_components_train(dd_components *components, const dd_train_options *options,
                              dd_error *error)
{
    dd_status status = DD_OK;
    bool folds = options->jackknife > DD_FOLDS_NONE;
    if (options->components & ~options->taken & DD_TAGGER)
        status = check_features(components->treebank, error);
    if (status == DD_OK) status = learn_language(components, options, error);
    if (status == DD_OK)
        status = run(dd_components_train_tokenizer, DD_TOKENIZER, components, options, error);
    if (status == DD_OK) status = run(train_tagger, DD_TAGGER, components, options, error);
    if (status == DD_OK) status = run(train_lemmatizer, DD_LEMMATIZER, components, options, error);
    if (status == DD_OK && folds) status = jackknife(components, options, error);
    if (status == DD_OK && components->dev && (folds || options->taken & DD_TAGGER))
        status = annotate(components, options, error);
    return status;
}

void dd_components_list(const dd_components *components, dd_sections *sections)
{
    const dd_buffer *lemmatizer = &components->lemmatizer, *lists = &components->lists_section;
    const dd_buffer *language = &components->language;
    dd_draft_list(&components->tokenizer, sections);
    dd_draft_list(&components->tagger, sections);
    dd_sections_add(sections, "lemmatizer", (dd_text){lemmatizer->data, lemmatizer->size});
    dd_sections_add(sections, DD_TOKEN_LISTS, (dd_text){lists->data, lists->size});
    dd_sections_add(sections, DD_LANGUAGE, (dd_text){language->data, language->size});
}

dd_status dd_components_make_model(const dd_components *components, const dd_train_options *options,
                                   dd_model **out, dd_error *error)
{
    dd_buffer facts = {0};
    char *image = NULL;
    size_t size = 0;
    dd_sections sections = {0};
    dd_status status = DD_ERROR_MEMORY;
    if (dd_facts_write_components(components, options, &facts)) {
        dd_sections_add(&sections, "facts", (dd_text){facts.data, facts.size});
        dd_components_list(components, &sections);
        status = dd_model_assemble(&image, &size, &sections, error);
    } else {
        dd_fail_memory(error);
    }
    dd_buffer_free(&facts);
    return status == DD_OK
               ? dd_model_from_image(out, "model", image, size, DD_IMAGE_ALLOCATED, error)
               : status;
}

/* ---- components of another model, instead of training them once more ------------------------- */

static bool copy(dd_buffer *to, dd_text from)
{
    return dd_buffer_append(to, from.data, from.size);
}

static bool copy_sections(dd_draft *to, const dd_sections *from, const char *const *names,
                          size_t count)
{
    dd_text section;
    for (size_t i = 0; i < count; i++)
        if (dd_sections_find(from, names[i], &section) &&
            !copy(dd_draft_add(to, names[i]), section))
            return false;
    return true;
}

/* What its sections are called in a model; a linear one has the first only. */
static bool copy_tagger(dd_draft *to, const dd_sections *from)
{
    static const char *const names[] = {"tagger", "tagger-network", "tagger-symbols", "vectors",
                                        "vector-words"};
    dd_text section;
    return copy_sections(to, from, names,
                         dd_sections_find(from, "tagger-network", &section) ? 5 : 1);
}

static bool copy_tokenizer(dd_draft *to, const dd_sections *from)
{
    static const char *const names[] = {"tokenizer", "segment-network", "segment-symbols"};
    return copy_sections(to, from, names, sizeof names / sizeof *names);
}

static bool copy_all(dd_components *to, const dd_model *model, uint32_t taken)
{
    dd_sections from;
    dd_text section;
    dd_image_list(model->image, &from);
    return (!(taken & DD_TAGGER) || copy_tagger(&to->tagger, &from)) &&
           (!(taken & DD_TOKENIZER) || copy_tokenizer(&to->tokenizer, &from)) &&
           (!(taken & DD_LEMMATIZER) || !dd_sections_find(&from, "lemmatizer", &section) ||
            copy(&to->lemmatizer, section));
}

static dd_status take_lists(dd_components *to, const dd_model *model, uint32_t taken,
                            dd_error *error)
{
    dd_sections from;
    dd_text section;
    dd_image_list(model->image, &from);
    if (!(taken & DD_TOKENIZER) || !dd_sections_find(&from, DD_TOKEN_LISTS, &section)) return DD_OK;
    return dd_token_lists_read(&to->lists, section, error);
}

/* So that the new model's facts say of a component what the old ones do. */
static bool keep_fact(const dd_model *model, const char *name, char **copy)
{
    dd_text fact = dd_model_find_fact(model, name);
    if (!fact.data) return true;
    *copy = dd_copy_text(fact.data, fact.size);
    return *copy != NULL;
}

static bool keep_facts(const dd_model *model, dd_train_options *options)
{
    return (!(options->taken & DD_TOKENIZER) ||
            keep_fact(model, "tokenizer", &options->tokenizer_fact)) &&
           (!(options->taken & DD_TAGGER) || keep_fact(model, "tagger", &options->tagger_fact));
}

dd_status dd_components_take(dd_components *components, dd_train_options *options, dd_error *error)
{
    dd_model *model;
    dd_status status = dd_model_load(&model, options->components_from, error);
    if (status != DD_OK) return status;
    options->taken = dd_model_components(model) & ~options->components & ~(uint32_t)DD_PARSER;
    options->components |= options->taken;
    if (!options->taken)
        status = dd_fail(error, DD_ERROR_ARGUMENT,
                         "components-from: %.200s has no component that is not trained here",
                         options->components_from);
    else if (!copy_all(components, model, options->taken) || !keep_facts(model, options))
        status = dd_fail_memory(error);
    if (status == DD_OK) status = take_lists(components, model, options->taken, error);
    dd_model_free(model);
    return status;
}

dd_status dd_components_read_lists(dd_components *components, const dd_train_options *options,
                                   dd_error *error)
{
    dd_token_lists *lists = &components->lists;
    bool given = options->keep_tokens || options->abbreviations;
    if (given && !(options->components & DD_TOKENIZER))
        return dd_fail(error, DD_ERROR_ARGUMENT, "%s: needs a tokenizer",
                       options->keep_tokens ? "keep-tokens" : "abbreviations");
    dd_status status = dd_token_list_load(&lists->keep, options->keep_tokens, error);
    if (status == DD_OK)
        status = dd_token_list_load(&lists->abbreviations, options->abbreviations, error);
    if (status != DD_OK || dd_token_lists_are_empty(lists)) return status;
    return dd_token_lists_write(lists, &components->lists_section) ? DD_OK : dd_fail_memory(error);
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
