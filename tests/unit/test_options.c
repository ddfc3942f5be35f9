/* Structs that begin with their size: from programs that were compiled with an older header, with a
 * newer one, and from those that forgot to initialise them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <dodona_tools.h>

#include "../settings_help.h"
#include "core/options.h"

/* ---- a struct that has grown ---- */

typedef struct older {
    size_t size;
    int threads;
} older;

typedef struct newer {
    size_t size;
    int threads;
    size_t beam; /* not an int, which would stand in the older one's padding */
} newer;

static const newer defaults = {.threads = 1, .beam = 8};

static dd_status take(newer *own, const void *given, dd_error *error)
{
    dd_options_init(own, sizeof *own, &defaults, sizeof defaults);
    return DD_OPTIONS_TAKE(own, given, threads, "options were", error);
}

static void older_options_leave_the_default_of_what_they_lack(void **state)
{
    (void)state;
    struct {
        older options;
        char behind[8];
    } program;
    newer own;
    memset(&program, 'x', sizeof program);
    dd_options_init(&program.options, sizeof program.options, &defaults, sizeof defaults);
    assert_int_equal(program.options.size, sizeof program.options);
    assert_int_equal(program.options.threads, 1);
    assert_memory_equal(program.behind, "xxxxxxxx", sizeof program.behind);
    program.options.threads = 5;
    assert_int_equal(take(&own, &program.options, NULL), DD_OK);
    assert_int_equal(own.size, sizeof own);
    assert_int_equal(own.threads, 5);
    assert_int_equal(own.beam, 8);
}

static void newer_options_are_taken_as_far_as_they_are_known(void **state)
{
    (void)state;
    struct {
        newer options;
        int unknown;
    } program;
    newer own;
    memset(&program, 'x', sizeof program);
    dd_options_init(&program, sizeof program, &defaults, sizeof defaults);
    assert_int_equal(program.options.size, sizeof program);
    assert_int_equal(program.options.beam, 8);
    assert_int_equal(program.unknown, 0);
    program.options.beam = 3;
    program.unknown = 7;
    assert_int_equal(take(&own, &program, NULL), DD_OK);
    assert_int_equal(own.size, sizeof own);
    assert_int_equal(own.beam, 3);
}

static void no_options_are_the_defaults(void **state)
{
    (void)state;
    newer own;
    assert_int_equal(take(&own, NULL, NULL), DD_OK);
    assert_int_equal(own.threads, 1);
    assert_int_equal(own.beam, 8);
}

static void what_was_not_initialised_is_refused(void **state)
{
    (void)state;
    const size_t sizes[] = {
        0, 1, sizeof(size_t), offsetof(newer, threads) + sizeof(int) - 1, SIZE_MAX, 1 << 20};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        newer own, given = {.size = sizes[i]};
        dd_error error;
        assert_int_equal(take(&own, &given, &error), DD_ERROR_ARGUMENT);
        assert_string_equal(error.message, "options were not initialised");
    }
}

static void what_comes_back_fits(void **state)
{
    (void)state;
    struct {
        older report;
        char behind[8];
    } program = {.report = {.size = sizeof(older)}, .behind = "behind"};
    newer own = {.size = sizeof own, .threads = 4, .beam = 2};
    dd_options_give(&program.report, &own, sizeof own);
    assert_int_equal(program.report.size, sizeof program.report);
    assert_int_equal(program.report.threads, 4);
    assert_string_equal(program.behind, "behind");
}

/* ---- those of the library ---- */

static int set_up(void **state)
{
    dd_model *model = NULL;
    if (train_with_settings(&model, "iterations=1", NULL, DEMO, NULL, NULL) != DD_OK) return -1;
    *state = model;
    return 0;
}

static int tear_down(void **state)
{
    dd_model_free(*state);
    return 0;
}

static const char conllu[] = "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n";

static dd_reader *open_text(void)
{
    dd_reader *reader = NULL;
    dd_text text = {conllu, strlen(conllu)};
    assert_int_equal(dd_reader_open_memory(&reader, "t", text, DD_FORMAT_CONLLU, NULL), DD_OK);
    return reader;
}

/* Each calls the library with options of that size, as large as a newer header may have them. */
typedef dd_status call(const dd_model *model, size_t size, dd_error *error);

typedef union room {
    size_t size;
    dd_input_options input;
    dd_parse_options parse;
    dd_parse_report report;
    dd_oracle_options oracle;
    dd_trace_options trace;
    dd_draw_options draw;
    dd_eval_options eval;
    char bytes[512];
} room;

static dd_status call_input(const dd_model *model, size_t size, dd_error *error)
{
    room options = {0};
    dd_reader *reader = NULL;
    dd_text text = {conllu, strlen(conllu)};
    dd_input_options_init_size(&options.input, size);
    dd_status status = dd_reader_open_input(
        &reader, model, &(dd_input){.name = "t", .kind = DD_INPUT_BYTES, .bytes = text},
        &options.input, error);
    dd_reader_close(reader);
    return status;
}

