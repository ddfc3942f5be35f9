/* Models: training, saving, loading, refusing what is damaged, parsing with any number of threads.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "../settings_help.h"
#include "core/random.h"
#include "core/strings.h"
#include "model/image.h"
#include "model/model.h"
#include "systems/registry.h"

#define WORD(id, form, tag, head, label)                                                           \
    id "\t" form "\t" form "\t" tag "\t" tag "\t_\t" head "\t" label "\t_\t_\n"

static const char treebank[] = WORD("1", "dogs", "NOUN", "2", "nsubj")
    WORD("2", "bark", "VERB", "0", "root") "\n" WORD("1", "the", "DET", "2", "det")
        WORD("2", "cat", "NOUN", "3", "nsubj") WORD("3", "saw", "VERB", "0", "root")
            WORD("4", "dogs", "NOUN", "3", "obj") "\n" WORD(
                "1", "come", "VERB", "0", "root") "\n" WORD("1", "cats", "NOUN", "2", "nsubj")
                WORD("2", "see", "VERB", "0", "root") WORD("3", "the", "DET", "4", "det")
                    WORD("4", "dog", "NOUN", "2", "obj") "\n";

typedef struct fixture {
    char folder[64], train[96], model[96];
} fixture;

static void write_file(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    snprintf(f->folder, sizeof f->folder, "/tmp/dodona-model-XXXXXX");
    if (!f || !mkdtemp(f->folder)) return -1;
    snprintf(f->train, sizeof f->train, "%s/train.conllu", f->folder);
    snprintf(f->model, sizeof f->model, "%s/m.dodona", f->folder);
    write_file(f->train, treebank, strlen(treebank));
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    unlink(f->train);
    unlink(f->model);
    int left = rmdir(f->folder);
    free(f);
    return left;
}

static dd_model *train(const fixture *f, const char *system, const char *oracle)
{
    dd_settings *settings;
    dd_error error;
    dd_model *model = NULL;
    const char *paths[] = {f->train};
    assert_int_equal(dd_settings_new(&settings, NULL), DD_OK);
    assert_int_equal(dd_settings_set(settings, "only", "parser", NULL), DD_OK);
    assert_int_equal(dd_settings_set(settings, "system", system, NULL), DD_OK);
    assert_int_equal(dd_settings_set(settings, "oracle", oracle, NULL), DD_OK);
    assert_int_equal(dd_settings_set(settings, "iterations", "20", NULL), DD_OK);
    assert_int_equal(dd_settings_set(settings, "licence", "none\tof\nyours", NULL), DD_OK);
    assert_int_equal(dd_settings_set(settings, "language", "zh-Hant", NULL), DD_OK);
    assert_int_equal(dd_settings_set(settings, "treebank", "UD Chinese GSD", NULL), DD_OK);
    assert_int_equal(dd_settings_set(settings, "model-version", "1.0", NULL), DD_OK);
    dd_status status = dd_train(&model, settings, NULL, paths, 1, f->train, &error);
    dd_settings_free(settings);
    if (status != DD_OK) fail_msg("%s", error.message);
    return model;
}

/* The text, parsed: to be freed. */
static char *parse(const dd_model *model, const char *text, int threads, const char *path)
{
    dd_reader *reader;
    dd_writer *writer;
    dd_parse_options options;
    dd_parse_report report;
    dd_parse_options_init(&options);
    dd_parse_report_init(&report, model);
    options.threads = threads;
    assert_int_equal(
        dd_reader_open_memory(&reader, "t", (dd_text){text, strlen(text)}, DD_FORMAT_CONLLU, NULL),
        DD_OK);
    assert_int_equal(dd_writer_open(&writer, path, NULL), DD_OK);
    assert_int_equal(dd_parse_stream(model, reader, writer, &options, &report, NULL), DD_OK);
    assert_int_equal(dd_writer_close(writer, NULL), DD_OK);
    dd_reader_close(reader);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *out = calloc(1, 2 * strlen(text) + 2000);
    fread(out, 1, 2 * strlen(text) + 1999, file);
    fclose(file);
    return out;
}

static void every_system_and_oracle_learns_its_training_data(void **state)
{
    static const char *const oracles[] = {"static", "nondet", "dynamic"};
    fixture *f = *state;
    for (size_t s = 0; s < dd_system_count(); s++) {
        for (int oracle = 0; oracle < 3; oracle++) {
            dd_model *model = train(f, dd_system_get(s)->name, oracles[oracle]);
            char *out = parse(model, treebank, 1, f->model);
            assert_string_equal(out, treebank);
            free(out);
            dd_model_free(model);
        }
    }
}

static void threads_give_the_same_bytes_in_order(void **state)
{
    fixture *f = *state;
    dd_model *model = train(f, "arc-eager", "dynamic");
    dd_buffer text = {0};
    for (int i = 0; i < 400; i++)
        assert_true(dd_buffer_printf(&text, "# sent_id = %d\n%s", i, treebank));
    assert_true(dd_buffer_append(&text, "", 1));
    char *alone = parse(model, text.data, 1, f->model);
    for (int threads = 2; threads <= 5; threads++) {
        char *together = parse(model, text.data, threads, f->model);
        assert_string_equal(alone, together);
        free(together);
    }
    free(alone);
    dd_buffer_free(&text);
    dd_model_free(model);
}

