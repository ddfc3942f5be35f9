/* What stands around the words: text, places in it, comments, multiword tokens, empty nodes. */
#include "text_help.h"

static const char whole[] = "# sent_id = a\r\n"
                            "#text=\xC3\x89t\xC3\xA9  don't \xF0\x9F\x8C\xB3.\r\n"
                            "# bare\r\n"
                            "0.1\tx\t_\tV\t_\t_\t_\t_\t0:root\t_\r\n"
                            "1\t\xC3\x89t\xC3\xA9\t_\t_\t_\t_\t_\t_\t_\tA=b\r\n"
                            "2-3\tdon't\t_\t_\t_\tTypo=Yes\t_\t_\t_\tC=d\r\n"
                            "2\tdo\t_\t_\t_\t_\t_\t_\t_\t_\r\n"
                            "3\tn't\t_\t_\t_\t_\t_\t_\t_\t_\r\n"
                            "3.1\ty\tz\t_\t_\t_\t_\t_\t_\t_\r\n"
                            "3.2\tw\t_\t_\t_\t_\t_\t_\t_\t_\r\n"
                            "4\t\xF0\x9F\x8C\xB3\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\r\n"
                            "5\t.\t_\t_\t_\t_\t_\t_\t_\t_\r\n\r\n";

/* Keeps the sentence, of which the outline has views. */
static dd_outline *outline_of(const char *conll, dd_sentence **sentence)
{
    dd_outline *outline;
    *sentence = read_first(conll, DD_FORMAT_CONLLU);
    assert_int_equal(dd_outline_new(&outline, NULL), DD_OK);
    assert_int_equal(dd_outline_make(outline, *sentence, NULL), DD_OK);
    return outline;
}

static void end(dd_outline *outline, dd_sentence *sentence)
{
    dd_outline_free(outline);
    dd_sentence_free(sentence);
}

static void tokens_have_words_and_places(void **state)
{
    (void)state;
    static const struct {
        int first, last;
        int64_t start, end, start_byte, end_byte;
        const char *form, *feats, *misc;
    } expected[] = {{1, 1, 0, 3, 0, 5, "\xC3\x89t\xC3\xA9", "_", "_"},
                    {2, 3, 5, 10, 7, 12, "don't", "Typo=Yes", "C=d"},
                    {4, 4, 11, 12, 13, 17, "\xF0\x9F\x8C\xB3", "_", "_"},
                    {5, 5, 12, 13, 17, 18, ".", "_", "_"}};
    dd_sentence *sentence;
    dd_outline *outline = outline_of(whole, &sentence);
    for (size_t i = 0; i < 4; i++) {
        const dd_token *token = dd_outline_token(outline, i);
        assert_non_null(token);
        assert_int_equal(token->first, expected[i].first);
        assert_int_equal(token->last, expected[i].last);
        assert_int_equal(token->start, expected[i].start);
        assert_int_equal(token->end, expected[i].end);
        assert_int_equal(token->start_byte, expected[i].start_byte);
        assert_int_equal(token->end_byte, expected[i].end_byte);
        assert_text(token->form, expected[i].form);
        assert_text(token->feats, expected[i].feats);
        assert_text(token->misc, expected[i].misc);
    }
    assert_null(dd_outline_token(outline, 4));
    end(outline, sentence);
}

static void the_text_is_that_of_its_comment(void **state)
{
    (void)state;
    dd_sentence *sentence;
    dd_outline *outline = outline_of(whole, &sentence);
    assert_text(dd_outline_text(outline), "\xC3\x89t\xC3\xA9  don't \xF0\x9F\x8C\xB3.");
    end(outline, sentence);
}

static void without_a_text_it_is_made_of_the_tokens(void **state)
{
    (void)state;
    dd_sentence *sentence;
    dd_outline *outline = outline_of("1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
                                     "1\tdo\t_\t_\t_\t_\t_\t_\t_\t_\n"
                                     "2\tn't\t_\t_\t_\t_\t_\t_\t_\t_\n"
                                     "3\t,\t_\t_\t_\t_\t_\t_\t_\t_\n"
                                     "4\tso\t_\t_\t_\t_\t_\t_\t_\t_\n\n",
                                     &sentence);
    assert_text(dd_outline_text(outline), "don't, so");
    assert_int_equal(dd_outline_token(outline, 2)->start, 7);
    end(outline, sentence);
}

static void tokens_that_the_text_lacks_have_no_place(void **state)
{
    (void)state;
    dd_sentence *sentence;
    dd_outline *outline = outline_of("# text = a c\n1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n"
                                     "2\tb\t_\t_\t_\t_\t_\t_\t_\t_\n"
                                     "3\tc\t_\t_\t_\t_\t_\t_\t_\t_\n\n",
                                     &sentence);
    assert_int_equal(dd_outline_token(outline, 0)->end_byte, 1);
    for (size_t i = 1; i <= 2; i++) {
        const dd_token *token = dd_outline_token(outline, i);
        assert_int_equal(token->start, -1);
        assert_int_equal(token->end, -1);
        assert_int_equal(token->start_byte, -1);
        assert_int_equal(token->end_byte, -1);
    }
    end(outline, sentence);
}

static void an_outline_is_used_again(void **state)
{
    (void)state;
    dd_sentence *sentence, *empty;
    dd_outline *outline = outline_of(whole, &sentence);
    dd_text one = {"one", 3};
    assert_int_equal(dd_sentence_new(&empty, NULL), DD_OK);
    assert_int_equal(dd_outline_make(outline, empty, NULL), DD_OK);
    assert_int_equal(dd_outline_text(outline).size, 0);
    assert_null(dd_outline_token(outline, 0));
    assert_int_equal(dd_sentence_set_words(empty, &one, 1, NULL), DD_OK);
    assert_int_equal(dd_outline_make(outline, empty, NULL), DD_OK);
    assert_text(dd_outline_text(outline), "one");
    dd_sentence_free(empty);
    end(outline, sentence);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tokens_have_words_and_places),
        cmocka_unit_test(the_text_is_that_of_its_comment),
        cmocka_unit_test(without_a_text_it_is_made_of_the_tokens),
        cmocka_unit_test(tokens_that_the_text_lacks_have_no_place),
        cmocka_unit_test(an_outline_is_used_again),
    };
    return cmocka_run_group_tests_name("outline", tests, NULL, NULL);
}
