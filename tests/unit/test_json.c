/* Sentences as lines of JSON; tests/cli/check_json.py compares all columns with CoNLL-U. */
#include <math.h>
#include <unistd.h>

#include "../json_help.h"
#include "text/json.h"
#include "text_help.h"

static void expect(const dd_sentence *sentence, const char *expected)
{
    dd_buffer out = {0};
    assert_int_equal(dd_sentence_format(sentence, DD_FORMAT_JSON, &out, NULL), DD_OK);
    assert_true(json_lines((dd_text){out.data, out.size}) > 0);
    assert_int_equal(out.data[out.size - 1], '\n');
    out.data[out.size - 1] = '\0';
    assert_string_equal(out.data, expected);
    dd_buffer_free(&out);
}

static void expect_read(const char *conll, dd_format format, const char *expected)
{
    dd_sentence *sentence = read_first(conll, format);
    expect(sentence, expected);
    dd_sentence_free(sentence);
}

static void expect_escaped(const char *bytes, size_t size, const char *expected)
{
    dd_buffer out = {0};
    assert_int_equal(dd_text_json((dd_text){bytes, size}, &out, NULL), DD_OK);
    assert_int_equal(out.size, strlen(expected));
    assert_memory_equal(out.data, expected, out.size);
    dd_buffer_free(&out);
}

static void strings_are_escaped(void **state)
{
    (void)state;
    expect_escaped("", 0, "\"\"");
    expect_escaped("a b/\x7F", 5, "\"a b/\x7F\"");
    expect_escaped("\"\\", 2, "\"\\\"\\\\\"");
    expect_escaped("\0\x1F\t\n", 4, "\"\\u0000\\u001f\\u0009\\u000a\"");
    expect_escaped("\xC3\xA9\xF0\x9F\x8C\xB3", 6, "\"\xC3\xA9\xF0\x9F\x8C\xB3\"");
    expect_escaped("x\xC2\x85y\xE2\x80\xA8\xE2\x80\xA9", 10, "\"x\\u0085y\\u2028\\u2029\"");
    /* A surrogate, a cut character, and bytes that no character has. */
    expect_escaped("\xED\xA0\x80", 3, "\"\\ufffd\\ufffd\\ufffd\"");
    expect_escaped("\xE2\x80z\xFF", 4, "\"\\ufffdz\\ufffd\"");
}

