/* What `dodona experiment` computes itself: non-monotonic arcs, confidence intervals. */
#include "eval_text.h"

#include "experiment/one_run.h"
#include "experiment/summary.h"

#include <math.h>

/* ---- non-monotonic arcs ---- */

enum { WORDS = 4 };

typedef struct walk {
    breaks counts;
    breaks_follower follower;
    dd_sentence *sentence;
    int32_t before[WORDS + 1];
} walk;

/* Gold heads of the four words: 2 0 2 3. */
static void begin(walk *w)
{
    dd_buffer text = {0};
    *w = (walk){0};
    eval_text(&text, "1 a _ _ _ _ 2 x\n2 b _ _ _ _ 0 root\n3 c _ _ _ _ 2 x\n4 d _ _ _ _ 3 x\n\n");
    dd_reader *reader = eval_reader("gold", &text, DD_FORMAT_CONLLU);
    assert_int_equal(dd_sentence_new(&w->sentence, NULL), DD_OK);
    assert_int_equal(dd_reader_next(reader, w->sentence, NULL), DD_OK);
    dd_reader_close(reader);
    dd_buffer_free(&text);
    w->follower = (breaks_follower){
        .to = &w->counts, .sentence = w->sentence, .n = WORDS, .before = w->before};
}

/* A configuration with these heads, in which head -> dependent is built (-1: none). */
static void step(walk *w, const int32_t *heads, int head, int dependent)
{
    dd_trace_move move = {.name = "XX", .head = head, .dependent = dependent};
    dd_trace_step now = {.heads = heads, .moves = &move, .n_moves = 1, .chosen = 0};
    breaks_step(&w->follower, &now);
}

static void end(walk *w, const int32_t *heads)
{
    dd_trace_step now = {.heads = heads, .chosen = -1};
    breaks_step(&w->follower, &now);
    dd_sentence_free(w->sentence);
}

static void expect(const breaks *b, uint64_t arcs, uint64_t breaking, uint64_t gold,
                   uint64_t harmful)
{
    assert_int_equal(b->arcs, arcs);
    assert_int_equal(b->breaking, breaking);
    assert_int_equal(b->gold, gold);
    assert_int_equal(b->harmful, harmful);
}

#define HEADS(...) ((const int32_t[]){-1, __VA_ARGS__})

static void arcs_that_replace_nothing_are_monotonic(void **state)
{
    (void)state;
    walk w;
    begin(&w);
    step(&w, HEADS(-1, -1, -1, -1), -1, -1); /* SH */
    step(&w, HEADS(-1, -1, -1, -1), 2, 1);
    step(&w, HEADS(2, -1, -1, -1), 4, 3); /* wrong, but breaks nothing */
    end(&w, HEADS(2, 0, 4, 0));           /* words without a head go to the root in the end */
    expect(&w.counts, 2, 0, 0, 0);
}

static void a_new_head_replaces_the_old_one(void **state)
{
    (void)state;
    walk w;
    begin(&w);
    step(&w, HEADS(-1, -1, -1, -1), 3, 1);
    step(&w, HEADS(3, -1, -1, -1), 2, 1); /* 3 -> 1 goes for the gold 2 -> 1 */
    step(&w, HEADS(2, -1, -1, -1), 4, 1); /* which goes for a wrong one: harmful */
    step(&w, HEADS(4, -1, -1, -1), 3, 1); /* wrong for wrong: neither */
    end(&w, HEADS(3, 0, 0, 0));
    expect(&w.counts, 4, 3, 1, 1);
}

/* 4 -> 3 closes the cycle 3 -> 4 -> 3, so that 3 -> 4 goes. */
static void an_arc_that_would_close_a_cycle_breaks_another(void **state)
{
    (void)state;
    walk w;
    begin(&w);
    step(&w, HEADS(-1, -1, -1, -1), 3, 4); /* gold */
    step(&w, HEADS(-1, -1, -1, 3), 4, 3);  /* wrong */
    step(&w, HEADS(-1, -1, 4, -1), 3, 4);  /* gold again, and 4 -> 3 goes */
    end(&w, HEADS(0, 0, 0, 3));
    expect(&w.counts, 3, 2, 1, 1);
}

/* The last transition shows only in the finished tree. */
static void the_last_transition_counts(void **state)
{
    (void)state;
    walk w;
    begin(&w);
    step(&w, HEADS(-1, -1, 2, -1), 4, 3);
    end(&w, HEADS(0, 0, 4, 0));
    expect(&w.counts, 1, 1, 0, 1);
}

/* ---- confidence intervals ---- */

/* With quantiles of t from printed tables. */
static void intervals_are_students(void **state)
{
    (void)state;
    const double few[] = {1, 2, 3};
    interval i = interval_of(few, 3);
    assert_true(fabs(i.mean - 2) < 1e-12 && fabs(i.half - 2.48414) < 1e-4);
    /* 19 treebanks: t(18) = 2.1009, s = sqrt(30 * 19 / 18) for 1..19. */
    double many[40];
    for (int k = 0; k < 40; k++) many[k] = k + 1;
    i = interval_of(many, 19);
    assert_true(fabs(i.mean - 10) < 1e-12 && fabs(i.half - 2.1009 * 5.62731 / 4.35890) < 1e-3);
    /* Beyond the table: t(39) = 2.0227, s^2 = (40^2 - 1) / 12 * 40 / 39. */
    i = interval_of(many, 40);
    assert_true(fabs(i.half - 2.0227 * 11.69045 / 6.32456) < 1e-3);
    i = interval_of(few, 1);
    assert_true(i.mean == 1 && isnan(i.half));
    assert_true(isnan(interval_of(few, 0).mean));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arcs_that_replace_nothing_are_monotonic),
        cmocka_unit_test(a_new_head_replaces_the_old_one),
        cmocka_unit_test(an_arc_that_would_close_a_cycle_breaks_another),
        cmocka_unit_test(the_last_transition_counts),
        cmocka_unit_test(intervals_are_students),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
