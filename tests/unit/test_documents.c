/* Documents in JSON lines: JSON itself, the fields of a document, what is carried and written, what
 * is wrong with a line, and other encodings. */
#include "segment_help.h"

#include "text/encoding.h"
#include "text/io.h"
#include "text/reader.h"

#include <dodona_tools.h>

/* ---- JSON ---- */

static void json_of_all_kinds(void **state)
{
    (void)state;
    static const char text[] =
        " {\"a\":[1,-2.5e1,0],\"b\":{\"c\":null,\"d\":true},\"e\":\"\\u00e9\\ud83c\\udf33\\n\"} ";
    dd_error error;
    dd_value value;
    uint64_t count;
    double number;
    assert_int_equal(dd_value_read(&value, (dd_text){text, strlen(text)}, 100, &error), DD_OK);
    const dd_value *list = dd_value_at(&value, "a");
    assert_int_equal(list->count, 3);
    assert_true(dd_value_count(&list->values[0], &count) && count == 1);
    assert_true(dd_value_number(&list->values[1], &number) && number == -25);
    assert_false(dd_value_count(&list->values[1], &count));
    assert_int_equal(dd_value_at(dd_value_at(&value, "b"), "c")->kind, DD_JSON_NULL);
    assert_int_equal(dd_value_at(dd_value_at(&value, "b"), "d")->kind, DD_JSON_TRUE);
    assert_string_equal(dd_value_string(dd_value_at(&value, "e")), "é🌳\n");
    assert_null(dd_value_at(dd_value_at(&value, "x"), "y"));
    assert_null(dd_value_string(list));
    dd_value_free(&value);
}

static void json_is_read_strictly(void **state)
{
    (void)state;
    static const char *const broken[] = {
        "",
        "{",
        "[1,]",
        "{\"a\":1,}",
        "{\"a\" 1}",
        "{a:1}",
        "01",
        "1.",
        "1e",
        "-",
        "+1",
        ".5",
        "nul",
        "tru",
        "\"a",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\ud800\"",
        "\"\\udc00\"",
        "\"\\u0000\"",
        "\"a\tb\"",
        "[1] 2",
        "NaN",
        "'a'",
        "[1 2]",
        "{\"a\":1,\"a\":2}",
        "{\"a\":1,\"b\":[],\"\\u0061\":2}",
        "]",
        "\"\\ud800\\u0041\"",
        "Infinity",
        "\"\xff\"",
        "\"\xc3\"",
        "\"\xed\xa0\x80\"",
        "0x10",
        "[\"\\",
    };
    dd_error error;
    dd_value value;
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        if (dd_value_read(&value, (dd_text){broken[i], strlen(broken[i])}, 100, &error) == DD_OK)
            fail_msg("taken for JSON: %s", broken[i]);
        assert_int_equal(error.status, DD_ERROR_FORMAT);
        assert_memory_equal(error.message, "not JSON: byte ", 15);
    }
}

/* A line cut anywhere is no JSON, and is read without touching what lies behind it. */
static void json_cut_anywhere_is_refused(void **state)
{
    (void)state;
    static const char text[] =
        "{\"a\":[1,-2.5e1,0],\"b\":{\"c\":null},\"e\":\"\\u00e9\\ud83c\\udf33\"}";
    dd_error error;
    dd_value value;
    for (size_t size = 0; size < strlen(text); size++) {
        char *cut = malloc(size + 1);
        memcpy(cut, text, size);
        assert_int_equal(dd_value_read(&value, (dd_text){cut, size}, 100, &error), DD_ERROR_FORMAT);
        free(cut);
    }
}

static void values_know_their_bytes(void **state)
{
    (void)state;
    static const char text[] = "{\"a\\u0062\" : 1.10 , \"big\":123456789012345678901234567890,"
                               "\"huge\":1e400,\"o\":{ \"x\":[] }}";
    static const char *const sources[] = {"1.10", "123456789012345678901234567890", "1e400",
                                          "{ \"x\":[] }"};
    dd_value value;
    double number;
    assert_int_equal(dd_value_read(&value, text_of(text), 100, NULL), DD_OK);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(value.values[i].source.size, strlen(sources[i]));
        assert_memory_equal(value.values[i].source.data, sources[i], strlen(sources[i]));
    }
    assert_string_equal(value.values[0].key, "ab");
    assert_int_equal(value.values[0].key_source.size, strlen("\"a\\u0062\""));
    assert_false(dd_value_number(&value.values[2], &number));
    dd_value_free(&value);
}

