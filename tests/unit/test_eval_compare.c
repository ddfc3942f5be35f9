/* Yeh's randomisation test between two systems. */
#include "eval_text.h"
#include <dodona_tools.h>

#include "core/random.h"

enum { SENTENCES = 200, WORDS = 5, SHUFFLES = 2000 };

/* Flat sentences; each word but the first has a wrong head and a wrong label with these
 * probabilities. */
static void sentences(dd_buffer *out, uint64_t seed, double wrong_head, double wrong_label)
{
    dd_random random = {seed};
    out->size = 0;
    for (int i = 0; i < SENTENCES; i++) {
        assert_true(dd_buffer_text(out, "1 w _ _ _ _ 0 root\n"));
        for (int word = 2; word <= WORDS; word++) {
            bool head = dd_random_unit(&random) >= wrong_head;
            bool label = dd_random_unit(&random) >= wrong_label;
            assert_true(dd_buffer_printf(out, "%d w _ _ _ _ %d %s\n", word, head ? 1 : word - 1,
                                         label ? "obj" : "obl"));
        }
        assert_true(dd_buffer_text(out, "\n"));
    }
    assert_true(dd_buffer_append(out, "", 1));
}

static dd_evaluation *evaluate(uint64_t seed, double wrong_head, double wrong_label,
                               dd_eval_rule rule)
{
    dd_buffer gold = {0}, system = {0};
    dd_eval_options options = {.size = sizeof options, .rule = rule};
    sentences(&gold, 0, 0, 0);
    sentences(&system, seed, wrong_head, wrong_label);
    dd_evaluation *evaluation = eval_ok(gold.data, system.data, &options);
    dd_buffer_free(&gold);
    dd_buffer_free(&system);
    return evaluation;
}

static dd_comparison compare(const dd_evaluation *one, const dd_evaluation *other, uint64_t seed)
{
    dd_comparison comparison;
    assert_int_equal(dd_compare(&comparison, one, other, SHUFFLES, seed, NULL), DD_OK);
    return comparison;
}

static void equal_systems_do_not_differ(void **state)
{
    (void)state;
    dd_evaluation *one = evaluate(1, 0.2, 0.1, DD_EVAL_CONLL2018);
    dd_comparison comparison = compare(one, one, 1);
    assert_int_equal(comparison.sentences, SENTENCES);
    assert_int_equal(comparison.words, SENTENCES * WORDS);
    assert_int_equal(comparison.uas.as_large, SHUFFLES);
    assert_true(comparison.uas.p == 1 && comparison.las.p == 1);
    dd_evaluation_free(one);
}

static void equally_good_systems_differ_by_chance(void **state)
{
    (void)state;
    int small = 0;
    dd_evaluation *one = evaluate(1, 0.2, 0.1, DD_EVAL_CONLL2018);
    for (uint64_t seed = 2; seed < 42; seed++) {
        dd_evaluation *other = evaluate(seed, 0.2, 0.1, DD_EVAL_CONLL2018);
        small += compare(one, other, 1).uas.p < 0.05;
        dd_evaluation_free(other);
    }
    assert_in_range(small, 0, 8); /* 2 are to be expected of 40 independent pairs */
    dd_evaluation_free(one);
}

static void a_better_system_is_told_apart(void **state)
{
    (void)state;
    for (int rule = DD_EVAL_CONLL2018; rule <= DD_EVAL_CONLLX; rule++) {
        dd_evaluation *one = evaluate(1, 0.2, 0.1, (dd_eval_rule)rule);
        dd_evaluation *other = evaluate(2, 0.4, 0.1, (dd_eval_rule)rule);
        dd_comparison comparison = compare(one, other, 1), reverse = compare(other, one, 1);
        assert_true(comparison.uas.one > comparison.uas.other);
        assert_true(comparison.uas.p < 0.01 && comparison.las.p < 0.01);
        assert_true(reverse.uas.one == comparison.uas.other);
        assert_true(reverse.uas.p == comparison.uas.p);
        dd_metric las = eval_metric(one, "LAS");
        assert_true(comparison.las.one == dd_metric_f1(&las));
        dd_evaluation_free(one);
        dd_evaluation_free(other);
    }
}

/* A perfect system against one that has some of 200 sentences wrong: shuffles as large. */
static uint64_t shuffles_as_large(const int *wrong, size_t count)
{
    dd_buffer gold = {0}, system = {0};
    for (int i = 0; i < SENTENCES; i++) {
        bool is_wrong = false;
        for (size_t k = 0; k < count; k++) is_wrong |= wrong[k] == i;
        for (int side = 0; side < 2; side++)
            assert_true(dd_buffer_printf(side ? &system : &gold,
                                         "1 a _ _ _ _ 0 root\n2 b _ _ _ _ %d obj\n"
                                         "3 c _ _ _ _ 1 obj\n\n",
                                         side && is_wrong ? 3 : 1));
    }
    assert_true(dd_buffer_append(&gold, "", 1) && dd_buffer_append(&system, "", 1));
    dd_evaluation *one = eval_ok(gold.data, gold.data, NULL);
    dd_evaluation *other = eval_ok(gold.data, system.data, NULL);
    dd_comparison comparison = compare(one, other, 3);
    assert_true(comparison.uas.p == (double)(comparison.uas.as_large + 1) / (SHUFFLES + 1));
    dd_evaluation_free(one);
    dd_evaluation_free(other);
    dd_buffer_free(&gold);
    dd_buffer_free(&system);
    return comparison.uas.as_large;
}

/* One sentence makes the same difference in each shuffle, in one direction or the other. Of two,
 * both or none must be exchanged: every second shuffle; of three, every fourth. */