static void numbers_are_known(void **state)
{
    (void)state;
    static const char *const numbers[] = {"0", "-0", "10", "1.50", "-2.25e-07", "1E+9", "0e0"};
    static const char *const others[] = {"",    "-",    "01",  "+1", ".5", "1.",  "1e", "inf",
                                         "nan", "0x10", "1,5", "1 ", " 1", "--1", "1e+"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        assert_true(dd_json_is_number(text_of(numbers[i])));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(dd_json_is_number(text_of(others[i])));
}

#define WORD_1                                                                                     \
    "{\"id\":1,\"form\":\"a\",\"lemma\":null,\"upos\":null,\"xpos\":null,\"feats\":null,"          \
    "\"head\":null,\"deprel\":null,\"deps\":null,\"misc\":null}"

static void a_sentence_has_all_that_its_conllu_has(void **state)
{
    (void)state;
    expect_read("# sent_id = s\n# text = \xC3\xA9 don't.\n"
                "1\t\xC3\xA9\tl m\tN\tNN\tA=b|C=d\t2\tnsubj\t2:nsubj\tX=y\n"
                "2-3\tdon't\t_\t_\t_\tTypo=Yes\t_\t_\t_\tSpaceAfter=No\n"
                "2\tdo\t_\t_\t_\t_\t0\troot\t_\t_\n"
                "2.1\te\t_\tV\t_\t_\t_\t_\t2:conj\t_\n"
                "3\tn't\t_\t_\t_\t_\t_\t_\t_\t_\n"
                "4\t.\t_\t_\t_\t_\t2\tpunct\t_\t_\n\n",
                DD_FORMAT_CONLLU,
                "{\"sent_id\":\"s\",\"text\":\"\xC3\xA9 don't.\","
                "\"comments\":[\"# sent_id = s\",\"# text = \xC3\xA9 don't.\"],"
                "\"tokens\":[{\"form\":\"\xC3\xA9\",\"start\":0,\"end\":1,\"words\":[1]},"
                "{\"form\":\"don't\",\"start\":2,\"end\":7,\"words\":[2,3],\"feats\":\"Typo=Yes\","
                "\"misc\":\"SpaceAfter=No\"},"
                "{\"form\":\".\",\"start\":7,\"end\":8,\"words\":[4]}],"
                "\"words\":[{\"id\":1,\"form\":\"\xC3\xA9\",\"lemma\":\"l m\",\"upos\":\"N\","
                "\"xpos\":\"NN\",\"feats\":\"A=b|C=d\",\"head\":2,\"deprel\":\"nsubj\","
                "\"deps\":\"2:nsubj\",\"misc\":\"X=y\"},"
                "{\"id\":2,\"form\":\"do\",\"lemma\":null,\"upos\":null,\"xpos\":null,"
                "\"feats\":null,\"head\":0,\"deprel\":\"root\",\"deps\":null,\"misc\":null},"
                "{\"id\":3,\"form\":\"n't\",\"lemma\":null,\"upos\":null,\"xpos\":null,"
                "\"feats\":null,\"head\":null,\"deprel\":null,\"deps\":null,\"misc\":null},"
                "{\"id\":4,\"form\":\".\",\"lemma\":null,\"upos\":null,\"xpos\":null,"
                "\"feats\":null,\"head\":2,\"deprel\":\"punct\",\"deps\":null,\"misc\":null}],"
                "\"empty_nodes\":[{\"id\":\"2.1\",\"form\":\"e\",\"lemma\":null,\"upos\":\"V\","
                "\"xpos\":null,\"feats\":null,\"head\":null,\"deprel\":null,\"deps\":\"2:conj\","
                "\"misc\":null}]}");
}

static void without_a_text_it_is_made_of_the_tokens(void **state)
{
    (void)state;
    expect_read("\xEF\xBB\xBF# c\r\n1\ta\t_\t_\t_\t_\t_\t_\t_\t_\r\n\r\n", DD_FORMAT_CONLLU,
                "{\"sent_id\":\"1\",\"text\":\"a\",\"comments\":[\"# c\"],"
                "\"tokens\":[{\"form\":\"a\",\"start\":0,\"end\":1,\"words\":[1]}],"
                "\"words\":[" WORD_1 "],\"empty_nodes\":[]}");
    dd_sentence *sentence =
        read_first("1-2\ta\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n1" REST
                   "2\ta\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n3" REST "4" REST "\n",
                   DD_FORMAT_CONLLU);
    dd_buffer out = {0};
    assert_int_equal(dd_sentence_format(sentence, DD_FORMAT_JSON, &out, NULL), DD_OK);
    assert_true(dd_buffer_append(&out, "", 1));
    assert_non_null(strstr(out.data, "\"text\":\"aa a\""));
    assert_non_null(strstr(out.data, "\"start\":3,\"end\":4,\"words\":[4]"));
    dd_buffer_free(&out);
    dd_sentence_free(sentence);
}

static dd_text places_of(const char *text, char *room, size_t size)
{
    char conllu[256];
    snprintf(conllu, sizeof conllu, "# text = %s\n1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n2" REST "\n", text);
    dd_sentence *sentence = read_first(conllu, DD_FORMAT_CONLLU);
    dd_buffer out = {0};
    assert_int_equal(dd_sentence_format(sentence, DD_FORMAT_JSON, &out, NULL), DD_OK);
    assert_true(dd_buffer_append(&out, "", 1));
    int at = 0;
    for (const char *found = out.data; (found = strstr(found, "\"start\":")); found++)
        at += snprintf(room + at, size - (size_t)at, "%.*s ", (int)strcspn(found, ",") - 8,
                       found + 8);
    dd_buffer_free(&out);
    dd_sentence_free(sentence);
    return (dd_text){room, (size_t)at};
}

static void tokens_that_are_not_in_the_text_have_no_place(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"aa", "0 1 "},       {"a \xC2\xA0 a", "0 4 "}, {"\xE3\x80\x80 a a", "2 4 "},
        {"a b a", "0 null "}, {"a", "0 null "},         {"b a", "null null "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char room[64];
        places_of(cases[i][0], room, sizeof room);
        assert_string_equal(room, cases[i][1]);
    }
}

