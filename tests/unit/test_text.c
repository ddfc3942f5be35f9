/* Sentences: what is read comes back byte for byte, and what was set stands in its place. */
#include <math.h>
#include <stdio.h>

#include "text/sentence.h"
#include "text_help.h"

static const char *const valid[] = {
    "",
    "1" REST "\n",
    "1" REST,                          /* no empty line */
    "1\ta\t_\t_\t_\t_\t0\troot\t_\t_", /* not even a newline */
    "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\r",
    "# sent_id = x\n# text = a b\n1" REST "2" REST "\n1" REST "\n",
    "#\n##\n# \tx\n1" REST "\n",
    "1-2" REST "1" REST "2" REST "3" REST "4-6" REST "4" REST "5" REST "6" REST "\n",
    "0.1" REST "0.2" REST "1" REST "1.1" REST "2" REST "\n",
    "1-2" REST "1" REST "1.1" REST "2" REST "\n",
    "1-2\tab\t_\t_\t_\tTypo=Yes\t_\t_\t_\tSpaceAfter=No\n1" REST "2" REST "\n",
    "# c\r\n1\ta\t_\t_\t_\t_\t0\troot\t_\t_\r\n\r\n1\tb\t_\t_\t_\t_\t0\troot\t_\tx\r\n\r\n",
    "# mixed ends\n1\ta\t_\t_\t_\t_\t0\troot\t_\t_\r\n\n",
    "\xEF\xBB\xBF# sent_id = b\n1" REST "\n1" REST "\n",
    "\xEF\xBB\xBF"
    "1" REST "\n",
    "1\ta b\tc d\tX\tY\tA=b|C=d,e\t1\tx:y\t0:root|1:dep|1.1:x:y\te f|g\n\n", /* head = itself */
    "1\t#\t#\tPUNCT\t.\t_\t_\tpunct\t_\t_\n\n",
    "1\t\xC3\xA9\xE2\x82\xAC\xF0\x9F\x8C\xB3\t\xED\x9F\xBF\t\xF4\x8F\xBF\xBF" /* lines go on */
    "\t\xC2\x80\t_\t0\tr\t_\t\xEE\x80\x80\n\n",
};

static void valid_texts_come_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof valid / sizeof *valid; i++) {
        copy all = copy_memory(text_of(valid[i]), DD_FORMAT_CONLLU);
        if (all.bad) fail_msg("text %zu: %s", i, all.first.message);
        assert_copied(&all, text_of(valid[i]));
        dd_buffer_free(&all.output);
    }
}

static void conllx_comes_back(void **state)
{
    (void)state;
    const char *text = "# a comment\n1\ta b\t_\tN \tN\tfree|text=\t2\tx y\t_\t_\n"
                       "2\tb\t_\t_\t_\t|\t0\tROOT\t0\tROOT\n\n1" REST;
    copy all = copy_memory(text_of(text), DD_FORMAT_CONLLX);
    assert_string_equal(all.first.message, "");
    assert_copied(&all, text_of(text));
    assert_int_equal(all.good, 2);
    dd_buffer_free(&all.output);
}

