/* The metrics of both evaluations on files small enough to count by hand. */
#include "eval_text.h"
#include <dodona_tools.h>

#include "eval/corpus.h"

static const char gold[] = "# a dog\n"
                           "1 The the DET DT Definite=Def 2 det\n"
                           "2 dogs dog NOUN NNS Number=Plur 3 nsubj\n"
                           "3 bark bark VERB VBP Mood=Ind|Tense=Pres 0 root\n"
                           "4 at at ADP IN _ 5 case\n"
                           "5 Al Al PROPN NNP Number=Sing 3 obl:at\n"
                           "6 . . PUNCT . _ 3 punct\n\n";

static void equal_files_are_all_right(void **state)
{
    (void)state;
    for (int no_punct = 0; no_punct < 2; no_punct++)
        for (int rule = DD_EVAL_CONLL2018; rule <= DD_EVAL_CONLLX; rule++) {
            dd_eval_options options = {
                .size = sizeof options, .rule = (dd_eval_rule)rule, .no_punct = no_punct};
            dd_evaluation *evaluation = eval_ok(gold, gold, &options);
            dd_metric metric;
            size_t count = 0;
            for (; dd_evaluation_metric(evaluation, count, &metric); count++) {
                assert_true(metric.correct > 0);
                assert_true(dd_metric_precision(&metric) == 1);
                assert_true(dd_metric_recall(&metric) == 1);
                assert_true(dd_metric_f1(&metric) == 1);
                assert_true(!metric.on_aligned || dd_metric_aligned_accuracy(&metric) == 1);
            }
            assert_int_equal(count, rule == DD_EVAL_CONLLX ? 3 : 14);
            dd_confusion confusion;
            assert_false(dd_evaluation_confusion(evaluation, 0, &confusion));
            dd_evaluation_free(evaluation);
        }
}

static void empty_files_score_nothing(void **state)
{
    (void)state;
    dd_evaluation *evaluation = eval_ok("", "", NULL);
    dd_metric metric = eval_metric(evaluation, "LAS");
    assert_true(dd_metric_precision(&metric) == 0 && dd_metric_recall(&metric) == 0);
    assert_true(dd_metric_f1(&metric) == 0 && dd_metric_aligned_accuracy(&metric) == 0);
    assert_false(dd_evaluation_label(evaluation, 0, &metric));
    dd_evaluation_free(evaluation);
}

static void heads_labels_and_columns_count_each_for_itself(void **state)
{
    (void)state;
    /* The: head wrong. dogs: label wrong. bark: LEMMA and XPOS wrong. at: UPOS wrong. */
    dd_evaluation *evaluation = eval_ok(gold,
                                        "1 The the DET DT Definite=Def 3 det\n"
                                        "2 dogs dog NOUN NNS Number=Plur 3 obj\n"
                                        "3 bark barks VERB VB Mood=Ind|Tense=Pres 0 root\n"
                                        "4 at at SCONJ IN _ 5 case\n"
                                        "5 Al Al PROPN NNP Number=Plur 3 obl:at\n"
                                        "6 . . PUNCT . _ 3 punct\n\n",
                                        NULL);
    eval_expect(evaluation, "Tokens", "6/6/6");
    eval_expect(evaluation, "Sentences", "1/1/1");
    eval_expect(evaluation, "Words", "6/6/6");
    eval_expect(evaluation, "UPOS", "5/6/6/6");
    eval_expect(evaluation, "XPOS", "5/6/6/6");
    eval_expect(evaluation, "UFeats", "5/6/6/6");
    eval_expect(evaluation, "AllTags", "3/6/6/6");
    eval_expect(evaluation, "Lemmas", "5/6/6/6");
    eval_expect(evaluation, "UAS", "5/6/6/6");
    eval_expect(evaluation, "LAS", "4/6/6/6");
    eval_expect(evaluation, "LabelAcc", "5/6/6/6");
    eval_expect(evaluation, "CLAS", "2/3/3/3");
    eval_expect(evaluation, "MLAS", "0/3/3/3"); /* bark has The as a child, Al a wrong Number */
    eval_expect(evaluation, "BLEX", "1/3/3/3");
    dd_evaluation_free(evaluation);
}

