/* Words that another tagger has tagged, for a network to learn from beside the treebank. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tag_help.h"

#include "core/strings.h"
#include "tag/tag_network.h"

#define WAN(xpos, upos, feats)                                                                     \
    W("1", "wan", "wan", upos, xpos, feats)                                                        \
    NOUN("2", "dog")                                                                               \
    ED("3", "walk")                                                                                \
    STOP("4")                                                                                      \
    "\n" W("1", "wan", "wan", upos, xpos, feats) NOUNS("2", "cat") VB("3", "play") STOP("4") "\n"

static const char as_determiner[] = WAN("DT", "DET", "Definite=Def");
static const char as_noun[] = WAN("NN", "NOUN", SG);
static const char without_tags[] = WAN("_", "_", "_");

static char path[64];
static int bad_sentences; /* that were told of */
static uint64_t window;   /* words of it */

static int make_path(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "/tmp/dodona-tagger-silver-%ld", (long)getpid());
    return 0;
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path) != 0;
}

static void write_silver(const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static const dd_network_options network = {
    .layers = 1, .width = 16, .hidden = 16, .batch_words = 8, .rate = 0.01};

static dd_tagger_options options_of(double weight, int threads)
{
    dd_tagger_options options;
    dd_tagger_options_init(&options);
    options.how = &network;
    options.iterations = 30;
    options.threads = threads;
    options.silver = path;
    options.silver_weight = weight;
    options.silver_window = window;
    return options;
}

static dd_draft train(const char *silver, double weight, int threads)
{
    dd_draft sections = {0};
    dd_error error;
    dd_tagger_options options = options_of(weight, threads);
    bank gold = read_bank(tagged, DD_FORMAT_CONLLU);
    write_silver(silver);
    dd_status status =
        dd_tagger_train_neural(&sections, gold.sentences, gold.count, &options, &error);
    if (status != DD_OK) fail_msg("%s", error.message);
    free_bank(&gold);
    return sections;
}

/* Whether "wan" gets this XPOS. */
static bool wan_is(const dd_draft *draft, const char *xpos)
{
    dd_sections sections = {0};
    dd_tagger *tagger;
    bank test =
        read_bank(W("1", "wan", "_", "_", "_", "_") NOUN("2", "cat") ED("3", "jump") STOP("4") "\n",
                  DD_FORMAT_CONLLU);
    dd_draft_list(draft, &sections);
    assert_int_equal(dd_tagger_find(&tagger, &sections, NULL), DD_OK);
    tag_all(tagger, &test);
    bool is = dd_text_same(dd_cell(test.sentences[0], 1, DD_XPOS), text_of(xpos));
    dd_tagger_free(tagger);
    free_bank(&test);
    return is;
}

static void words_that_the_treebank_lacks_get_the_tags_of_silver_ones(void **state)
{
    (void)state;
    dd_draft determiner = train(as_determiner, 1, 1), noun = train(as_noun, 1, 1);
    assert_true(wan_is(&determiner, "DT"));
    assert_true(wan_is(&noun, "NN"));
    dd_draft_free(&determiner);
    dd_draft_free(&noun);
}

static void threads_give_the_same_bytes(void **state)
{
    (void)state;
    dd_draft one = train(as_noun, 0.7, 1), three = train(as_noun, 0.7, 3);
    for (int i = 0; i < one.count; i++) {
        assert_int_equal(one.contents[i].size, three.contents[i].size);
        assert_memory_equal(one.contents[i].data, three.contents[i].data, one.contents[i].size);
    }
    dd_draft_free(&one);
    dd_draft_free(&three);
}

/* A sentence at a time. */
static void windows_teach_as_well(void **state)
{
    (void)state;
    window = 1;
    dd_draft determiner = train(as_determiner, 1, 1), noun = train(as_noun, 1, 1);
    dd_draft again = train(as_noun, 1, 3);
    window = 0;
    assert_true(wan_is(&determiner, "DT"));
    assert_true(wan_is(&noun, "NN"));
    for (int i = 0; i < noun.count; i++) {
        assert_int_equal(noun.contents[i].size, again.contents[i].size);
        assert_memory_equal(noun.contents[i].data, again.contents[i].data, noun.contents[i].size);
    }
    dd_draft_free(&determiner);
    dd_draft_free(&noun);
    dd_draft_free(&again);
}

static bool change_file(void *user, const dd_component_progress *progress)
{
    (void)user;
    if (progress->finished) write_silver(as_noun);
    return true;
}

static void a_file_that_changes_meanwhile_ends_training(void **state)
{
    (void)state;
    dd_draft sections = {0};
    dd_error error;
    dd_tagger_options options = options_of(1, 1);
    bank gold = read_bank(tagged, DD_FORMAT_CONLLU);
    options.silver_window = 1;
    options.report = change_file;
    write_silver(as_determiner);
    assert_int_equal(
        dd_tagger_train_neural(&sections, gold.sentences, gold.count, &options, &error),
        DD_ERROR_DATA);
    assert_non_null(strstr(error.message, ": has changed since training began"));
    dd_draft_free(&sections);
    free_bank(&gold);
}

static void words_without_tags_teach_nothing(void **state)
{
    (void)state;
    dd_draft some = train(without_tags, 1, 1);
    assert_false(wan_is(&some, "_"));
    dd_draft_free(&some);
}

static void count_bad(void *user, const dd_error *error)
{
    (void)user;
    assert_non_null(strstr(error->message, path));
    bad_sentences++;
}

static void check_refused(const char *silver, dd_status status, const char *message, bool skip_bad)
{
    dd_draft sections = {0};
    dd_error error;
    dd_tagger_options options = options_of(1, 1);
    bank gold = read_bank(tagged, DD_FORMAT_CONLLU);
    options.iterations = 1;
    options.skip_bad = skip_bad;
    options.bad = count_bad;
    write_silver(silver);
    assert_int_equal(
        dd_tagger_train_neural(&sections, gold.sentences, gold.count, &options, &error), status);
    if (status != DD_OK) assert_non_null(strstr(error.message, message));
    dd_draft_free(&sections);
    free_bank(&gold);
}

static void what_teaches_nothing_is_refused(void **state)
{
    (void)state;
    check_refused(W("1", "wan", "wan", "X", "FW", "_") "\n", DD_ERROR_DATA, "no word has tags",
                  false);
    check_refused("", DD_ERROR_DATA, "no word has tags", false);
}

static void malformed_sentences_are_refused_or_passed_over(void **state)
{
    (void)state;
    static const char bad[] = "1\twan\n\n" WAN("NN", "NOUN", SG);
    check_refused(bad, DD_ERROR_FORMAT, path, false);
    assert_int_equal(bad_sentences, 0);
    check_refused(bad, DD_OK, NULL, true);
    assert_int_equal(bad_sentences, 1);
    window = 1;
    check_refused(bad, DD_OK, NULL, true);
    window = 0;
    assert_int_equal(bad_sentences, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_that_the_treebank_lacks_get_the_tags_of_silver_ones),
        cmocka_unit_test(threads_give_the_same_bytes),
        cmocka_unit_test(windows_teach_as_well),
        cmocka_unit_test(a_file_that_changes_meanwhile_ends_training),
        cmocka_unit_test(words_without_tags_teach_nothing),
        cmocka_unit_test(what_teaches_nothing_is_refused),
        cmocka_unit_test(malformed_sentences_are_refused_or_passed_over),
    };
    return cmocka_run_group_tests_name("tagger silver", tests, make_path, remove_file);
}