static void expect_fact(const dd_model *model, const char *key, const char *value)
{
    dd_text fact = dd_model_find_fact(model, key);
    assert_int_equal(fact.size, strlen(value));
    assert_memory_equal(fact.data, value, fact.size);
}

static void a_saved_model_is_the_same_model(void **state)
{
    fixture *f = *state;
    dd_model *model = train(f, "arc-hybrid", "dynamic"), *loaded = NULL;
    dd_error error;
    assert_int_equal(dd_model_save(model, f->model, &error), DD_OK);
    assert_int_equal(dd_model_load(&loaded, f->model, &error), DD_OK);
    assert_int_equal(loaded->size, model->size);
    assert_memory_equal(loaded->image, model->image, model->size);
    assert_true(dd_model_checksum(loaded) == dd_model_checksum(model));
    assert_true(loaded->single_root);
    expect_fact(loaded, "licence", "none of yours");
    expect_fact(loaded, "language", "zh-Hant");
    expect_fact(loaded, "treebank", "UD Chinese GSD");
    expect_fact(loaded, "version", "1.0");
    dd_model_free(loaded);
    dd_model *again = train(f, "arc-hybrid", "dynamic");
    assert_int_equal(again->size, model->size);
    assert_memory_equal(again->image, model->image, model->size);
    dd_model_free(again);
    dd_model *other = train(f, "arc-hybrid", "static");
    assert_true(dd_model_checksum(other) != dd_model_checksum(model));
    dd_model_free(other);
    dd_model_free(model);
}

static void refuse(const fixture *f, const char *image, size_t size, const char *reason)
{
    dd_model *model = NULL;
    dd_error error;
    write_file(f->model, image, size);
    assert_int_equal(dd_model_load(&model, f->model, &error), DD_ERROR_MODEL);
    assert_null(model);
    assert_non_null(strstr(error.message, f->model));
    if (!strstr(error.message, reason)) fail_msg("'%s' lacks '%s'", error.message, reason);
}

static void damage_is_refused_with_the_reason(void **state)
{
    fixture *f = *state;
    dd_model *model = train(f, "arc-standard", "static");
    char *copy = malloc(model->size + 1);
    memcpy(copy, model->image, model->size);
    refuse(f, copy, 0, "the file is empty");
    refuse(f, copy, 20, "truncated model: only 20 bytes");
    for (size_t size = 32; size < model->size; size += 997)
        refuse(f, copy, size, "truncated model");
    copy[model->size] = 0;
    refuse(f, copy, model->size + 1, "damaged model");
    for (size_t at = 0; at < model->size; at += at < 64 ? 1 : 499) {
        copy[at] ^= 0x10;
        refuse(f, copy, model->size, at < 8 ? "not a Dodona model" : "model");
        copy[at] ^= 0x10;
    }
    refuse(f, treebank, strlen(treebank), "not a Dodona model");
    dd_image_header header;
    memcpy(&header, copy, sizeof header);
    header.version = 7;
    memcpy(copy, &header, sizeof header);
    refuse(f, copy, model->size, "model format 7; this version of Dodona reads format 3");
    free(copy);
    dd_model_free(model);
}

static void files_that_cannot_be_had_are_named(void **state)
{
    fixture *f = *state;
    dd_model *model = NULL;
    dd_error error;
    assert_int_equal(dd_model_load(&model, "/nowhere/m", &error), DD_ERROR_IO);
    assert_string_equal(error.message, "/nowhere/m: cannot open: No such file or directory");
    assert_int_equal(dd_model_load(&model, f->folder, &error), DD_ERROR_IO);
    model = train(f, "arc-eager", "static");
    assert_int_equal(dd_model_save(model, "/nowhere/m", &error), DD_ERROR_IO);
    assert_string_equal(error.message, "/nowhere/m: cannot write: No such file or directory");
    assert_int_equal(dd_model_save(model, "/dev/null", &error), DD_OK);
    struct stat facts;
    assert_int_equal(stat("/dev/null", &facts), 0);
    assert_true(S_ISCHR(facts.st_mode));
    dd_model_free(model);
}

/* ---- training data and options ---- */

static void refuse_training(const fixture *f, const char *settings, const char *text,
                            dd_status status, const char *message)
{
    dd_error error;
    dd_model *model = NULL;
    write_file(f->train, text, strlen(text));
    assert_int_equal(train_with_settings(&model, settings, NULL, f->train, NULL, &error), status);
    assert_null(model);
    const char *told = strncmp(error.message, f->train, strlen(f->train)) == 0
                           ? error.message + strlen(f->train)
                           : error.message;
    assert_string_equal(told, message);
}

