/* What linear learners share: averages, iterations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "core/learning.h"
#include "core/random.h"
#include "core/strings.h"

/* Added up step by step. */
static void lazy_averages_are_averages(void **state)
{
    (void)state;
    dd_random random = {3};
    int64_t sum = 0, plain = 0;
    int32_t weight = 0;
    for (uint64_t step = 1; step <= 1000; step++) {
        if (dd_random_below(&random, 5) == 0) {
            int32_t change = (int32_t)dd_random_below(&random, 7) - 3;
            weight += change;
            dd_average_change(&sum, step - 1, change);
        }
        plain += weight;
        assert_true(dd_average(weight, sum, step) == (double)plain / (double)step);
    }
}

enum { EXAMPLES = 4 };

/* Keeps book of what it is asked to do; allocation failed where `fails` says so. */
typedef struct pupil {
    int learnt[EXAMPLES], lessons, pruned_after; /* lessons */
    int last_report;
    enum { NOWHERE, LEARNING, WRITING } fails;
    dd_tally tally;
} pupil;

static bool learn(void *learner, size_t example)
{
    pupil *p = learner;
    p->learnt[example]++;
    p->lessons++;
    p->tally.asked += 2;
    p->tally.right++;
    return p->fails != LEARNING || p->lessons < 6;
}

static void prune(void *learner)
{
    pupil *p = learner;
    assert_int_equal(p->pruned_after, 0);
    p->pruned_after = p->lessons;
}

static bool write_lessons(void *learner, dd_buffer *section)
{
    pupil *p = learner;
    return dd_buffer_printf(section, "%d", p->lessons) && p->fails != WRITING;
}

static bool stop_after_two(void *user, const dd_component_progress *progress)
{
    pupil *p = user;
    p->last_report = progress->iteration;
    assert_int_equal(progress->component, DD_LEMMATIZER);
    assert_true(progress->accuracy == 0.5);
    return progress->iteration < 2;
}

/* What the pupil wrote stands behind "before". */
static dd_status teach(pupil *p, int iterations, bool stopped, const char *written)
{
    dd_learning learning = {.component = DD_LEMMATIZER,
                            .iterations = iterations,
                            .report = stopped ? stop_after_two : NULL,
                            .user = p,
                            .examples = EXAMPLES,
                            .tally = &p->tally,
                            .learner = p,
                            .learn = learn,
                            .prune = prune,
                            .write = write_lessons};
    dd_buffer section = {0};
    assert_true(dd_buffer_text(&section, "before"));
    dd_status status = dd_learn(&learning, &section, NULL);
    dd_text text = {section.data, section.size};
    assert_true(dd_text_begins(text, "before") && dd_text_is(dd_text_skip(text, 6), written));
    dd_buffer_free(&section);
    return status;
}

static void each_example_is_learnt_in_each_iteration(void **state)
{
    (void)state;
    static const int half[] = {0, 1, 1, 2, 2, 3};
    for (int iterations = 1; iterations <= 5; iterations++) {
        pupil p = {0};
        char written[8];
        snprintf(written, sizeof written, "%d", iterations * EXAMPLES);
        assert_int_equal(teach(&p, iterations, false, written), DD_OK);
        for (int i = 0; i < EXAMPLES; i++) assert_int_equal(p.learnt[i], iterations);
        assert_int_equal(p.pruned_after, half[iterations] * EXAMPLES);
    }
}

static void learning_hands_out_a_section_unless_it_fails(void **state)
{
    (void)state;
    pupil stopped = {0}, lost = {.fails = LEARNING}, cut = {.fails = WRITING}, idle = {0};
    assert_int_equal(teach(&stopped, 5, true, "8"), DD_INTERRUPTED);
    assert_int_equal(stopped.last_report, 2);
    assert_int_equal(teach(&lost, 5, false, ""), DD_ERROR_MEMORY);
    assert_int_equal(teach(&cut, 5, true, ""), DD_ERROR_MEMORY);
    assert_int_equal(teach(&idle, 0, false, ""), DD_ERROR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lazy_averages_are_averages),
        cmocka_unit_test(each_example_is_learnt_in_each_iteration),
        cmocka_unit_test(learning_hands_out_a_section_unless_it_fails),
    };
    return cmocka_run_group_tests_name("learning", tests, NULL, NULL);
}
