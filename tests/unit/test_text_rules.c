/* Each rule of the formats, broken once: the message is exact, and reading goes on behind it. */
#include "text/sentence.h"
#include "text_help.h"

typedef struct broken {
    const char *text;
    const char *message;
} broken;

#define LONG_GARBAGE                                                                               \
    "abcdefghijklmnopqrstuvwxyzabcdefghijklm\xE2\x82\xAC" /* the cut falls into the last sign */   \
    "\xE2\x82\xAC"

static const broken conllu[] = {
    /* lines */
    {"\n", "t:1: empty line without a sentence before it"},
    {"1" REST "\n\n", "t:3: empty line without a sentence before it"},
    {"\r\n", "t:1: empty line without a sentence before it"},
    {"\xEF\xBB\xBF\n", "t:1: empty line without a sentence before it"},
    {"\xEF\xBB\xBF", "t:1: sentence without words"},
    {"# a\n# b\n\n", "t:3: comments without a sentence"},
    {"# a", "t:1: sentence without words"},
    {"0.1" REST "\n", "t:1: sentence without words"},
    {"1" REST " \t\n", "t:2: only white space; a sentence ends with an empty line"},
    {"1" REST "# a\n\n", "t:2: comment after the first word"},
    {"0.1" REST "# a\n1" REST "\n", "t:2: comment after the first word"},
    /* columns */
    {"1\ta\n\n", "t:1: expected 10 columns separated by tabs, found 2"},
    {"1 a b\n\n", "t:1: expected 10 columns separated by tabs, found 1"},
    {"1" REST "2\t_\t_\t_\t_\t_\t_\t_\t_\t_\t_\n\n",
     "t:2: expected 10 columns separated by tabs, found 11"},
    {"1\ta\t\t_\t_\t_\t_\t_\t_\t_\n\n",
     "t:1: column 3 (LEMMA): empty; a missing value is written _"},
    {"1\ta\t_\t_\t_\t_\t_\t_\t_\t\n\n",
     "t:1: column 10 (MISC): empty; a missing value is written _"},
    {"1\ta\t_\t_\t_\t_\t_\t_\t_\t\r\n\n",
     "t:1: column 10 (MISC): empty; a missing value is written _"},
    {"\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n", "t:1: column 1 (ID): empty; a missing value is written _"},
    {"1\t a\t_\t_\t_\t_\t_\t_\t_\t_\n\n", "t:1: column 2 (FORM): starts with a space"},
    {"1\ta\t_\t_\t_\t_\t_\t_\t_\t_ \n\n", "t:1: column 10 (MISC): ends with a space"},
    {"1\ta b\tc d\tN N\t_\t_\t_\t_\t_\t_\n\n", "t:1: column 4 (UPOS): space inside 'N N'"},
    {"1\ta\t_\t_\tN\033\xC2\x9B N\t_\t_\t_\t_\t_\n\n",
     "t:1: column 5 (XPOS): space inside 'N?? N'"},
    /* ID */
    {"2" REST "\n", "t:1: column 1 (ID): expected 1, found '2'"},
    {"1" REST "1" REST "\n", "t:2: column 1 (ID): expected 2, found '1'"},
    {"1" REST "99999999999999999999" REST "\n",
     "t:2: column 1 (ID): expected 2, found '99999999999999999999'"},
    {"x" REST "\n", "t:1: column 1 (ID): 'x' is not a word number, range or empty node"},
    {"0" REST "\n", "t:1: column 1 (ID): '0' is not a word number, range or empty node"},
    {"01" REST "\n", "t:1: column 1 (ID): '01' is not a word number, range or empty node"},
    {"+1" REST "\n", "t:1: column 1 (ID): '+1' is not a word number, range or empty node"},
    {"-1" REST "\n", "t:1: column 1 (ID): '-1' is not a word number, range or empty node"},
    {"1-" REST "\n", "t:1: column 1 (ID): '1-' is not a word number, range or empty node"},
    {"1.0" REST "\n", "t:1: column 1 (ID): '1.0' is not a word number, range or empty node"},
    {"1:2" REST "\n", "t:1: column 1 (ID): '1:2' is not a word number, range or empty node"},
    {"0-1" REST "\n", "t:1: column 1 (ID): '0-1' is not a word number, range or empty node"},
    {LONG_GARBAGE REST "\n",
     "t:1: column 1 (ID): 'abcdefghijklmnopqrstuvwxyzabcdefghijklm...' is not "
     "a word number, range or empty node"},
    /* ranges */
    {"1-1" REST "1" REST "\n", "t:1: column 1 (ID): range '1-1' does not ascend"},
    {"2-1" REST "1" REST "\n", "t:1: column 1 (ID): range '2-1' does not ascend"},
    {"2-3" REST "1" REST "\n",
     "t:1: column 1 (ID): range '2-3' does not start at the next word, 1"},
    {"1" REST "1-2" REST "2" REST "\n",
     "t:2: column 1 (ID): range '1-2' does not start at the next word, 2"},
    {"1-2" REST "1" REST "2-3" REST "2" REST "3" REST "\n",
     "t:3: column 1 (ID): range '2-3' overlaps range 1-2"},
    {"1-2" REST "1-3" REST "1" REST "\n", "t:2: column 1 (ID): range '1-3' overlaps range 1-2"},
    {"1" REST "2-3" REST "2" REST "\n", "t:2: column 1 (ID): range 2-3 ends early, at word 2"},
    {"1-2\ta\tb\t_\t_\t_\t_\t_\t_\t_\n\n", "t:1: column 3 (LEMMA): 'b' where a range has _"},
    {"1-2\ta\t_\t_\t_\t_\t0\t_\t_\t_\n\n", "t:1: column 7 (HEAD): '0' where a range has _"},
    {"1-2\ta\t_\t_\t_\tTypo\t_\t_\t_\t_\n\n", "t:1: column 6 (FEATS): 'Typo' is not Name=Value"},
    /* empty nodes */
    {"1.1" REST "\n", "t:1: column 1 (ID): expected empty node 0.1, found '1.1'"},
    {"1" REST "1.2" REST "\n", "t:2: column 1 (ID): expected empty node 1.1, found '1.2'"},
    {"1" REST "1.1" REST "1.1" REST "\n",
     "t:3: column 1 (ID): expected empty node 1.2, found '1.1'"},
    {"1" REST "1.1" REST "2" REST "1.2" REST "\n",
     "t:4: column 1 (ID): expected empty node 2.1, found '1.2'"},
    {"0.1\ta\t_\t_\t_\t_\t0\t_\t_\t_\n\n", "t:1: column 7 (HEAD): '0' where an empty node has _"},
    {"0.1\ta\t_\t_\t_\t_\t_\tx\t_\t_\n\n", "t:1: column 8 (DEPREL): 'x' where an empty node has _"},
    /* HEAD, FEATS, DEPS */
    {"1\ta\t_\t_\t_\t_\tx\t_\t_\t_\n\n", "t:1: column 7 (HEAD): 'x' is neither a number nor _"},
    {"1\ta\t_\t_\t_\t_\t-1\t_\t_\t_\n\n", "t:1: column 7 (HEAD): '-1' is neither a number nor _"},
    {"1\ta\t_\t_\t_\t_\t00\t_\t_\t_\n\n", "t:1: column 7 (HEAD): '00' is neither a number nor _"},
    {"1\ta\t_\t_\t_\t_\t2\t_\t_\t_\n\n",
     "t:1: column 7 (HEAD): '2' is beyond the sentence's 1 word"},
    {"1" REST "2\ta\t_\t_\t_\t_\t99999999999\t_\t_\t_\n\n",
     "t:2: column 7 (HEAD): '99999999999' is beyond the sentence's 2 words"},
    {"1\ta\t_\t_\t_\tA=b|c\t_\t_\t_\t_\n\n", "t:1: column 6 (FEATS): 'c' is not Name=Value"},
    {"1\ta\t_\t_\t_\tA=b|\t_\t_\t_\t_\n\n", "t:1: column 6 (FEATS): '' is not Name=Value"},
    {"1\ta\t_\t_\t_\t=b\t_\t_\t_\t_\n\n", "t:1: column 6 (FEATS): '=b' is not Name=Value"},
    {"1\ta\t_\t_\t_\tA=\t_\t_\t_\t_\n\n", "t:1: column 6 (FEATS): 'A=' is not Name=Value"},
    {"1\ta\t_\t_\t_\t_\t_\t_\tx\t_\n\n", "t:1: column 9 (DEPS): 'x' is not HEAD:DEPREL"},
    {"1\ta\t_\t_\t_\t_\t_\t_\t0:r|1:\t_\n\n", "t:1: column 9 (DEPS): '1:' is not HEAD:DEPREL"},
    {"1\ta\t_\t_\t_\t_\t_\t_\t1-2:x\t_\n\n", "t:1: column 9 (DEPS): '1-2:x' is not HEAD:DEPREL"},
    {"1\ta\t_\t_\t_\t_\t_\t_\t:x\t_\n\n", "t:1: column 9 (DEPS): ':x' is not HEAD:DEPREL"},
    /* encoding */
    {"1\t\xC3\t_\t_\t_\t_\t_\t_\t_\t_\n\n",
     "t:1: column 2 (FORM): invalid UTF-8 (incomplete character) at byte 3 of the line"},
    {"1\ta\t_\t_\t_\t_\t_\t_\t_\t\xE2\x82",
     "t:1: column 10 (MISC): invalid UTF-8 (incomplete character) at byte 19 of the line"},
    {"1\t\x80\t_\t_\t_\t_\t_\t_\t_\t_\n\n", "t:1: column 2 (FORM): invalid UTF-8 (continuation "
                                            "byte without a start) at byte 3 of the line"},
    {"1\ta\xC0\xAF\t_\t_\t_\t_\t_\t_\t_\t_\n\n",
     "t:1: column 2 (FORM): invalid UTF-8 (overlong form) at byte 4 of the line"},
    {"1\t\xE0\x9F\xBF\t_\t_\t_\t_\t_\t_\t_\t_\n\n",
     "t:1: column 2 (FORM): invalid UTF-8 (overlong form) at byte 3 of the line"},
    {"1\t\xF0\x8F\xBF\xBF\t_\t_\t_\t_\t_\t_\t_\t_\n\n",
     "t:1: column 2 (FORM): invalid UTF-8 (overlong form) at byte 3 of the line"},
    {"1\t\xED\xA0\x80\t_\t_\t_\t_\t_\t_\t_\t_\n\n",
     "t:1: column 2 (FORM): invalid UTF-8 (surrogate) at byte 3 of the line"},
    {"1\t\xF4\x90\x80\x80\t_\t_\t_\t_\t_\t_\t_\t_\n\n",
     "t:1: column 2 (FORM): invalid UTF-8 (code point beyond U+10FFFF) at byte 3 of the line"},
    {"1\t\xFF\t_\t_\t_\t_\t_\t_\t_\t_\n\n",
     "t:1: column 2 (FORM): invalid UTF-8 (code point beyond U+10FFFF) at byte 3 of the line"},
    {"# x\n# \xE9t\xE9\n1" REST "\n",
     "t:2: invalid UTF-8 (incomplete character) at byte 3 of the line"},
    {"x" REST "1\t\xFF\n\n", "t:1: column 1 (ID): 'x' is not a word number, range or empty node"},
};