/* As many keys as are sorted; the byte is that of the second of two, whatever their order. */
static void a_key_that_appears_twice_is_found_among_many(void **state)
{
    (void)state;
    enum { KEYS = 500 };
    char text[16 * KEYS];
    size_t size = 1, second = 0;
    dd_value value;
    dd_error error;
    char expected[64];
    text[0] = '{';
    for (int i = 0; i < KEYS; i++) {
        if (i == 300) second = size + 1;
        size += (size_t)sprintf(text + size, "\"k%d\":1,", i == 300 || i == 400 ? 7 : i);
    }
    text[size - 1] = '}';
    assert_int_equal(dd_value_read(&value, (dd_text){text, size}, KEYS, &error), DD_ERROR_FORMAT);
    snprintf(expected, sizeof expected, "not JSON: byte %zu: a key appears twice", second);
    assert_string_equal(error.message, expected);
    assert_int_equal(dd_value_read(&value, (dd_text){text, size}, KEYS - 1, &error),
                     DD_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "too many values"));
}

static void nesting_is_bounded(void **state)
{
    (void)state;
    char text[200];
    dd_value value;
    memset(text, '[', 64);
    memset(text + 64, ']', 64);
    assert_int_equal(dd_value_read(&value, (dd_text){text, 128}, 100, NULL), DD_OK);
    dd_value_free(&value);
    memset(text, '[', 65);
    memset(text + 65, ']', 65);
    assert_int_equal(dd_value_read(&value, (dd_text){text, 130}, 100, NULL), DD_ERROR_FORMAT);
}

/* ---- documents ---- */

static dd_reader *open_with(const dd_model *model, dd_text bytes, dd_input_options how)
{
    dd_reader *reader;
    dd_error error;
    dd_input from = {.name = "d.jsonl", .kind = DD_INPUT_BYTES, .bytes = bytes};
    how.size = sizeof how;
    if (dd_reader_open_input(&reader, model, &from, &how, &error) != DD_OK)
        fail_msg("%s", error.message);
    return reader;
}

static dd_status collect_bytes(void *user, dd_text bytes, dd_error *error)
{
    (void)error;
    return dd_buffer_append(user, bytes.data, bytes.size) ? DD_OK : DD_ERROR_MEMORY;
}

/* All sentences as a writer writes them, bad lines passed on. */
static void expect(const dd_model *model, const char *text, dd_input_options how, dd_format to,
                   const char *expected)
{
    dd_reader *reader = open_with(model, text_of(text), how);
    dd_buffer out = {0};
    dd_writer *writer;
    dd_sentence *sentence;
    assert_int_equal(dd_writer_open_to(&writer, collect_bytes, &out, NULL), DD_OK);
    assert_int_equal(dd_writer_set_format(writer, to, NULL), DD_OK);
    assert_int_equal(dd_sentence_new(&sentence, NULL), DD_OK);
    for (;;) {
        dd_status status = dd_reader_next(reader, sentence, NULL);
        if (status != DD_OK && status != DD_ERROR_FORMAT) break;
        assert_int_equal(dd_writer_sentence(writer, sentence, NULL), DD_OK);
    }
    assert_int_equal(dd_writer_close(writer, NULL), DD_OK);
    dd_buffer_append(&out, "", 1);
    assert_string_equal(out.data, expected);
    dd_buffer_free(&out);
    dd_sentence_free(sentence);
    dd_reader_close(reader);
}

#define ROW(id, form, misc) id "\t" form "\t_\t_\t_\t_\t_\t_\t_\t" misc "\n"

