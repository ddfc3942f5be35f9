/* Constraints by calls: what a program that uses the library sees. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../settings_help.h"

#define WORD(id, head, label) id "\tw\tw\tX\tX\t_\t" head "\t" label "\t_\t_\n"

static const char treebank[] = WORD("1", "2", "nsubj") WORD("2", "0", "root")
    WORD("3", "2", "my obj") "\n" WORD("1", "0", "root") WORD("2", "1", "my obj") "\n";
/* Its only tree crosses, so that training must lift it to know all its labels. */
static const char crossing[] = WORD("1", "3", "det") WORD("2", "0", "root") WORD("3", "2", "obj")
    WORD("4", "1", "amod") "\n" WORD("1", "2", "det") WORD("2", "0", "root") "\n";
static const char words[] =
    WORD("1", "_", "_") WORD("2", "_", "_") WORD("3", "_", "_") WORD("4", "_", "_") "\n";

typedef struct fixture {
    dd_model *model;
    dd_parser *parser;
    dd_reader *reader;
    dd_sentence *sentence;
    dd_error error;
} fixture;

static dd_text text_of(const char *string)
{
    return (dd_text){string, strlen(string)};
}

static void train(fixture *f, const char *system, const char *data, const char *unbuildable)
{
    char path[64];
    char settings[128];
    snprintf(path, sizeof path, "/tmp/dodona-constraints-%ld.conll", (long)getpid());
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, strlen(data), file), strlen(data));
    assert_int_equal(fclose(file), 0);
    snprintf(settings, sizeof settings, "system=%s unbuildable=%s", system, unbuildable);
    dd_status status = train_with_settings(&f->model, settings, NULL, path, NULL, &f->error);
    unlink(path);
    if (status != DD_OK) fail_msg("%s", f->error.message);
}

static void open_with(fixture *f, const char *system, const char *data, const char *unbuildable)
{
    *f = (fixture){0};
    train(f, system, data, unbuildable);
    assert_int_equal(dd_parser_new(&f->parser, f->model, NULL), DD_OK);
    assert_int_equal(dd_sentence_new(&f->sentence, NULL), DD_OK);
    assert_int_equal(dd_reader_open_memory(&f->reader, "t", text_of(words), DD_FORMAT_CONLLX, NULL),
                     DD_OK);
    assert_int_equal(dd_reader_next(f->reader, f->sentence, NULL), DD_OK);
}

static void close_all(fixture *f)
{
    dd_sentence_free(f->sentence);
    dd_reader_close(f->reader);
    dd_parser_free(f->parser);
    dd_model_free(f->model);
}

static void parse(fixture *f)
{
    if (dd_parser_parse(f->parser, f->sentence, false, &f->error) != DD_OK)
        fail_msg("%s", f->error.message);
}

static void assert_arc(const fixture *f, int head, const char *deprel, int dependent)
{
    assert_int_equal(dd_sentence_head(f->sentence, dependent), head);
    dd_text label = dd_sentence_deprel(f->sentence, dependent);
    if (!deprel) return;
    assert_int_equal(label.size, strlen(deprel));
    assert_memory_equal(label.data, deprel, label.size);
}

static void calls_add_and_clear(void **state)
{
    (void)state;
    fixture f;
    dd_text text;
    open_with(&f, "arc-eager", treebank, "auto");
    assert_false(dd_sentence_constraint(f.sentence, 0, &text));
    assert_int_equal(dd_sentence_require_arc(f.sentence, 4, text_of("nsubj"), 1, NULL), DD_OK);
    assert_int_equal(dd_sentence_require_arc(f.sentence, 0, (dd_text){"", 0}, 4, NULL), DD_OK);
    assert_int_equal(dd_sentence_require_span(f.sentence, 2, 3, DD_SPAN_NONE, NULL), DD_OK);
    assert_int_equal(dd_sentence_forbid_arc(f.sentence, 3, 2, NULL), DD_OK);
    assert_int_equal(dd_sentence_require_leaf(f.sentence, 3, NULL), DD_OK);
    static const char *const texts[] = {"arc 4 nsubj 1", "arc 0 _ 4", "span 2 3 none",
                                        "not-arc 3 2", "leaf 3"};
    for (size_t i = 0; i < 5; i++) {
        assert_true(dd_sentence_constraint(f.sentence, i, &text));
        assert_int_equal(text.size, strlen(texts[i]));
        assert_memory_equal(text.data, texts[i], text.size);
    }
    assert_false(dd_sentence_constraint(f.sentence, 5, &text));
    assert_int_equal(dd_parser_check(f.parser, f.sentence, NULL), DD_OK);
    parse(&f);
    assert_arc(&f, 4, "nsubj", 1);
    assert_arc(&f, 0, "root", 4);
    assert_arc(&f, 2, NULL, 3);
    dd_sentence_clear_constraints(f.sentence);
    assert_false(dd_sentence_constraint(f.sentence, 0, &text));
    assert_int_equal(dd_sentence_require_arc(f.sentence, 1, (dd_text){"", 0}, 4, NULL), DD_OK);
    parse(&f);
    assert_arc(&f, 1, NULL, 4);
    close_all(&f);
}

