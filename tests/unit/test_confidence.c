/* Probabilities from margins: fitted, looked up, written and read. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/confidence.h"
#include "core/random.h"

enum { WORDS = 20000 };

static double truth(double margin)
{
    return 1 / (1 + exp(-0.4 * margin));
}

/* Words that are right as often as their margin says. */
static void draw(dd_verdict *verdicts, size_t count, uint64_t seed)
{
    dd_random random = {seed};
    for (size_t i = 0; i < count; i++) {
        double margin = 10 * dd_random_unit(&random) - 1;
        verdicts[i] = (dd_verdict){(float)margin, dd_random_unit(&random) < truth(margin)};
    }
}

static void probabilities_are_shares_of_right_words(void **state)
{
    (void)state;
    dd_confidence c;
    dd_verdict *verdicts = calloc(WORDS, sizeof *verdicts);
    assert_non_null(verdicts);
    draw(verdicts, WORDS, 1);
    dd_confidence_fit(&c, verdicts, WORDS);
    assert_true(c.count > 10);
    for (double margin = -1; margin < 9; margin += 0.25) {
        double found = (double)dd_confidence_of(&c, (float)margin);
        assert_true(fabs(found - truth(margin)) < 0.05);
        assert_true(dd_confidence_of(&c, (float)margin + 0.1F) >= (float)found);
    }
    free(verdicts);
}

/* Of three groups with shares 0.2, 0.8 and 0.4 the last two are one: 0.6. */
static void descending_neighbours_are_joined(void **state)
{
    (void)state;
    dd_confidence c;
    dd_verdict verdicts[300];
    static const int right[] = {20, 80, 40};
    for (int i = 0; i < 300; i++)
        verdicts[299 - i] = (dd_verdict){(float)(i / 100), i % 100 < right[i / 100]};
    dd_confidence_fit(&c, verdicts, 300);
    assert_int_equal(c.count, 2);
    assert_float_equal(c.margins[0], 0, 1e-6F);
    assert_float_equal(c.margins[1], 1.5F, 1e-6F);
    assert_float_equal(c.probabilities[0], 20.5F / 101, 1e-6F);
    assert_float_equal(c.probabilities[1], 120.5F / 201, 1e-6F);
    assert_float_equal(dd_confidence_of(&c, -7), 20.5F / 101, 1e-6F);
    assert_float_equal(dd_confidence_of(&c, 0.75F), (20.5F / 101 + 120.5F / 201) / 2, 1e-6F);
    assert_float_equal(dd_confidence_of(&c, 99), 120.5F / 201, 1e-6F);
}

static void words_without_a_choice_are_apart(void **state)
{
    (void)state;
    dd_confidence c;
    dd_verdict verdicts[160];
    for (int i = 0; i < 160; i++)
        verdicts[i] = (dd_verdict){i < 60 ? INFINITY : 1, i < 30 || i >= 60};
    dd_confidence_fit(&c, verdicts, 160);
    assert_int_equal(c.count, 1);
    assert_float_equal(dd_confidence_of(&c, 1000), 100.5F / 101, 1e-6F);
    assert_float_equal(dd_confidence_of(&c, INFINITY), 30.5F / 61, 1e-6F);
    dd_confidence_fit(&c, verdicts, 0);
    assert_true(isnan(dd_confidence_of(&c, 1)));
}

static void damage_is_seen(void **state)
{
    (void)state;
    dd_confidence good = {
        .count = 2, .forced = 0.9F, .margins = {0, 1}, .probabilities = {0.5F, 0.7F}};
    dd_confidence bad[9], read;
    for (int i = 0; i < 9; i++) bad[i] = good;
    bad[0].count = 0;
    bad[1].count = DD_CONFIDENCE_POINTS + 1;
    bad[2].margins[0] = 2;
    bad[3].margins[1] = NAN;
    bad[4].margins[1] = INFINITY;
    bad[5].probabilities[0] = 0.8F;
    bad[6].probabilities[1] = 1.5F;
    bad[7].probabilities[0] = NAN;
    bad[8].forced = 0;
    assert_true(dd_confidence_read(&read, (dd_text){(const char *)&good, sizeof good}));
    assert_memory_equal(&read, &good, sizeof good);
    assert_false(dd_confidence_read(&read, (dd_text){(const char *)&good, sizeof good - 1}));
    for (int i = 0; i < 9; i++)
        assert_false(dd_confidence_read(&read, (dd_text){(const char *)&bad[i], sizeof bad[i]}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(probabilities_are_shares_of_right_words),
        cmocka_unit_test(descending_neighbours_are_joined),
        cmocka_unit_test(words_without_a_choice_are_apart),
        cmocka_unit_test(damage_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
