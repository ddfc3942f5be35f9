/* Lines of plain text: whether they are paragraphs, and which begin one in wrapped text. */
#include "segment_help.h"

#include "segment/lines.h"

#include <ctype.h>

static dd_paragraphs judge(const char *text)
{
    dd_lines lines = {0};
    while (*text) {
        uint32_t code;
        bool broken;
        text += dd_char_decode(text, strlen(text), &code, &broken);
        dd_lines_add(&lines, code, (uint8_t)dd_char_classify(code));
    }
    dd_lines_end(&lines);
    return lines.found;
}

static const char wrapped[] =
    "The king of the oak wood had lived there since the days of his\n"
    "grandfather, and nobody could remember a time when the trees did not\n"
    "rustle in the evening, when Mary came home. She was tired, and\n"
    "Peter too.\n";

static void wrapped_text_is_told_from_lines(void **state)
{
    (void)state;
    assert_int_equal(judge(wrapped), DD_PARAGRAPHS_BLANK);
    assert_int_equal(judge("Good morning everyone! Off to work.\nSo tired today, need coffee\n"
                           "who is watching the game tonight?\nLOL\n"),
                     DD_PARAGRAPHS_LINE);
    assert_int_equal(judge("so tired today, need coffee\n"
                           "lol that was the longest film that I have ever seen in my life\n"
                           "who is up for a walk\non my way home at last\n"
                           "have to work again tomorrow\ncan you believe it\n"),
                     DD_PARAGRAPHS_LINE);
    assert_int_equal(judge("apple\nbanana\ncherry\n"), DD_PARAGRAPHS_LINE);
    assert_int_equal(judge("The king sings.\nBirds sing.\n"), DD_PARAGRAPHS_LINE);
    assert_int_equal(judge("The oak\nrustles here.\n"), DD_PARAGRAPHS_BLANK);
    assert_int_equal(judge("One line\n\nAnother\n"), DD_PARAGRAPHS_BLANK);
    assert_int_equal(judge(""), DD_PARAGRAPHS_BLANK);
    assert_int_equal(judge("- milk\n- eggs\n"), DD_PARAGRAPHS_BLANK); /* it makes no difference */
    char wide[1024];
    memset(wide, 'a', sizeof wide);
    for (size_t i = 5; i < sizeof wide; i += 6) wide[i] = i % 300 < 6 ? '\n' : ' ';
    wide[sizeof wide - 1] = '\0';
    assert_int_equal(judge(wide), DD_PARAGRAPHS_LINE);
}

static void a_table_of_contents_does_not_decide(void **state)
{
    (void)state;
    dd_buffer text = {0};
    for (int i = 1; i < 8; i++) assert_true(dd_buffer_printf(&text, "Chapter %d\n", i));
    for (int i = 0; i < 12; i++) assert_true(dd_buffer_printf(&text, "\n%s", wrapped));
    assert_true(dd_buffer_append(&text, "", 1));
    assert_int_equal(judge(text.data), DD_PARAGRAPHS_BLANK);
    dd_buffer_free(&text);
}

/* Where paragraphs are indented the line before may end anywhere. */
static void indented_paragraphs_do_not_decide(void **state)
{
    (void)state;
    dd_buffer text = {0};
    for (int i = 0; i < 9; i++) assert_true(dd_buffer_printf(&text, "    Oak!\n    %s", wrapped));
    assert_true(dd_buffer_append(&text, "", 1));
    assert_int_equal(judge(text.data), DD_PARAGRAPHS_BLANK);
    dd_buffer_free(&text);
    assert_int_equal(judge("  The king sings.\n  Birds sing.\n"), DD_PARAGRAPHS_LINE);
}

/* The last line but one is nearly as long as the longest. */
static void small_letters_tell_nothing_where_there_are_no_others(void **state)
{
    (void)state;
    assert_int_equal(judge("off to work now, see you all later\n"
                           "that was the longest film that i have ever seen in my life\n"
                           "who wants to see another one with me tonight at the oak\n"
                           "have to work again\nbut first a coffee with the king of the oaks\n"),
                     DD_PARAGRAPHS_LINE);
    char small[sizeof wrapped];
    for (size_t i = 0; i < sizeof small; i++) small[i] = (char)tolower(wrapped[i]);
    assert_int_equal(judge(small), DD_PARAGRAPHS_BLANK);
}

static dd_line line_of(const char *text)
{
    dd_line line = {0};
    for (; *text; text++)
        dd_line_add(&line, (uint32_t)*text, (uint8_t)dd_char_classify((uint32_t)*text));
    return line;
}