static const broken conllx[] = {
    {"1\ta\t_\t_\t_\t_\t0\tROOT\n\n", "t:1: expected 10 columns separated by tabs, found 8"},
    {"1-2" REST "1" REST "\n", "t:1: column 1 (ID): '1-2' is not a word number"},
    {"0.1" REST "\n", "t:1: column 1 (ID): '0.1' is not a word number"},
    {"1" REST "3" REST "\n", "t:2: column 1 (ID): expected 2, found '3'"},
    {"1\ta\t_\t_\t_\t_\t2\tx\t_\t_\n\n",
     "t:1: column 7 (HEAD): '2' is beyond the sentence's 1 word"},
    {"1\ta\t_\t_\t_\t_\t0\tx\ty\t_\n\n", "t:1: column 9 (DEPS): 'y' is neither a number nor _"},
    {"#" REST "\n", "t:1: column 1 (ID): '#' is not a word number"},
    {"1" REST "# a\n\n", "t:2: expected 10 columns separated by tabs, found 1"},
    {"1\t\t_\t_\t_\t_\t0\tx\t_\t_\n\n",
     "t:1: column 2 (FORM): empty; a missing value is written _"},
};

static void check_broken(const broken *table, size_t count, dd_format format)
{
    for (size_t i = 0; i < count; i++) {
        dd_buffer text = {0};
        assert_true(dd_buffer_text(&text, table[i].text));
        copy all = copy_memory((dd_text){text.data, text.size}, format);
        assert_string_equal(all.first.message, table[i].message);
        assert_int_equal(all.bad, 1);
        assert_copied(&all, (dd_text){text.data, text.size});
        dd_buffer_free(&all.output);
        dd_buffer_free(&text);
    }
}

