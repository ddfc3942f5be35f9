/* Training, models, parsing, oracles and statistics while memory runs out. */
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
#include "alloc_fail.h"

static const char treebank[] = "1\tthe\t_\tDET\t_\t_\t2\tdet\t_\t_\n"
                               "2\tdog\t_\tNOUN\t_\t_\t3\tnsubj\t_\t_\n"
                               "3\tbarks\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"
                               "1\tcome\t_\tVERB\t_\t_\t0\troot\t_\t_\n"
                               "2\there\t_\tADV\t_\t_\t1\tadvmod\t_\t_\n\n"
                               "1\tso\t_\tADV\t_\t_\t_\t_\t_\t_\n"
                               "2\tit\t_\tPRON\t_\t_\t3\t_\t_\t_\n"
                               "3\tis\t_\tVERB\t_\t_\t_\t_\t_\t_\n\n";

static const char crossing[] = "1\ta\t_\tDET\t_\t_\t3\tdet\t_\t_\n"
                               "2\tb\t_\tVERB\t_\t_\t0\troot\t_\t_\n"
                               "3\tc\t_\tNOUN\t_\t_\t2\tobj\t_\t_\n\n";

/* Too much so for attardi, too. */
static const char tangled[] = "1\ta\t_\tDET\t_\t_\t3\tdet\t_\t_\n"
                              "2\tb\t_\tADV\t_\t_\t5\tadvmod\t_\t_\n"
                              "3\tc\t_\tNOUN\t_\t_\t2\tobl\t_\t_\n"
                              "4\td\t_\tADJ\t_\t_\t1\tamod\t_\t_\n"
                              "5\te\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n";

typedef struct files {
    const char *system; /* NULL: arc-standard */
    bool neural, silver, windows, going_on;
    char train[64], model[64], output[64];
    int threads, beam, nbest, max_words;
    const char *unbuildable; /* NULL: auto */
} files;

static int write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(text, 1, strlen(text), file) != strlen(text)) return -1;
    return fclose(file);
}

static int set_up(void **state)
{
    files *f = calloc(1, sizeof *f);
    snprintf(f->train, sizeof f->train, "/tmp/dodona-alloc-%ld.conllu", (long)getpid());
    snprintf(f->model, sizeof f->model, "/tmp/dodona-alloc-%ld.model", (long)getpid());
    snprintf(f->output, sizeof f->output, "/tmp/dodona-alloc-%ld.out", (long)getpid());
    *state = f;
    return write_text(f->train, treebank);
}

static int tear_down(void **state)
{
    files *f = *state;
    unlink(f->train);
    unlink(f->model);
    unlink(f->output);
    free(f);
    return 0;
}

static dd_status train(void *user, dd_error *error)
{
    const files *f = user;
    char settings[300];
    dd_train_watch watch;
    dd_model *model = NULL;
    dd_train_watch_init(&watch);
    /* The loss of arc-standard needs a table. */
    snprintf(settings, sizeof settings,
             "system=%s iterations=2 unbuildable=%s beam=%d scorer=%s %s %s%s %s %s%s",
             f->system ? f->system : "arc-standard", f->unbuildable ? f->unbuildable : "auto",
             f->beam ? f->beam : 1, f->neural ? "neural" : "linear",
             f->going_on ? "" : "width=8 hidden=16", f->silver ? "silver=" : "",
             f->silver ? f->train : "", f->windows ? "silver-window=2 silver-weight=2" : "",
             f->going_on ? "start-from=" : "", f->going_on ? f->model : "");
    dd_status status = train_with_settings(&model, settings, &watch, f->train, f->train, error);
    if (status == DD_OK) status = dd_model_save(model, f->model, error);
    dd_model_free(model);
    return status;
}

static bool stop(void *user, const dd_train_progress *progress)
{
    (void)user;
    return !progress->finished;
}

/* Interrupted after the first iteration, and resumed. */
static dd_status train_in_parts(void *user, dd_error *error)
{
    const files *f = user;
    char settings[200];
    dd_train_watch watch;
    dd_model *model = NULL;
    snprintf(settings, sizeof settings,
             "scorer=neural system=arc-hybrid iterations=2 width=8 hidden=16 checkpoint=%s",
             f->output);
    dd_train_watch_init(&watch);
    watch.report = stop;
    dd_status status = train_with_settings(&model, settings, &watch, f->train, f->train, error);
    dd_model_free(model);
    if (status != DD_INTERRUPTED) return status;
    strcat(settings, " resume=yes");
    status = train_with_settings(&model, settings, NULL, f->train, f->train, error);
    dd_model_free(model);
    return status;
}