static void kinds_of_lines(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        dd_line_kind kind;
    } lines[] = {
        {"- milk", DD_LINE_ITEM},        {"* milk", DD_LINE_ITEM},
        {"1. milk", DD_LINE_ITEM},       {"12) milk", DD_LINE_ITEM},
        {"(a) milk", DD_LINE_ITEM},      {"(iv) milk", DD_LINE_ITEM},
        {"b) milk", DD_LINE_ITEM},       {"> milk is", DD_LINE_TEXT},
        {"> - milk", DD_LINE_ITEM},      {">", DD_LINE_QUOTE},
        {">> > ", DD_LINE_QUOTE},        {"-- ", DD_LINE_SIGNATURE},
        {"> -- ", DD_LINE_SIGNATURE},    {"```sh", DD_LINE_FENCE},
        {"| a | b |", DD_LINE_BULLET},   {"|---|", DD_LINE_BULLET},
        {"=====", DD_LINE_TITLE},        {"***", DD_LINE_TITLE},
        {"====-", DD_LINE_TEXT},         {"...", DD_LINE_TEXT},
        {"-- milk", DD_LINE_TEXT},       {"-milk", DD_LINE_TEXT},
        {"1999. Then", DD_LINE_TEXT},    {"1.5 litres", DD_LINE_TEXT},
        {"## Milk", DD_LINE_TITLE},      {"#milk is good", DD_LINE_TEXT},
        {"(I know) this", DD_LINE_TEXT}, {"-", DD_LINE_TEXT},
        {"I. am", DD_LINE_TEXT},         {"Reply-To: me", DD_LINE_FIELD},
        {"He said: no", DD_LINE_TEXT},   {"Content-Transfer-Encoding: 8bit", DD_LINE_FIELD},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        dd_line line = line_of(lines[i].text);
        if (dd_line_kind_of(&line, true) != lines[i].kind) fail_msg("%s", lines[i].text);
    }
    assert_int_equal(line_of("> >>x > y").quotes, 3);
    dd_line begun = line_of(">> ");
    assert_int_equal(dd_line_kind_of(&begun, false), DD_LINE_UNKNOWN);
    begun = line_of("(a");
    assert_int_equal(dd_line_kind_of(&begun, false), DD_LINE_UNKNOWN);
    begun = line_of("abcdefghijklmnop");
    assert_int_equal(dd_line_kind_of(&begun, false), DD_LINE_UNKNOWN);
    begun = line_of("abcdefghijklmnopabcdefghijklmnop");
    assert_int_equal(dd_line_kind_of(&begun, false), DD_LINE_TEXT);
}

static void a_dash_or_number_in_wrapped_text_begins_nothing(void **state)
{
    (void)state;
    dd_line before = line_of("The king, who had lived there for many years, counted the trees as");
    dd_line dash = line_of("- so he said -"), number = line_of("12. Then he left.");
    assert_false(dd_line_begins(DD_LINE_ITEM, &dash, DD_LINE_TEXT, &before, true));
    assert_false(dd_line_begins(DD_LINE_ITEM, &number, DD_LINE_TEXT, &before, false));
    assert_true(dd_line_begins(DD_LINE_ITEM, &dash, DD_LINE_ITEM, &before, false));
    before = line_of("What the king, who had lived there for many years, wanted to have:");
    assert_true(dd_line_begins(DD_LINE_ITEM, &dash, DD_LINE_TEXT, &before, true));
    before = line_of("A heading");
    dd_line text = line_of("The king");
    assert_true(dd_line_begins(DD_LINE_TEXT, &text, DD_LINE_TEXT, &before, true));
    assert_false(dd_line_begins(DD_LINE_TEXT, &text, DD_LINE_TEXT, &before, false));
}

/* ---- through a reader, in chunks of any size ---- */

typedef struct pieces {
    const char *text;
    size_t at, size;
} pieces;

static dd_status give(void *user, char *data, size_t size, size_t *got, dd_error *error)
{
    (void)error;
    pieces *from = user;
    size_t left = strlen(from->text + from->at), take = from->size < left ? from->size : left;
    if (take > size) take = size;
    memcpy(data, from->text + from->at, take);
    from->at += take;
    *got = take;
    return DD_OK;
}

static copy copy_pieces(const dd_model *model, const char *text, size_t size)
{
    dd_reader *reader;
    pieces from = {text, 0, size};
    dd_input_options options;
    dd_input_options_init(&options);
    options.format = DD_FORMAT_TEXT;
    options.ranges = true;
    assert_int_equal(
        dd_reader_open_input(
            &reader, model,
            &(dd_input){.name = "t", .kind = DD_INPUT_FUNCTION, .read = give, .user = &from},
            &options, NULL),
        DD_OK);
    return copy_reader(reader);
}

