#include "score/train_options.h"

#include "core/memory.h"
#include "core/options.h"
#include "core/status.h"
#include "core/strings.h"
#include "linear/templates.h"
#include "score/learner.h"
#include "text/io.h"
#include "text/utf8.h"
#include "train/components.h"
#include "train/settings.h"

#include <stdlib.h>
#include <string.h>

/* ---- fields ------------------------------------------------------------------------------- */

static void store_whole(char *field, size_t size, int64_t whole)
{
    bool flag = whole;
    int32_t narrow = (int32_t)whole;
    if (size == sizeof whole)
        memcpy(field, &whole, size);
    else if (size == sizeof narrow)
        memcpy(field, &narrow, size);
    else
        memcpy(field, &flag, size);
}

static void store(const dd_setting_row *row, dd_setting_value value, dd_train_options *options)
{
    char *field = (char *)options + row->field;
    if (row->by_name || row->is.kind == DD_SETTING_TEXT)
        memcpy(field, &value.text, row->field_size);
    else if (row->is.kind == DD_SETTING_REAL)
        memcpy(field, &value.real, row->field_size);
    else
        store_whole(field, row->field_size, value.whole);
}

/* A model that learning starts from has a parser, and gets no more than that; what another model
 * has is not trained again. */
static void choose_components(dd_train_options *options)
{
    bool parser = options->start_from || options->components_from;
    options->as_treebank_allows = options->components == 0;
    if (options->as_treebank_allows) options->components = parser ? DD_PARSER : DD_ALL_COMPONENTS;
}

static void store_all(const dd_settings *settings, dd_train_options *options)
{
    options->max_words = -1;
    for (size_t i = 0; i < dd_setting_count(); i++) {
        const char *text = dd_settings_text(settings, i);
        dd_setting_value value;
        if (!text) continue;
        /* What was set has been checked, and a test checks the defaults. */
        if (dd_setting_read(&dd_setting_rows[i], text, &value, NULL) == DD_OK)
            store(&dd_setting_rows[i], value, options);
    }
    if (options->iterations == 0)
        options->iterations = dd_learner_find(options->scorer)->iterations;
    choose_components(options);
}

void dd_train_watch_init_size(dd_train_watch *watch, size_t size)
{
    const dd_train_watch none = {0};
    dd_options_init(watch, size, &none, sizeof none);
}

static dd_status take_watch(dd_train_options *options, const dd_train_watch *given, dd_error *error)
{
    dd_train_watch watch = {0};
    dd_status status = DD_OPTIONS_TAKE(&watch, given, chosen, "the watch was", error);
    if (status != DD_OK) return status;
    options->user = watch.user;
    options->data = watch.data;
    options->skipped = watch.skipped;
    options->bad = watch.bad;
    options->report = watch.report;
    options->component = watch.component;
    options->jackknifed = watch.jackknifed;
    options->component_report = watch.component_report;
    options->in_part = watch.in_part;
    options->warn = watch.warn;
    options->plan = watch.plan;
    options->chosen = watch.chosen;
    return DD_OK;
}

/* ---- templates ---------------------------------------------------------------------------- */

enum { LARGEST = 1 << 24 /* bytes; a template file is a few thousand */ };

static uint64_t line_of(const char *from, const char *at)
{
    uint64_t line = 1;
    for (; from < at; from++) line += *from == '\n';
    return line;
}

static dd_status read_all(dd_source *source, dd_buffer *out, dd_error *error)
{
    dd_text chunk;
    dd_status status;
    const char *name = dd_source_name(source);
    while ((status = dd_source_next(source, &chunk, error)) == DD_OK) {
        if (out->size + chunk.size > LARGEST)
            return dd_fail(error, DD_ERROR_IO, "%.300s: File too large", name);
        if (!dd_buffer_append(out, chunk.data, chunk.size)) return dd_fail_memory(error);
        const char *nul = memchr(out->data, '\0', out->size);
        if (nul)
            return dd_fail_at(error, DD_ERROR_FORMAT, name, line_of(out->data, nul), 0, "NUL byte");
    }
    return status == DD_END ? DD_OK : status;
}

