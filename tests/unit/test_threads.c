/* One model, many parsers: what the threads of a program may share, and that they get what one
 * thread alone gets. `make tsan` runs this under ThreadSanitizer. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../settings_help.h"
#include "text_help.h"

enum { THREADS = 4, ROUNDS = 3 };

static const char plain[] =
    "The king doesn't sing. Birds sing in the cold wind.\n\nThe oak rustles.";

typedef struct fixture {
    dd_model *model;
    dd_buffer alone; /* what one thread makes */
} fixture;

/* ---- one of everything that a thread does ---- */

static void add(dd_buffer *out, dd_text text)
{
    assert_true(dd_buffer_append(out, text.data, text.size));
}

static void add_trees(dd_buffer *out, dd_parser *parser, dd_sentence *sentence)
{
    assert_int_equal(dd_parser_search(parser, sentence, 4, 4, NULL), DD_OK);
    for (int k = 0; k < dd_parser_trees(parser); k++) {
        assert_int_equal(dd_parser_attach(parser, k, sentence, true, NULL), DD_OK);
        assert_int_equal(dd_sentence_format(sentence, DD_FORMAT_AUTO, out, NULL), DD_OK);
    }
}

static void add_drawing(dd_buffer *out, const dd_sentence *sentence)
{
    dd_drawing *drawing;
    dd_text picture;
    assert_int_equal(dd_drawing_new(&drawing, NULL, NULL), DD_OK);
    assert_int_equal(dd_draw(drawing, sentence, NULL, &picture, NULL), DD_OK);
    add(out, picture);
    dd_drawing_free(drawing);
}

static void add_text(dd_buffer *out, const dd_model *model, dd_parser *parser)
{
    dd_input_options options;
    dd_reader *reader;
    dd_sentence *sentence;
    dd_input_options_init(&options);
    options.format = DD_FORMAT_TEXT;
    assert_int_equal(dd_reader_open_input(
                         &reader, model,
                         &(dd_input){.name = "t", .kind = DD_INPUT_BYTES, .bytes = text_of(plain)},
                         &options, NULL),
                     DD_OK);
    assert_int_equal(dd_sentence_new(&sentence, NULL), DD_OK);
    while (dd_reader_next(reader, sentence, NULL) == DD_OK) {
        assert_int_equal(dd_parser_parse(parser, sentence, true, NULL), DD_OK);
        assert_int_equal(dd_sentence_format(sentence, DD_FORMAT_AUTO, out, NULL), DD_OK);
        add_drawing(out, sentence);
        assert_int_equal(dd_sentence_require_arc(sentence, 0, text_of("root"), 1, NULL), DD_OK);
        add_trees(out, parser, sentence);
    }
    dd_sentence_free(sentence);
    dd_reader_close(reader);
}

static bool add_step(void *user, const dd_oracle_step *step)
{
    return dd_buffer_printf(user, "%d %d\n", step->step, step->loss);
}

static void add_oracle(dd_buffer *out)
{
    static const char gold[] = "1\ta\t_\t_\t_\t_\t2\tx\t_\t_\n2\tb\t_\t_\t_\t_\t0\troot\t_\t_\n\n";
    for (size_t i = 0; i < 8; i++) {
        dd_system_info system;
        dd_oracle *oracle;
        dd_reader *reader;
        dd_sentence *sentence;
        assert_true(dd_system_at(i, &system));
        dd_oracle_options options = {
            .size = sizeof options, .system = system.name, .walk = DD_WALK_RANDOM, .seed = 3};
        assert_int_equal(dd_oracle_new(&oracle, &options, NULL), DD_OK);
        assert_int_equal(dd_sentence_new(&sentence, NULL), DD_OK);
        assert_int_equal(dd_reader_open_memory(&reader, "g", text_of(gold), DD_FORMAT_CONLLU, NULL),
                         DD_OK);
        assert_int_equal(dd_reader_next(reader, sentence, NULL), DD_OK);
        assert_int_equal(dd_oracle_walk(oracle, sentence, add_step, out, NULL), DD_OK);
        dd_reader_close(reader);
        dd_sentence_free(sentence);
        dd_oracle_free(oracle);
    }
}

