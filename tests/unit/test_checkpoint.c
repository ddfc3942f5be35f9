/* Training that was interrupted and goes on ends with the same bytes as one that was not; a
 * checkpoint of anything else is refused. */
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
#include "core/strings.h"
#include "model/model.h"

typedef struct files {
    char checkpoint[48], model[48], data[48], vectors[48];
} files;

static int set_up(void **state)
{
    files *f = calloc(1, sizeof *f);
    long id = (long)getpid();
    snprintf(f->checkpoint, sizeof f->checkpoint, "/tmp/dodona-%ld.checkpoint", id);
    snprintf(f->model, sizeof f->model, "/tmp/dodona-%ld.model", id);
    snprintf(f->data, sizeof f->data, "/tmp/dodona-%ld.data", id);
    snprintf(f->vectors, sizeof f->vectors, "/tmp/dodona-%ld.vectors", id);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    files *f = *state;
    unlink(f->checkpoint);
    unlink(f->model);
    unlink(f->data);
    unlink(f->vectors);
    free(f);
    return 0;
}

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

static void write_file(const char *path, const char *text, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static dd_buffer read_file(const char *path)
{
    char piece[4096];
    dd_buffer out = {0};
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    for (size_t got; (got = fread(piece, 1, sizeof piece, file)) > 0;)
        assert_true(dd_buffer_append(&out, piece, got));
    fclose(file);
    return out;
}

/* ---- training ----------------------------------------------------------------------------- */

enum { ITERATIONS = 5 };

/* When to stop: after an iteration, or in its middle. */
typedef struct stop {
    int iteration; /* 0: never */
    bool in_the_middle;
    int warnings, resumed_after;
} stop;

static bool go_on(void *user, const dd_train_progress *progress)
{
    const stop *s = user;
    return progress->iteration != s->iteration || progress->finished == s->in_the_middle;
}

static void note_data(void *user, const dd_train_data *data)
{
    ((stop *)user)->resumed_after = data->resumed_after;
}

static void note_warning(void *user, const dd_error *error)
{
    assert_true(strlen(error->message) > 0);
    ((stop *)user)->warnings++;
}

static dd_status train(dd_model **out, const char *settings, const char *more, const char *data,
                       const char *dev, stop *s, dd_error *error)
{
    char all[800];
    dd_train_watch watch;
    dd_train_watch_init(&watch);
    watch.user = s;
    watch.report = go_on;
    watch.data = note_data;
    watch.warn = note_warning;
    snprintf(all, sizeof all, "scorer=neural batch-words=60 iterations=%d width=8 hidden=16 %s %s",
             ITERATIONS, settings, more);
    return train_with_settings(out, all, &watch, data, dev, error);
}

/* Interrupted there and resumed with another number of threads. */
static dd_model *train_in_parts(const files *f, const char *settings, const char *dev, stop where)
{
    char more[100];
    dd_error error;
    dd_model *model = NULL;
    snprintf(more, sizeof more, "checkpoint=%s", f->checkpoint);
    assert_int_equal(train(&model, settings, more, DEMO, dev, &where, &error), DD_INTERRUPTED);
    dd_model_free(model);
    assert_true(is_there(f->checkpoint));
    snprintf(more, sizeof more, "checkpoint=%s resume=yes threads=3", f->checkpoint);
    stop never = {0};
    if (train(&model, settings, more, DEMO, dev, &never, &error) != DD_OK)
        fail_msg("%s", error.message);
    assert_int_equal(never.resumed_after, where.iteration - where.in_the_middle);
    assert_false(is_there(f->checkpoint));
    return model;
}

static void compare_and_free(dd_model *one, dd_model *other)
{
    assert_int_equal(one->size, other->size);
    assert_memory_equal(one->image, other->image, one->size);
    dd_model_free(one);
    dd_model_free(other);
}

static dd_model *train_at_once(const char *settings, const char *dev)
{
    dd_model *model = NULL;
    stop never = {0};
    assert_int_equal(train(&model, settings, "", DEMO, dev, &never, NULL), DD_OK);
    return model;
}

static void a_resumed_training_gives_the_same_bytes(void **state)
{
    const files *f = *state;
    const char *settings = "system=arc-hybrid";
    for (int k = 1; k < ITERATIONS; k++)
        for (int dev = 0; dev < 2; dev++)
            compare_and_free(
                train_at_once(settings, dev ? DEMO_TEST : NULL),
                train_in_parts(f, settings, dev ? DEMO_TEST : NULL, (stop){.iteration = k}));
    stop in_the_middle = {.iteration = 3, .in_the_middle = true};
    compare_and_free(train_at_once(settings, DEMO_TEST),
                     train_in_parts(f, settings, DEMO_TEST, in_the_middle));
}

static void whatever_is_trained_can_be_resumed(void **state)
{
    const files *f = *state;
    char silver[300], windows[400], windows_and_weights[300], vectors[300];
    static const char some[] = "the 1 -2 0.5 3\nbirds 0 1 1 -1\nking 2 2 -2 0.1\n";
    write_file(f->vectors, some, sizeof some - 1);
    snprintf(silver, sizeof silver, "system=arc-eager silver=%s silver-weight=0.4", DEMO_TEST);
    snprintf(windows, sizeof windows, "%s silver-window=30", silver);
    snprintf(windows_and_weights, sizeof windows_and_weights,
             "system=arc-hybrid silver=%s silver-weight=2.3 silver-window=7 "
             "silver-probabilities=yes",
             DEMO_TEST);
    snprintf(vectors, sizeof vectors, "system=covington vectors=%s", f->vectors);
    const char *const cases[] = {silver,
                                 windows,
                                 windows_and_weights,
                                 vectors,
                                 "system=graph",
                                 "system=arc-eager beam=3",
                                 "system=arc-hybrid unbuildable=lift explore=0.5"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        compare_and_free(train_at_once(cases[i], NULL),
                         train_in_parts(f, cases[i], NULL, (stop){.iteration = 2}));
}

/* The shape is the model's, so that these settings cannot be those of `train`. */
static void what_started_from_a_model_can_be_resumed(void **state)
{
    const files *f = *state;
    char settings[300], more[400];
    dd_model *first = train_at_once("system=arc-hybrid", NULL), *one = NULL, *other = NULL;
    dd_train_watch watch;
    stop after_two = {.iteration = 2};
    assert_int_equal(dd_model_save(first, f->model, NULL), DD_OK);
    dd_model_free(first);
    snprintf(settings, sizeof settings, "scorer=neural start-from=%s iterations=4", f->model);
    snprintf(more, sizeof more, "%s checkpoint=%s", settings, f->checkpoint);
    dd_train_watch_init(&watch);
    watch.user = &after_two;
    watch.report = go_on;
    assert_int_equal(train_with_settings(&one, settings, NULL, DEMO, NULL, NULL), DD_OK);
    assert_int_equal(train_with_settings(&other, more, &watch, DEMO, NULL, NULL), DD_INTERRUPTED);
    dd_model_free(other);
    strcat(more, " resume=yes");
    assert_int_equal(train_with_settings(&other, more, NULL, DEMO, NULL, NULL), DD_OK);
    compare_and_free(one, other);
}

/* ---- what is refused ---------------------------------------------------------------------- */

/* A checkpoint after the second iteration. */
static void leave_checkpoint(const files *f, const char *settings)
{
    char more[100];
    dd_model *model = NULL;
    stop where = {.iteration = 2};
    snprintf(more, sizeof more, "checkpoint=%s", f->checkpoint);
    assert_int_equal(train(&model, settings, more, DEMO, DEMO_TEST, &where, NULL), DD_INTERRUPTED);
    dd_model_free(model);
}

static void is_refused(const files *f, const char *settings, const char *data, const char *dev,
                       const char *wanted)
{
    char more[100], message[300];
    dd_error error;
    dd_model *model = NULL;
    stop never = {0};
    snprintf(more, sizeof more, "checkpoint=%s resume=yes", f->checkpoint);
    snprintf(message, sizeof message, "%s: %s", f->checkpoint, wanted);
    assert_true(train(&model, settings, more, data, dev, &never, &error) != DD_OK);
    assert_null(model);
    assert_string_equal(error.message, message);
}

static void other_settings_and_data_are_refused(void **state)
{
    const files *f = *state;
    static const char some[] = "the 1 2\n", others[] = "the 2 3\nbirds 3 3\n";
    char with_vectors[100], with_silver[300];
    write_file(f->vectors, some, sizeof some - 1);
    snprintf(with_vectors, sizeof with_vectors, "vectors=%s", f->vectors);
    snprintf(with_silver, sizeof with_silver, "vectors=%s silver=%s", f->vectors, DEMO_TEST);
    leave_checkpoint(f, with_vectors);
    char other[200];
    snprintf(other, sizeof other, "%s seed=7", with_vectors);
    is_refused(f, other, DEMO, DEMO_TEST, "was made with seed 1, not 7");
    snprintf(other, sizeof other, "%s width=16", with_vectors);
    is_refused(f, other, DEMO, DEMO_TEST, "was made with width 8, not 16");
    snprintf(other, sizeof other, "%s max-words=30", with_vectors);
    is_refused(f, other, DEMO, DEMO_TEST, "was made with max-words not set, not 30");
    is_refused(f, with_vectors, DEMO_TEST, DEMO_TEST, "was made with different training data");
    is_refused(f, with_vectors, DEMO, DEMO, "was made with different dev data");
    is_refused(f, with_vectors, DEMO, NULL, "was made with different dev data");
    is_refused(f, with_silver, DEMO, DEMO_TEST, "was made with different silver trees");
    snprintf(other, sizeof other, "%s silver-window=7", with_vectors);
    is_refused(f, other, DEMO, DEMO_TEST, "was made with silver-window 1000000, not 7");
    write_file(f->vectors, others, sizeof others - 1);
    is_refused(f, with_vectors, DEMO, DEMO_TEST, "was made with different word vectors");
    unlink(f->checkpoint);
    is_refused(f, with_vectors, DEMO, DEMO_TEST, "No such file or directory");
}

static void damaged_checkpoints_are_refused(void **state)
{
    const files *f = *state;
    leave_checkpoint(f, "system=arc-hybrid");
    dd_buffer bytes = read_file(f->checkpoint);
    const struct {
        size_t at, size; /* a byte to change, bytes to keep */
        const char *wanted;
    } cases[] = {
        {0, bytes.size, "not a checkpoint"},
        {8, bytes.size, "a checkpoint of another version"},
        {16, bytes.size, "damaged checkpoint: wrong size"},
        {24, bytes.size, "damaged checkpoint: wrong checksum"},
        {100, bytes.size, "damaged checkpoint: wrong checksum"},
        {bytes.size - 1, bytes.size, "damaged checkpoint: wrong checksum"},
        {bytes.size, bytes.size - 8, "damaged checkpoint: wrong size"},
        {bytes.size, 31, "not a checkpoint"},
        {bytes.size, 0, "not a checkpoint"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (cases[i].at < bytes.size) bytes.data[cases[i].at] ^= 1;
        write_file(f->checkpoint, bytes.data, cases[i].size);
        is_refused(f, "system=arc-hybrid", DEMO, DEMO_TEST, cases[i].wanted);
        if (cases[i].at < bytes.size) bytes.data[cases[i].at] ^= 1;
    }
    dd_buffer_free(&bytes);
}

static void settings_that_cannot_be_are_refused(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"checkpoint=x", "checkpoint: training with the scorer linear cannot be resumed"},
        {"resume=yes", "resume: training with the scorer linear cannot be resumed"},
        {"scorer=neural resume=yes", "resume: needs 'checkpoint'"},
        {"scorer=neural checkpoint=x only=tagger", "checkpoint: needs 'only' with parser"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dd_error error;
        dd_model *model = NULL;
        assert_int_equal(train_with_settings(&model, cases[i][0], NULL, DEMO, NULL, &error),
                         DD_ERROR_ARGUMENT);
        assert_string_equal(error.message, cases[i][1]);
    }
}

static void a_checkpoint_that_cannot_be_written_does_not_end_training(void **state)
{
    (void)state;
    dd_model *model = NULL;
    stop never = {0};
    assert_int_equal(
        train(&model, "system=arc-hybrid", "checkpoint=/nowhere/x", DEMO, NULL, &never, NULL),
        DD_OK);
    assert_int_equal(never.warnings, ITERATIONS - 1);
    compare_and_free(model, train_at_once("system=arc-hybrid", NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_resumed_training_gives_the_same_bytes),
        cmocka_unit_test(whatever_is_trained_can_be_resumed),
        cmocka_unit_test(what_started_from_a_model_can_be_resumed),
        cmocka_unit_test(other_settings_and_data_are_refused),
        cmocka_unit_test(damaged_checkpoints_are_refused),
        cmocka_unit_test(settings_that_cannot_be_are_refused),
        cmocka_unit_test(a_checkpoint_that_cannot_be_written_does_not_end_training),
    };
    return cmocka_run_group_tests_name("checkpoint", tests, set_up, tear_down);
}