static void a_document_is_its_text_with_its_id_and_fields(void **state)
{
    expect(*state,
           "\xEF\xBB\xBF{\"id\":\"a b\",\"text\":\"I am here. I am.\",\"n\":1.10,"
           "\"l\":[1,\t2],\"s\":\"x\\ny\"}\r\n \n{\"text\":\"I.\"}",
           (dd_input_options){.format = DD_FORMAT_JSONL}, DD_FORMAT_CONLLU,
           "# newdoc id = a b\n# meta::n = 1.10\n# meta::l = [1,2]\n# meta::s = \"x\\ny\"\n"
           "# newpar\n# sent_id = a_b-1\n# text = I am here.\n" ROW("1", "I", "_")
               ROW("2", "am", "_") ROW("3", "here", "SpaceAfter=No")
                   ROW("4", ".", "_") "\n# sent_id = a_b-2\n# text = I am.\n" ROW("1", "I", "_")
                       ROW("2", "am", "SpaceAfter=No")
                           ROW("3", ".", "_") "\n# newdoc id = 3\n# newpar\n# sent_id = 3-1\n# "
                                              "text = I.\n" ROW("1", "I", "SpaceAfter=No")
                                                  ROW("2", ".", "_") "\n");
}

static void fields_are_found_in_others(void **state)
{
    expect(*state, "{\"a.b\":\"no\",\"a\":{\"b\":{\"c\":\"I.\"},\"k\":17}}\n",
           (dd_input_options){.field = "a.b.c", .id = "a.k", .ranges = true}, DD_FORMAT_CONLLU,
           "# newdoc id = 17\n# meta::a.b = no\n# newpar\n# sent_id = 17-1\n# text = I.\n" ROW(
               "1", "I", "SpaceAfter=No|TokenRange=0:1") ROW("2", ".", "TokenRange=1:2") "\n");
}

#define WORDS_OF(id, form)                                                                         \
    "{\"id\":" id ",\"form\":\"" form "\",\"lemma\":null,\"upos\":null,\"xpos\":null,"             \
    "\"feats\":null,\"head\":null,\"deprel\":null,\"deps\":null,\"misc\":null}"
#define SENTENCE(id, more)                                                                         \
    "{\"sent_id\":\"" id "\",\"text\":\"I\",\"comments\":[" more "\"# sent_id = " id               \
    "\",\"# text = I\"],\"tokens\":[{\"form\":\"I\",\"start\":0,\"end\":1,\"words\":[1]}],"        \
    "\"words\":[" WORDS_OF("1", "I") "],\"empty_nodes\":[]}"

/* The object as it was, with its sentences; those of an earlier parse are replaced. Other lines
 * come back as they were. */
static void documents_are_written_as_they_were_read(void **state)
{
    expect(
        *state,
        " { \"sentences\":[1], \"n\" : 1.10,\"text\":\"I\"} \n\n{\"text\":\n{\"text\":\"I\\nI\"}",
        (dd_input_options){.format = DD_FORMAT_JSONL, .given = DD_GIVEN_SENTENCES}, DD_FORMAT_JSONL,
        "{\"n\":1.10,\"text\":\"I\",\"sentences\":[" SENTENCE(
            "1-1", "") "]}\n"
                       "{\"text\":\n"
                       "{\"text\":\"I\\nI\",\"sentences\":[" SENTENCE("4-1", "") "," SENTENCE(
                           "4-2", "") "]}\n");
}

static void other_input_is_written_in_documents_too(void **state)
{
    static const char text[] = "# newdoc id = x\n# sent_id = 1\n# text = I\n" ROW(
        "1", "I", "_") "\n# sent_id = 2\n# text = I\n" ROW("1", "I",
                                                           "_") "\n# newdoc\n# sent_id = 3\n# text "
                                                                "= I\n" ROW("1", "I", "_") "\n";
    expect(*state, text, (dd_input_options){.format = DD_FORMAT_CONLLU}, DD_FORMAT_JSONL,
           "{\"id\":\"x\",\"sentences\":[" SENTENCE("1", "") "," SENTENCE(
               "2", "") "]}\n"
                        "{\"sentences\":[" SENTENCE("3", "") "]}\n");
}