static void few_differences_have_exact_chances(void **state)
{
    (void)state;
    static const int wrong[] = {100, 63, 199};
    assert_int_equal(shuffles_as_large(wrong, 1), SHUFFLES);
    assert_in_range(shuffles_as_large(wrong, 2), SHUFFLES * 45 / 100, SHUFFLES * 55 / 100);
    assert_in_range(shuffles_as_large(wrong, 3), SHUFFLES * 20 / 100, SHUFFLES * 30 / 100);
}

static void the_same_seed_gives_the_same_counts(void **state)
{
    (void)state;
    dd_evaluation *one = evaluate(1, 0.2, 0.1, DD_EVAL_CONLL2018);
    dd_evaluation *other = evaluate(2, 0.22, 0.12, DD_EVAL_CONLL2018);
    dd_comparison first = compare(one, other, 5), again = compare(one, other, 5);
    assert_int_equal(first.uas.as_large, again.uas.as_large);
    assert_int_equal(first.las.as_large, again.las.as_large);
    bool moved = false;
    for (uint64_t seed = 6; seed < 12; seed++)
        moved |= compare(one, other, seed).uas.as_large != first.uas.as_large;
    assert_true(moved);
    dd_evaluation_free(one);
    dd_evaluation_free(other);
}

static void refuse(const dd_evaluation *one, const dd_evaluation *other, dd_status want,
                   const char *message)
{
    dd_comparison comparison;
    dd_error error;
    assert_int_equal(dd_compare(&comparison, one, other, 10, 1, &error), want);
    assert_string_equal(error.message, message);
}

static void what_cannot_be_compared_is_refused(void **state)
{
    (void)state;
    static const char ab[] = "1 ab _ _ _ _ 0 root\n\n";
    static const char a_b[] = "1 a _ _ _ _ 0 root\n2 b _ _ _ _ 1 obj\n\n";
    dd_eval_options conllx = {.size = sizeof conllx, .rule = DD_EVAL_CONLLX};
    dd_evaluation *same = eval_ok(ab, ab, NULL), *cut = eval_ok(ab, a_b, NULL);
    dd_evaluation *other_gold = eval_ok(a_b, a_b, NULL), *other_rule = eval_ok(ab, ab, &conllx);
    refuse(same, cut, DD_ERROR_DATA,
           "system: cannot compare: its words are not those of the gold file");
    refuse(same, other_gold, DD_ERROR_ARGUMENT,
           "the two files were evaluated against different gold files");
    refuse(same, other_rule, DD_ERROR_ARGUMENT, "the two files were evaluated by different rules");
    dd_evaluation_free(same);
    dd_evaluation_free(cut);
    dd_evaluation_free(other_gold);
    dd_evaluation_free(other_rule);
}

/* Scores kept from an evaluation serve as well as the evaluation. */
static void kept_scores_give_the_same_counts(void **state)
{
    (void)state;
    dd_evaluation *one = evaluate(1, 0.2, 0.1, DD_EVAL_CONLL2018);
    dd_evaluation *other = evaluate(2, 0.22, 0.12, DD_EVAL_CONLL2018);
    dd_sentence_score left[SENTENCES], right[SENTENCES], beyond;
    for (size_t i = 0; i < SENTENCES; i++) {
        assert_true(dd_evaluation_sentence(one, i, &left[i]));
        assert_true(dd_evaluation_sentence(other, i, &right[i]));
    }
    assert_false(dd_evaluation_sentence(one, SENTENCES, &beyond));
    dd_comparison whole = compare(one, other, 3), kept;
    assert_int_equal(dd_compare_scores(&kept, left, right, SENTENCES, SHUFFLES, 3, NULL), DD_OK);
    assert_memory_equal(&whole, &kept, sizeof whole);
    left[7].words++;
    dd_error error;
    assert_int_equal(dd_compare_scores(&kept, left, right, SENTENCES, SHUFFLES, 3, &error),
                     DD_ERROR_ARGUMENT);
    assert_string_equal(error.message, "the two files were evaluated against different gold files");
    dd_evaluation_free(one);
    dd_evaluation_free(other);
}

/* Differences 3, 1, 1, 1 in UAS: the sum is 6 or -6 in 2 of 16 exchanges; 3, -1, -1, -1 in LAS:
 * always at least 0. */
static void exact_chances_of_four_sentences(void **state)
{
    (void)state;
    const dd_sentence_score one[] = {{9, 9, 7}, {9, 5, 4}, {9, 6, 3}, {9, 7, 2}};
    const dd_sentence_score other[] = {{9, 6, 4}, {9, 4, 5}, {9, 5, 4}, {9, 6, 3}};
    dd_comparison comparison;
    assert_int_equal(dd_compare_scores(&comparison, one, other, 4, 160000, 1, NULL), DD_OK);
    assert_true(comparison.uas.p > 0.122 && comparison.uas.p < 0.128);
    assert_true(comparison.las.p == 1);
    assert_true(comparison.uas.one == 27 / 36.0 && comparison.uas.other == 21 / 36.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_systems_do_not_differ),
        cmocka_unit_test(equally_good_systems_differ_by_chance),
        cmocka_unit_test(a_better_system_is_told_apart),
        cmocka_unit_test(few_differences_have_exact_chances),
        cmocka_unit_test(the_same_seed_gives_the_same_counts),
        cmocka_unit_test(kept_scores_give_the_same_counts),
        cmocka_unit_test(exact_chances_of_four_sentences),
        cmocka_unit_test(what_cannot_be_compared_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
