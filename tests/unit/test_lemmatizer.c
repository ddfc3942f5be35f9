/* Lemma rules, and the lemmatizer that chooses among them. */
#include "tag_help.h"

#include "tag/lemmatizer_parts.h"

static const char *const pairs[][3] = {
    /* form, lemma, rule */
    {"flies", "fly", "L\t0\t\t3\ty\n"},
    {"Flies", "fly", "L\t0\t\t3\ty\n"},
    {"dog", "dog", "L\t0\t\t0\t\n"},
    {"McDonald", "McDonald", "K\t0\t\t0\t\n"},
    {"McDonalds", "McDonald", "K\t0\t\t1\t\n"},
    {"APPLES", "Apple", "F\t0\t\t1\t\n"},
    {"usa", "USA", "U\t0\t\t0\t\n"},
    {"went", "go", "A\tgo\n"},
    {"abc", "aBc", "A\taBc\n"},
    {"gespielt", "spielen", "L\t2\t\t1\ten\n"},
    {"\xC3\x89t\xC3\xA9s", "\xC3\xA9t\xC3\xA9", "L\t0\t\t1\t\n"},
    {"\xC3\x96l", "\xC3\x96l", "K\t0\t\t0\t\n"},
    {"a b", "a b", "L\t0\t\t0\t\n"},
    {"_", "_", "L\t0\t\t0\t\n"},
    {"6,500,000", "6500000", "W\t,\n"},
    {"co\xC2\xADop", "coop", "W\t\xC2\xAD\n"},
    {",", "x", "A\tx\n"},
};

static void rules_are_found_and_make_the_lemma(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        dd_buffer line = {0}, lemma = {0};
        dd_lemma_rule rule;
        assert_true(dd_lemma_rule_find(text_of(pairs[i][0]), text_of(pairs[i][1]), &line));
        assert_text(((dd_text){line.data, line.size}), pairs[i][2]);
        assert_true(dd_lemma_rule_read(&rule, (dd_text){line.data, line.size - 1}));
        assert_true(dd_lemma_rule_apply(&rule, text_of(pairs[i][0]), &lemma));
        assert_text(((dd_text){lemma.data, lemma.size}), pairs[i][1]);
        dd_buffer_free(&line);
        dd_buffer_free(&lemma);
    }
}

static void rules_fit_forms_that_are_long_enough(void **state)
{
    (void)state;
    dd_lemma_rule rule;
    assert_true(dd_lemma_rule_read(&rule, text_of("L\t1\tx\t2\t")));
    assert_false(dd_lemma_rule_fits(&rule, 3));
    assert_true(dd_lemma_rule_fits(&rule, 4));
    assert_true(dd_lemma_rule_read(&rule, text_of("A\tgo")));
    assert_true(dd_lemma_rule_fits(&rule, 1));
}

static void long_words_have_whole_lemmas(void **state)
{
    (void)state;
    char form[301] = {0}, lemma[301] = {0};
    dd_buffer line = {0};
    memset(form, 'A', 300);
    memset(lemma, 'a', 300);
    assert_true(dd_lemma_rule_find(text_of(form), text_of(lemma), &line));
    assert_int_equal(line.size, 303);
    assert_int_equal(line.data[0], 'A');
    dd_buffer_free(&line);
}

static void broken_rules_are_refused(void **state)
{
    (void)state;
    static const char *const lines[] = {"",
                                        "L",
                                        "A\t",
                                        "W\t",
                                        "X\t0\t\t0\t",
                                        "L\t0\t\t0",
                                        "L\t-1\t\t0\t",
                                        "L\t01\t\t0\t",
                                        "L\t0\t\t999999\t",
                                        "L\t0\t\t0\t\xFF",
                                        "L\t0\t\t0\ta\tb",
                                        "LL\t0\t\t0\t"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        dd_lemma_rule rule;
        assert_false(dd_lemma_rule_read(&rule, text_of(lines[i])));
    }
}

static dd_lemmatizer *map(const dd_buffer *section)
{
    dd_lemmatizer *lemmatizer;
    dd_error error;
    if (dd_lemmatizer_map(&lemmatizer, (dd_text){section->data, section->size}, &error) != DD_OK)
        fail_msg("%s", error.message);
    return lemmatizer;
}

static void lemmas_are_learnt_and_generalised(void **state)
{
    (void)state;
    bank train = read_bank(tagged, DD_FORMAT_CONLLU);
    bank test = read_bank(W("1", "Horses", "_", "NOUN", "NNS", PL)
                              W("2", "kicked", "_", "VERB", "VBD", PAST) "\n",
                          DD_FORMAT_CONLLU);
    dd_buffer section = train_lemmatizer(&train, 1), same = train_lemmatizer(&train, 1);
    assert_same(section, same);
    dd_lemmatizer *lemmatizer = map(&section);
    lemmatize_all(lemmatizer, &test);
    assert_text(dd_cell(test.sentences[0], 1, DD_LEMMA), "horse");
    assert_text(dd_cell(test.sentences[0], 2, DD_LEMMA), "kick");
    lemmatize_all(lemmatizer, &train); /* which it knows by heart */
    dd_buffer out = format_all(&train);
    assert_text(((dd_text){out.data, out.size}), tagged);
    dd_buffer_free(&out);
    dd_lemmatizer_free(lemmatizer);
    dd_buffer_free(&section);
    dd_buffer_free(&same);
    free_bank(&train);
    free_bank(&test);
}

