/* Reading, checking and obeying constraints while memory runs out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../settings_help.h"
#include "alloc_fail.h"
#include "constraints/constraints.h"
#include "systems/registry.h"

#define WORD(id) id "\ta\t_\t_\t_\t_\t_\t_\t_\t_\n"
#define WORDS    WORD("1") WORD("2") WORD("3") WORD("4") "\n"
#define STOP(id) id "\t.\t_\tPUNCT\t_\t_\t_\t_\t_\t_\n"
#define TAGGED   WORD("1") STOP("2") STOP("3") WORD("4") "\n"

typedef struct scene {
    dd_inventory inventory;
    const char *text;
    dd_status expected;
    bool spans, no_calls;
} scene;

static dd_status add_calls(dd_sentence *sentence, bool spans, dd_error *error)
{
    dd_status status = dd_sentence_require_arc(sentence, 4, (dd_text){"obj", 3}, 3, error);
    if (status == DD_OK) status = dd_sentence_forbid_arc(sentence, 1, 2, error);
    if (status == DD_OK) status = dd_sentence_require_leaf(sentence, 3, error);
    if (status == DD_OK && spans)
        status = dd_sentence_require_span(sentence, 2, 2, DD_SPAN_ROOT, error);
    return status;
}

static dd_status set(void *user, dd_error *error)
{
    const scene *s = user;
    dd_reader *reader = NULL;
    dd_sentence *sentence = NULL;
    dd_constraints constraints = {0};
    dd_text bytes = {s->text, strlen(s->text)};
    dd_status status = dd_reader_open_memory(&reader, "t", bytes, DD_FORMAT_CONLLU, error);
    if (status == DD_OK) status = dd_sentence_new(&sentence, error);
    if (status == DD_OK) status = dd_reader_next(reader, sentence, error);
    if (status == DD_OK && s->expected == DD_OK && !s->no_calls)
        status = add_calls(sentence, s->spans, error);
    if (status == DD_OK) {
        status = dd_constraints_set(&constraints, sentence, &s->inventory, true, error);
        if (status != DD_ERROR_MEMORY) {
            assert_int_equal(status, s->expected);
            status = DD_OK;
        }
    }
    dd_constraints_free(&constraints);
    dd_sentence_free(sentence);
    dd_reader_close(reader);
    return status;
}

static void set_each(scene s, const dd_system *system)
{
    assert_int_equal(dd_inventory_see(&s.inventory, (dd_text){"root", 4}, DD_SEEN_ROOT), 0);
    assert_int_equal(dd_inventory_see(&s.inventory, (dd_text){"obj", 3}, DD_SEEN_LEFT), 1);
    assert_int_equal(dd_inventory_close(&s.inventory, system, NULL), DD_OK);
    assert_true(alloc_fail_each(set, &s) > 10);
    dd_inventory_free(&s.inventory);
}

/* Every system with its own guard, and two with the one that serves them all. */
static void set_all(scene s)
{
    static const char *const names[] = {"arc-hybrid", "covington-nm"};
    for (size_t i = 0; i < dd_system_count(); i++) set_each(s, dd_system_get(i));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        dd_system searched = *dd_system_find(names[i]);
        searched.guard = NULL;
        set_each(s, &searched);
    }
}

static void those_that_hold(void **state)
{
    (void)state;
    scene s = {.text = "# constraint = arc 2 _ 1\n" WORDS, .expected = DD_OK, .spans = true};
    set_all(s);
    s.spans = false;
    set_each(s, &dd_graph);
}

static void leaves_alone(void **state)
{
    (void)state;
    scene s = {.text = "# constraint = leaf 1\n# constraint = leaf 4\n" WORDS, .no_calls = true};
    set_all(s);
    set_each(s, &dd_graph);
}

/* The not-arcs leave word 1 no head but 2, which depends on it. */
static void those_that_conflict(void **state)
{
    (void)state;
    scene s = {.text = "# constraint = arc 1 _ 2\n# constraint = not-arc 0 1\n"
                       "# constraint = not-arc 3 1\n# constraint = not-arc 4 1\n" WORDS,
               .expected = DD_ERROR_DATA};
    set_all(s);
    set_each(s, &dd_graph);
}

/* ---- parsing ------------------------------------------------------------------------------ */