/* Adds the set that may have been meant to the message. */
static dd_status fail_open(dd_status status, const char *path, const dd_error *why, dd_error *error)
{
    const char *set;
    dd_text text;
    dd_guess guess = {0};
    for (size_t i = 0; dd_templates_at(i, &set, &text); i++)
        dd_guess_consider(&guess, path, strlen(path), set);
    return dd_fail(error, status, "%.400s%s", why->message, dd_guess_hint(guess, "the set ").text);
}

static dd_status read_file(const char *path, char **out, dd_error *error)
{
    dd_error why;
    dd_source *source = NULL;
    dd_buffer bytes = {0};
    dd_status status = dd_source_open(&source, path, &why);
    if (status != DD_OK) return fail_open(status, path, &why, error);
    status = read_all(source, &bytes, error);
    if (status == DD_OK) *out = dd_copy_text(bytes.data, bytes.size);
    dd_source_close(source);
    dd_buffer_free(&bytes);
    return status == DD_OK && !*out ? dd_fail_memory(error) : status;
}

/* A built-in set by its name, the templates themselves, or a file. */
static dd_status read_templates(dd_train_options *options, dd_error *error)
{
    const char *name = options->templates_name;
    if (!name) return DD_OK;
    options->templates = dd_templates_builtin(name).data;
    if (!options->templates && strchr(name, '\n')) {
        options->templates = name;
        options->templates_name = "templates";
    }
    if (options->templates) return DD_OK;
    dd_status status = read_file(name, &options->templates_read, error);
    options->templates = options->templates_read;
    return status;
}

/* ---- all of it ---------------------------------------------------------------------------- */

void dd_train_options_init(dd_train_options *options)
{
    *options = (dd_train_options){0};
    store_all(NULL, options);
}

bool dd_settings_resumable(const dd_settings *settings)
{
    dd_train_options options = {0};
    store_all(settings, &options);
    return options.components & DD_PARSER && dd_learner_find(options.scorer)->save;
}

void dd_train_options_free(dd_train_options *options)
{
    free(options->templates_read);
    free(options->tokenizer_fact);
    free(options->tagger_fact);
}

/* It is a name by which the model can be found. */
static dd_status check_language(const char *code, dd_error *error)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-";
    if (!code || strspn(code, allowed) == strlen(code)) return DD_OK;
    return dd_fail(error, DD_ERROR_ARGUMENT,
                   "language: '%s' is not a code of letters, digits and hyphens",
                   dd_quote_text((dd_text){code, strlen(code)}).text);
}

/* Refuses settings that the model to start from has decided. */
static dd_status check_start_from(const dd_train_options *options, dd_error *error)
{
    static const char *const fixed[] = {"inputs", "encoder", "layers",
                                        "width",  "hidden",  "vectors"};
    if (!dd_learner_find(options->scorer)->fine_tunes)
        return dd_fail(error, DD_ERROR_ARGUMENT, "start-from: the scorer %s cannot be fine-tuned",
                       options->scorer);
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        if (dd_settings_has(options->settings, fixed[i]))
            return dd_fail(error, DD_ERROR_ARGUMENT,
                           "%s: cannot be set, as the model to start from has its own", fixed[i]);
    return DD_OK;
}

static dd_status check_checkpoint(const dd_train_options *options, dd_error *error)
{
    const char *setting = options->resume ? "resume" : "checkpoint";
    if (!options->resume && !options->checkpoint) return DD_OK;
    if (!(options->components & DD_PARSER))
        return dd_fail(error, DD_ERROR_ARGUMENT, "%s: needs 'only' with parser", setting);
    if (!dd_learner_find(options->scorer)->save)
        return dd_fail(error, DD_ERROR_ARGUMENT,
                       "%s: training with the scorer %s cannot be resumed", setting,
                       options->scorer);
    if (options->checkpoint) return DD_OK;
    return dd_fail(error, DD_ERROR_ARGUMENT, "resume: needs 'checkpoint'");
}