/* One rule a word: no weights could tell them. With upper case letters it depends on the tags too.
 */
static void exceptions_are_kept(void **state)
{
    (void)state;
    dd_buffer text = {0}, section = {0};
    for (int i = 0; i < 60; i++)
        assert_true(dd_buffer_printf(&text, "1\t%c%d\tx%d\t%s\t_\t_\t_\t_\t_\t_\n\n",
                                     i % 3 ? 'W' : 'w', i / 2, i * 7 % 60, i % 2 ? "X" : "Y"));
    assert_true(dd_buffer_append(&text, "", 1));
    bank train = read_bank(text.data, DD_FORMAT_CONLLU);
    dd_lemmatizer_options options;
    dd_lemmatizer_options_init(&options);
    options.most_bytes = 1; /* no weights at all */
    assert_int_equal(dd_lemmatizer_train(&section, train.sentences, train.count, &options, NULL),
                     DD_OK);
    dd_lemmatizer *lemmatizer = map(&section);
    lemmatize_all(lemmatizer, &train);
    dd_buffer out = format_all(&train);
    assert_text(((dd_text){out.data, out.size}), text.data);
    dd_buffer_free(&out);
    dd_lemmatizer_free(lemmatizer);
    dd_buffer_free(&section);
    dd_buffer_free(&text);
    free_bank(&train);
}

static void a_form_with_one_lemma_has_it_with_any_tag(void **state)
{
    (void)state;
    bank train = read_bank(tagged, DD_FORMAT_CONLLU);
    bank test =
        read_bank(W("1", "children", "_", "X", "X", "_") W("2", "went", "_", "X", "X", "_") "\n",
                  DD_FORMAT_CONLLU);
    dd_buffer section = train_lemmatizer(&train, 1);
    dd_lemmatizer *lemmatizer = map(&section);
    lemmatize_all(lemmatizer, &test);
    assert_text(dd_cell(test.sentences[0], 1, DD_LEMMA), "child");
    assert_text(dd_cell(test.sentences[0], 2, DD_LEMMA), "go");
    dd_lemmatizer_free(lemmatizer);
    dd_buffer_free(&section);
    free_bank(&train);
    free_bank(&test);
}

static void check_lemmas(const char *train_text, const char *test_text, const char *const *lemmas)
{
    bank train = read_bank(train_text, DD_FORMAT_CONLLU),
         test = read_bank(test_text, DD_FORMAT_CONLLU);
    dd_buffer section = train_lemmatizer(&train, 1);
    dd_lemmatizer *lemmatizer = map(&section);
    lemmatize_all(lemmatizer, &test);
    for (int at = 1; lemmas[at - 1]; at++)
        assert_text(dd_cell(test.sentences[0], at, DD_LEMMA), lemmas[at - 1]);
    dd_lemmatizer_free(lemmatizer);
    dd_buffer_free(&section);
    free_bank(&train);
    free_bank(&test);
}

#define GERUND(id, s)         W(id, s "ing", s, "VERB", "VBG", "VerbForm=Ger")
#define MOST(id, form, lemma) W(id, form, lemma, "ADJ", "JJS", "Degree=Sup")

/* By its ending alone "closest" would be "clos", but "close" is known. */
static void a_known_lemma_is_preferred(void **state)
{
    (void)state;
    static const char *const lemmas[] = {"close", "tall", NULL};
    check_lemmas(MOST("1", "hardest", "hard") MOST("2", "coldest", "cold")
                     MOST("3", "dearest", "dear") MOST("4", "nicest", "nice")
                         MOST("5", "largest", "large") MOST("6", "latest", "late")
                             MOST("7", "smallest", "small") "\n" W("1", "close", "close", "ADJ",
                                                                   "JJ", "Degree=Pos") "\n",
                 MOST("1", "closest", "_") MOST("2", "tallest", "_") "\n", lemmas);
}

/* As a gerund "sing" would be "s" by its ending, but it is a known verb; "ping" is none. */
static void next_to_nothing_is_not_left_of_a_known_lemma(void **state)
{
    (void)state;
    static const char *const lemmas[] = {"sing", "p", NULL};
    check_lemmas(GERUND("1", "walk") GERUND("2", "bark") GERUND("3", "jump") GERUND("4", "call")
                     W("5", "sings", "sing", "VERB", "VBZ", PRES) "\n",
                 W("1", "sing", "_", "VERB", "VBG", "VerbForm=Ger")
                     W("2", "ping", "_", "VERB", "VBG", "VerbForm=Ger") "\n",
                 lemmas);
}