static void do_all(dd_buffer *out, const dd_model *model)
{
    dd_parser *parser;
    dd_text label, key, value;
    assert_int_equal(dd_parser_new(&parser, model, NULL), DD_OK);
    for (int i = 0; i < ROUNDS; i++) add_text(out, model, parser);
    add_oracle(out);
    for (size_t i = 0; dd_model_label_at(model, i, &label); i++) {
        assert_int_equal(dd_model_find_label(model, label), i);
        add(out, label);
    }
    for (size_t i = 0; dd_model_fact(model, i, &key, &value); i++) add(out, value);
    dd_parser_free(parser);
}

/* ---- side by side ---- */

typedef struct job {
    const dd_model *model;
    dd_buffer out;
} job;

static void *work(void *argument)
{
    job *own = argument;
    do_all(&own->out, own->model);
    return NULL;
}

static void threads_share_a_model(void **state)
{
    fixture *f = *state;
    job jobs[THREADS] = {{0}};
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        jobs[i].model = f->model;
        assert_int_equal(pthread_create(&threads[i], NULL, work, &jobs[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(jobs[i].out.size, f->alone.size);
        assert_memory_equal(jobs[i].out.data, f->alone.data, f->alone.size);
        dd_buffer_free(&jobs[i].out);
    }
}

static dd_buffer stream(const dd_model *model, const char *path, int count)
{
    dd_reader *reader;
    dd_writer *writer;
    dd_parse_options options;
    dd_parse_report report;
    dd_buffer bytes = {0};
    dd_parse_options_init(&options);
    dd_parse_report_init(&report, model);
    options.threads = count;
    options.scores = true;
    assert_int_equal(dd_reader_open(&reader, DEMO, DD_FORMAT_AUTO, NULL), DD_OK);
    assert_int_equal(dd_writer_open(&writer, path, NULL), DD_OK);
    assert_int_equal(dd_parse_stream(model, reader, writer, &options, &report, NULL), DD_OK);
    assert_int_equal(dd_writer_close(writer, NULL), DD_OK);
    dd_reader_close(reader);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    for (int c; (c = getc(file)) != EOF;)
        assert_true(dd_buffer_append(&bytes, &(char){(char)c}, 1));
    fclose(file);
    unlink(path);
    return bytes;
}

static void streams_do_not_depend_on_threads(void **state)
{
    fixture *f = *state;
    char path[64];
    snprintf(path, sizeof path, "/tmp/dodona-threads-%ld", (long)getpid());
    dd_buffer one = stream(f->model, path, 1);
    for (int count = 2; count <= 5; count++) {
        dd_buffer many = stream(f->model, path, count);
        assert_int_equal(many.size, one.size);
        assert_memory_equal(many.data, one.data, one.size);
        dd_buffer_free(&many);
    }
    dd_buffer_free(&one);
}

/* ---- training ---- */

/* No lock: the library lets one thread report at a time. */
typedef struct seen {
    int of_component[DD_PARSER + 1], of_folds[3]; /* iterations that have finished */
    dd_component stop_in;
    int stop_in_fold; /* 0: before there are folds */
} seen;

static bool on_component_progress(void *user, const dd_component_progress *now)
{
    seen *s = user;
    assert_in_range(now->iteration, 1, now->iterations);
    assert_true(now->accuracy > 0 && now->accuracy <= 1);
    if (now->folds) {
        assert_int_equal(now->folds, 3);
        assert_in_range(now->fold, 1, 3);
        s->of_folds[now->fold - 1] += now->finished;
    } else {
        assert_int_equal(now->fold, 0);
        s->of_component[now->component] += now->finished;
    }
    return now->component != s->stop_in || now->fold != s->stop_in_fold;
}

static dd_status train_all_components(dd_model **model, seen *s, dd_error *error)
{
    dd_train_watch watch;
    dd_train_watch_init(&watch);
    watch.user = s;
    watch.component_report = on_component_progress;
    return train_with_settings(model, "only=all iterations=1 jackknife=3 threads=2", &watch, DEMO,
                               NULL, error);
}

static void training_tells_of_each_component(void **state)
{
    (void)state;
    seen s = {0};
    dd_model *model;
    assert_int_equal(train_all_components(&model, &s, NULL), DD_OK);
    assert_int_equal(s.of_component[DD_TOKENIZER], 12);
    assert_int_equal(s.of_component[DD_TAGGER], 8);
    assert_int_equal(s.of_component[DD_LEMMATIZER], 10);
    for (int fold = 0; fold < 3; fold++) assert_int_equal(s.of_folds[fold], 8 + 10);
    dd_model_free(model);
}

static void training_stops_in_any_component(void **state)
{
    (void)state;
    static const struct {
        dd_component part;
        int fold;
        const char *message;
    } stops[] = {{DD_TOKENIZER, 0, "stopped while the tokenizer was trained"},
                 {DD_TAGGER, 0, "stopped while the tagger was trained"},
                 {DD_LEMMATIZER, 0, "stopped while the lemmatizer was trained"},
                 {DD_TAGGER, 2, "stopped while the tagger was trained"},
                 {DD_LEMMATIZER, 3, "stopped while the lemmatizer was trained"}};
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
        seen s = {.stop_in = stops[i].part, .stop_in_fold = stops[i].fold};
        dd_error error;
        dd_model *model = NULL;
        assert_int_equal(train_all_components(&model, &s, &error), DD_INTERRUPTED);
        assert_string_equal(error.message, stops[i].message);
        assert_null(model);
    }
}

/* ---- saving and loading ---- */

enum { SAVES = 40 };

typedef struct exchange {
    const char *path;
    const dd_model *saved; /* NULL: the thread loads */
    dd_error error;
    dd_status status;
} exchange;

static void *save_or_load(void *argument)
{
    exchange *own = argument;
    for (int i = 0; i < SAVES && own->status == DD_OK; i++) {
        dd_model *loaded = NULL;
        own->status = own->saved ? dd_model_save(own->saved, own->path, &own->error)
                                 : dd_model_load(&loaded, own->path, &own->error);
        dd_model_free(loaded);
    }
    return NULL;
}

static void models_may_be_saved_to_one_path_and_loaded(void **state)
{
    const fixture *f = *state;
    char folder[] = "/tmp/dodona-test-XXXXXX", path[64];
    dd_model *other;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/m", folder);
    assert_int_equal(train_with_settings(&other, "iterations=1", NULL, DEMO, NULL, NULL), DD_OK);
    assert_int_equal(dd_model_save(other, path, NULL), DD_OK);
    const dd_model *saved[] = {f->model, other, NULL, NULL, f->model, other, NULL, NULL};
    exchange jobs[sizeof saved / sizeof *saved];
    pthread_t threads[sizeof saved / sizeof *saved];
    for (size_t i = 0; i < sizeof saved / sizeof *saved; i++) {
        jobs[i] = (exchange){.path = path, .saved = saved[i]};
        assert_int_equal(pthread_create(&threads[i], NULL, save_or_load, &jobs[i]), 0);
    }
    for (size_t i = 0; i < sizeof saved / sizeof *saved; i++) pthread_join(threads[i], NULL);
    for (size_t i = 0; i < sizeof saved / sizeof *saved; i++)
        if (jobs[i].status != DD_OK) fail_msg("%s", jobs[i].error.message);
    dd_model_free(other);
    unlink(path);
    assert_int_equal(rmdir(folder), 0); /* nothing is left beside it */
}

static int set_up(void **state)
{
    static fixture f;
    if (train_with_settings(&f.model, "only=all iterations=2", NULL, DEMO, NULL, NULL) != DD_OK)
        return -1;
    do_all(&f.alone, f.model);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    dd_model_free(f->model);
    dd_buffer_free(&f->alone);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_share_a_model),
        cmocka_unit_test(models_may_be_saved_to_one_path_and_loaded),
        cmocka_unit_test(streams_do_not_depend_on_threads),
        cmocka_unit_test(training_tells_of_each_component),
        cmocka_unit_test(training_stops_in_any_component),
    };
    return cmocka_run_group_tests_name("threads", tests, set_up, tear_down);
}
