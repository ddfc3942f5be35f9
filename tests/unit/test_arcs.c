/* Arcs by length and projectivity, on trees small enough to count by hand. */
#include "eval_text.h"
#include "text/sentence.h"
#include <dodona_tools.h>

/* The example of gap degree 1: issue (7) hangs on hearing (2) across is scheduled (3 4).
 *
 *     1 A  2 hearing  3 is  4 scheduled  5 on  6 the  7 issue  8 today */
static const char hearing[] = "1 A _ _ _ _ 2 det\n"
                              "2 hearing _ _ _ _ 4 nsubj\n"
                              "3 is _ _ _ _ 4 aux\n"
                              "4 scheduled _ _ _ _ 0 root\n"
                              "5 on _ _ _ _ 7 case\n"
                              "6 the _ _ _ _ 7 det\n"
                              "7 issue _ _ _ _ 2 nmod\n"
                              "8 today _ _ _ _ 4 obl\n\n";

static dd_sentence *read_one(const char *compact)
{
    dd_buffer text = {0};
    dd_sentence *sentence = NULL;
    eval_text(&text, compact);
    dd_reader *reader = eval_reader("gold", &text, DD_FORMAT_CONLLU);
    assert_int_equal(dd_sentence_new(&sentence, NULL), DD_OK);
    assert_int_equal(dd_reader_next(reader, sentence, NULL), DD_OK);
    dd_reader_close(reader);
    dd_buffer_free(&text);
    return sentence;
}

static void attach(dd_sentence *sentence, int word, int head)
{
    assert_int_equal(dd_sentence_attach(sentence, word, head, (dd_text){"dep", 3}, NULL), DD_OK);
}

static void expect(const dd_arc_count *count, uint64_t gold, uint64_t found, uint64_t system,
                   uint64_t right)
{
    assert_int_equal(count->gold, gold);
    assert_int_equal(count->found, found);
    assert_int_equal(count->system, system);
    assert_int_equal(count->right, right);
}

static void a_tree_agrees_with_itself(void **state)
{
    (void)state;
    dd_arc_counts counts = {0};
    dd_sentence *sentence = read_one(hearing);
    assert_int_equal(dd_arc_counts_add(&counts, sentence, NULL), DD_OK);
    expect(&counts.length[0], 1, 1, 1, 1); /* 4 */
    expect(&counts.length[1], 3, 3, 3, 3); /* 1 3 6 */
    expect(&counts.length[2], 2, 2, 2, 2); /* 2 5 */
    expect(&counts.length[4], 1, 1, 1, 1); /* 8 */
    expect(&counts.length[5], 1, 1, 1, 1); /* 7 */
    expect(&counts.projective, 7, 7, 7, 7);
    expect(&counts.nonprojective, 1, 1, 1, 1);
    dd_sentence_free(sentence);
}

/* The parser made issue a dependent of scheduled, and a non-projective arc where there is none:
 * is -> hearing's A. */
static void wrong_arcs_count_where_each_tree_has_them(void **state)
{
    (void)state;
    dd_arc_counts counts = {0};
    dd_sentence *sentence = read_one(hearing);
    attach(sentence, 7, 4);
    attach(sentence, 1, 3);
    assert_int_equal(dd_arc_counts_add(&counts, sentence, NULL), DD_OK);
    expect(&counts.length[0], 1, 1, 1, 1);
    expect(&counts.length[1], 3, 2, 2, 2); /* 1 lost */
    expect(&counts.length[2], 2, 2, 3, 2); /* 3 -> 1 */
    expect(&counts.length[3], 0, 0, 1, 0); /* 4 -> 7 */
    expect(&counts.length[5], 1, 0, 0, 0); /* 2 -> 7 */
    expect(&counts.projective, 7, 6, 7, 6);
    expect(&counts.nonprojective, 1, 0, 1, 0);
    /* Counts add up over sentences. */
    assert_int_equal(dd_arc_counts_add(&counts, sentence, NULL), DD_OK);
    expect(&counts.projective, 14, 12, 14, 12);
    dd_sentence_free(sentence);
}

/* A right arc may be non-projective in one of the trees only: its projectivity is that of the tree
 * that is asked. */
static void right_arcs_may_differ_in_projectivity(void **state)
{
    (void)state;
    dd_arc_counts counts = {0};
    dd_sentence *sentence = read_one(hearing);
    attach(sentence, 3, 2); /* is and scheduled become descendants of hearing: 2 -> 7 is fine */
    attach(sentence, 4, 2);
    attach(sentence, 2, 0);
    assert_int_equal(dd_arc_counts_add(&counts, sentence, NULL), DD_OK);
    expect(&counts.nonprojective, 1, 1, 1, 1); /* gold 2 -> 7 found; 4 -> 8 now crosses */
    expect(&counts.projective, 7, 4, 7, 4);
    dd_sentence_free(sentence);
}

static void long_arcs_share_the_last_place(void **state)
{
    (void)state;
    dd_buffer text = {0};
    dd_arc_counts counts = {0};
    assert_true(dd_buffer_text(&text, "1 w _ _ _ _ 0 root\n"));
    for (int word = 2; word <= 60; word++)
        assert_true(dd_buffer_printf(&text, "%d w _ _ _ _ 1 dep\n", word));
    assert_true(dd_buffer_append(&text, "\n", 2));
    dd_sentence *sentence = read_one(text.data);
    assert_int_equal(dd_arc_counts_add(&counts, sentence, NULL), DD_OK);
    expect(&counts.length[DD_ARC_LENGTHS - 2], 1, 1, 1, 1);
    expect(&counts.length[DD_ARC_LENGTHS - 1], 20, 20, 20, 20); /* 40 to 59 */
    dd_sentence_free(sentence);
    dd_buffer_free(&text);
}

static void no_tree_is_refused(void **state)
{
    (void)state;
    dd_arc_counts counts = {0};
    dd_error error;
    dd_sentence *sentence = read_one("1 a _ _ _ _ 2 x\n2 b _ _ _ _ 0 root\n\n");
    attach(sentence, 2, 1);
    assert_int_equal(dd_arc_counts_add(&counts, sentence, &error), DD_ERROR_DATA);
    assert_string_equal(error.message, "the system's heads are not a tree: no word is the root");
    dd_sentence_free(sentence);
    sentence = read_one("1 a _ _ _ _ _ x\n2 b _ _ _ _ 0 root\n\n");
    assert_int_equal(dd_arc_counts_add(&counts, sentence, &error), DD_ERROR_DATA);
    assert_string_equal(error.message, "the gold heads are not a tree: a word has no head");
    dd_sentence_free(sentence);
    assert_int_equal(counts.projective.gold, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree_agrees_with_itself),
        cmocka_unit_test(wrong_arcs_count_where_each_tree_has_them),
        cmocka_unit_test(right_arcs_may_differ_in_projectivity),
        cmocka_unit_test(long_arcs_share_the_last_place),
        cmocka_unit_test(no_tree_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
