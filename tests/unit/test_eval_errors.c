/* Every input that the evaluations refuse, with the message. */
#include "eval_text.h"
#include <dodona_tools.h>

typedef struct refusal {
    const char *gold, *system, *message;
} refusal;

static void expect(const refusal *cases, size_t count, const dd_eval_options *options)
{
    for (size_t i = 0; i < count; i++) {
        dd_evaluation *evaluation = NULL;
        dd_error error = {.message = ""};
        dd_status status =
            eval_compact(&evaluation, cases[i].gold, cases[i].system, options, &error);
        assert_string_equal(error.message, cases[i].message);
        assert_true(status == DD_ERROR_FORMAT || status == DD_ERROR_DATA);
        assert_null(evaluation);
    }
}

#define FINE                   "1 a _ _ _ _ 0 root\n\n"
#define EXPECT(cases, options) expect(cases, sizeof(cases) / sizeof *(cases), options)

static void broken_lines(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {FINE, "1 a _ _ _ _ 0 root _ _ _\n\n",
         "system:1: expected 10 columns separated by tabs, found 11"},
        {"1 a _ _ _ _ 0 root\n3 b _ _ _ _ 1 obj\n\n", FINE,
         "gold:2: column 1 (ID): expected 2, found '3'"},
        {FINE, "1 a _ _ _ _ x root\n\n",
         "system:1: column 7 (HEAD): 'x' is neither a number nor _"},
        {FINE, "1 a _ _ _ _ -1 root\n\n",
         "system:1: column 7 (HEAD): '-1' is neither a number nor _"},
        {FINE, "1 a _ _ _ _ 2 root\n\n",
         "system:1: column 7 (HEAD): '2' is beyond the sentence's 1 word"},
        {FINE, "1 a\n\n", "system:1: column 7 (HEAD): not a number"},
        {FINE, FINE "1  _ _ _ _ 0 root\n\n",
         "system:3: column 2 (FORM): empty; a missing value is written _"},
        {FINE, "# c\n1 \u00A0\u2003 _ _ _ _ 0 root\n\n",
         "system:2: column 2 (FORM): the FORM is empty or has only spaces"},
        {FINE, "1 a _ _ _ _ 2 case\n2 \u00A0 _ _ _ _ 0 root\n\n",
         "system:2: column 2 (FORM): the FORM is empty or has only spaces"},
        {FINE, "1-3 a\n1 b _ _ _ _ 0 root\n2 c _ _ _ _ 1 obj\n\n",
         "system:1: column 1 (ID): range 1-3 ends early, at word 2"},
    };
    EXPECT(cases, NULL);
}

static void broken_sentences(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {FINE, "1 a _ _ _ _ 0 root\n2 b _ _ _ _ 3 obj\n3 c _ _ _ _ 2 obj\n\n",
         "system:2: the heads form a cycle"},
        {FINE, "1 a _ _ _ _ 0 root\n2 b _ _ _ _ 2 obj\n\n", "system:2: the heads form a cycle"},
        {FINE, FINE "# c\n1 a _ _ _ _ 2 obj\n2 b _ _ _ _ 1 obj\n\n",
         "system:4: no word is the root"},
        {"1 a _ _ _ _ 0 root\n2 b _ _ _ _ 0 root\n\n", FINE,
         "gold:2: column 7 (HEAD): a second root"},
        {FINE, FINE "\n", "system:3: empty line without a sentence before it"},
        {FINE, "# only this\n\n", "system:2: comments without a sentence"},
        {FINE, "1 a _ _ _ _ 0 root\n", "system:1: no blank line after the last sentence"},
        {FINE "1 a _ _ _ _ 0 root\n2 b _ _ _ _ 1 obj\n", FINE,
         "gold:4: no blank line after the last sentence"},
    };
    EXPECT(cases, NULL);
}

static void different_characters(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {FINE "1 abc _ _ _ _ 0 root\n\n", FINE "# c\n1 ab _ _ _ _ 0 root\n2 d _ _ _ _ 1 obj\n\n",
         "system:5: the characters of the words differ: 'd' here, 'c' in gold:3"},
        {"1 a\u00E9 _ _ _ _ 0 root\n\n", "1 a\u00E8 _ _ _ _ 0 root\n\n",
         "system:1: the characters of the words differ: '\u00E8' here, '\u00E9' in gold:1"},
        {FINE "1 b _ _ _ _ 0 root\n\n", FINE,
         "system:1: the characters of the words differ: '' here, 'b' in gold:3"},
        {"", FINE, "system:1: the characters of the words differ: 'a' here, '' in gold:1"},
        {"1 x _ _ _ _ 0 root\n\n", "1 abcdefghijklmnopqrstuvwxyz _ _ _ _ 0 root\n\n",
         "system:1: the characters of the words differ: 'abcdefghijklmnopqrst' here, 'x' in "
         "gold:1"},
        {"1-2 ab\n1 a _ _ _ _ 0 root\n2 b _ _ _ _ 1 obj\n\n",
         "1-2 ac\n1 a _ _ _ _ 0 root\n2 b _ _ _ _ 1 obj\n\n",
         "system:1: the characters of the words differ: 'c' here, 'b' in gold:1"},
    };
    EXPECT(cases, NULL);
}

static void conllx_wants_the_same_words(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {FINE "1 b _ _ _ _ 0 x\n\n", FINE "1 c _ _ _ _ 0 x\n\n",
         "system:3: column 2 (FORM): 'c' here, 'b' in gold:3"},
        {FINE "1 a _ _ _ _ 0 x\n\n", "1 a _ _ _ _ 0 x\n2 a _ _ _ _ 0 x\n\n",
         "system:2: a sentence begins at gold:3, but not here"},
        {"1 a _ _ _ _ 0 x\n2 a _ _ _ _ 0 x\n\n", FINE "1 a _ _ _ _ 0 x\n\n",
         "system:3: a sentence begins here, but not at gold:2"},
        {FINE, "1 A _ _ _ _ 0 x\n\n", "system:1: column 2 (FORM): 'A' here, 'a' in gold:1"},
        {FINE FINE, FINE, "system:1: 1 words in this file, 2 in gold"},
        {FINE, FINE FINE, "system:3: 2 words in this file, 1 in gold"},
        {FINE, "", "system:1: 0 words in this file, 1 in gold"},
        {FINE, "1 a _ _ _ _ _ x\n\n", "system:1: column 7 (HEAD): not a number"},
    };
    dd_eval_options options = {.size = sizeof options, .rule = DD_EVAL_CONLLX};
    EXPECT(cases, &options);
}

static void missing_files_are_named(void **state)
{
    (void)state;
    dd_evaluation *evaluation = NULL;
    dd_error error;
    assert_int_equal(dd_evaluate(&evaluation, "/no/such/file", "-", NULL, &error), DD_ERROR_IO);
    assert_non_null(strstr(error.message, "/no/such/file"));
    assert_null(evaluation);
    dd_evaluation_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broken_lines),
        cmocka_unit_test(broken_sentences),
        cmocka_unit_test(different_characters),
        cmocka_unit_test(conllx_wants_the_same_words),
        cmocka_unit_test(missing_files_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
