/* Settings and watch as training sees them. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../settings_help.h"
#include "linear/templates.h"
#include "score/train_options.h"

static dd_settings *new_settings(void)
{
    dd_settings *settings = NULL;
    assert_int_equal(dd_settings_new(&settings, NULL), DD_OK);
    return settings;
}

static void set(dd_settings *settings, const char *name, const char *value)
{
    dd_error error;
    if (dd_settings_set(settings, name, value, &error) != DD_OK) fail_msg("%s", error.message);
}

static void fill(dd_train_options *options, const char *text)
{
    dd_error error;
    dd_settings *settings = new_settings();
    if (set_settings(settings, text, &error) != DD_OK) fail_msg("%s", error.message);
    assert_int_equal(dd_train_options_fill(options, settings, NULL, NULL), DD_OK);
    dd_train_options_free(options);
    dd_settings_free(settings);
}

static void defaults_are_what_training_does(void **state)
{
    (void)state;
    dd_train_options given, standard;
    dd_train_options_init(&standard);
    assert_int_equal(dd_train_options_fill(&given, NULL, NULL, NULL), DD_OK);
    assert_memory_equal(&given, &standard, sizeof given);
    assert_int_equal(given.components, DD_ALL_COMPONENTS);
    assert_true(given.as_treebank_allows);
    assert_int_equal(given.jackknife, DD_FOLDS_AUTO);
    assert_int_equal(given.threads, 1);
    assert_int_equal(given.tagger_bytes + given.lemmatizer_bytes + given.parser_bytes, 0);
    assert_string_equal(given.scorer, "linear");
    assert_null(given.system);
    assert_int_equal(given.oracle, DD_ORACLE_AUTO);
    assert_null(given.loss);
    assert_true(given.explore == 1.0);
    assert_int_equal(given.explore_from, 1);
    assert_int_equal(given.beam, 1);
    assert_int_equal(given.update, DD_UPDATE_MAX_VIOLATION);
    assert_int_equal(given.margin, 50);
    assert_true(given.prune == 1.5);
    assert_int_equal(given.iterations, 10);
    assert_null(given.silver);
    assert_true(given.silver_weight == 1);
    assert_int_equal(given.seed, 1);
    assert_int_equal(given.single_root, DD_SINGLE_ROOT_AUTO);
    assert_int_equal(given.unbuildable, DD_UNBUILDABLE_AUTO);
    assert_null(given.templates);
    assert_null(given.licence);
    assert_int_equal(given.format, DD_FORMAT_AUTO);
    assert_false(given.skip_bad);
}

static void values_reach_their_fields(void **state)
{
    (void)state;
    dd_train_options o;
    fill(&o, "only=parser,tagger,parser jackknife=3 threads=4 tagger-bytes=5000000000 "
             "lemmatizer-bytes=6 parser-bytes=7 system=lr-spine oracle=nondet explore=0.9 "
             "explore-from=8 beam=9 update=early margin=0 prune=1e-1 iterations=11 "
             "silver=trees silver-weight=2.5 seed=9223372036854775807 single-root=yes "
             "unbuildable=lift-head "
             "from=conllx skip-bad=yes");
    assert_int_equal(o.components, DD_PARSER | DD_TAGGER);
    assert_int_equal(o.jackknife, 3);
    assert_int_equal(o.threads, 4);
    assert_true(o.tagger_bytes == 5000000000);
    assert_int_equal(o.lemmatizer_bytes, 6);
    assert_int_equal(o.parser_bytes, 7);
    assert_string_equal(o.system, "lr-spine");
    assert_int_equal(o.oracle, DD_ORACLE_NONDET);
    assert_true(o.explore == 0.9);
    assert_int_equal(o.explore_from, 8);
    assert_int_equal(o.beam, 9);
    assert_int_equal(o.update, DD_UPDATE_EARLY);
    assert_int_equal(o.margin, 0);
    assert_true(o.prune == 0.1);
    assert_int_equal(o.iterations, 11);
    assert_true(o.silver_weight == 2.5);
    assert_true(o.seed == INT64_MAX);
    assert_int_equal(o.single_root, DD_SINGLE_ROOT_YES);
    assert_int_equal(o.unbuildable, DD_UNBUILDABLE_LIFT_HEAD);
    assert_int_equal(o.format, DD_FORMAT_CONLLX);
    assert_true(o.skip_bad);
    fill(&o, "threads=auto");
    assert_int_equal(o.threads, dd_available_threads());
    fill(&o, "only=all");
    assert_int_equal(o.components, DD_ALL_COMPONENTS);
    fill(&o, "only=lemmatizer");
    assert_int_equal(o.components, DD_LEMMATIZER);
}

/* Locales with another decimal point than C's; where none of them is installed C's must do. */
static void numbers_have_a_point_in_every_locale(void **state)
{
    (void)state;
    static const char *const locales[] = {"C", "de_DE.UTF-8", "fr_FR.UTF-8", "ps_AF.UTF-8"};
    dd_settings *s = new_settings();
    for (size_t i = 0; i < sizeof locales / sizeof *locales; i++) {
        dd_train_options o;
        if (!setlocale(LC_NUMERIC, locales[i])) continue;
        fill(&o, "explore=0.25");
        assert_true(o.explore == 0.25);
        assert_true(o.prune == 1.5);
        assert_int_equal(dd_settings_set(s, "explore", "0,25", NULL), DD_ERROR_ARGUMENT);
    }
    setlocale(LC_NUMERIC, "C");
    dd_settings_free(s);
}