static void conllu_rules_are_told(void **state)
{
    (void)state;
    check_broken(conllu, sizeof conllu / sizeof *conllu, DD_FORMAT_CONLLU);
}

static void conllx_rules_are_told(void **state)
{
    (void)state;
    check_broken(conllx, sizeof conllx / sizeof *conllx, DD_FORMAT_CONLLX);
}

static void a_nul_byte_is_told(void **state)
{
    (void)state;
    static const char text[] = "1" REST "2\ta\0b\t_\t_\t_\t_\t_\t_\t_\t_\n\n1" REST "\n";
    copy all = copy_memory((dd_text){text, sizeof text - 1}, DD_FORMAT_CONLLU);
    assert_string_equal(all.first.message, "t:2: column 2 (FORM): NUL byte at byte 4 of the line");
    assert_int_equal(all.first.line, 2);
    assert_int_equal(all.first.column, 2);
    assert_int_equal(all.good, 1);
    assert_copied(&all, (dd_text){text, sizeof text - 1});
    dd_buffer_free(&all.output);
}

static void reading_goes_on_behind_bad_sentences(void **state)
{
    (void)state;
    const char *text = "# sent_id = a\n1" REST "\n2" REST "\n\n# sent_id = b\n1" REST " \n1" REST
                       "2" REST "\n\xFF\n\n# sent_id = c\n1" REST;
    copy all = copy_memory(text_of(text), DD_FORMAT_CONLLU);
    assert_int_equal(all.good, 3);
    assert_int_equal(all.bad, 4);
    assert_int_equal(all.words, 4);
    assert_copied(&all, text_of(text));
    dd_buffer_free(&all.output);
}

