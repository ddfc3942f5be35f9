/* The core: messages, growing arrays and buffers, texts, the vocabulary, random numbers, blocks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <dodona_tools.h>

#include "core/counts.h"
#include "core/memory.h"
#include "core/random.h"
#include "core/sections.h"
#include "core/status.h"
#include "core/strings.h"

/* 2^200 and the numbers of Fibonacci, of which the 300th has 63 digits. */
static void counts_grow_without_limit(void **state)
{
    (void)state;
    dd_counts counts = {0};
    dd_counts_clear(&counts);
    for (uint64_t value = 0; value < 3; value++) assert_true(dd_counts_append(&counts, value > 0));
    for (int i = 0; i < 200; i++) assert_true(dd_counts_add(&counts, 1, 1));
    for (int i = 0; i < 150; i++)
        assert_true(dd_counts_add(&counts, 0, 2) && dd_counts_add(&counts, 2, 0));
    char *power = dd_counts_text(&counts, 1), *fibonacci = dd_counts_text(&counts, 0);
    assert_string_equal(power, "1606938044258990275541962092341162602522202993782792835301376");
    assert_string_equal(fibonacci,
                        "222232244629420445529739893461909967206666939096499764990979600");
    free(power);
    free(fibonacci);
    dd_counts_free(&counts);
}

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

