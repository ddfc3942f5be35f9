/* Sentences made of words, and all heads as one array. */
#include "text/sentence.h"
#include "text_help.h"

static dd_sentence *sentence_of(const char *const *words, size_t count)
{
    dd_text forms[8];
    dd_sentence *sentence;
    dd_error error;
    for (size_t i = 0; i < count; i++) forms[i] = text_of(words[i]);
    assert_int_equal(dd_sentence_new(&sentence, &error), DD_OK);
    dd_status status = dd_sentence_set_words(sentence, forms, count, &error);
    if (status != DD_OK) fail_msg("%s", error.message);
    return sentence;
}

static void words_are_a_sentence(void **state)
{
    (void)state;
    dd_sentence *sentence = sentence_of((const char *[]){"New York", "\xC3\xA9", "#"}, 3);
    assert_int_equal(dd_sentence_size(sentence), 3);
    assert_written(sentence, "1\tNew York\t_\t_\t_\t_\t_\t_\t_\t_\n"
                             "2\t\xC3\xA9\t_\t_\t_\t_\t_\t_\t_\t_\n"
                             "3\t#\t_\t_\t_\t_\t_\t_\t_\t_\n\n");
    for (int column = DD_LEMMA; column < DD_COLUMNS; column++) {
        dd_text cell = dd_sentence_cell(sentence, 2, (dd_column)column);
        assert_true(cell.size == 1 && cell.data[0] == '_');
    }
    dd_text id = dd_sentence_cell(sentence, 3, DD_ID), name = dd_sentence_id(sentence);
    assert_true(id.size == 1 && id.data[0] == '3' && name.size == 1 && name.data[0] == '1');
    dd_sentence_free(sentence);
}

/* What it writes, a reader reads. */
static void words_come_back(void **state)
{
    (void)state;
    dd_sentence *sentence = sentence_of((const char *[]){"a", "b c", "_", "\"", "1-2"}, 5);
    dd_buffer out = {0};
    assert_int_equal(dd_sentence_set_cell(sentence, 2, DD_UPOS, text_of("X"), NULL), DD_OK);
    assert_int_equal(dd_sentence_attach(sentence, 5, 1, text_of("dep"), NULL), DD_OK);
    assert_int_equal(dd_sentence_format(sentence, DD_FORMAT_AUTO, &out, NULL), DD_OK);
    dd_text text = {out.data, out.size};
    copy all = copy_memory(text, DD_FORMAT_CONLLU);
    assert_true(all.good == 1 && all.bad == 0 && all.words == 5);
    assert_copied(&all, text);
    dd_buffer_free(&all.output);
    dd_buffer_free(&out);
    dd_sentence_free(sentence);
}

static void a_sentence_is_made_anew(void **state)
{
    (void)state;
    dd_sentence *sentence = sentence_of((const char *[]){"a", "b"}, 2);
    dd_error error;
    assert_int_equal(dd_sentence_attach(sentence, 1, 2, text_of("dep"), NULL), DD_OK);
    assert_int_equal(dd_sentence_set_cell(sentence, 1, DD_LEMMA, text_of("x"), NULL), DD_OK);
    assert_int_equal(dd_sentence_forbid_arc(sentence, 1, 2, NULL), DD_OK);
    assert_int_equal(dd_sentence_set_words(sentence, (dd_text[]){text_of("c")}, 1, &error), DD_OK);
    assert_written(sentence, "1\tc\t_\t_\t_\t_\t_\t_\t_\t_\n\n");
    dd_text constraint;
    assert_false(dd_sentence_constraint(sentence, 0, &constraint));
    dd_sentence_free(sentence);
}

static void what_is_no_word_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *form, *reason;
    } bad[] = {
        {"", "the form of word 2 is empty; a missing value is written _"},
        {"a\tb", "the form of word 2 has a tab or newline"},
        {"a\n", "the form of word 2 has a tab or newline"},
        {"\xFF", "the form of word 2 is not UTF-8 or has a NUL"},
        {" a", "the form of word 2 starts with a space"},
        {"a ", "the form of word 2 ends with a space"},
    };
    dd_sentence *sentence = sentence_of((const char *[]){"a"}, 1);
    dd_error error;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        dd_text forms[] = {text_of("a"), text_of(bad[i].form), text_of("b")};
        assert_int_equal(dd_sentence_set_words(sentence, forms, 3, &error), DD_ERROR_ARGUMENT);
        assert_string_equal(error.message, bad[i].reason);
        assert_int_equal(dd_sentence_size(sentence), 0);
    }
    assert_int_equal(dd_sentence_set_words(sentence, NULL, 0, &error), DD_ERROR_ARGUMENT);
    assert_string_equal(error.message, "a sentence has at least one word");
    dd_sentence_free(sentence);
}

static void heads_are_one_array(void **state)
{
    (void)state;
    dd_sentence *sentence = sentence_of((const char *[]){"a", "b", "c"}, 3);
    const int32_t *heads = dd_sentence_heads(sentence);
    for (int word = 0; word <= 3; word++) assert_int_equal(heads[word], -1);
    assert_int_equal(dd_sentence_attach(sentence, 1, 3, text_of("dep"), NULL), DD_OK);
    assert_int_equal(dd_sentence_attach(sentence, 3, 0, text_of("root"), NULL), DD_OK);
    assert_ptr_equal(dd_sentence_heads(sentence), heads);
    assert_true(heads[1] == 3 && heads[2] == -1 && heads[3] == 0);
    dd_sentence_free(sentence);
    assert_int_equal(dd_sentence_new(&sentence, NULL), DD_OK);
    assert_int_equal(dd_sentence_heads(sentence)[0], -1);
    dd_sentence_free(sentence);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_a_sentence),    cmocka_unit_test(words_come_back),
        cmocka_unit_test(a_sentence_is_made_anew), cmocka_unit_test(what_is_no_word_is_refused),
        cmocka_unit_test(heads_are_one_array),
    };
    return cmocka_run_group_tests_name("words", tests, NULL, NULL);
}