static void chunks_make_no_difference(void **state)
{
    static const char *const texts[] = {
        wrapped, "I am here\r\nHe is slow\r\nI \xC3\xA9t\xC3\xA9\r\n-- \r\nJones",
        "It is slow.\n\nA list\n- one\n- two\n> I\n> am\nhere\n\xF0\x9F\x91\x8D\n1. a\n2. b",
        ">\r\n> I am so\r\n> > >slow\r\n> > > today\r\n>>\r\n>\r\n> - he\r\n>   is\r\n>>"};
    static const size_t sizes[] = {1, 2, 3, 5, 7, 64, 1000};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        copy whole = copy_input(*state, text_of(texts[i]),
                                &(dd_input_options){.size = sizeof(dd_input_options),
                                                    .format = DD_FORMAT_TEXT,
                                                    .ranges = true});
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            copy all = copy_pieces(*state, texts[i], sizes[k]);
            assert_int_equal(all.last, DD_END);
            assert_int_equal(all.output.size, whole.output.size);
            assert_memory_equal(all.output.data, whole.output.data, whole.output.size);
            dd_buffer_free(&all.output);
        }
        dd_buffer_free(&whole.output);
    }
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

/* The text of each sentence, in one line each. */
static void expect_texts(const dd_model *model, const char *text, const char *expected)
{
    dd_input_options options = {.size = sizeof options, .format = DD_FORMAT_TEXT};
    options.paragraphs = DD_PARAGRAPHS_BLANK;
    copy all = copy_input(model, text_of(text), &options);
    dd_buffer texts = {0};
    assert_true(dd_buffer_append(&all.output, "", 1));
    for (char *line = strtok(all.output.data, "\n"); line; line = strtok(NULL, "\n"))
        if (strncmp(line, "# text = ", 9) == 0)
            assert_true(dd_buffer_printf(&texts, "%s\n", line + 9));
    assert_string_equal(texts.data, expected);
    dd_buffer_free(&all.output);
    dd_buffer_free(&texts);
}

/* Nor where it is indented, as paragraphs are. */
static void a_line_break_is_no_space_between_ideographs(void **state)
{
    (void)state;
    dd_model *model = learn_model(small_treebank);
    expect_texts(model, "\u5433\u8F29\u306F\n\u732B\u3067\r\n\u3042\u308B\n",
                 "\u5433\u8F29\u306F\u732B\u3067\u3042\u308B\n");
    expect_texts(model, "\u5433\u8F29\n\u3000\u732B\n", "\u5433\u8F29 \u732B\n");
    expect_texts(model, "\u5433\u8F29\noak\n\u732B\n", "\u5433\u8F29 oak \u732B\n");
    expect_texts(model, "\uACE0\n\uC591\n", "\uACE0 \uC591\n"); /* Korean has spaces */
    expect_texts(model, "> \u732B\n\u72AC\n", "> \u732B\n\u72AC\n");
    dd_model_free(model);
}

static void marks_of_quoted_mail_stay_where_a_paragraph_begins(void **state)
{
    expect_texts(*state,
                 "He is slow:\n> I am\n> slow\n>\n> - he\n>   is\n>>so slow\n> > here\nNo\n",
                 "He is slow:\n> I am slow\n> - he is\n>>so slow here\nNo\n");
    expect_texts(*state, ">\n> I am\n>>\n>\n", "> I am\n");
    expect_texts(*state, "I am > he\n>\n", "I am > he\n");
    expect_texts(*state, "I am slow and\n  he is slow,\n  is he (he)\n  so slow\n",
                 "I am slow and he is slow, is he (he)\nso slow\n");
}

static void lines_of_mail_and_markdown_are_apart(void **state)
{
    expect_texts(*state, "Hi Bob,\nI am slow\nhe is\n-- \nBob\nOak\nBird\n\nI am\nslow\n",
                 "Hi Bob,\nI am slow he is\n--\nBob\nOak\nBird\nI am slow\n");
    expect_texts(*state, "I am\n===\n```\nhe\nis\n```\nslow\nhe\n| a |\n| b |\n",
                 "I am\n===\n```\nhe\nis\n```\nslow he\n| a |\n| b |\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrapped_text_is_told_from_lines),
        cmocka_unit_test(a_table_of_contents_does_not_decide),
        cmocka_unit_test(indented_paragraphs_do_not_decide),
        cmocka_unit_test(small_letters_tell_nothing_where_there_are_no_others),
        cmocka_unit_test(kinds_of_lines),
        cmocka_unit_test(a_dash_or_number_in_wrapped_text_begins_nothing),
        cmocka_unit_test(marks_of_quoted_mail_stay_where_a_paragraph_begins),
        cmocka_unit_test(lines_of_mail_and_markdown_are_apart),
        cmocka_unit_test(chunks_make_no_difference),
        cmocka_unit_test(a_line_break_is_no_space_between_ideographs),
    };
    return cmocka_run_group_tests_name("lines", tests, set_up, tear_down);
}