/* "A go" serves "went" in any casing, and no other form. */
static void lemmas_that_are_rules_serve_their_forms_only(void **state)
{
    (void)state;
    static const char *const lemmas[] = {"go", "7800", "seven", NULL};
    check_lemmas(W("1", "went", "go", "VERB", "VBD", PAST) W("2", "6,500", "6500", "NUM", "CD", "_")
                     W("3", "1,200", "1200", "NUM", "CD", "_")
                         W("4", "2k", "two thousand", "NUM", "CD", "_")
                             W("5", "3", "3", "NUM", "CD", "_") "\n",
                 W("1", "WENT", "_", "VERB", "VBD", "_") W("2", "7,800", "_", "NUM", "CD", "_")
                     W("3", "seven", "_", "NUM", "CD", "_") "\n",
                 lemmas);
}

static void treebanks_without_lemmas_give_none(void **state)
{
    (void)state;
    bank train = read_bank("1" REST "\n", DD_FORMAT_CONLLU);
    bank test = read_bank(tagged, DD_FORMAT_CONLLU);
    dd_buffer section = train_lemmatizer(&train, 1);
    dd_lemmatizer *lemmatizer = map(&section);
    lemmatize_all(lemmatizer, &test);
    assert_text(dd_cell(test.sentences[0], 2, DD_LEMMA), "_");
    dd_lemmatizer_free(lemmatizer);
    dd_buffer_free(&section);
    free_bank(&train);
    free_bank(&test);
}

/* What no reader takes is not written. */
static void lemmas_can_be_read_again(void **state)
{
    (void)state;
    bank train = read_bank("1\tabc\tab\tX\t_\t_\t_\t_\t_\t_\n\n", DD_FORMAT_CONLLU);
    bank test = read_bank("1\ta b\t_\tX\t_\t_\t_\t_\t_\t_\n\n1\ta\t_\tX\t_\t_\t_\t_\t_\t_\n\n",
                          DD_FORMAT_CONLLU);
    dd_buffer section = train_lemmatizer(&train, 1);
    dd_lemmatizer *lemmatizer = map(&section);
    lemmatize_all(lemmatizer, &test);
    assert_text(dd_cell(test.sentences[0], 1, DD_LEMMA), "a b");
    assert_text(dd_cell(test.sentences[1], 1, DD_LEMMA), "a");
    dd_lemmatizer_free(lemmatizer);
    dd_buffer_free(&section);
    free_bank(&train);
    free_bank(&test);
}

static bool stop_at_once(void *user, const dd_component_progress *progress)
{
    *(dd_component_progress *)user = *progress;
    return false;
}

static void what_was_learnt_until_an_interruption_is_handed_out(void **state)
{
    (void)state;
    bank train = read_bank(tagged, DD_FORMAT_CONLLU);
    dd_component_progress progress;
    dd_error error;
    dd_buffer section = {0};
    dd_lemmatizer_options options;
    dd_lemmatizer_options_init(&options);
    options.report = stop_at_once;
    options.user = &progress;
    assert_int_equal(dd_lemmatizer_train(&section, train.sentences, train.count, &options, &error),
                     DD_INTERRUPTED);
    assert_string_equal(error.message, "stopped while the lemmatizer was trained");
    assert_true(progress.component == DD_LEMMATIZER && progress.iteration == 1);
    assert_int_equal(progress.iterations, options.iterations);
    assert_true(progress.accuracy > 0 && progress.accuracy <= 1);
    dd_lemmatizer_free(map(&section));
    dd_buffer_free(&section);
    free_bank(&train);
}

static void damaged_sections_are_refused(void **state)
{
    (void)state;
    bank train = read_bank(tagged, DD_FORMAT_CONLLU);
    dd_buffer section = train_lemmatizer(&train, 1);
    dd_lemmatizer *lemmatizer = NULL;
    for (size_t size = 0; size < section.size; size++) {
        char *cut = malloc(size + 1);
        memcpy(cut, section.data, size);
        assert_int_equal(dd_lemmatizer_map(&lemmatizer, (dd_text){cut, size}, NULL),
                         DD_ERROR_MODEL);
        free(cut);
    }
    assert_null(lemmatizer);
    dd_buffer_free(&section);
    free_bank(&train);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_are_found_and_make_the_lemma),
        cmocka_unit_test(rules_fit_forms_that_are_long_enough),
        cmocka_unit_test(long_words_have_whole_lemmas),
        cmocka_unit_test(broken_rules_are_refused),
        cmocka_unit_test(lemmas_are_learnt_and_generalised),
        cmocka_unit_test(exceptions_are_kept),
        cmocka_unit_test(a_form_with_one_lemma_has_it_with_any_tag),
        cmocka_unit_test(a_known_lemma_is_preferred),
        cmocka_unit_test(next_to_nothing_is_not_left_of_a_known_lemma),
        cmocka_unit_test(lemmas_that_are_rules_serve_their_forms_only),
        cmocka_unit_test(treebanks_without_lemmas_give_none),
        cmocka_unit_test(lemmas_can_be_read_again),
        cmocka_unit_test(what_was_learnt_until_an_interruption_is_handed_out),
        cmocka_unit_test(damaged_sections_are_refused),
    };
    return cmocka_run_group_tests_name("lemmatizer", tests, NULL, NULL);
}