static dd_status stream(const dd_model *model, size_t size, size_t report_size, dd_error *error)
{
    room options = {0}, report = {0};
    dd_reader *reader = open_text();
    dd_writer *writer = NULL;
    assert_int_equal(dd_writer_open(&writer, "/dev/null", NULL), DD_OK);
    dd_parse_options_init_size(&options.parse, size);
    dd_parse_report_init_size(&report.report, report_size, model);
    dd_status status =
        dd_parse_stream(model, reader, writer, &options.parse, &report.report, error);
    if (status == DD_OK) assert_int_equal(report.report.sentences, 1);
    assert_int_equal(report.size, report_size);
    assert_int_equal(dd_writer_close(writer, NULL), DD_OK);
    dd_reader_close(reader);
    return status;
}

static dd_status call_parse(const dd_model *model, size_t size, dd_error *error)
{
    return stream(model, size, sizeof(dd_parse_report), error);
}

static dd_status call_batch(const dd_model *model, size_t size, dd_error *error)
{
    room options = {0};
    dd_reader *reader = open_text();
    dd_sentence *sentence = NULL;
    dd_parser *parser = NULL;
    size_t done = 9;
    assert_int_equal(dd_sentence_new(&sentence, NULL), DD_OK);
    assert_int_equal(dd_reader_next(reader, sentence, NULL), DD_OK);
    assert_int_equal(dd_parser_new(&parser, model, NULL), DD_OK);
    dd_parse_options_init_size(&options.parse, size);
    dd_status status = dd_parser_parse_batch(parser, &sentence, 1, &options.parse, &done, error);
    assert_int_equal(done, status == DD_OK);
    dd_parser_free(parser);
    dd_sentence_free(sentence);
    dd_reader_close(reader);
    return status;
}

static dd_status call_report(const dd_model *model, size_t size, dd_error *error)
{
    return stream(model, sizeof(dd_parse_options), size, error);
}

static dd_status call_oracle(const dd_model *model, size_t size, dd_error *error)
{
    (void)model;
    room options = {0};
    dd_oracle *oracle = NULL;
    dd_oracle_options_init_size(&options.oracle, size);
    options.oracle.system = "arc-eager";
    dd_status status = dd_oracle_new(&oracle, &options.oracle, error);
    dd_oracle_free(oracle);
    return status;
}

static dd_status call_trace(const dd_model *model, size_t size, dd_error *error)
{
    room options = {0};
    dd_trace *trace = NULL;
    dd_trace_options_init_size(&options.trace, size);
    options.trace.model = model;
    dd_status status = dd_trace_new(&trace, &options.trace, error);
    dd_trace_free(trace);
    return status;
}

static dd_status call_draw(const dd_model *model, size_t size, dd_error *error)
{
    (void)model;
    room options = {0};
    dd_drawing *drawing = NULL;
    dd_draw_options_init_size(&options.draw, size);
    dd_status status = dd_drawing_new(&drawing, &options.draw, error);
    dd_drawing_free(drawing);
    return status;
}

static dd_status call_eval(const dd_model *model, size_t size, dd_error *error)
{
    (void)model;
    room options = {0};
    dd_evaluation *evaluation = NULL;
    dd_reader *gold = open_text(), *system = open_text();
    dd_eval_options_init_size(&options.eval, size);
    dd_status status = dd_evaluate_readers(&evaluation, gold, system, &options.eval, error);
    dd_evaluation_free(evaluation);
    dd_reader_close(gold);
    dd_reader_close(system);
    return status;
}

static const struct {
    call *call;
    size_t size;
    const char *message;
} calls[] = {
    {call_input, sizeof(dd_input_options), "options were not initialised"},
    {call_parse, sizeof(dd_parse_options), "options were not initialised"},
    {call_batch, sizeof(dd_parse_options), "options were not initialised"},
    {call_report, sizeof(dd_parse_report), "the report was not initialised"},
    {call_oracle, sizeof(dd_oracle_options), "options were not initialised"},
    {call_trace, sizeof(dd_trace_options), "options were not initialised"},
    {call_draw, sizeof(dd_draw_options), "options were not initialised"},
    {call_eval, sizeof(dd_eval_options), "options were not initialised"},
};

static void programs_of_a_newer_header_go_on_working(void **state)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        dd_error error;
        dd_status status = calls[i].call(*state, calls[i].size, &error);
        if (status == DD_OK) status = calls[i].call(*state, sizeof(room), &error);
        if (status != DD_OK) fail_msg("%s", error.message);
    }
}

