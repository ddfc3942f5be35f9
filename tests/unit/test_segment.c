/* The tokenizer: characters, features that agree with what was learnt, multiword rules, sections.
 */
#include "segment_help.h"

#include "core/random.h"
#include "text/utf8.h"

/* ---- characters ---- */

static void decoding_agrees_with_the_check_of_utf8(void **state)
{
    (void)state;
    static const unsigned char lead[] = {0x00, 0x41, 0x7F, 0x80, 0xBF, 0xC0, 0xC2, 0xDF, 0xE0,
                                         0xE1, 0xED, 0xEF, 0xF0, 0xF1, 0xF4, 0xF5, 0xFF};
    static const unsigned char next[] = {0x41, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC2};
    for (size_t i = 0; i < sizeof lead * 8 * 8 * 8; i++) {
        char bytes[4] = {(char)lead[i / 512], (char)next[i / 64 % 8], (char)next[i / 8 % 8],
                         (char)next[i % 8]};
        for (size_t size = 1; size <= 4; size++) {
            uint32_t code;
            bool broken;
            size_t used = dd_char_decode(bytes, size, &code, &broken);
            assert_true(used >= 1 && used <= size);
            /* The check stops at the first byte that does not start a character. */
            assert_int_equal(broken, dd_utf8_check((dd_text){bytes, size}) == 0);
            if (broken) assert_int_equal(code, DD_CHAR_REPLACEMENT);
            if (broken) continue;
            dd_buffer again = {0};
            assert_true(dd_char_append(&again, code));
            assert_int_equal(again.size, used);
            assert_memory_equal(again.data, bytes, used);
            dd_buffer_free(&again);
        }
    }
}

/* As the Unicode standard's own example, table 3-8. */
static void broken_bytes_give_one_mark_for_each_beginning_of_a_character(void **state)
{
    (void)state;
    static const char bytes[] = "\x61\xF1\x80\x80\xE1\x80\xC2\x62\x80\x63\x80\xBF\x64";
    static const size_t steps[] = {1, 3, 2, 1, 1, 1, 1, 1, 1, 1};
    size_t at = 0;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        uint32_t code;
        bool broken;
        size_t used = dd_char_decode(bytes + at, sizeof bytes - 1 - at, &code, &broken);
        assert_int_equal(used, steps[i]);
        at += used;
    }
    assert_int_equal(at, sizeof bytes - 1);
}

/* ---- learning ---- */

static void what_was_learnt_comes_back(void **state)
{
    (void)state;
    dd_model *model = learn_model(small_treebank);
    dd_input_options options = {.size = sizeof options, .format = DD_FORMAT_TEXT};
    copy all = copy_input(model,
                          text_of("Dr. Smith can't come. Don't wait, Mr. Jones!\n\n"
                                  "He won't say (or write) it: e-mail is slow. I am here."),
                          &options);
    assert_int_equal(all.last, DD_END);
    assert_int_equal(all.good, 4);
    /* Word for word as the treebank, but for comments. */
    dd_buffer expected = {0};
    const char *text = small_treebank;
    int number = 0;
    for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
        size_t size = (size_t)(strchr(line, '\n') - line) + 1;
        if (strncmp(line, "# newpar", 8) == 0) continue;
        if (strncmp(line, "# text", 6) == 0) {
            assert_true(number > 0 || dd_buffer_text(&expected, "# newdoc\n"));
            assert_true(number % 2 || dd_buffer_text(&expected, "# newpar\n"));
            assert_true(dd_buffer_printf(&expected, "# sent_id = %d\n", ++number));
        }
        assert_true(dd_buffer_append(&expected, line, size));
    }
    assert_int_equal(all.output.size, expected.size);
    assert_memory_equal(all.output.data, expected.data, expected.size);
    dd_buffer_free(&expected);
    dd_buffer_free(&all.output);
    dd_model_free(model);
}

static void the_same_data_gives_the_same_bytes(void **state)
{
    (void)state;
    dd_buffer one = {0}, two = {0};
    assert_int_equal(learn_section(small_treebank, 0, &one, NULL), DD_OK);
    assert_int_equal(learn_section(small_treebank, 0, &two, NULL), DD_OK);
    assert_int_equal(one.size, two.size);
    assert_memory_equal(one.data, two.data, one.size);
    dd_buffer_free(&one);
    dd_buffer_free(&two);
}

static void a_treebank_that_tells_no_spaces_is_refused(void **state)
{
    (void)state;
    dd_buffer section = {0};
    dd_error error;
    assert_int_equal(learn_section(WORD("1", "a") WORD("2", ".") "\n", 8, &section, &error),
                     DD_ERROR_DATA);
    assert_string_equal(error.message,
                        "a tokenizer cannot be trained: no sentence has '# text' or SpaceAfter=No");
    dd_buffer_free(&section);
}

static bool stop_at_once(void *user, const dd_component_progress *progress)
{
    *(dd_component_progress *)user = *progress;
    return false;
}