static void precisions_cut_between_characters(void **state)
{
    (void)state;
    dd_error error;
    for (size_t lead = 0; lead < 4; lead++) {
        char text[400] = {0}, expected[DD_MESSAGE_SIZE];
        memset(text, 'a', lead);
        for (size_t at = lead; at + 4 < sizeof text; at += 4)
            memcpy(text + at, "\xF0\x9F\x8C\xB3", 4);
        int many = (int)(lead + (300 - lead) / 4 * 4), few = (int)(lead + (7 - lead) / 4 * 4);
        dd_fail_at(&error, DD_ERROR_DATA, text, 7, 0, "'%.07s'", text);
        snprintf(expected, sizeof expected, "%.*s:7: '%.*s'", many, text, few, text);
        assert_string_equal(error.message, expected);
        /* Behind arguments of all kinds. */
        dd_fail(&error, DD_ERROR_DATA, "%s%d%zu%llu%lu%c%g%.1f%%%*d%.*s %.7s", "b", 1, (size_t)2,
                3ull, 4ul, '5', 6.5, 7.0, 2, 8, 1, "99", text);
        snprintf(expected, sizeof expected, "b12345%g%.1f%% 89 %.*s", 6.5, 7.0, few, text);
        assert_string_equal(error.message, expected);
    }
    /* What is no UTF-8 is not taken for a part of a character. */
    dd_fail(&error, DD_ERROR_DATA, "%.300s: %.3s", "caf\xE9", "\xE9t\xE9\xE9");
    assert_string_equal(error.message, "caf\xE9: \xE9t\xE9");
    dd_fail(&error, DD_ERROR_DATA, "%.5s", "\x80\x80\x80\x80\x80\x80\x80");
    assert_string_equal(error.message, "\x80\x80\x80\x80\x80");
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

static void texts_are_compared_by_their_bytes(void **state)
{
    (void)state;
    const dd_text none = {NULL, 0}, abc = {"abcd", 3};
    assert_true(dd_text_is(abc, "abc") && !dd_text_is(abc, "abcd") && !dd_text_is(abc, "ab"));
    assert_false(dd_text_is(abc, "abd"));
    assert_true(dd_text_is(none, "") && !dd_text_is(none, "a") && !dd_text_is(abc, ""));
    assert_true(dd_text_same(abc, (dd_text){"abcx", 3}) && dd_text_same(none, (dd_text){"", 0}));
    assert_true(dd_text_begins(abc, "ab") && dd_text_begins(abc, "abc") && dd_text_begins(abc, ""));
    assert_true(dd_text_begins(none, "") && !dd_text_begins(none, "a"));
    assert_false(dd_text_begins(abc, "abcd") || dd_text_begins(abc, "b"));
}

static void texts_are_cut_at_the_first_mark(void **state)
{
    (void)state;
    dd_text rest = {"a||bc", 5}, part;
    assert_true(dd_text_is(dd_text_cut(&rest, '|'), "a") && rest.size == 3);
    assert_true(dd_text_cut_at(&rest, '|', &part) && part.size == 0);
    assert_true(dd_text_is(rest, "bc") && !dd_text_cut_at(&rest, '|', &part));
    assert_true(dd_text_is(rest, "bc"));
    assert_true(dd_text_is(dd_text_cut(&rest, '|'), "bc") && rest.size == 0);
    assert_true(dd_text_cut(&rest, '|').size == 0 && !dd_text_cut_at(&rest, '|', &part));
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

/* Every order comes, and about as often as any other. */
static void shuffled_numbers_are_the_same_in_another_order(void **state)
{
    (void)state;
    dd_random random = {7};
    int seen[6] = {0};
    dd_shuffle(&random, NULL, 0);
    for (int i = 0; i < 6000; i++) {
        uint32_t numbers[3] = {0, 1, 2};
        dd_shuffle(&random, numbers, 3);
        assert_int_equal(1 << numbers[0] | 1 << numbers[1] | 1 << numbers[2], 7);
        seen[2 * numbers[0] + (numbers[1] > numbers[2])]++;
    }
    for (int i = 0; i < 6; i++) assert_in_range(seen[i], 850, 1150);
}

/* ---- misspellings ---- */

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

/* ---- sections ---- */

static const uint32_t some_numbers[] = {7, 8, 9};

static dd_buffer section_with(size_t alignment)
{
    dd_buffer section = {0};
    assert_true(dd_block_put(&section, alignment, some_numbers, sizeof some_numbers));
    assert_true(dd_block_put(&section, alignment, NULL, 0));
    assert_true(dd_block_put(&section, alignment, "text", 4));
    return section;
}

/* The first bytes of the section, and zeros behind its end, `before` bytes into a cache line. */
static char *copy_section(const dd_buffer *section, size_t size, size_t before)
{
    void *copy;
    assert_int_equal(posix_memalign(&copy, DD_ALIGN_LINES, before + size + (size == 0)), 0);
    memset(copy, 0, before + size);
    memcpy((char *)copy + before, section->data, size < section->size ? size : section->size);
    return copy;
}

/* Whether the whole section could be read; what could be read must be right. */
static bool read_section(dd_text section, size_t alignment)
{
    dd_cursor cursor = {.rest = section, .alignment = alignment};
    size_t count, none;
    const uint32_t *numbers = dd_cursor_block(&cursor, sizeof *numbers, &count);
    if (numbers) assert_int_equal(count, 3);
    if (numbers) assert_memory_equal(numbers, some_numbers, sizeof some_numbers);
    if (numbers) assert_int_equal((uintptr_t)numbers % alignment, 0);
    dd_cursor_block(&cursor, sizeof(uint16_t), &none);
    assert_int_equal(none, 0);
    dd_text text = dd_cursor_text(&cursor);
    assert_true(cursor.failed ? !text.data && !text.size : dd_text_is(text, "text"));
    return dd_cursor_ended(&cursor);
}

static void sections_come_back_whole_or_not_at_all(void **state)
{
    (void)state;
    for (size_t alignment = DD_ALIGN_NUMBERS; alignment <= DD_ALIGN_LINES; alignment *= 8) {
        dd_buffer section = section_with(alignment);
        assert_int_equal(section.size % alignment, 0);
        for (size_t size = 0; size <= section.size + 1; size++) {
            char *cut = copy_section(&section, size, 0);
            assert_int_equal(read_section((dd_text){cut, size}, alignment), size == section.size);
            free(cut);
        }
        char *moved = copy_section(&section, section.size, alignment / 2);
        assert_false(read_section((dd_text){moved + alignment / 2, section.size}, alignment));
        free(moved);
        dd_buffer_free(&section);
    }
}

/* The size of a block is what a file says. */
static void blocks_of_wrong_sizes_are_refused(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {10, 17, 24, UINT64_MAX, UINT64_MAX - 7};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint64_t section[3] = {sizes[i], 0, 0};
        dd_cursor cursor = {{(const char *)section, sizeof section}, DD_ALIGN_NUMBERS, false};
        size_t count = 1;
        assert_null(dd_cursor_block(&cursor, sizeof(uint32_t), &count));
        assert_true(cursor.failed && count == 0);
    }
}

static void cursors_take_arrays_that_are_there(void **state)
{
    (void)state;
    const uint64_t numbers[2] = {1, 2};
    const char *at = (const char *)numbers;
    dd_cursor cursor = {.rest = {at, sizeof numbers}};
    assert_ptr_equal(dd_cursor_items(&cursor, 1, 1), at);
    assert_ptr_equal(dd_cursor_items(&cursor, 3, 1), at + 1);
    assert_ptr_equal(dd_cursor_items(&cursor, 2, 2), at + 4);
    assert_ptr_equal(dd_cursor_items(&cursor, 0, 8), at + 8);
    assert_false(dd_cursor_ended(&cursor));
    dd_cursor odd = cursor, long_one = cursor, huge = cursor;
    assert_ptr_equal(dd_cursor_items(&cursor, 2, 4), at + 8);
    assert_true(dd_cursor_ended(&cursor));
    assert_non_null(dd_cursor_items(&odd, 1, 1));
    assert_null(dd_cursor_items(&odd, 1, 2)); /* no number can lie there */
    assert_null(dd_cursor_items(&odd, 1, 1)); /* nothing more */
    assert_null(dd_cursor_items(&long_one, 3, 4));
    assert_null(dd_cursor_items(&huge, SIZE_MAX / 2, 4));
    assert_false(dd_cursor_ended(&odd) || dd_cursor_ended(&long_one) || dd_cursor_ended(&huge));
}

static void offsets_ascend_from_0_to_the_last(void **state)
{
    (void)state;
    assert_true(dd_offsets_ascend((const uint32_t[]){0, 2, 2, 5}, 4, 5));
    assert_false(dd_offsets_ascend((const uint32_t[]){0, 3, 2, 5}, 4, 5));
    assert_false(dd_offsets_ascend((const uint32_t[]){1, 2, 5}, 3, 5));
    assert_false(dd_offsets_ascend((const uint32_t[]){0, 2, 4}, 3, 5));
    assert_false(dd_offsets_ascend(NULL, 0, 0));
}

static void the_header_has_the_version_of_the_library(void **state)
{
    (void)state;
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", DODONA_VERSION_MAJOR, DODONA_VERSION_MINOR,
             DODONA_VERSION_PATCH);
    assert_string_equal(dd_version(), version);
    assert_int_equal(DODONA_VERSION_NUMBER, DODONA_VERSION_MAJOR * 10000 +
                                                DODONA_VERSION_MINOR * 100 + DODONA_VERSION_PATCH);
}