static void sentences_tell_what_they_hold(void **state)
{
    (void)state;
    dd_sentence *s = read_first("# sent_id =  weblog 7 \n1-2" REST
                                "1\tA\ta\tX\tY\tF=v\t2\tdet\t2:det\tm\r\n1.1" REST
                                "2\tB\tb\tX\tY\t_\t_\t_\t_\t_\n\n",
                                DD_FORMAT_CONLLU);
    static const char *const cells[] = {"1", "A", "a", "X", "Y", "F=v", "2", "det", "2:det", "m"};
    for (int column = 0; column < DD_COLUMNS; column++)
        assert_text(dd_sentence_cell(s, 1, (dd_column)column), cells[column]);
    assert_text(dd_sentence_id(s), "weblog 7");
    assert_int_equal(dd_sentence_size(s), 2);
    assert_int_equal(dd_sentence_line(s), 1);
    assert_int_equal(s->origin.ranges, 1);
    assert_int_equal(s->origin.empty, 1);
    assert_int_equal(s->origin.lines[1], 2);
    assert_int_equal(s->origin.lines[2], 4);
    assert_int_equal(dd_sentence_head(s, 1), 2);
    assert_int_equal(dd_sentence_head(s, 2), -1);
    assert_text(dd_sentence_deprel(s, 1), "det");
    /* Beyond the words there is nothing. */
    assert_int_equal(dd_sentence_head(s, 0), -1);
    assert_int_equal(dd_sentence_head(s, 3), -1);
    assert_text(dd_sentence_deprel(s, 3), "");
    assert_text(dd_sentence_cell(s, 0, DD_FORM), "");
    assert_text(dd_sentence_cell(s, 1, DD_COLUMNS), "");
    dd_sentence_free(s);
}

static void sentences_without_id_are_numbered(void **state)
{
    (void)state;
    const char *text = "# sent_id\n1" REST "\n# sent_idx = 3\n1" REST "\n#sent_id=a\n1" REST "\n";
    static const char *const ids[] = {"1", "2", "a"};
    static const uint64_t lines[] = {1, 4, 7};
    dd_reader *reader;
    dd_sentence *s;
    assert_int_equal(dd_reader_open_memory(&reader, "t", text_of(text), DD_FORMAT_AUTO, NULL), 0);
    assert_int_equal(dd_sentence_new(&s, NULL), DD_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(dd_reader_next(reader, s, NULL), DD_OK);
        assert_text(dd_sentence_id(s), ids[i]);
        assert_int_equal(dd_sentence_line(s), lines[i]);
    }
    assert_int_equal(dd_reader_next(reader, s, NULL), DD_END);
    assert_int_equal(dd_reader_next(reader, s, NULL), DD_END);
    dd_sentence_free(s);
    dd_reader_close(reader);
}

/* ---- setting heads, labels and scores ------------------------------------------------------ */

static void heads_and_labels_are_replaced(void **state)
{
    (void)state;
    dd_sentence *s = read_first("\xEF\xBB\xBF# c\r\n1-2" REST "1\ta\t_\t_\t_\t_\t_\t_\t1:x\tm\r\n"
                                "1.1" REST "2\tb\t_\t_\t_\t_\t0\troot\t_\t_",
                                DD_FORMAT_CONLLU);
    assert_int_equal(dd_sentence_attach(s, 1, 2, text_of("a-long-label"), NULL), DD_OK);
    assert_int_equal(dd_sentence_attach(s, 1, 2, text_of("nsubj"), NULL), DD_OK);
    assert_text(dd_sentence_deprel(s, 1), "nsubj");
    assert_int_equal(dd_sentence_head(s, 1), 2);
    assert_int_equal(s->gold[1], DD_HEAD_UNKNOWN);
    assert_written(s, "\xEF\xBB\xBF# c\r\n1-2" REST "1\ta\t_\t_\t_\t_\t2\tnsubj\t1:x\tm\r\n"
                      "1.1" REST "2\tb\t_\t_\t_\t_\t0\troot\t_\t_");
    dd_sentence_free(s);
}