static void forgotten_initialisation_is_told(void **state)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        const size_t sizes[] = {0, sizeof(size_t), calls[i].size - 8};
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            dd_error error = {.message = ""};
            assert_int_equal(calls[i].call(*state, sizes[k], &error), DD_ERROR_ARGUMENT);
            assert_string_equal(error.message, calls[i].message);
        }
    }
}

static void a_system_must_be_named(void **state)
{
    (void)state;
    dd_oracle_options walk;
    dd_trace_options steps;
    dd_oracle *oracle = NULL;
    dd_trace *trace = NULL;
    dd_error error;
    dd_oracle_options_init(&walk);
    assert_int_equal(dd_oracle_new(&oracle, &walk, &error), DD_ERROR_ARGUMENT);
    assert_string_equal(error.message, "no system is named");
    dd_trace_options_init(&steps);
    assert_int_equal(dd_trace_new(&trace, &steps, &error), DD_ERROR_ARGUMENT);
    assert_string_equal(error.message, "neither a model nor a system is named");
}

/* ---- the options of a parse ---- */

static int some_value(const dd_parse_option *option)
{
    return option->kind == DD_OPTION_FLAG ? 1 : 2;
}

static void each_option_of_a_parse_is_set_and_got_by_its_row(void **state)
{
    (void)state;
    const dd_parse_option *option;
    for (size_t i = 0; (option = dd_parse_option_at(i)); i++) {
        dd_input_options input;
        dd_parse_options parse;
        dd_error error;
        if (option->kind == DD_OPTION_TEXT) continue;
        dd_input_options_init(&input);
        dd_parse_options_init(&parse);
        int before = dd_parse_option_get(option, &input, &parse), value = some_value(option);
        assert_int_equal(dd_parse_option_set(option, -1, &input, &parse, &error),
                         DD_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, option->name));
        assert_int_equal(dd_parse_option_get(option, &input, &parse), before);
        assert_int_equal(dd_parse_option_set(option, value, &input, &parse, NULL), DD_OK);
        assert_int_equal(dd_parse_option_get(option, &input, &parse), value);
    }
}

static void texts_are_set_and_got_by_their_rows(void **state)
{
    (void)state;
    const dd_parse_option *option;
    dd_input_options input;
    dd_parse_options parse;
    dd_error error;
    int texts = 0;
    dd_input_options_init(&input);
    dd_parse_options_init(&parse);
    for (size_t i = 0; (option = dd_parse_option_at(i)); i++) {
        bool text = option->kind == DD_OPTION_TEXT;
        assert_null(dd_parse_option_text(option, &input, &parse));
        assert_int_equal(dd_parse_option_set_text(option, "", &input, &parse, &error),
                         DD_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, option->name));
        assert_int_equal(dd_parse_option_set_text(option, option->name, &input, &parse, NULL),
                         text ? DD_OK : DD_ERROR_ARGUMENT);
        const char *got = dd_parse_option_text(option, &input, &parse);
        assert_true(text ? got == option->name : got == NULL);
        texts += text;
    }
    assert_int_equal(texts, 5);
    assert_string_equal(input.field, "field");
    assert_string_equal(input.id, "id");
    assert_string_equal(input.encoding, "encoding");
    assert_string_equal(input.keep_tokens, "keep-tokens");
    assert_string_equal(input.abbreviations, "abbreviations");
}

static void options_are_alike_if_they_give_a_sentence_the_same_trees(void **state)
{
    (void)state;
    const dd_parse_option *option;
    for (size_t i = 0; (option = dd_parse_option_at(i)); i++) {
        dd_input_options input;
        dd_parse_options one, other;
        dd_input_options_init(&input);
        dd_parse_options_init(&one);
        dd_parse_options_init(&other);
        assert_true(dd_parse_options_alike(&one, &other));
        if (option->kind == DD_OPTION_TEXT) continue;
        assert_int_equal(dd_parse_option_set(option, some_value(option), &input, &one, NULL),
                         DD_OK);
        bool same = dd_parse_options_alike(&one, &other);
        assert_int_equal(same, option->stage != DD_STAGE_SENTENCE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_option_of_a_parse_is_set_and_got_by_its_row),
        cmocka_unit_test(texts_are_set_and_got_by_their_rows),
        cmocka_unit_test(options_are_alike_if_they_give_a_sentence_the_same_trees),
        cmocka_unit_test(older_options_leave_the_default_of_what_they_lack),
        cmocka_unit_test(newer_options_are_taken_as_far_as_they_are_known),
        cmocka_unit_test(no_options_are_the_defaults),
        cmocka_unit_test(what_was_not_initialised_is_refused),
        cmocka_unit_test(what_comes_back_fits),
        cmocka_unit_test(programs_of_a_newer_header_go_on_working),
        cmocka_unit_test(forgotten_initialisation_is_told),
        cmocka_unit_test(a_system_must_be_named),
    };
    return cmocka_run_group_tests_name("options", tests, set_up, tear_down);
}