static void each_status_has_a_name(void **state)
{
    (void)state;
    for (int status = DD_OK; status <= DD_ERROR_ARGUMENT; status++)
        for (int other = DD_OK; other < status; other++)
            assert_string_not_equal(dd_status_name((dd_status)status),
                                    dd_status_name((dd_status)other));
    assert_string_equal(dd_status_name(DD_ERROR_MEMORY), "out of memory");
    assert_string_equal(dd_status_name((dd_status)100), "unknown status");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_header_has_the_version_of_the_library),
        cmocka_unit_test(each_status_has_a_name),
        cmocka_unit_test(misspellings_count_slips),
        cmocka_unit_test(counts_grow_without_limit),
        cmocka_unit_test(messages_name_file_line_and_column),
        cmocka_unit_test(a_cut_message_ends_with_a_whole_character),
        cmocka_unit_test(precisions_cut_between_characters),
        cmocka_unit_test(reserve_refuses_what_overflows),
        cmocka_unit_test(buffers_append_and_print),
        cmocka_unit_test(sections_come_back_whole_or_not_at_all),
        cmocka_unit_test(blocks_of_wrong_sizes_are_refused),
        cmocka_unit_test(cursors_take_arrays_that_are_there),
        cmocka_unit_test(offsets_ascend_from_0_to_the_last),
        cmocka_unit_test(vocabularies_number_in_order_of_arrival),
        cmocka_unit_test(texts_are_compared_by_their_bytes),
        cmocka_unit_test(texts_are_cut_at_the_first_mark),
        cmocka_unit_test(random_numbers_repeat_and_cover),
        cmocka_unit_test(shuffled_numbers_are_the_same_in_another_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