/* What is wrong, with line and byte; the line comes back, and the next is read. */
static const struct {
    const char *line, *message;
} wrong[] = {
    {"{\"text\":\"I", "not JSON: byte 11: a string has no end"},
    {"{\"t\":\"I\"}", "byte 1: the field 'text' is missing; 'field' names another"},
    {"{\"n\":1,\"text\":[\"I\"]}", "byte 15: the field 'text' is not a string"},
    {"{\"text\":null}", "byte 9: the field 'text' is not a string"},
    {"{\"text\":\"\"}", "byte 9: the field 'text' has no text"},
    {"{\"text\":\" \\n\"}", "byte 9: the field 'text' has no text"},
    {"{\"text\":\"I\",\"text\":\"I\"}", "not JSON: byte 13: a key appears twice"},
    {"{\"text\":\"I\xE4\"}", "not JSON: byte 11: bytes that are not UTF-8"},
    {"{\"text\":\"\\ud800\"}", "not JSON: byte 16: half of a surrogate pair"},
    {"{\"text\":\"\\u0000\"}", "not JSON: byte 16: a NUL in a string"},
    {"[\"I\"]", "byte 1: not an object, as a document is"},
    {"{\"text\":\"I\"} {}", "not JSON: byte 14: more follows after its end"},
    {"{\"id\":\"\",\"text\":\"I\"}", "byte 7: the field 'id' is empty or has control characters"},
    {"{\"id\":\"a\\nb\",\"text\":\"I\"}",
     "byte 7: the field 'id' is empty or has control characters"},
};

static void a_line_that_is_no_document_is_named_and_passed_on(void **state)
{
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[200], message[200];
        dd_error error;
        dd_sentence *sentence;
        dd_buffer out = {0};
        snprintf(text, sizeof text, "\n%s\n{\"text\":\"I am.\"}\n", wrong[i].line);
        snprintf(message, sizeof message, "d.jsonl:2: %s", wrong[i].message);
        dd_reader *reader =
            open_with(*state, text_of(text), (dd_input_options){.format = DD_FORMAT_AUTO});
        assert_int_equal(dd_sentence_new(&sentence, NULL), DD_OK);
        assert_int_equal(dd_reader_next(reader, sentence, &error), DD_ERROR_FORMAT);
        assert_string_equal(error.message, message);
        assert_int_equal(error.line, 2);
        assert_int_equal(dd_sentence_format(sentence, DD_FORMAT_JSONL, &out, NULL), DD_OK);
        assert_int_equal(out.size, strlen(wrong[i].line) + 1);
        assert_memory_equal(out.data, wrong[i].line, out.size - 1);
        assert_int_equal(dd_reader_next(reader, sentence, &error), DD_OK);
        assert_int_equal(dd_sentence_size(sentence), 3);
        assert_int_equal(dd_reader_next(reader, sentence, &error), DD_END);
        dd_buffer_free(&out);
        dd_sentence_free(sentence);
        dd_reader_close(reader);
    }
}

static void an_id_that_was_asked_for_must_be_there(void **state)
{
    static const char *const lines[][2] = {
        {"{\"text\":\"I\"}", "d.jsonl:1: byte 1: the field 'k' is missing"},
        {"{\"text\":\"I\",\"k\":true}",
         "d.jsonl:1: byte 17: the field 'k' is neither a string nor a number"},
    };
    for (int i = 0; i < 2; i++) {
        dd_error error;
        dd_sentence *sentence;
        dd_reader *reader = open_with(*state, text_of(lines[i][0]), (dd_input_options){.id = "k"});
        assert_int_equal(dd_sentence_new(&sentence, NULL), DD_OK);
        assert_int_equal(dd_reader_next(reader, sentence, &error), DD_ERROR_FORMAT);
        assert_string_equal(error.message, lines[i][1]);
        dd_sentence_free(sentence);
        dd_reader_close(reader);
    }
}

/* ---- encodings ---- */

/* Gives the bytes so many at a time. */
typedef struct dripping {
    dd_text rest;
    size_t step;
} dripping;

static dd_status drip(void *user, char *data, size_t size, size_t *got, dd_error *error)
{
    dripping *from = user;
    (void)error;
    *got = from->rest.size < from->step ? from->rest.size : from->step;
    assert_true(*got <= size);
    memcpy(data, from->rest.data, *got);
    from->rest = dd_text_skip(from->rest, *got);
    return DD_OK;
}

static dd_status decode(dd_text bytes, const char *name, size_t step, dd_buffer *out,
                        dd_error *error)
{
    dripping from = {bytes, step};
    dd_source *source;
    dd_text chunk;
    out->size = 0;
    assert_int_equal(dd_source_open_from(&source, "t", drip, &from, NULL), DD_OK);
    dd_status status = dd_source_set_encoding(source, name, error);
    while (status == DD_OK && (status = dd_source_next(source, &chunk, error)) == DD_OK)
        dd_buffer_append(out, chunk.data, chunk.size);
    dd_source_close(source);
    return status;
}