static void one_setting_may_ask_for_another(void **state)
{
    (void)state;
#define BOTH "jackknife: needs 'only' with tagger and parser"
    static const struct {
        const char *settings, *message;
    } wrong[] = {
        {"jackknife=2 only=parser", BOTH},
        {"jackknife=2 only=parser,lemmatizer", BOTH},
        {"jackknife=2 only=tagger", BOTH ", or 'jackknifed'"},
        {"jackknifed=x only=parser", "jackknifed: needs 'only' with tagger"},
        {"jackknifed=x only=tagger jackknife=no", "jackknifed: needs 'jackknife'"},
    };
#undef BOTH
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        dd_model *model;
        dd_error error;
        assert_int_equal(train_with_settings(&model, wrong[i].settings, NULL, DEMO, NULL, &error),
                         DD_ERROR_ARGUMENT);
        assert_string_equal(error.message, wrong[i].message);
        assert_null(model);
    }
    dd_train_options o;
    fill(&o, "jackknife=2 only=tagger,parser");
    fill(&o, "jackknife=2 only=tagger jackknifed=x");
}

/* It becomes a name to find the model by. */
static void a_language_is_a_code(void **state)
{
    (void)state;
    static const char *const wrong[] = {"da/../x", "da_ddt", "d\xC3\xA5", "."};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char setting[40], message[100];
        dd_model *model;
        dd_error error;
        snprintf(setting, sizeof setting, "language=%s", wrong[i]);
        snprintf(message, sizeof message,
                 "language: '%s' is not a code of letters, digits and hyphens", wrong[i]);
        assert_int_equal(train_with_settings(&model, setting, NULL, DEMO, NULL, &error),
                         DD_ERROR_ARGUMENT);
        assert_string_equal(error.message, message);
    }
}

static void training_needs_a_file(void **state)
{
    (void)state;
    dd_error error;
    dd_model *model;
    assert_int_equal(dd_train(&model, NULL, NULL, NULL, 0, NULL, &error), DD_ERROR_ARGUMENT);
    assert_string_equal(error.message, "no training file");
}

/* ---- templates ---- */

static void fail_templates(const char *value, dd_status status, const char *message)
{
    const char *paths[] = {DEMO};
    dd_settings *settings = new_settings();
    dd_error error;
    dd_model *model;
    set(settings, "templates", value);
    assert_int_equal(dd_train(&model, settings, NULL, paths, 1, NULL, &error), status);
    assert_string_equal(error.message, message);
    assert_null(model);
    dd_settings_free(settings);
}