/* Somebody must learn from the folds' tags. */
static dd_status check_jackknife(const dd_train_options *options, dd_error *error)
{
    bool tagger = options->components & DD_TAGGER, parser = options->components & DD_PARSER;
    if (options->jackknifed_path && (!tagger || options->jackknife == DD_FOLDS_NONE))
        return dd_fail(error, DD_ERROR_ARGUMENT, "jackknifed: needs %s",
                       tagger ? "'jackknife'" : "'only' with tagger");
    if (options->jackknife <= DD_FOLDS_NONE || (tagger && (parser || options->jackknifed_path)))
        return DD_OK;
    return dd_fail(error, DD_ERROR_ARGUMENT, "jackknife: needs 'only' with tagger and parser%s",
                   tagger ? ", or 'jackknifed'" : "");
}

static dd_status check_vectors(const dd_train_options *options, dd_error *error)
{
    const dd_learner *learner = dd_learner_find(options->scorer);
    const dd_tagger_kind *tagger = dd_components_tagger(options);
    bool parser = options->components & DD_PARSER && learner->takes_vectors;
    if (!options->network.vectors || parser || (tagger && tagger->takes_vectors)) return DD_OK;
    for (size_t i = 0; dd_learners[i]; i++)
        if (dd_learners[i]->takes_vectors)
            return dd_fail(error, DD_ERROR_ARGUMENT,
                           "vectors: are for %s parsers and taggers; others take none",
                           dd_learners[i]->name);
    return dd_fail(error, DD_ERROR_ARGUMENT, "vectors: no scorer takes them");
}

static dd_status check_tagger_silver(const dd_train_options *options, dd_error *error)
{
    const dd_tagger_kind *tagger = dd_components_tagger(options);
    if (!options->tagger_silver) return DD_OK;
    if (!tagger || !tagger->takes_silver) {
        const dd_tagger_kind *const *other = dd_tagger_kinds;
        while (*other && !(*other)->takes_silver) other++;
        return dd_fail(error, DD_ERROR_ARGUMENT, "tagger-silver: needs a %s tagger",
                       *other ? (*other)->name : "different");
    }
    if (!dd_path_is_standard(options->tagger_silver)) return DD_OK;
    return dd_fail(error, DD_ERROR_ARGUMENT,
                   "tagger-silver: is read once for each fold, so it cannot be standard input");
}

static dd_status check_probabilities(const dd_train_options *options, dd_error *error)
{
    if (!options->silver_probabilities) return DD_OK;
    if (!options->silver)
        return dd_fail(error, DD_ERROR_ARGUMENT, "silver-probabilities: needs 'silver'");
    if (dd_learner_find(options->scorer)->loss == DD_LOSS_SOFTMAX && options->beam == 1)
        return DD_OK;
    return dd_fail(error, DD_ERROR_ARGUMENT,
                   "silver-probabilities: needs the neural scorer, without a beam");
}

/* What one setting asks of others. */
static dd_status check_together(const dd_train_options *options, dd_error *error)
{
    bool parser = options->components & DD_PARSER;
    dd_status status = check_vectors(options, error);
    if (status == DD_OK) status = check_tagger_silver(options, error);
    if (status == DD_OK) status = check_probabilities(options, error);
    if (status != DD_OK) return status;
    if (options->silver && !parser)
        return dd_fail(error, DD_ERROR_ARGUMENT, "silver: needs 'only' with parser");
    if (options->start_from && !parser)
        return dd_fail(error, DD_ERROR_ARGUMENT, "start-from: needs 'only' with parser");
    status = check_jackknife(options, error);
    if (status == DD_OK) status = check_language(options->language, error);
    if (status == DD_OK && options->start_from) status = check_start_from(options, error);
    return status == DD_OK ? check_checkpoint(options, error) : status;
}

dd_status dd_train_options_fill(dd_train_options *options, const dd_settings *settings,
                                const dd_train_watch *watch, dd_error *error)
{
    *options = (dd_train_options){.settings = settings};
    store_all(settings, options);
    if (options->threads == 0) options->threads = dd_available_threads();
    dd_status status = check_together(options, error);
    if (status == DD_OK) status = take_watch(options, watch, error);
    return status == DD_OK ? read_templates(options, error) : status;
}
