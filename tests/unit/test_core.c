/* The core: messages, growing arrays and buffers, the vocabulary, random numbers. */
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/buffer.h"
#include "core/largest.h"
#include "core/memory.h"
#include "core/random.h"
#include "core/status.h"
#include "core/vocab.h"

static void messages_name_file_line_and_column(void **state)
{
    (void)state;
    dd_error error;
    assert_int_equal(dd_fail_at(&error, DD_ERROR_FORMAT, "a.conllu", 12, 7, "bad head '%s'", "x"),
                     DD_ERROR_FORMAT);
    assert_string_equal(error.message, "a.conllu:12: column 7 (HEAD): bad head 'x'");
    assert_int_equal(error.line, 12);
    assert_int_equal(error.column, 7);
    dd_fail_at(&error, DD_ERROR_FORMAT, "a.conllu", 3, 0, "no words");
    assert_string_equal(error.message, "a.conllu:3: no words");
    assert_int_equal(dd_fail(NULL, DD_ERROR_DATA, "nobody listens"), DD_ERROR_DATA);
}

static void a_cut_message_ends_with_a_whole_character(void **state)
{
    (void)state;
    for (size_t lead = 0; lead < 4; lead++) {
        char text[2 * DD_MESSAGE_SIZE] = {0};
        memset(text, 'a', lead);
        for (size_t at = lead; at + 4 < sizeof text; at += 4)
            memcpy(text + at, "\xF0\x9F\x8C\xB3", 4);
        dd_error error;
        dd_fail(&error, DD_ERROR_DATA, "%s", text);
        size_t size = strlen(error.message);
        assert_int_equal((size - lead) % 4, 0);
        assert_true(size > DD_MESSAGE_SIZE - 8);
    }
}

static void reserve_refuses_what_overflows(void **state)
{
    (void)state;
    int *array = NULL;
    size_t capacity = 0;
    assert_true(DD_RESERVE(&array, &capacity, 3));
    assert_true(capacity >= 3);
    size_t before = capacity;
    assert_false(DD_RESERVE(&array, &capacity, SIZE_MAX / 2));
    assert_int_equal(capacity, before);
    free(array);
}

static void buffers_append_and_print(void **state)
{
    (void)state;
    dd_buffer buffer = {0};
    assert_true(dd_buffer_append(&buffer, NULL, 0));
    for (int i = 0; i < 1000; i++) assert_true(dd_buffer_printf(&buffer, "%d,", i % 10));
    assert_true(dd_buffer_text(&buffer, "end"));
    assert_int_equal(buffer.size, 2003);
    assert_memory_equal(buffer.data + 1998, "9,end", 5);
    dd_buffer_free(&buffer);
}

static void vocabularies_number_in_order_of_arrival(void **state)
{
    (void)state;
    dd_vocab vocab = {0};
    assert_int_equal(dd_vocab_find(&vocab, (dd_text){"x", 1}), -1);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 5000; i++) {
            char text[16];
            int size = snprintf(text, sizeof text, "w%d", i);
            assert_int_equal(dd_vocab_add(&vocab, (dd_text){text, (size_t)size}), i);
        }
    }
    assert_int_equal(dd_vocab_add(&vocab, (dd_text){"", 0}), 5000);
    assert_int_equal(dd_vocab_find(&vocab, (dd_text){"", 0}), 5000);
    assert_int_equal(dd_vocab_add(&vocab, (dd_text){NULL, 0}), 5000);
    assert_int_equal(dd_vocab_find(&vocab, (dd_text){"w4999", 5}), 4999);
    assert_int_equal(dd_vocab_find(&vocab, (dd_text){"w5000", 5}), -1);
    dd_text text = dd_vocab_text(&vocab, 17);
    assert_int_equal(text.size, 3);
    assert_memory_equal(text.data, "w17", 3);
    dd_vocab_free(&vocab);
}