static const struct {
    const char *name; /* NULL: none is given */
    dd_text bytes, text;
} decoded[] = {
#define T(string)                                                                                  \
    {                                                                                              \
        string, sizeof string - 1                                                                  \
    }
    {"latin1", T("sch\xF6n\n"), T("sch\xC3\xB6n\n")},
    {"UTF-8", T("sch\xC3\xB6n\xFF"), T("sch\xC3\xB6n\xFF")},
    {"UTF-16LE", T("\xF6\0\x3C\xD8\x33\xDF"), T("\xC3\xB6\xF0\x9F\x8C\xB3")},
    {"GB18030", T("\xC4\xE3\xBA\xC3"), T("\xE4\xBD\xA0\xE5\xA5\xBD")},
    {"ISO-2022-JP", T("\x1B$B$\"\x1B(B."), T("\xE3\x81\x82.")},
    {NULL, T("\xFF\xFEI\0\xF6\0"), T("I\xC3\xB6")},
    {NULL, T("\xFE\xFF\0I\0\xF6"), T("I\xC3\xB6")},
    {NULL, T("\xFF"), T("\xFF")},
    {NULL, T("\xFFx"), T("\xFFx")},
    {NULL, T("\xFE\xFFx"), T("?")},
#undef T
};

static void other_encodings_become_utf8_in_pieces_of_any_size(void **state)
{
    (void)state;
    dd_buffer out = {0};
    dd_error error;
    for (size_t i = 0; i < sizeof decoded / sizeof *decoded; i++)
        for (size_t step = 1; step <= decoded[i].bytes.size; step++) {
            dd_status status = decode(decoded[i].bytes, decoded[i].name, step, &out, &error);
            if (decoded[i].text.data[0] == '?') {
                assert_int_equal(status, DD_ERROR_DATA);
                assert_string_equal(error.message, "t:1: the bytes at offset 2 are an incomplete "
                                                   "character of UTF-16");
                continue;
            }
            assert_int_equal(status, DD_END);
            assert_int_equal(out.size, decoded[i].text.size);
            assert_memory_equal(out.data, decoded[i].text.data, out.size);
        }
    dd_buffer_free(&out);
}

static void bytes_that_are_not_of_the_encoding_are_refused(void **state)
{
    (void)state;
    dd_buffer out = {0};
    dd_error error;
    for (size_t step = 1; step <= 6; step++) {
        assert_int_equal(decode((dd_text){"I\nam\x81.", 6}, "CP1252", step, &out, &error),
                         DD_ERROR_DATA);
        assert_string_equal(error.message, "t:2: the bytes at offset 4 are not CP1252");
        assert_int_equal(out.size, 4);
    }
    assert_int_equal(decode((dd_text){"I", 1}, "no-such", 1, &out, &error), DD_ERROR_ARGUMENT);
    assert_string_equal(error.message,
                        "the encoding 'no-such' is not known; 'iconv -l' lists them");
    dd_buffer_free(&out);
}

static int set_up(void **state)
{
    *state = learn_model(small_treebank);
    return 0;
}

static int tear_down(void **state)
{
    dd_model_free(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_of_all_kinds),
        cmocka_unit_test(json_is_read_strictly),
        cmocka_unit_test(json_cut_anywhere_is_refused),
        cmocka_unit_test(values_know_their_bytes),
        cmocka_unit_test(a_key_that_appears_twice_is_found_among_many),
        cmocka_unit_test(nesting_is_bounded),
        cmocka_unit_test(a_document_is_its_text_with_its_id_and_fields),
        cmocka_unit_test(fields_are_found_in_others),
        cmocka_unit_test(documents_are_written_as_they_were_read),
        cmocka_unit_test(other_input_is_written_in_documents_too),
        cmocka_unit_test(a_line_that_is_no_document_is_named_and_passed_on),
        cmocka_unit_test(an_id_that_was_asked_for_must_be_there),
        cmocka_unit_test(other_encodings_become_utf8_in_pieces_of_any_size),
        cmocka_unit_test(bytes_that_are_not_of_the_encoding_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