static void clas_counts_each_side_by_its_own_labels(void **state)
{
    (void)state;
    const char *one = "1 a _ _ _ _ 0 root\n2 b _ _ _ _ 1 obj\n3 c _ _ _ _ 1 case\n\n";
    const char *two = "1 a _ _ _ _ 0 root\n2 b _ _ _ _ 1 cc\n3 c _ _ _ _ 1 cc\n\n";
    dd_evaluation *evaluation = eval_ok(one, two, NULL);
    eval_expect(evaluation, "CLAS", "1/2/1/2");
    dd_metric metric = eval_metric(evaluation, "CLAS");
    assert_true(dd_metric_precision(&metric) == 1 && dd_metric_recall(&metric) == 0.5);
    assert_true(dd_metric_f1(&metric) == 2.0 / 3);
    dd_evaluation_free(evaluation);
}

static void subtypes_count_under_conllx_only(void **state)
{
    (void)state;
    const char *one = "1 a _ _ _ _ 0 root\n2 b _ _ _ _ 1 nmod:poss:x\n\n";
    const char *two = "1 a _ _ _ _ 0 root\n2 b _ _ _ _ 1 nmod\n\n";
    dd_eval_options options = {.size = sizeof options, .rule = DD_EVAL_CONLLX};
    dd_evaluation *ud = eval_ok(one, two, NULL), *conllx = eval_ok(one, two, &options);
    eval_expect(ud, "LAS", "2/2/2/2");
    eval_expect(conllx, "LAS", "1/2/2/2");
    eval_expect(conllx, "UAS", "2/2/2/2");
    eval_expect(conllx, "LabelAcc", "1/2/2/2");
    dd_evaluation_free(ud);
    dd_evaluation_free(conllx);
}

static void features_are_universal_and_in_any_order(void **state)
{
    (void)state;
    const char *one = "1 a _ _ _ Case=Nom|Number=Sing|Typo=Yes 0 root\n2 b _ _ _ _ 1 obj\n"
                      "3 c _ _ _ Gender[psor]=Fem 1 obj\n4 d _ _ _ Case=Nom 1 obj\n\n";
    const char *two = "1 a _ _ _ Number=Sing|Case=Nom 0 root\n2 b _ _ _ Style=Coll 1 obj\n"
                      "3 c _ _ _ _ 1 obj\n4 d _ _ _ Case=No 1 obj\n\n";
    dd_evaluation *evaluation = eval_ok(one, two, NULL);
    eval_expect(evaluation, "UFeats", "3/4/4/4");
    dd_evaluation_free(evaluation);
}

static void a_missing_gold_lemma_fits_any(void **state)
{
    (void)state;
    const char *one = "1 a _ _ _ _ 0 root\n2 b x _ _ _ 1 obj\n\n";
    const char *two = "1 a y _ _ _ 0 root\n2 b _ _ _ _ 1 obj\n\n";
    dd_evaluation *evaluation = eval_ok(one, two, NULL);
    eval_expect(evaluation, "Lemmas", "1/2/2/2");
    eval_expect(evaluation, "BLEX", "1/2/2/2");
    dd_evaluation_free(evaluation);
}

