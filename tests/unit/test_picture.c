/* What a drawing shows, before it is laid out: long words, empty nodes and enhanced arcs. */
#include "text_help.h"

#include "draw/picture.h"

#define LONG_WORD "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"

/* Nothing of a long word is lost, and it is broken where people break addresses. */
static void long_words(void **state)
{
    (void)state;
    static const struct {
        const char *form, *lines;
    } cases[] = {
        {"exactly-forty-columns-wide-as-this-one-is",
         "exactly-forty-columns-wide-as-this-one-\nis"},
        {"exactly-forty-columns-wide-as-this-one-i", "exactly-forty-columns-wide-as-this-one-i"},
        {LONG_WORD, "Donaudampfschifffahrtselektrizitätenhaup\n"
                    "tbetriebswerkbauunterbeamtengesellschaft"},
        {"https://example.org/a/long/path/to/some/page.html",
         "https://example.org/a/long/path/to/some/\npage.html"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dd_buffer text = {0};
        assert_true(
            dd_buffer_printf(&text, "1\t%s\t_\t_\t_\t_\t0\troot\t_\t_\n\n", cases[i].form) &&
            dd_buffer_append(&text, "", 1));
        dd_sentence *sentence = read_first(text.data, DD_FORMAT_CONLLU);
        dd_draw_options options;
        dd_draw_options_init(&options);
        dd_picture picture = {0};
        assert_int_equal(dd_picture_set(&picture, &options, sentence, NULL, NULL), DD_OK);
        assert_text(dd_picture_text(&picture, picture.words[1].form), cases[i].lines);
        dd_picture_free(&picture);
        dd_sentence_free(sentence);
        dd_buffer_free(&text);
    }
}

/* More of DEPS than can be laid out in reasonable time. */
static void too_much(void **state)
{
    (void)state;
    static const char *const faults[] = {"more than 8000 enhanced arcs",
                                         "more than 2000 words and empty nodes"};
    for (int kind = 0; kind < 2; kind++) {
        dd_buffer text = {0};
        assert_true(dd_buffer_text(
            &text, "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n2\tb\t_\t_\t_\t_\t1\tdep\t1:a"));
        for (int i = 0; i < 9000 && kind == 0; i++) assert_true(dd_buffer_text(&text, "|1:b"));
        assert_true(dd_buffer_text(&text, "\t_\n"));
        for (int i = 1; i < 2000 && kind == 1; i++)
            assert_true(dd_buffer_printf(&text, "2.%d\tb\t_\t_\t_\t_\t_\t_\t1:a\t_\n", i));
        assert_true(dd_buffer_append(&text, "\n", 2));
        dd_sentence *sentence = read_first(text.data, DD_FORMAT_CONLLU);
        dd_draw_options options;
        dd_draw_options_init(&options);
        dd_picture picture = {0};
        dd_error error;
        assert_int_equal(dd_picture_set(&picture, &options, sentence, NULL, &error), DD_ERROR_DATA);
        assert_string_equal(error.message, faults[kind]);
        dd_picture_free(&picture);
        dd_sentence_free(sentence);
        dd_buffer_free(&text);
    }
}

/* What DEPS say is drawn below, unless they say what the tree does; what they cannot mean is not.
 */
static void enhanced(void **state)
{
    (void)state;
    dd_sentence *sentence = read_first("1\ta\t_\t_\t_\t_\t2\tx\t2:x\t_\n"
                                       "2\tb\t_\t_\t_\t_\t0\troot\t0:root|1:y|2:y|7:z|2.1:w\t_\n"
                                       "2.1\tc\t_\t_\t_\t_\t_\t_\t1:v\t_\n"
                                       "3\td\t_\t_\t_\t_\t2\tx\t_\t_\n\n",
                                       DD_FORMAT_CONLLU);
    dd_draw_options options;
    dd_draw_options_init(&options);
    dd_picture picture = {0};
    assert_int_equal(dd_picture_set(&picture, &options, sentence, NULL, NULL), DD_OK);
    assert_int_equal(picture.n, 4);
    static const int expected[][2] = {{0, 2}, {1, 2}, {3, 2}, {1, 3}, {2, 1}, {0, 2}, {2, 4}};
    assert_int_equal(picture.n_arcs, 7);
    for (int a = 0; a < 7; a++) {
        assert_int_equal(picture.arcs[a].kind, a < 4 ? DD_ARC_ENHANCED : DD_ARC_PLAIN);
        assert_int_equal(picture.arcs[a].head, expected[a][0]);
        assert_int_equal(picture.arcs[a].dependent, expected[a][1]);
    }
    assert_int_equal(dd_picture_set(&picture, &options, sentence, sentence, NULL), DD_OK);
    assert_int_equal(picture.n_arcs, 3);
    options.enhanced = false;
    assert_int_equal(dd_picture_set(&picture, &options, sentence, NULL, NULL), DD_OK);
    assert_int_equal(picture.n, 3);
    assert_int_equal(picture.n_arcs, 3);
    dd_picture_free(&picture);
    dd_sentence_free(sentence);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_words),
        cmocka_unit_test(too_much),
        cmocka_unit_test(enhanced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