static void wrong_attachments_are_refused(void **state)
{
    (void)state;
    static const struct {
        int word, head;
        dd_text label;
        const char *message;
    } wrong[] = {
        {0, 1, {"x", 1}, "no word 0 in a sentence of 2"},
        {3, 1, {"x", 1}, "no word 3 in a sentence of 2"},
        {1, -1, {"x", 1}, "no head -1 in a sentence of 2 words"},
        {1, 3, {"x", 1}, "no head 3 in a sentence of 2 words"},
        {1, 2, {"", 0}, "a label is empty, not UTF-8 or has control characters"},
        {1, 2, {"a\tb", 3}, "a label is empty, not UTF-8 or has control characters"},
        {1, 2, {"a\n", 2}, "a label is empty, not UTF-8 or has control characters"},
        {1, 2, {"a\0b", 3}, "a label is empty, not UTF-8 or has control characters"},
        {1, 2, {"a\xC3", 2}, "a label is empty, not UTF-8 or has control characters"},
    };
    dd_sentence *s = read_first("1" REST "2" REST "\n", DD_FORMAT_CONLLU);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        dd_error error;
        assert_int_equal(
            dd_sentence_attach(s, wrong[i].word, wrong[i].head, wrong[i].label, &error),
            DD_ERROR_ARGUMENT);
        assert_string_equal(error.message, wrong[i].message);
    }
    assert_written(s, "1" REST "2" REST "\n");
    dd_sentence_free(s);
}

static void a_label_may_come_from_the_sentence_itself(void **state)
{
    (void)state;
    dd_sentence *s = read_first("1" REST "2" REST "3" REST "\n", DD_FORMAT_CONLLU);
    assert_int_equal(dd_sentence_attach(s, 1, 0, text_of("a-label-of-some-length"), NULL), DD_OK);
    for (int i = 0; i < 100; i++) { /* the bytes grow and move meanwhile */
        int from = 1 + i % 3, to = 1 + (i + 1) % 3;
        assert_int_equal(dd_sentence_attach(s, to, 0, dd_sentence_deprel(s, from), NULL), DD_OK);
        assert_text(dd_sentence_deprel(s, to), "a-label-of-some-length");
    }
    assert_true(s->edits.bytes.size <= 3 * strlen("a-label-of-some-length"));
    dd_sentence_free(s);
}