static dd_status parse(void *user, dd_error *error)
{
    const files *f = user;
    dd_model *model = NULL;
    dd_reader *reader = NULL;
    dd_writer *writer = NULL;
    dd_parse_options options;
    dd_parse_report report;
    dd_parse_options_init(&options);
    options.threads = f->threads;
    options.nbest = f->nbest;
    options.max_words = f->max_words;
    dd_status status = dd_model_load(&model, f->model, error);
    if (status == DD_OK) status = dd_reader_open(&reader, f->train, DD_FORMAT_CONLLU, error);
    if (status == DD_OK) status = dd_writer_open(&writer, f->output, error);
    if (status == DD_OK) {
        dd_parse_report_init(&report, model);
        status = dd_parse_stream(model, reader, writer, &options, &report, error);
    }
    if (writer) {
        dd_status closed = dd_writer_close(writer, status == DD_OK ? error : NULL);
        if (status == DD_OK) status = closed;
    }
    dd_reader_close(reader);
    dd_model_free(model);
    return status;
}

static bool look(void *user, const dd_oracle_step *step)
{
    (void)user;
    return step->transitions > 0;
}

static bool first_alone(void *user, const dd_oracle_derivation *derivation)
{
    (void)user;
    return derivation->transitions == 0;
}

/* Along the sentence, and its derivations. */
static dd_status ask(dd_oracle *oracle, const dd_sentence *sentence, dd_error *error)
{
    const dd_oracle_total *total;
    dd_status status = dd_oracle_walk(oracle, sentence, look, NULL, error);
    if (status == DD_OK) status = dd_oracle_count(oracle, sentence, &total, error);
    if (status == DD_OK) status = dd_oracle_list(oracle, sentence, first_alone, NULL, error);
    if (status == DD_OK || status == DD_INTERRUPTED) {
        status = dd_oracle_walk_soft(oracle, &sentence, 1, look, NULL, error);
        if (status == DD_ERROR_ARGUMENT) status = DD_OK; /* a system without such a loss */
    }
    return status == DD_INTERRUPTED ? DD_OK : status;
}

static dd_status walk(void *user, dd_error *error)
{
    const files *f = user;
    dd_oracle_options options = {.size = sizeof options,
                                 .system = f->system ? f->system : "arc-standard",
                                 .walk = DD_WALK_RANDOM,
                                 .seed = 3,
                                 .partial = true};
    dd_reader *reader = NULL;
    dd_sentence *sentence = NULL;
    dd_oracle *oracle = NULL;
    dd_stats_collector *stats = NULL;
    dd_status status = dd_reader_open(&reader, f->train, DD_FORMAT_CONLLU, error);
    if (status == DD_OK) status = dd_sentence_new(&sentence, error);
    if (status == DD_OK) status = dd_oracle_new(&oracle, &options, error);
    if (status == DD_OK) status = dd_stats_collector_new(&stats, false, error);
    while (status == DD_OK) {
        status = dd_reader_next(reader, sentence, error);
        if (status == DD_OK) status = ask(oracle, sentence, error);
        if (status == DD_OK) status = dd_stats_collector_add(stats, sentence, error);
    }
    dd_stats_collector_free(stats);
    dd_oracle_free(oracle);
    dd_sentence_free(sentence);
    dd_reader_close(reader);
    return status == DD_END ? DD_OK : status;
}

static bool look_at_step(void *user, const dd_trace_step *step)
{
    (void)user;
    return step->step >= 0;
}

/* With a model and a beam, or, with a beam of 0, along the gold tree. */
static dd_status trace(const files *f, int beam, dd_error *error)
{
    dd_model *model = NULL;
    dd_reader *reader = NULL;
    dd_sentence *sentence = NULL;
    dd_trace *trace = NULL;
    dd_status status = beam ? dd_model_load(&model, f->model, error) : DD_OK;
    dd_trace_options options = {
        .size = sizeof options, .model = model, .system = "arc-standard", .beam = beam};
    if (status == DD_OK) status = dd_reader_open(&reader, f->train, DD_FORMAT_CONLLU, error);
    if (status == DD_OK) status = dd_sentence_new(&sentence, error);
    if (status == DD_OK) status = dd_trace_new(&trace, &options, error);
    while (status == DD_OK) {
        status = dd_reader_next(reader, sentence, error);
        if (status == DD_OK) status = dd_trace_sentence(trace, sentence, look_at_step, NULL, error);
    }
    dd_trace_free(trace);
    dd_sentence_free(sentence);
    dd_reader_close(reader);
    dd_model_free(model);
    return status == DD_END ? DD_OK : status;
}

static dd_status trace_parse(void *user, dd_error *error)
{
    return trace(user, 1, error);
}

static dd_status trace_beam(void *user, dd_error *error)
{
    return trace(user, 3, error);
}