/* Gold: a has the functional children b and c, and the content child d. */
static void mlas_asks_for_the_functional_children(void **state)
{
    (void)state;
    const char *one = "1 a _ X _ _ 0 root\n2 b _ DET _ _ 1 det\n3 c _ ADP _ Case=Nom 1 case\n"
                      "4 d _ X _ _ 1 obj\n\n";
    static const struct {
        const char *system, *mlas;
    } cases[] = {
        {"1 a _ X _ _ 0 root\n2 b _ DET _ _ 1 det:x\n3 c _ ADP _ Case=Nom|Typo=Yes 1 case\n"
         "4 d _ X _ _ 1 obj\n\n",
         "2/2/2/2"}, /* nothing that counts differs */
        {"1 a _ X _ _ 0 root\n2 b _ PRON _ _ 1 det\n3 c _ ADP _ Case=Nom 1 case\n"
         "4 d _ X _ _ 1 obj\n\n",
         "1/2/2/2"}, /* a child's UPOS */
        {"1 a _ X _ _ 0 root\n2 b _ DET _ _ 1 det\n3 c _ ADP _ _ 1 case\n4 d _ X _ _ 1 obj\n\n",
         "1/2/2/2"}, /* a child's FEATS */
        {"1 a _ X _ _ 0 root\n2 b _ DET _ _ 1 det\n3 c _ ADP _ Case=Nom 1 mark\n"
         "4 d _ X _ _ 1 obj\n\n",
         "1/2/2/2"}, /* a child's label */
        {"1 a _ X _ _ 0 root\n2 b _ DET _ _ 1 det\n3 c _ ADP _ Case=Nom 4 case\n"
         "4 d _ X _ _ 1 obj\n\n",
         "0/2/2/2"}, /* a child moved from a to d */
        {"1 a _ X _ _ 0 root\n2 b _ DET _ _ 1 det\n3 c _ ADP _ Case=Nom 1 case\n"
         "4 d _ X _ _ 1 cc\n\n",
         "0/2/1/2"}, /* one child more for a, and d is no content word */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dd_evaluation *evaluation = eval_ok(one, cases[i].system, NULL);
        eval_expect(evaluation, "MLAS", cases[i].mlas);
        dd_evaluation_free(evaluation);
    }
}

static void heads_must_be_the_same_aligned_word(void **state)
{
    (void)state;
    /* bc is cut differently, so nothing that depends on it has the right head. */
    dd_evaluation *evaluation = eval_ok(
        "1 a _ _ _ _ 2 det\n2 bc _ _ _ _ 0 root\n3 d _ _ _ _ 2 obj\n\n",
        "1 a _ _ _ _ 2 det\n2 b _ _ _ _ 0 root\n3 c _ _ _ _ 2 flat\n4 d _ _ _ _ 2 obj\n\n", NULL);
    eval_expect(evaluation, "Tokens", "2/3/4");
    eval_expect(evaluation, "Words", "2/3/4");
    eval_expect(evaluation, "UAS", "0/3/4/2");
    eval_expect(evaluation, "LabelAcc", "2/3/4/2");
    dd_evaluation_free(evaluation);
}

static void sentences_may_be_cut_differently(void **state)
{
    (void)state;
    dd_evaluation *evaluation =
        eval_ok("1 a _ _ _ _ 0 root\n\n1 b _ _ _ _ 0 root\n2 c _ _ _ _ 1 obj\n\n",
                "1 a _ _ _ _ 0 root\n2 b _ _ _ _ 1 list\n3 c _ _ _ _ 2 obj\n\n", NULL);
    eval_expect(evaluation, "Sentences", "0/2/1");
    eval_expect(evaluation, "Words", "3/3/3");
    eval_expect(evaluation, "UAS", "2/3/3/3");
    dd_evaluation_free(evaluation);
}

static void a_multiword_token_is_one_token(void **state)
{
    (void)state;
    dd_evaluation *evaluation =
        eval_ok("1-2 del\n1 de _ ADP _ _ 3 case\n1.1 e _ _ _ _ _ _ 1:x\n2 el _ DET _ _ 3 det\n"
                "3 mar _ NOUN _ _ 0 root\n\n",
                "1 del _ ADP _ _ 2 case\n2 mar _ NOUN _ _ 0 root\n\n", NULL);
    eval_expect(evaluation, "Tokens", "2/2/2");
    eval_expect(evaluation, "Words", "1/3/2");
    eval_expect(evaluation, "LAS", "1/3/2/1");
    eval_expect(evaluation, "MLAS", "0/1/1/1");
    dd_evaluation_free(evaluation);
}

static void spaces_in_forms_do_not_count(void **state)
{
    (void)state;
    dd_evaluation *evaluation =
        eval_ok("1 10\u00A0000 _ _ _ _ 0 root\n2 x\u3000y _ _ _ _ 1 obj\n\n",
                "1 10000 _ _ _ _ 0 root\n2 xy _ _ _ _ 1 obj\n\n", NULL);
    eval_expect(evaluation, "LAS", "2/2/2/2");
    dd_evaluation_free(evaluation);
}