static void calls_check_their_numbers(void **state)
{
    (void)state;
    fixture f;
    dd_text any = {"", 0};
    open_with(&f, "arc-eager", treebank, "auto");
    assert_int_equal(dd_sentence_require_arc(f.sentence, 5, any, 1, NULL), DD_ERROR_ARGUMENT);
    assert_int_equal(dd_sentence_require_arc(f.sentence, -1, any, 1, NULL), DD_ERROR_ARGUMENT);
    assert_int_equal(dd_sentence_require_arc(f.sentence, 1, any, 0, NULL), DD_ERROR_ARGUMENT);
    assert_int_equal(dd_sentence_require_arc(f.sentence, 1, text_of("a\nb"), 2, NULL),
                     DD_ERROR_ARGUMENT);
    assert_int_equal(dd_sentence_forbid_arc(f.sentence, 1, 5, NULL), DD_ERROR_ARGUMENT);
    assert_int_equal(dd_sentence_require_leaf(f.sentence, 0, NULL), DD_ERROR_ARGUMENT);
    assert_int_equal(dd_sentence_require_leaf(f.sentence, 5, NULL), DD_ERROR_ARGUMENT);
    assert_int_equal(dd_sentence_require_span(f.sentence, 0, 2, DD_SPAN_ANY, NULL),
                     DD_ERROR_ARGUMENT);
    assert_int_equal(dd_sentence_require_span(f.sentence, 3, 2, DD_SPAN_ANY, NULL),
                     DD_ERROR_ARGUMENT);
    assert_int_equal(dd_sentence_require_span(f.sentence, 1, 2, (dd_span_mode)3, NULL),
                     DD_ERROR_ARGUMENT);
    dd_text text;
    assert_false(dd_sentence_constraint(f.sentence, 0, &text));
    close_all(&f);
}

static void refusals_leave_the_sentence(void **state)
{
    (void)state;
    fixture f;
    open_with(&f, "arc-eager", treebank, "auto");
    assert_int_equal(dd_sentence_require_arc(f.sentence, 1, (dd_text){"", 0}, 3, NULL), DD_OK);
    assert_int_equal(dd_sentence_require_arc(f.sentence, 4, (dd_text){"", 0}, 2, NULL), DD_OK);
    assert_int_equal(dd_parser_check(f.parser, f.sentence, &f.error), DD_ERROR_DATA);
    assert_string_equal(f.error.message, "sentence '1': constraint 'arc 4 _ 2': crosses "
                                         "'arc 1 _ 3', and arc-eager builds projective trees");
    assert_int_equal(f.error.line, 0);
    f.error = (dd_error){0};
    assert_int_equal(dd_parser_parse(f.parser, f.sentence, true, &f.error), DD_ERROR_DATA);
    assert_int_equal(dd_sentence_head(f.sentence, 1), -1);
    dd_buffer out = {0};
    assert_int_equal(dd_sentence_format(f.sentence, DD_FORMAT_AUTO, &out, NULL), DD_OK);
    assert_int_equal(out.size, strlen(words));
    assert_memory_equal(out.data, words, out.size);
    dd_buffer_free(&out);
    close_all(&f);
}