static void write_file(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void templates_are_a_set_a_file_or_themselves(void **state)
{
    (void)state;
    char path[64], message[128];
    dd_settings *settings = new_settings();
    dd_train_options o;
    set(settings, "templates", "standard");
    assert_int_equal(dd_train_options_fill(&o, settings, NULL, NULL), DD_OK);
    assert_string_equal(o.templates, dd_templates_builtin("standard").data);
    assert_string_equal(o.templates_name, "standard");
    dd_train_options_free(&o);
    set(settings, "templates", "S0.form\n");
    assert_int_equal(dd_train_options_fill(&o, settings, NULL, NULL), DD_OK);
    assert_string_equal(o.templates, "S0.form\n");
    dd_train_options_free(&o);
    snprintf(path, sizeof path, "/tmp/dodona-templates-%ld", (long)getpid());
    write_file(path, "S0.upos\n", 8);
    set(settings, "templates", path);
    assert_int_equal(dd_train_options_fill(&o, settings, NULL, NULL), DD_OK);
    assert_string_equal(o.templates, "S0.upos\n");
    assert_string_equal(o.templates_name, path);
    dd_train_options_free(&o);
    write_file(path, "S0.upos\nS0.word\n", 16);
    snprintf(message, sizeof message, "%s:2: unknown attribute 'word'", path);
    fail_templates(path, DD_ERROR_FORMAT, message);
    write_file(path, "S0.upos\n\0S0.word\n", 17);
    snprintf(message, sizeof message, "%s:2: NUL byte", path);
    fail_templates(path, DD_ERROR_FORMAT, message);
    unlink(path);
    snprintf(message, sizeof message, "%s: No such file or directory", path);
    fail_templates(path, DD_ERROR_IO, message);
    fail_templates("S0.upos\nS0.word\n", DD_ERROR_FORMAT, "templates:2: unknown attribute 'word'");
    fail_templates("standrad", DD_ERROR_IO,
                   "standrad: No such file or directory; did you mean the set 'standard'?");
    dd_settings_free(settings);
}

/* ---- watching ---- */

static void on_data(void *user, const dd_train_data *data)
{
    (void)data;
    (*(int *)user)++;
}

static bool on_report(void *user, const dd_train_progress *progress)
{
    (void)progress;
    *(int *)user += 100;
    return true;
}

/* A program that was compiled with a newer header knows more fields, which the library leaves
 * alone. */
static void programs_of_newer_versions_may_watch(void **state)
{
    (void)state;
    struct {
        dd_train_watch watch;
        void *unknown[4];
    } newer;
    int calls = 0;
    dd_train_options o;
    dd_train_watch_init_size(&newer.watch, sizeof newer);
    assert_int_equal(newer.watch.size, sizeof newer);
    assert_null(newer.unknown[3]);
    assert_true(newer.watch.report == NULL);
    newer.watch.user = &calls;
    newer.watch.data = on_data;
    newer.watch.report = on_report;
    memset(newer.unknown, 0xFF, sizeof newer.unknown);
    assert_int_equal(dd_train_options_fill(&o, NULL, &newer.watch, NULL), DD_OK);
    assert_true(o.data == on_data && o.report == on_report && o.user == &calls);
    assert_true(o.skipped == NULL);
}

static void a_watch_that_was_not_initialised_is_refused(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, sizeof(size_t), sizeof(dd_train_watch) - 1, SIZE_MAX};
    dd_train_watch watch;
    dd_train_watch_init(&watch);
    assert_int_equal(watch.size, sizeof watch);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const char *paths[] = {DEMO};
        dd_model *model;
        dd_error error;
        watch.size = sizes[i];
        assert_int_equal(dd_train(&model, NULL, &watch, paths, 1, NULL, &error), DD_ERROR_ARGUMENT);
        assert_string_equal(error.message, "the watch was not initialised");
        assert_null(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_what_training_does),
        cmocka_unit_test(values_reach_their_fields),
        cmocka_unit_test(numbers_have_a_point_in_every_locale),
        cmocka_unit_test(one_setting_may_ask_for_another),
        cmocka_unit_test(a_language_is_a_code),
        cmocka_unit_test(training_needs_a_file),
        cmocka_unit_test(templates_are_a_set_a_file_or_themselves),
        cmocka_unit_test(programs_of_newer_versions_may_watch),
        cmocka_unit_test(a_watch_that_was_not_initialised_is_refused),
    };
    return cmocka_run_group_tests_name("train options", tests, NULL, NULL);
}