static void impossible_data_is_refused(void **state)
{
    fixture *f = *state;
    const char *settings = "system=arc-eager";
    refuse_training(f, settings, "", DD_ERROR_DATA, ": no sentences to train on");
    refuse_training(f, settings, WORD("1", "a", "X", "_", "_") "\n", DD_ERROR_DATA,
                    ": no heads to train on");
    refuse_training(f, "system=arc-eager oracle=static",
                    WORD("1", "a", "X", "0", "root") WORD("2", "b", "X", "_", "_") "\n",
                    DD_ERROR_DATA,
                    ":2: column 7 (HEAD): a word has no head; the static oracle needs whole trees, "
                    "the dynamic one does not");
    refuse_training(f, settings,
                    WORD("1", "a", "X", "2", "x") WORD("2", "b", "X", "1", "x")
                        WORD("3", "b", "X", "0", "root") "\n",
                    DD_ERROR_DATA, ":1: column 7 (HEAD): the heads form a cycle");
    refuse_training(f, settings, WORD("1", "a", "X", "0", "r\x01t") "\n", DD_ERROR_DATA,
                    ":1: column 8 (DEPREL): control character");
    const char *crossing = WORD("1", "a", "X", "3", "x") WORD("2", "b", "X", "4", "x")
        WORD("3", "c", "X", "4", "x") WORD("4", "d", "X", "0", "root") "\n";
    refuse_training(f, "system=arc-eager unbuildable=skip", crossing, DD_ERROR_DATA,
                    "arc-eager can build none of the 1 training sentences (non-projective tree)");
    const char *two_roots = WORD("1", "a", "X", "0", "root") WORD("2", "b", "X", "0", "root") "\n";
    refuse_training(f, "system=arc-eager single-root=yes oracle=static", two_roots, DD_ERROR_DATA,
                    "arc-eager can build none of the 1 training sentences (several roots)");
    write_file(f->train, treebank, strlen(treebank));
}

static bool stop_at_once(void *user, const dd_train_progress *progress)
{
    (*(int *)user)++;
    return !progress->finished;
}

static void an_interrupted_training_hands_out_a_model(void **state)
{
    fixture *f = *state;
    dd_train_watch watch;
    dd_model *model = NULL;
    int reports = 0;
    dd_train_watch_init(&watch);
    watch.user = &reports;
    watch.report = stop_at_once;
    const char *paths[] = {f->train};
    assert_int_equal(dd_train(&model, NULL, &watch, paths, 1, NULL, NULL), DD_INTERRUPTED);
    assert_int_equal(reports, 1);
    assert_non_null(model);
    dd_text done = dd_model_find_fact(model, "iterations");
    assert_memory_equal(done.data, "1 of 10", done.size);
    dd_model_free(model);
}

/* Several roots are kept or refused as the rule says, whatever the weights. */
static void the_single_root_rule_is_kept_in_the_model(void **state)
{
    fixture *f = *state;
    const char *two_roots = WORD("1", "a", "X", "0", "root") WORD("2", "b", "X", "0", "root") "\n";
    write_file(f->train, two_roots, strlen(two_roots));
    for (size_t s = 0; s < dd_system_count(); s++) {
        dd_model *model = train(f, dd_system_get(s)->name, "dynamic");
        assert_false(model->single_root);
        char *out = parse(model, two_roots, 1, f->model);
        assert_string_equal(out, two_roots);
        free(out);
        dd_model_free(model);
    }
    write_file(f->train, treebank, strlen(treebank));
    dd_random random = {99};
    for (size_t s = 0; s < dd_system_count(); s++) {
        dd_model *model = train(f, dd_system_get(s)->name, "dynamic");
        assert_true(model->single_root);
        for (int round = 0; round < 200; round++) {
            dd_buffer text = {0};
            int n = 1 + (int)dd_random_below(&random, 12);
            static const char *const forms[] = {"dogs", "the", "bark", "cat", "saw"};
            for (int word = 1; word <= n; word++)
                dd_buffer_printf(&text, "%d\t%s\t_\tNOUN\t_\t_\t_\t_\t_\t_\n", word,
                                 forms[dd_random_below(&random, 5)]);
            dd_buffer_append(&text, "\n", 2);
            char *out = parse(model, text.data, 1, f->model);
            int roots = 0;
            for (char *at = out; (at = strstr(at, "\t0\troot\t")); at++) roots++;
            assert_int_equal(roots, 1);
            free(out);
            dd_buffer_free(&text);
        }
        dd_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_system_and_oracle_learns_its_training_data),
        cmocka_unit_test(threads_give_the_same_bytes_in_order),
        cmocka_unit_test(a_saved_model_is_the_same_model),
        cmocka_unit_test(damage_is_refused_with_the_reason),
        cmocka_unit_test(files_that_cannot_be_had_are_named),
        cmocka_unit_test(impossible_data_is_refused),
        cmocka_unit_test(an_interrupted_training_hands_out_a_model),
        cmocka_unit_test(the_single_root_rule_is_kept_in_the_model),
    };
    return cmocka_run_group_tests_name("model", tests, set_up, tear_down);
}