static void scores_go_to_misc(void **state)
{
    (void)state;
    static const struct {
        const char *before;
        dd_word_score score;
        const char *after;
    } cases[] = {
        {"_", {1.5f, NAN}, "Score=1.5"},
        {"_", {INFINITY, NAN}, "Score=inf"},
        {"_", {123456.f, NAN}, "Score=1.235e+05"},
        {"_", {NAN, NAN}, "_"},
        {"SpaceAfter=No", {-0.25f, NAN}, "SpaceAfter=No|Score=-0.25"},
        {"Score=9", {2, NAN}, "Score=2"},
        {"A=b|Score=9|C=d", {2, NAN}, "A=b|Score=2|C=d"},
        {"A=b|Score=", {2, NAN}, "A=b|Score=2"},
        {"Prob=0.5|  A=b", {2, NAN}, "A=b|Score=2"}, /* a cell must not begin with a space */
        {"Score=9|A=b |Score=8", {2, NAN}, "Score=2|A=b"},
        {"XScore=9", {2, NAN}, "XScore=9|Score=2"},
        {"a|", {2, NAN}, "a||Score=2"},
        {"|a", {2, NAN}, "|a|Score=2"},
        {"_", {2, 0.5f}, "Score=2|Prob=0.500"},
        {"A=b|Score=9|C=d", {2, 0.5f}, "A=b|Score=2|C=d|Prob=0.500"},
        {"Prob=1|A=b|Score=9", {2, 0.1234f}, "Prob=0.123|A=b|Score=2"},
        {"Prob=1|A=b|Score=9", {2, NAN}, "A=b|Score=2"},
        {"Prob=1", {2, NAN}, "Score=2"},
        {"Score=1|Score=2", {3, NAN}, "Score=3"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char before[128], after[128];
        snprintf(before, sizeof before, "1\ta\t_\t_\t_\t_\t0\tr\t_\t%s\r\n\r\n", cases[i].before);
        snprintf(after, sizeof after, "1\ta\t_\t_\t_\t_\t0\tr\t_\t%s\r\n\r\n", cases[i].after);
        dd_sentence *s = read_first(before, DD_FORMAT_CONLLU);
        dd_sentence_set_score(s, 1, cases[i].score);
        assert_written(s, after);
        dd_sentence_free(s);
    }
}

/* ---- size ---------------------------------------------------------------------------------- */

enum { LONG = 20000 };

static dd_buffer long_text(int head_step)
{
    dd_buffer text = {0};
    for (int word = 1; word <= LONG; word++) {
        int head = head_step ? (word + head_step) % (LONG + 1) : 0;
        assert_true(dd_buffer_printf(&text, "%d\tw\t_\t_\t_\tA=b\t%d\tx\t_\t_\n", word, head));
    }
    assert_true(dd_buffer_text(&text, "\n"));
    return text;
}

static void a_long_sentence_is_read_and_changed(void **state)
{
    (void)state;
    dd_buffer before = long_text(0), after = long_text(1);
    assert_true(dd_buffer_append(&before, "", 1)); /* read_first takes a string */
    dd_sentence *s = read_first(before.data, DD_FORMAT_CONLLU);
    assert_int_equal(s->n, LONG);
    for (int word = 1; word <= LONG; word++)
        assert_int_equal(dd_sentence_attach(s, word, (word + 1) % (LONG + 1), text_of("x"), NULL),
                         DD_OK);
    dd_buffer text = {0};
    assert_int_equal(dd_sentence_format(s, DD_FORMAT_AUTO, &text, NULL), DD_OK);
    assert_int_equal(text.size, after.size);
    assert_memory_equal(text.data, after.data, after.size);
    dd_sentence_free(s);
    dd_buffer_free(&text);
    dd_buffer_free(&before);
    dd_buffer_free(&after);
}

static void too_large_a_sentence_ends_reading(void **state)
{
    (void)state;
    dd_reader *reader;
    const char *text = "1" REST "\n1" REST "2" REST "\n1" REST "\n";
    assert_int_equal(dd_reader_open_memory(&reader, "t", text_of(text), DD_FORMAT_AUTO, NULL), 0);
    dd_reader_set_limit(reader, strlen("1" REST "\n"));
    dd_sentence *s;
    dd_error error;
    assert_int_equal(dd_sentence_new(&s, NULL), DD_OK);
    assert_int_equal(dd_reader_next(reader, s, &error), DD_OK);
    for (int again = 0; again < 2; again++) {
        assert_int_equal(dd_reader_next(reader, s, &error), DD_ERROR_DATA);
        assert_string_equal(error.message,
                            "t:3: the sentence that starts here is larger than 0 MiB");
        assert_int_equal(s->origin.raw.size, 0);
    }
    dd_sentence_free(s);
    dd_reader_close(reader);
}

static void names_tell_the_format(void **state)
{
    (void)state;
    assert_int_equal(dd_format_of("a.conll"), DD_FORMAT_CONLLX);
    assert_int_equal(dd_format_of("a.conllx.gz"), DD_FORMAT_CONLLX);
    assert_int_equal(dd_format_of("a.conll.zst"), DD_FORMAT_CONLLX);
    assert_int_equal(dd_format_of("a.conllu"), DD_FORMAT_CONLLU);
    assert_int_equal(dd_format_of("a.conllu.gz"), DD_FORMAT_CONLLU);
    assert_int_equal(dd_format_of("conll"), DD_FORMAT_CONLLU);
    assert_int_equal(dd_format_of(NULL), DD_FORMAT_CONLLU);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(valid_texts_come_back),
        cmocka_unit_test(conllx_comes_back),
        cmocka_unit_test(sentences_tell_what_they_hold),
        cmocka_unit_test(sentences_without_id_are_numbered),
        cmocka_unit_test(heads_and_labels_are_replaced),
        cmocka_unit_test(wrong_attachments_are_refused),
        cmocka_unit_test(a_label_may_come_from_the_sentence_itself),
        cmocka_unit_test(scores_go_to_misc),
        cmocka_unit_test(a_long_sentence_is_read_and_changed),
        cmocka_unit_test(too_large_a_sentence_ends_reading),
        cmocka_unit_test(names_tell_the_format),
    };
    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