static void scores_and_ranks_are_numbers_or_null(void **state)
{
    (void)state;
    dd_sentence *sentence = read_first("# nbest = x\n1" REST "2" REST "\n", DD_FORMAT_CONLLU);
    dd_buffer space = {0}, out = {0};
    dd_sentence_set_score(sentence, 1, (dd_word_score){1.5F, 0.75F});
    dd_sentence_set_score(sentence, 2, (dd_word_score){INFINITY, NAN});
    assert_int_equal(dd_sentence_list_tree(sentence, &space, 1, 2.5, NULL), DD_OK);
    assert_int_equal(dd_sentence_list_tree(sentence, &space, 2, -1, NULL), DD_OK);
    assert_int_equal(dd_sentence_format(sentence, DD_FORMAT_JSON, &out, NULL), DD_OK);
    assert_int_equal(json_lines((dd_text){out.data, out.size}), 2);
    assert_true(dd_buffer_append(&out, "", 1));
    const char *first =
        strstr(out.data, "{\"sent_id\":\"1\",\"nbest\":1,\"score\":2.5000,\"text\"");
    const char *second =
        strstr(out.data, "{\"sent_id\":\"1\",\"nbest\":2,\"score\":-1.0000,\"text\"");
    assert_true(first == out.data && second > first);
    assert_non_null(
        strstr(second, "\"misc\":\"Score=1.5|Prob=0.750\",\"score\":1.5,\"probability\":0.750}"));
    assert_non_null(strstr(second, "\"misc\":\"Score=inf\",\"score\":null}"));
    dd_buffer_free(&out);
    dd_buffer_free(&space);
    dd_sentence_free(sentence);
}

static void malformed_sentences_are_their_bytes(void **state)
{
    (void)state;
    dd_reader *reader;
    dd_sentence *sentence;
    const char *text = "1" REST "\n1\t\"\xFF\n\n";
    assert_int_equal(dd_reader_open_memory(&reader, "t", text_of(text), DD_FORMAT_AUTO, NULL), 0);
    assert_int_equal(dd_sentence_new(&sentence, NULL), DD_OK);
    assert_int_equal(dd_reader_next(reader, sentence, NULL), DD_OK);
    assert_int_equal(dd_reader_next(reader, sentence, NULL), DD_ERROR_FORMAT);
    expect(sentence, "{\"sent_id\":\"2\",\"line\":3,"
                     "\"malformed\":\"1\\u0009\\\"\\ufffd\\u000a\\u000a\"}");
    assert_int_equal(dd_reader_next(reader, sentence, NULL), DD_END);
    dd_buffer out = {0};
    assert_int_equal(dd_sentence_format(sentence, DD_FORMAT_JSON, &out, NULL), DD_OK);
    assert_int_equal(out.size, 0);
    dd_sentence_free(sentence);
    dd_reader_close(reader);
}

static dd_status receive(void *user, dd_text bytes, dd_error *error)
{
    (void)error;
    return dd_buffer_append(user, bytes.data, bytes.size) ? DD_OK : DD_ERROR_MEMORY;
}

static void a_writer_may_write_json(void **state)
{
    (void)state;
    dd_writer *writer;
    dd_error error;
    dd_buffer out = {0};
    dd_sentence *sentence = read_first("1" REST, DD_FORMAT_CONLLU); /* which lacks its line ends */
    assert_int_equal(dd_writer_open_to(&writer, receive, &out, NULL), DD_OK);
    assert_int_equal(dd_writer_set_format(writer, DD_FORMAT_TEXT, &error), DD_ERROR_ARGUMENT);
    assert_string_equal(error.message, "sentences cannot be written in this format");
    assert_int_equal(dd_writer_set_format(writer, DD_FORMAT_JSON, NULL), DD_OK);
    for (int i = 0; i < 2; i++) assert_int_equal(dd_writer_sentence(writer, sentence, NULL), DD_OK);
    assert_int_equal(dd_writer_set_format(writer, DD_FORMAT_AUTO, NULL), DD_OK);
    assert_int_equal(dd_writer_sentence(writer, sentence, NULL), DD_OK);
    assert_int_equal(dd_writer_close(writer, NULL), DD_OK);
    size_t conllu = strlen("1" REST);
    assert_true(out.size > conllu);
    assert_int_equal(json_lines((dd_text){out.data, out.size - conllu}), 2);
    dd_buffer_free(&out);
    dd_sentence_free(sentence);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings_are_escaped),
        cmocka_unit_test(numbers_are_known),
        cmocka_unit_test(a_sentence_has_all_that_its_conllu_has),
        cmocka_unit_test(without_a_text_it_is_made_of_the_tokens),
        cmocka_unit_test(tokens_that_are_not_in_the_text_have_no_place),
        cmocka_unit_test(scores_and_ranks_are_numbers_or_null),
        cmocka_unit_test(malformed_sentences_are_their_bytes),
        cmocka_unit_test(a_writer_may_write_json),
    };
    return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
