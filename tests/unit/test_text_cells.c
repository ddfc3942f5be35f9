/* LEMMA, UPOS, XPOS and FEATS that are set: what stands, what is written, what is refused. */
#include "text/sentence.h"
#include "text_help.h"

#define LINES                                                                                      \
    "# c\r\n1-2\tAb\t_\t_\t_\t_\t_\t_\t_\t_\n1\tA\ta\tX\tY\tF=v\t2\tdet\t2:det\tm\r\n"             \
    "1.1" REST "2\tB\t_\t_\t_\t_\t0\troot\t_\t_\n\n"

static void set(dd_sentence *s, int word, dd_column column, const char *value)
{
    dd_error error;
    if (dd_sentence_set_cell(s, word, column, text_of(value), &error) != DD_OK)
        fail_msg("%s", error.message);
    assert_text(dd_sentence_cell(s, word, column), value);
}

static void set_cells_are_written_and_nothing_else(void **state)
{
    (void)state;
    dd_sentence *s = read_first(LINES, DD_FORMAT_CONLLU);
    set(s, 1, DD_XPOS, "long");
    assert_written(s, "# c\r\n1-2\tAb\t_\t_\t_\t_\t_\t_\t_\t_\n1\tA\ta\tX\tlong\tF=v\t2\tdet\t2:det"
                      "\tm\r\n1.1" REST "2\tB\t_\t_\t_\t_\t0\troot\t_\t_\n\n");
    set(s, 1, DD_LEMMA, "a b");
    set(s, 1, DD_UPOS, "NOUN");
    set(s, 1, DD_FEATS, "_");
    set(s, 1, DD_XPOS, "y");
    set(s, 2, DD_FEATS, "A=b|C=d");
    assert_int_equal(dd_sentence_attach(s, 2, 1, text_of("dep"), NULL), DD_OK);
    assert_text(dd_sentence_cell(s, 2, DD_UPOS), "_");
    assert_written(s, "# c\r\n1-2\tAb\t_\t_\t_\t_\t_\t_\t_\t_\n1\tA\ta b\tNOUN\ty\t_\t2\tdet\t2:det"
                      "\tm\r\n1.1" REST "2\tB\t_\t_\t_\tA=b|C=d\t1\tdep\t_\t_\n\n");
    dd_sentence_free(s);
}

static void values_may_come_from_the_sentence_itself(void **state)
{
    (void)state;
    dd_sentence *s = read_first(LINES, DD_FORMAT_CONLLU);
    set(s, 1, DD_LEMMA, "lemma");
    for (int i = 0; i < 100; i++) {
        dd_text lemma = dd_sentence_cell(s, 1, DD_LEMMA);
        assert_int_equal(dd_sentence_set_cell(s, 2, DD_LEMMA, lemma, NULL), DD_OK);
        lemma = dd_sentence_cell(s, 2, DD_LEMMA);
        assert_int_equal(dd_sentence_set_cell(s, 1, DD_UPOS, lemma, NULL), DD_OK);
        set(s, 1, DD_XPOS, i % 2 ? "a" : "abcdefghijklmnop");
    }
    assert_text(dd_sentence_cell(s, 1, DD_UPOS), "lemma");
    dd_sentence_free(s);
}

static void reading_forgets_what_was_set(void **state)
{
    (void)state;
    dd_reader *reader;
    dd_sentence *s;
    dd_text text = text_of("1" REST "\n1" REST "2" REST "\n");
    assert_int_equal(dd_reader_open_memory(&reader, "t", text, DD_FORMAT_CONLLU, NULL), DD_OK);
    assert_int_equal(dd_sentence_new(&s, NULL), DD_OK);
    assert_int_equal(dd_reader_next(reader, s, NULL), DD_OK);
    set(s, 1, DD_UPOS, "X");
    assert_int_equal(dd_reader_next(reader, s, NULL), DD_OK);
    assert_text(dd_sentence_cell(s, 1, DD_UPOS), "_");
    set(s, 2, DD_UPOS, "X");
    assert_written(s, "1" REST "2\ta\t_\tX\t_\t_\t_\t_\t_\t_\n\n");
    dd_sentence_free(s);
    dd_reader_close(reader);
}

typedef struct refusal {
    int word;
    dd_column column;
    const char *value, *message;
} refusal;

static void values_that_a_reader_refuses_are_refused(void **state)
{
    (void)state;
    static const refusal refusals[] = {
        {0, DD_UPOS, "X", "no word 0 in a sentence of 2"},
        {3, DD_UPOS, "X", "no word 3 in a sentence of 2"},
        {1, DD_FORM, "X", "only LEMMA, UPOS, XPOS and FEATS can be set"},
        {1, DD_HEAD, "2", "only LEMMA, UPOS, XPOS and FEATS can be set"},
        {1, DD_UPOS, "", "a value to set is empty; a missing value is written _"},
        {1, DD_LEMMA, "a\tb", "a value to set has a tab or newline"},
        {1, DD_LEMMA, "a\n", "a value to set has a tab or newline"},
        {1, DD_LEMMA, "\xFF", "a value to set is not UTF-8 or has a NUL"},
        {1, DD_LEMMA, " a", "a value to set starts with a space"},
        {1, DD_LEMMA, "a ", "a value to set ends with a space"},
        {1, DD_XPOS, "a b", "a value to set has a space inside"},
        {1, DD_FEATS, "a", "a value to set is not Name=Value"},
    };
    dd_sentence *s = read_first(LINES, DD_FORMAT_CONLLU);
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        const refusal *r = &refusals[i];
        dd_error error;
        assert_int_equal(dd_sentence_set_cell(s, r->word, r->column, text_of(r->value), &error),
                         DD_ERROR_ARGUMENT);
        assert_string_equal(error.message, r->message);
    }
    assert_written(s, LINES);
    dd_sentence_free(s);
}

static void conllx_takes_what_it_would_read(void **state)
{
    (void)state;
    dd_sentence *s = read_first("1" REST "\n", DD_FORMAT_CONLLX);
    set(s, 1, DD_FEATS, "free|text=");
    set(s, 1, DD_XPOS, "N ");
    assert_written(s, "1\ta\t_\t_\tN \tfree|text=\t_\t_\t_\t_\n\n");
    dd_sentence_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(set_cells_are_written_and_nothing_else),
        cmocka_unit_test(values_may_come_from_the_sentence_itself),
        cmocka_unit_test(reading_forgets_what_was_set),
        cmocka_unit_test(values_that_a_reader_refuses_are_refused),
        cmocka_unit_test(conllx_takes_what_it_would_read),
    };
    return cmocka_run_group_tests_name("text cells", tests, NULL, NULL);
}