static void byte_order_marks_and_carriage_returns_do_not_count(void **state)
{
    (void)state;
    dd_evaluation *evaluation =
        eval_ok("\uFEFF1-2 ab\r\n1 a _ _ _ _ 0 root\r\n2 b _ _ _ _ 1 obj\r\n\r\n",
                "\uFEFF# c\n1-2 ab\n1 a _ _ _ _ 0 root\n2 b _ _ _ _ 1 obj\n\n", NULL);
    eval_expect(evaluation, "Tokens", "1/1/1");
    eval_expect(evaluation, "LAS", "2/2/2/2");
    dd_evaluation_free(evaluation);
}

static void punctuation_can_be_left_out(void **state)
{
    (void)state;
    const char *one = "1 a _ _ _ _ 0 root\n2 ?! _ _ _ _ 1 x\n3 « _ _ _ _ 1 x\n4 $ _ _ _ _ 1 x\n"
                      "5 a- _ _ _ _ 1 x\n\n";
    const char *two = "1 a _ _ _ _ 0 root\n2 ? _ _ _ _ 1 x\n3 ! _ _ _ _ 1 x\n4 « _ _ _ _ 1 y\n"
                      "5 $ _ _ _ _ 4 x\n6 a- _ _ _ _ 1 x\n\n";
    dd_eval_options options = {.size = sizeof options, .no_punct = true};
    dd_evaluation *evaluation = eval_ok(one, two, &options);
    eval_expect(evaluation, "Tokens", "4/5/6");
    eval_expect(evaluation, "Words", "3/3/3");
    eval_expect(evaluation, "LAS", "2/3/3/3");
    eval_expect(evaluation, "LabelAcc", "3/3/3/3");
    assert_non_null(strstr(dd_evaluation_rule(evaluation), "only punctuation left out"));
    dd_evaluation_free(evaluation);
}

static void conllx_takes_any_roots_and_cycles(void **state)
{
    (void)state;
    const char *one = "1 a _ _ _ _ 0 ROOT\n2 b _ _ _ _ 0 ROOT\n3 ... _ _ _ _ 4 x\n"
                      "4 d _ _ _ _ 3 x\n\n1 e _ _ _ _ 0 ROOT\n";
    const char *two = "1 a _ _ _ _ 2 ROOT\n2 b _ _ _ _ 0 x\n3 ... _ _ _ _ 4 x\n"
                      "4 d _ _ _ _ 3 x\n\n1 e _ _ _ _ 0 ROOT\n";
    dd_eval_options options = {
        .size = sizeof options, .rule = DD_EVAL_CONLLX, .format = DD_FORMAT_CONLLX};
    dd_evaluation *all = eval_ok(one, two, &options);
    eval_expect(all, "LAS", "3/5/5/5");
    eval_expect(all, "UAS", "4/5/5/5");
    eval_expect(all, "LabelAcc", "4/5/5/5");
    options.no_punct = true;
    dd_evaluation *words = eval_ok(one, two, &options);
    eval_expect(words, "LAS", "2/4/4/4");
    eval_expect(words, "UAS", "3/4/4/4");
    dd_evaluation_free(all);
    dd_evaluation_free(words);
}

static void labels_are_listed_in_order(void **state)
{
    (void)state;
    dd_evaluation *evaluation = eval_ok(
        "1 a _ _ _ _ 0 root\n2 b _ _ _ _ 1 obj\n3 c _ _ _ _ 1 obj:x\n4 d _ _ _ _ 1 obl\n\n",
        "1 a _ _ _ _ 0 root\n2 b _ _ _ _ 3 obj\n3 c _ _ _ _ 1 obl\n4 d _ _ _ _ 1 amod\n\n", NULL);
    static const char *const want[] = {"amod 0/0/1/0", "obj 0/2/1/2", "obl 0/1/1/1",
                                       "root 1/1/1/1"};
    dd_metric row;
    size_t count = 0;
    for (; dd_evaluation_label(evaluation, count, &row); count++) {
        char got[64];
        snprintf(got, sizeof got, "%s %d/%d/%d/%d", row.name, (int)row.correct, (int)row.gold,
                 (int)row.system, (int)row.aligned);
        assert_true(count < 4);
        assert_string_equal(got, want[count]);
    }
    assert_int_equal(count, 4);
    dd_evaluation_free(evaluation);
}