static dd_model *make_model(const char *system)
{
    static const char data[] = "1\ta\t_\t_\t_\t_\t2\tobj\t_\t_\n"
                               "2\tb\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
                               "1\tb\t_\t_\t_\t_\t0\troot\t_\t_\n"
                               "2\tc\t_\tPUNCT\t_\t_\t1\tpunct\t_\t_\n\n";
    char path[64];
    char settings[128];
    snprintf(path, sizeof path, "/tmp/dodona-alloc-constraints-%ld", (long)getpid());
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, sizeof data - 1, file), sizeof data - 1);
    assert_int_equal(fclose(file), 0);
    dd_model *model = NULL;
    snprintf(settings, sizeof settings, "system=%s", system);
    assert_int_equal(train_with_settings(&model, settings, NULL, path, NULL, NULL), DD_OK);
    unlink(path);
    return model;
}

/* Two sentences that are parsed, and one that is passed through. */
static dd_status parse(void *user, dd_error *error)
{
    static const char text[] = "# constraint = arc 1 _ 4\n# constraint = not-arc 2 3\n" WORDS
                               "# constraint = leaf 2\n" WORDS "# constraint = arc 1 _ 1\n" WORDS;
    const dd_model *model = user;
    dd_reader *reader = NULL;
    dd_writer *writer = NULL;
    dd_parse_options options;
    dd_parse_report report;
    dd_parse_options_init(&options);
    dd_parse_report_init(&report, model);
    options.skip_bad = true;
    dd_text bytes = {text, sizeof text - 1};
    dd_status status = dd_reader_open_memory(&reader, "t", bytes, DD_FORMAT_CONLLU, error);
    if (status == DD_OK) status = dd_writer_open(&writer, "/dev/null", error);
    if (status == DD_OK) status = dd_parse_stream(model, reader, writer, &options, &report, error);
    if (status == DD_OK) assert_true(report.sentences == 3 && report.refused == 1);
    dd_status closed = dd_writer_close(writer, status == DD_OK ? error : NULL);
    dd_reader_close(reader);
    return status == DD_OK ? closed : status;
}

static void parsing(void **state)
{
    (void)state;
    dd_model *graph = make_model("graph scorer=neural width=8 hidden=16 iterations=1");
    assert_true(alloc_fail_each(parse, graph) > 20);
    dd_model_free(graph);
    for (size_t i = 0; i < dd_system_count(); i++) {
        dd_model *model = make_model(dd_system_get(i)->name);
        assert_true(alloc_fail_each(parse, model) > 20);
        dd_model_free(model);
    }
}

/* Leaves that are wished for, alone and with constraints that contradict one of them, and two
 * objects of one word. */
static dd_status parse_tidily(void *user, dd_error *error)
{
    static const char text[] = "# constraint = arc 2 obj 1\n# constraint = arc 2 _ 3\n"
                               "# constraint = not-arc 4 2\n" TAGGED TAGGED
                               "# constraint = arc 3 _ 1\n# constraint = arc 3 _ 2\n" WORDS;
    const dd_model *model = user;
    dd_parser *parser = NULL;
    dd_sentence *sentence = NULL;
    dd_reader *reader = NULL;
    dd_text bytes = {text, sizeof text - 1};
    dd_status status = dd_reader_open_memory(&reader, "t", bytes, DD_FORMAT_CONLLU, error);
    if (status == DD_OK) status = dd_sentence_new(&sentence, error);
    if (status == DD_OK) status = dd_parser_new(&parser, model, error);
    if (status == DD_OK) dd_parser_set_tidy(parser, DD_TIDY_YES);
    while (status == DD_OK && (status = dd_reader_next(reader, sentence, error)) == DD_OK)
        status = dd_parser_parse(parser, sentence, false, error);
    dd_sentence_free(sentence);
    dd_parser_free(parser);
    dd_reader_close(reader);
    return status == DD_END ? DD_OK : status;
}

static void parsing_tidily(void **state)
{
    (void)state;
    dd_model *graph = make_model("graph scorer=neural width=8 hidden=16 iterations=1");
    assert_true(alloc_fail_each(parse_tidily, graph) > 20);
    dd_model_free(graph);
    for (size_t i = 0; i < dd_system_count(); i++) {
        dd_model *model = make_model(dd_system_get(i)->name);
        assert_true(alloc_fail_each(parse_tidily, model) > 20);
        dd_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parsing),         cmocka_unit_test(parsing_tidily),
        cmocka_unit_test(those_that_hold), cmocka_unit_test(those_that_conflict),
        cmocka_unit_test(leaves_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