static void what_was_learnt_until_an_interruption_is_handed_out(void **state)
{
    (void)state;
    dd_component_progress progress;
    dd_error error;
    dd_buffer section = {0}, whole = {0};
    dd_segmenter *segmenter;
    dd_segmenter_options options;
    dd_segmenter_options_init(&options);
    options.report = stop_at_once;
    options.user = &progress;
    assert_int_equal(learn_with(&options, small_treebank, &section, &error), DD_INTERRUPTED);
    assert_string_equal(error.message, "stopped while the tokenizer was trained");
    assert_true(progress.component == DD_TOKENIZER && progress.iteration == 1);
    assert_int_equal(progress.iterations, options.iterations);
    assert_true(progress.accuracy > 0 && progress.accuracy <= 1);
    dd_text text = {section.data, section.size};
    assert_int_equal(dd_segmenter_map(&segmenter, text, NULL), DD_OK);
    /* The same as if no more had been wanted. */
    options.iterations = 1;
    options.report = NULL;
    assert_int_equal(learn_with(&options, small_treebank, &whole, NULL), DD_OK);
    assert_int_equal(section.size, whole.size);
    assert_memory_equal(section.data, whole.data, whole.size);
    dd_segmenter_free(segmenter);
    dd_buffer_free(&section);
    dd_buffer_free(&whole);
}

static void a_tokenizer_needs_an_iteration(void **state)
{
    (void)state;
    dd_buffer section = {0};
    dd_error error;
    dd_segmenter_options options;
    dd_segmenter_options_init(&options);
    options.iterations = 0;
    assert_int_equal(learn_with(&options, small_treebank, &section, &error), DD_ERROR_ARGUMENT);
    assert_string_equal(error.message, "a tokenizer needs at least one iteration");
    assert_int_equal(section.size, 0);
}

/* `# text` wins over MISC, and MISC serves where the words are not found in it. */
static void text_tells_the_spaces(void **state)
{
    (void)state;
    dd_buffer one = {0}, two = {0}, three = {0};
    assert_int_equal(learn_section("# text = ab c.\n" WORD("1", "ab") WORD("2", "c")
                                       WORD("3", ".") "\n",
                                   8, &one, NULL),
                     DD_OK);
    assert_int_equal(
        learn_section(WORD("1", "ab") GLUE("2", "c") WORD("3", ".") "\n", 8, &two, NULL), DD_OK);
    assert_int_equal(learn_section("# text = other\n" WORD("1", "ab") GLUE("2", "c")
                                       WORD("3", ".") "\n",
                                   8, &three, NULL),
                     DD_OK);
    assert_int_equal(one.size, two.size);
    assert_memory_equal(one.data, two.data, one.size);
    assert_memory_equal(one.data, three.data, one.size);
    dd_buffer_free(&one);
    dd_buffer_free(&two);
    dd_buffer_free(&three);
}

/* ---- multiword tokens ---- */

/* The words of a token, joined by '+'. */
static const char *split(const dd_multiword *multiword, const char *token)
{
    static char joined[200];
    dd_chars chars = {0};
    dd_buffer words = {0};
    size_t sizes[DD_MULTIWORD_MOST_WORDS];
    for (size_t at = 0; token[at];) {
        uint32_t code;
        bool broken;
        at += dd_char_decode(token + at, strlen(token) - at, &code, &broken);
        assert_true(dd_chars_add(&chars, code, (uint8_t)dd_char_classify(code), 0, 1));
    }
    int count = dd_multiword_split(multiword, &chars, 0, chars.count, &words, sizes);
    assert_true(count >= 1);
    joined[0] = '\0';
    if (count == 1) strcpy(joined, token);
    const char *from = words.data;
    for (int i = 0; i < count && count > 1; from += sizes[i++]) {
        if (i > 0) strcat(joined, "+");
        strncat(joined, from, sizes[i]);
    }
    dd_buffer_free(&words);
    dd_chars_free(&chars);
    return joined;
}

static void rules_split_by_form_and_by_ending(void **state)
{
    (void)state;
    static const char rules[] = "n't\t3\t\tn't\nain't\t\n^del\t1\t\tel\n^gonna\t2\t\tna\n"
                                "^\xC3\xA0\t1\ta\ta\n^dammelo\t4\t\tme\tlo\n";
    dd_multiword multiword;
    assert_int_equal(dd_multiword_map(&multiword, (dd_text){rules, sizeof rules - 1}, NULL), DD_OK);
    assert_string_equal(split(&multiword, "can't"), "ca+n't");
    assert_string_equal(split(&multiword, "CAN'T"), "CA+N'T");
    assert_string_equal(split(&multiword, "ain't"), "ain't");
    assert_string_equal(split(&multiword, "can\xE2\x80\x99t"), "ca+n\xE2\x80\x99t");
    assert_string_equal(split(&multiword, "CAN\xE2\x80\x99T"), "CA+N\xE2\x80\x99T");
    assert_string_equal(split(&multiword, "ain\xE2\x80\x99t"), "ain\xE2\x80\x99t");
    assert_string_equal(split(&multiword, "n't"), "n't"); /* no word would be left */
    assert_string_equal(split(&multiword, "Del"), "De+el");
    assert_string_equal(split(&multiword, "DEL"), "DE+EL");
    assert_string_equal(split(&multiword, "model"), "model");
    assert_string_equal(split(&multiword, "Gonna"), "Gon+na");
    assert_string_equal(split(&multiword, "\xC3\x80"), "A+A");
    assert_string_equal(split(&multiword, "dammelo"), "dam+me+lo");
    dd_multiword_free(&multiword);
}

