/* Word vectors: files as others write them, files that are damaged, and what training does with
 * them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../settings_help.h"
#include "neural/coder.h"
#include "neural/vectors.h"

static dd_status read_text(dd_vectors *vectors, const char *text, size_t most, dd_error *error)
{
    dd_source *source;
    dd_text bytes = {text, strlen(text)};
    assert_int_equal(dd_source_open_memory(&source, "v", bytes, NULL), DD_OK);
    dd_status status = dd_vectors_read_from(vectors, source, most, error);
    dd_source_close(source);
    return status;
}

static int find(const dd_vectors *vectors, const char *word)
{
    return dd_vocab_find(&vectors->words, (dd_text){word, strlen(word)});
}

/* What is between two words, up to the common scale. */
static void assert_difference(const dd_vectors *v, const char *from, const char *to,
                              const float *want)
{
    int first = find(v, from), second = find(v, to);
    float got[2];
    assert_true(first >= 2 && second >= 2);
    for (size_t i = 0; i < 2; i++)
        got[i] = v->numbers[(size_t)second * 2 + i] - v->numbers[(size_t)first * 2 + i];
    assert_true(fabsf(got[0] * want[1] - got[1] * want[0]) < 1e-5f);
    assert_true(got[0] * want[0] > 0);
}

static void files_with_and_without_a_header_are_read(void **state)
{
    (void)state;
    static const char *const texts[] = {"2 2\nthe 1 -2\nof 3e-1 .5 \n",
                                        "the 1.0 -2\r\nof\t0.3\t+5E-1"};
    for (int i = 0; i < 2; i++) {
        dd_vectors v = {0};
        assert_int_equal(read_text(&v, texts[i], 10, NULL), DD_OK);
        assert_int_equal(v.size, 2);
        assert_int_equal(v.words.count, 4);
        assert_difference(&v, "the", "of", (float[]){-0.7f, 2.5f});
        dd_vectors_free(&v);
    }
}

static void the_mean_is_0_and_the_mean_length_3(void **state)
{
    (void)state;
    dd_vectors v = {0};
    double lengths = 0, sums[2] = {0, 0};
    assert_int_equal(read_text(&v, "a 3 4\nb 0 1\nc 0 0\n", 10, NULL), DD_OK);
    for (int word = 2; word < v.words.count; word++) {
        const float *numbers = v.numbers + (size_t)word * 2;
        lengths += hypot((double)numbers[0], (double)numbers[1]);
        for (int i = 0; i < 2; i++) sums[i] += (double)numbers[i];
    }
    assert_true(fabs(lengths / 3 - 3) < 1e-5);
    assert_true(fabs(sums[0]) < 1e-5 && fabs(sums[1]) < 1e-5);
    for (int i = 0; i < 4; i++) assert_true(v.numbers[i] == 0); /* unknown words and the root */
    dd_vectors_free(&v);
}

static void large_numbers_are_cut(void **state)
{
    (void)state;
    dd_vectors v = {0};
    char text[4000] = "";
    for (int i = 0; i < 99; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "w%d %d\n", i, i % 2 ? 1 : -1);
    strcat(text, "large 1000\n");
    assert_int_equal(read_text(&v, text, 1000, NULL), DD_OK);
    assert_true(fabsf(v.numbers[find(&v, "large")] - 15) < 1e-5f);
    dd_vectors_free(&v);
}

static void words_are_in_lower_case_and_may_have_blanks(void **state)
{
    (void)state;
    dd_vectors v = {0};
    assert_int_equal(read_text(&v, "The 1 2\nthe 5 5\nNew York 3 1\nÉté 1 1\n", 10, NULL), DD_OK);
    assert_difference(&v, "the", "new york", (float[]){2, -1});
    assert_true(find(&v, "été") > 0);
    assert_int_equal(find(&v, "The"), -1);
    dd_vectors_free(&v);
    assert_int_equal(read_text(&v, "1 2\nNew York 3 1\n", 10, NULL), DD_OK);
    assert_true(find(&v, "new york") > 0);
    dd_vectors_free(&v);
}

static void no_more_than_so_many_words_are_kept(void **state)
{
    (void)state;
    dd_vectors v = {0};
    assert_int_equal(read_text(&v, "a 1\nb 2\nc 3\nd x\n", 3, NULL), DD_OK);
    assert_int_equal(v.words.count, 5);
    dd_vectors_free(&v);
}

static void damaged_files_are_refused_with_the_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "v:1: no word vectors here"},
        {"3 100\n", "v:2: no word vectors here"},
        {"a 1 2\nb 1\n", "v:2: too few numbers after the word"},
        {"a 1 2\nb 1 nan\n", "v:2: 'nan' is not a number between -1000000 and 1000000"},
        {"a 1 2\nb inf 1\n", "v:2: 'inf' is not a number between -1000000 and 1000000"},
        {"a 1 2\nb 1e7 1\n", "v:2: '1e7' is not a number between -1000000 and 1000000"},
        {"a 1 2\nb 0x1 1\n", "v:2: '0x1' is not a number between -1000000 and 1000000"},
        {"a 1 2\n\nb 1 1\n", "v:2: an empty line"},
        {"10 5000\n", "v:1: vectors of 5000 numbers; there can be 1 to 1024"},
        {"10 0\n", "v:1: vectors of 0 numbers; there can be 1 to 1024"},
        {"alone\n", "v:1: vectors of 0 numbers; there can be 1 to 1024"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dd_vectors v = {0};
        dd_error error;
        assert_int_equal(read_text(&v, cases[i].text, 10, &error), DD_ERROR_FORMAT);
        assert_string_equal(error.message, cases[i].message);
        dd_vectors_free(&v);
    }
}

static bool has_fact(const dd_model *model, const char *key, const char *value)
{
    dd_text k, v;
    for (size_t i = 0; dd_model_fact(model, i, &k, &v); i++)
        if (k.size == strlen(key) && memcmp(k.data, key, k.size) == 0)
            return v.size == strlen(value) && memcmp(v.data, value, v.size) == 0;
    return false;
}

static void training_takes_them_and_says_so(void **state)
{
    (void)state;
    char path[] = "/tmp/dodona-vectors-XXXXXX", settings[200];
    int file = mkstemp(path);
    static const char text[] = "the 1 2 3\nzebra 3 2 1\n. 1 1 1\n";
    dd_model *with = NULL, *without = NULL;
    dd_error error;
    assert_int_equal(write(file, text, sizeof text - 1), sizeof text - 1);
    close(file);
    snprintf(settings, sizeof settings,
             "scorer=neural system=arc-eager width=16 hidden=16 iterations=1 vectors=%s", path);
    assert_int_equal(train_with_settings(&with, settings, NULL, DEMO, NULL, NULL), DD_OK);
    assert_true(has_fact(with, "vector words", "3"));
    snprintf(settings, sizeof settings, "scorer=linear vectors=%s", path);
    assert_int_equal(train_with_settings(&without, settings, NULL, DEMO, NULL, &error),
                     DD_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "neural"));
    dd_model_free(with);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_with_and_without_a_header_are_read),
        cmocka_unit_test(the_mean_is_0_and_the_mean_length_3),
        cmocka_unit_test(large_numbers_are_cut),
        cmocka_unit_test(words_are_in_lower_case_and_may_have_blanks),
        cmocka_unit_test(no_more_than_so_many_words_are_kept),
        cmocka_unit_test(damaged_files_are_refused_with_the_line),
        cmocka_unit_test(training_takes_them_and_says_so),
    };
    return cmocka_run_group_tests_name("vectors", tests, NULL, NULL);
}