static void a_bad_sentence_holds_bytes_but_no_words(void **state)
{
    (void)state;
    dd_reader *reader;
    dd_sentence *s;
    const char *text = "# sent_id = a\n1" REST "1.1" REST "x" REST "\n";
    assert_int_equal(dd_reader_open_memory(&reader, "t", text_of(text), DD_FORMAT_AUTO, NULL), 0);
    assert_int_equal(dd_sentence_new(&s, NULL), DD_OK);
    assert_int_equal(dd_reader_next(reader, s, NULL), DD_ERROR_FORMAT);
    assert_int_equal(s->n + s->origin.ranges + s->origin.empty, 0);
    assert_text(dd_sentence_id(s), "1");
    assert_int_equal(dd_sentence_attach(s, 1, 0, text_of("x"), NULL), DD_ERROR_ARGUMENT);
    assert_int_equal(dd_reader_next(reader, s, NULL), DD_END);
    dd_sentence_free(s);
    dd_reader_close(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conllu_rules_are_told),
        cmocka_unit_test(conllx_rules_are_told),
        cmocka_unit_test(a_nul_byte_is_told),
        cmocka_unit_test(reading_goes_on_behind_bad_sentences),
        cmocka_unit_test(a_bad_sentence_holds_bytes_but_no_words),
    };
    return cmocka_run_group_tests_name("text rules", tests, NULL, NULL);
}