static void rules_that_cannot_be_followed_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "\t1\t\tx\n",
        "a\t1\t\tx\n",
        "^\t1\t\tx\n",
        "ab\t-1\t\tx\n",
        "ab\t1\n",
        "ab\t1\t\n",
        "ab\t1\t\ta b\n",
        "ab\t1\t\t\tx\n",
        "ab\t99\t\tx\n",
        "ab\tx\t\tx\n",
        "a\x80z\t1\t\tx\n",
        "ab\t1\t\t\x80\n",
        "ab\t1\t\x01\tx\n",
        "ab\t0\t\t1\t2\t3\t4\t5\t6\t7\t8\n",
        "abcdefghijklmnopqrstuvwxyz\t1\t\tx\n",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        dd_multiword multiword;
        dd_error error;
        assert_int_equal(dd_multiword_map(&multiword, text_of(bad[i]), &error), DD_ERROR_MODEL);
    }
}

static void learn(dd_multiword_learner *learner, const char *form, const char *first,
                  const char *second)
{
    dd_text words[2] = {text_of(first), text_of(second)};
    assert_true(dd_multiword_learn(learner, text_of(form), words, *second ? 2 : 1));
}

static void rules_are_learnt_as_few_as_do(void **state)
{
    (void)state;
    dd_multiword_learner *learner = dd_multiword_learner_new();
    dd_buffer rules = {0};
    learn(learner, "Can't", "Ca", "n't");
    learn(learner, "won't", "wo", "n't");
    learn(learner, "don't", "do", "n't");
    learn(learner, "n't", "n't", "");
    learn(learner, "del", "de", "el"); /* one form is no evidence of an ending */
    learn(learner, "model", "model", "");
    learn(learner, "its", "it", "s"); /* most often one word */
    learn(learner, "its", "its", "");
    learn(learner, "its", "its", "");
    assert_true(dd_multiword_write(learner, &rules));
    static const char expected[] = "n't\t3\t\tn't\n^n't\t\n^del\t1\t\tel\n";
    assert_int_equal(rules.size, sizeof expected - 1);
    assert_memory_equal(rules.data, expected, rules.size);
    dd_buffer_free(&rules);
    dd_multiword_learner_free(learner);
}

/* ---- the section ---- */

static void a_damaged_section_is_refused(void **state)
{
    (void)state;
    dd_buffer section = {0};
    assert_int_equal(learn_section(small_treebank, 6, &section, NULL), DD_OK);
    dd_segmenter *segmenter = NULL;
    for (size_t size = 0; size < section.size; size++)
        assert_int_equal(dd_segmenter_map(&segmenter, (dd_text){section.data, size}, NULL),
                         DD_ERROR_MODEL);
    for (size_t field = 0; field < 16; field += 4) {
        char kept = section.data[field];
        section.data[field] = (char)(kept + 77);
        assert_int_equal(dd_segmenter_map(&segmenter, (dd_text){section.data, section.size}, NULL),
                         DD_ERROR_MODEL);
        section.data[field] = kept;
    }
    assert_int_equal(dd_segmenter_map(&segmenter, (dd_text){section.data, section.size}, NULL),
                     DD_OK);
    dd_segmenter_free(segmenter);
    dd_buffer_free(&section);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decoding_agrees_with_the_check_of_utf8),
        cmocka_unit_test(broken_bytes_give_one_mark_for_each_beginning_of_a_character),
        cmocka_unit_test(what_was_learnt_comes_back),
        cmocka_unit_test(the_same_data_gives_the_same_bytes),
        cmocka_unit_test(a_treebank_that_tells_no_spaces_is_refused),
        cmocka_unit_test(what_was_learnt_until_an_interruption_is_handed_out),
        cmocka_unit_test(a_tokenizer_needs_an_iteration),
        cmocka_unit_test(text_tells_the_spaces),
        cmocka_unit_test(rules_split_by_form_and_by_ending),
        cmocka_unit_test(rules_that_cannot_be_followed_are_refused),
        cmocka_unit_test(rules_are_learnt_as_few_as_do),
        cmocka_unit_test(a_damaged_section_is_refused),
    };
    return cmocka_run_group_tests_name("segment", tests, NULL, NULL);
}