/* A label with a space, and one that training never showed on such an arc. */
static void labels_are_kept(void **state)
{
    (void)state;
    fixture f;
    open_with(&f, "arc-eager", treebank, "auto");
    assert_int_equal(dd_sentence_require_arc(f.sentence, 2, text_of("my obj"), 1, NULL), DD_OK);
    assert_int_equal(dd_sentence_require_arc(f.sentence, 2, text_of("root"), 4, NULL), DD_OK);
    assert_int_equal(dd_sentence_require_arc(f.sentence, 0, text_of("nsubj"), 2, NULL), DD_OK);
    parse(&f);
    assert_arc(&f, 2, "my obj", 1);
    assert_arc(&f, 2, "root", 4);
    assert_arc(&f, 0, "nsubj", 2);
    close_all(&f);
}

static void obeys(const char *system)
{
    fixture f;
    open_with(&f, system, treebank, "auto");
    assert_int_equal(dd_sentence_require_arc(f.sentence, 4, text_of("nsubj"), 1, NULL), DD_OK);
    parse(&f);
    assert_arc(&f, 4, "nsubj", 1);
    dd_sentence_clear_constraints(f.sentence);
    for (int word = 1; word <= 3; word++)
        assert_int_equal(dd_sentence_require_leaf(f.sentence, word, NULL), DD_OK);
    parse(&f);
    for (int word = 1; word <= 3; word++) assert_arc(&f, 4, NULL, word);
    close_all(&f);
}

static void every_system_obeys(void **state)
{
    (void)state;
    dd_system_info info;
    for (size_t i = 0; dd_system_at(i, &info); i++) obeys(info.name);
    obeys("graph scorer=neural width=8 hidden=16 iterations=2");
}

/* Lifted arcs are put back only where that breaks nothing: every arc alone is kept. */
static void lifted_arcs_stay(void **state)
{
    (void)state;
    for (int dependent = 1; dependent <= 4; dependent++) {
        for (int head = 0; head <= 4; head++) {
            if (head == dependent) continue;
            fixture f;
            open_with(&f, "arc-eager", crossing, "lift");
            assert_int_equal(
                dd_sentence_require_arc(f.sentence, head, (dd_text){"", 0}, dependent, NULL),
                DD_OK);
            parse(&f);
            assert_arc(&f, head, NULL, dependent);
            close_all(&f);
        }
    }
}

/* A batch stops at a sentence that cannot be parsed, and a call with the rest goes on. */
static void a_batch_stops_where_constraints_cannot_hold(void **state)
{
    (void)state;
    enum { COUNT = 5, IMPOSSIBLE = 2 };
    fixture f;
    dd_sentence *sentences[COUNT];
    size_t done = COUNT;
    open_with(&f, "arc-eager", treebank, "auto");
    for (int i = 0; i < COUNT; i++) {
        dd_reader *reader;
        assert_int_equal(dd_sentence_new(&sentences[i], NULL), DD_OK);
        assert_int_equal(
            dd_reader_open_memory(&reader, "t", text_of(words), DD_FORMAT_CONLLX, NULL), DD_OK);
        assert_int_equal(dd_reader_next(reader, sentences[i], NULL), DD_OK);
        dd_reader_close(reader);
    }
    for (int head = 1; head <= 2; head++)
        assert_int_equal(
            dd_sentence_require_arc(sentences[IMPOSSIBLE], head, text_of("_"), 3 - head, NULL),
            DD_OK);
    assert_int_equal(dd_parser_parse_batch(f.parser, sentences, COUNT, NULL, &done, &f.error),
                     DD_ERROR_DATA);
    assert_int_equal(done, IMPOSSIBLE);
    assert_true(dd_sentence_head(sentences[1], 1) >= 0);
    assert_int_equal(dd_sentence_head(sentences[IMPOSSIBLE], 1), -1);
    assert_int_equal(dd_parser_parse_batch(f.parser, sentences + IMPOSSIBLE + 1,
                                           COUNT - IMPOSSIBLE - 1, NULL, &done, &f.error),
                     DD_OK);
    assert_int_equal(done, COUNT - IMPOSSIBLE - 1);
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(dd_sentence_head(sentences[i], 1) >= 0, i != IMPOSSIBLE);
        dd_sentence_free(sentences[i]);
    }
    close_all(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_batch_stops_where_constraints_cannot_hold),
        cmocka_unit_test(calls_add_and_clear),
        cmocka_unit_test(calls_check_their_numbers),
        cmocka_unit_test(refusals_leave_the_sentence),
        cmocka_unit_test(labels_are_kept),
        cmocka_unit_test(every_system_obeys),
        cmocka_unit_test(lifted_arcs_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