static void random_numbers_repeat_and_cover(void **state)
{
    (void)state;
    dd_random one = {42}, two = {42};
    int seen[7] = {0};
    for (int i = 0; i < 7000; i++) {
        uint32_t draw = dd_random_below(&one, 7);
        assert_int_equal(draw, dd_random_below(&two, 7));
        seen[draw]++;
        double unit = dd_random_unit(&one);
        assert_true(unit >= 0 && unit < 1);
        dd_random_unit(&two);
    }
    for (int i = 0; i < 7; i++) assert_in_range(seen[i], 850, 1150);
}

/* Locales with another decimal point than C's; where none of them is installed C's must do. */
static void numbers_have_a_point_in_every_locale(void **state)
{
    (void)state;
    static const char *const locales[] = {"C", "de_DE.UTF-8", "fr_FR.UTF-8", "ps_AF.UTF-8"};
    for (size_t i = 0; i < sizeof locales / sizeof *locales; i++) {
        if (!setlocale(LC_NUMERIC, locales[i])) continue;
        dd_buffer buffer = {0};
        assert_true(dd_buffer_real(&buffer, "%.2f", 91.237));
        assert_true(dd_buffer_real(&buffer, "%.4g", -0.00001234567));
        assert_true(dd_buffer_real(&buffer, "%g", 1));
        assert_true(dd_buffer_real(&buffer, "%.4g", (double)INFINITY));
        assert_int_equal(buffer.size, strlen("91.24-1.235e-051inf"));
        assert_memory_equal(buffer.data, "91.24-1.235e-051inf", buffer.size);
        dd_buffer_free(&buffer);
    }
    setlocale(LC_NUMERIC, "C");
}

/* ---- the largest of some numbers ---- */

static void all_versions_find_the_first_of_the_largest(void **state)
{
    (void)state;
    dd_random random = {19};
    for (int round = 0; round < 5000; round++) {
        int32_t numbers[70];
        int count = 1 + (int)dd_random_below(&random, 70), want = 0;
        uint32_t range = round % 2 ? 4 : 100000;
        for (int i = 0; i < count; i++)
            numbers[i] = (int32_t)dd_random_below(&random, range) - (int32_t)range / 2;
        for (int i = 1; i < count; i++)
            if (numbers[i] > numbers[want]) want = i;
        for (int version = 0; dd_largest_version(version); version++)
            assert_int_equal(dd_largest_version(version)(numbers, count), want);
    }
}

static void misspellings_count_slips(void **state)
{
    (void)state;
    char longest[41] = {0}, longer[42] = {0};
    memset(longest, 'a', 40);
    memset(longer, 'a', 41);
    static const struct {
        const char *written, *known;
        int slips;
    } cases[] = {
        {"beam", "beam", 0},
        {"itrations", "iterations", 1},   /* left out */
        {"iterationss", "iterations", 1}, /* put in */
        {"iterbtions", "iterations", 1},  /* another */
        {"iteratoins", "iterations", 1},  /* swapped */
        {"iter", "iterations", 1},        /* cut short */
        {"it", "iterations", -1},         /* too short to tell */
        {"xterbtionz", "iterations", 3},  /* a slip in three letters will do */
        {"xterbtizyz", "iterations", -1}, /* no more */
        {"frobnicate", "iterations", -1},
        {"", "beam", -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(dd_misspelling(cases[i].written, strlen(cases[i].written), cases[i].known),
                         cases[i].slips);
    assert_int_equal(dd_misspelling("beam=4", 4, "beam"), 0);
    assert_int_equal(dd_misspelling(longest, 40, longest), 0);
    assert_int_equal(dd_misspelling(longest, 40, longer), -1);
    assert_int_equal(dd_misspelling(longer, 41, longest), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_versions_find_the_first_of_the_largest),
        cmocka_unit_test(misspellings_count_slips),
        cmocka_unit_test(messages_name_file_line_and_column),
        cmocka_unit_test(a_cut_message_ends_with_a_whole_character),
        cmocka_unit_test(reserve_refuses_what_overflows),
        cmocka_unit_test(buffers_append_and_print),
        cmocka_unit_test(numbers_have_a_point_in_every_locale),
        cmocka_unit_test(vocabularies_number_in_order_of_arrival),
        cmocka_unit_test(random_numbers_repeat_and_cover),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