static void the_most_frequent_confusion_comes_first(void **state)
{
    (void)state;
    dd_evaluation *evaluation =
        eval_ok("1 a _ _ _ _ 0 root\n2 b _ _ _ _ 1 amod\n3 c _ _ _ _ 1 obl\n"
                "4 d _ _ _ _ 1 obl\n5 e _ _ _ _ 1 acl\n\n",
                "1 a _ _ _ _ 0 root\n2 b _ _ _ _ 1 acl\n3 c _ _ _ _ 1 obj\n"
                "4 d _ _ _ _ 1 obj\n5 e _ _ _ _ 1 amod\n\n",
                NULL);
    static const char *const want[] = {"obl obj 2", "acl amod 1", "amod acl 1"};
    dd_confusion confusion;
    size_t count = 0;
    for (; dd_evaluation_confusion(evaluation, count, &confusion); count++) {
        char got[64];
        snprintf(got, sizeof got, "%s %s %d", confusion.gold, confusion.system,
                 (int)confusion.count);
        assert_true(count < 3);
        assert_string_equal(got, want[count]);
    }
    assert_int_equal(count, 3);
    dd_evaluation_free(evaluation);
}

static void lower_case_follows_unicode(void **state)
{
    (void)state;
    static const struct {
        const char *text, *lower;
    } cases[] = {
        {"ABCxyz", "abcxyz"},
        {"ÉΩЖ", "éωж"},
        {"İki", "i\u0307ki"},
        {"ΣΟΦΟΣ", "σοφος"},
        {"Σ", "σ"},
        {"ΑΣ.", "ας."},
        {"Α'ΣΑ", "α'σα"},
        {"ΑΣ Α", "ας α"},
        {"1Σ", "1σ"},
        {"ẞ", "ß"},
        {"", ""},
        {"Α\u0301Σ", "α\u0301ς"},
        {"ⒶΣ", "ⓐς"},
        {"ΑΣⓐ", "ασⓐ"},
        {"ⅧΣ", "ⅷς"},
        {"ªΣ", "ªς"},
        {"ΑΣº", "ασº"},
        {"🄰Σ", "🄰ς"},
        {"🅐Σ", "🅐ς"},
        {"🅰Σ", "🅰ς"},
        {"ↀΣ", "ↀσ"},
        {"\u0345Σ", "\u0345σ"},
        {"Α\u0345Σ", "α\u0345ς"},
        {"ʰΣ", "ʰσ"},
    };
    dd_buffer out = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        out.size = 0;
        dd_text text = {cases[i].text, strlen(cases[i].text)};
        assert_true(dd_eval_lower(&out, text) && dd_buffer_append(&out, "", 1));
        assert_string_equal(out.data, cases[i].lower);
    }
    dd_buffer_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_files_are_all_right),
        cmocka_unit_test(empty_files_score_nothing),
        cmocka_unit_test(heads_labels_and_columns_count_each_for_itself),
        cmocka_unit_test(clas_counts_each_side_by_its_own_labels),
        cmocka_unit_test(subtypes_count_under_conllx_only),
        cmocka_unit_test(features_are_universal_and_in_any_order),
        cmocka_unit_test(a_missing_gold_lemma_fits_any),
        cmocka_unit_test(mlas_asks_for_the_functional_children),
        cmocka_unit_test(heads_must_be_the_same_aligned_word),
        cmocka_unit_test(sentences_may_be_cut_differently),
        cmocka_unit_test(a_multiword_token_is_one_token),
        cmocka_unit_test(spaces_in_forms_do_not_count),
        cmocka_unit_test(byte_order_marks_and_carriage_returns_do_not_count),
        cmocka_unit_test(punctuation_can_be_left_out),
        cmocka_unit_test(conllx_takes_any_roots_and_cycles),
        cmocka_unit_test(labels_are_listed_in_order),
        cmocka_unit_test(the_most_frequent_confusion_comes_first),
        cmocka_unit_test(lower_case_follows_unicode),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