static dd_status trace_gold(void *user, dd_error *error)
{
    return trace(user, 0, error);
}

static void training_ends_or_is_refused(void **state)
{
    assert_true(alloc_fail_each(train, *state) > 50);
}

static void parsing_ends_or_is_refused(void **state)
{
    files *f = *state;
    assert_int_equal(train(f, NULL), DD_OK);
    f->threads = 1;
    assert_true(alloc_fail_each(parse, f) > 20);
    f->threads = 3;
    assert_true(alloc_fail_each(parse, f) > 20);
    f->max_words = 1;
    assert_true(alloc_fail_each(parse, f) > 20);
    f->max_words = 0;
}

static void beams_end_or_are_refused(void **state)
{
    files *f = *state;
    f->beam = 3;
    assert_true(alloc_fail_each(train, f) > 80);
    assert_int_equal(train(f, NULL), DD_OK);
    for (f->nbest = 0; f->nbest <= 2; f->nbest += 2)
        for (f->threads = 1; f->threads <= 3; f->threads += 2)
            assert_true(alloc_fail_each(parse, f) > 30);
    f->beam = f->nbest = 0;
}

static void networks_end_or_are_refused(void **state)
{
    files *f = *state;
    f->neural = true;
    assert_true(alloc_fail_each(train, f) > 100);
    assert_int_equal(train(f, NULL), DD_OK);
    f->threads = 2;
    assert_true(alloc_fail_each(parse, f) > 40);
    f->system = "graph";
    assert_true(alloc_fail_each(train, f) > 100);
    assert_int_equal(train(f, NULL), DD_OK);
    assert_true(alloc_fail_each(parse, f) > 40);
    f->system = NULL;
    f->neural = false;
}

static void silver_trees_serve_or_are_refused(void **state)
{
    files *f = *state;
    f->silver = true;
    assert_true(alloc_fail_each(train, f) > 80);
    f->neural = true;
    assert_true(alloc_fail_each(train, f) > 120);
    f->windows = true;
    assert_true(alloc_fail_each(train, f) > 150);
    f->silver = f->neural = f->windows = false;
}

static void going_on_ends_or_is_refused(void **state)
{
    files *f = *state;
    f->neural = true;
    assert_int_equal(train(f, NULL), DD_OK);
    f->going_on = true;
    assert_true(alloc_fail_each(train, f) > 120);
    f->going_on = f->neural = false;
}

static void resuming_ends_or_is_refused(void **state)
{
    assert_true(alloc_fail_each(train_in_parts, *state) > 250);
}

static void tracing_ends_or_is_refused(void **state)
{
    assert_int_equal(train(*state, NULL), DD_OK);
    assert_true(alloc_fail_each(trace_parse, *state) > 20);
    assert_true(alloc_fail_each(trace_beam, *state) > 40);
    assert_true(alloc_fail_each(trace_gold, *state) > 20);
}

static void lifting_ends_or_is_refused(void **state)
{
    files *f = *state;
    assert_int_equal(write_text(f->train, crossing), 0);
    f->unbuildable = "lift";
    assert_true(alloc_fail_each(train, f) > 50);
    assert_int_equal(train(f, NULL), DD_OK);
    f->threads = 1;
    assert_true(alloc_fail_each(parse, f) > 20);
    assert_true(alloc_fail_each(trace_parse, f) > 20);
}

static void parts_are_kept_or_refused(void **state)
{
    files *f = *state;
    assert_int_equal(write_text(f->train, tangled), 0);
    f->unbuildable = "partial";
    assert_true(alloc_fail_each(train, f) > 50);
    assert_true(alloc_fail_each(walk, f) > 10);
    f->system = "attardi";
    assert_true(alloc_fail_each(train, f) > 50);
    assert_true(alloc_fail_each(walk, f) > 10);
    f->system = f->unbuildable = NULL;
}

static void walking_ends_or_is_refused(void **state)
{
    assert_true(alloc_fail_each(walk, *state) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(networks_end_or_are_refused),
        cmocka_unit_test(training_ends_or_is_refused),
        cmocka_unit_test(silver_trees_serve_or_are_refused),
        cmocka_unit_test(going_on_ends_or_is_refused),
        cmocka_unit_test(resuming_ends_or_is_refused),
        cmocka_unit_test(parsing_ends_or_is_refused),
        cmocka_unit_test(walking_ends_or_is_refused),
        cmocka_unit_test(tracing_ends_or_is_refused),
        cmocka_unit_test(parts_are_kept_or_refused),
        cmocka_unit_test(lifting_ends_or_is_refused),
        cmocka_unit_test(beams_end_or_are_refused),
    };
    return cmocka_run_group_tests_name("alloc model", tests, set_up, tear_down);
}
