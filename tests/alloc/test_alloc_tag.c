/* Training and applying taggers and lemmatizers while memory runs out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

#include "alloc_fail.h"

#include "tag/lemmatizer.h"
#include "tag/tag_network.h"
#include "tag/tagger.h"

enum { SENTENCES = 3 };

static const char text[] = "1\tThe\tthe\tDET\t_\t_\t2\tdet\t_\t_\n"
                           "2\tdogs\tdog\tNOUN\t_\tNumber=Plur\t0\troot\t_\t_\n\n"
                           "1\tthe\tthe\tDET\t_\t_\t2\tdet\t_\t_\n"
                           "2\tdog\tdog\tNOUN\t_\tNumber=Sing\t0\troot\t_\t_\n\n"
                           "1\tthe\tthe\tDET\t_\t_\t2\tdet\t_\t_\n"
                           "2\tchildren\tchild\tNOUN\t_\tNumber=Plur\t0\troot\t_\t_\n\n";

/* What is read here is not under test. */
static void read_sentences(dd_sentence **sentences)
{
    dd_reader *reader;
    dd_text bytes = {text, sizeof text - 1};
    assert_int_equal(dd_reader_open_memory(&reader, "t", bytes, DD_FORMAT_CONLLU, NULL), DD_OK);
    for (int i = 0; i < SENTENCES; i++) {
        assert_int_equal(dd_sentence_new(&sentences[i], NULL), DD_OK);
        assert_int_equal(dd_reader_next(reader, sentences[i], NULL), DD_OK);
    }
    dd_reader_close(reader);
}

static bool go_on(void *user, const dd_component_progress *progress)
{
    (void)user;
    return progress->iteration > 0;
}

static dd_tagger_options tagger_options(void)
{
    dd_tagger_options options;
    dd_tagger_options_init(&options);
    options.iterations = 2;
    options.report = go_on;
    options.most_bytes = 500;
    return options;
}

static dd_status tag(void *user, dd_error *error)
{
    dd_sentence **sentences = user;
    dd_tagger_options options = tagger_options();
    dd_buffer section = {0};
    dd_tagger *tagger = NULL;
    dd_tagger_space *space = NULL;
    dd_status status = dd_tagger_train(&section, sentences, SENTENCES, &options, error);
    if (status == DD_OK)
        status = dd_tagger_map(&tagger, (dd_text){section.data, section.size}, error);
    if (status == DD_OK) status = dd_tagger_space_new(&space, tagger, error);
    for (int i = 0; i < SENTENCES && status == DD_OK; i++)
        status = dd_tagger_apply(tagger, space, sentences[i], error);
    dd_tagger_space_free(space);
    dd_tagger_free(tagger);
    dd_buffer_free(&section);
    return status;
}

static const dd_network_options network = {
    .layers = 1, .width = 8, .hidden = 16, .batch_words = 3, .rate = 0.01};

static char silver_path[64];
static uint64_t silver_window; /* words */

static int write_silver(void **state)
{
    (void)state;
    snprintf(silver_path, sizeof silver_path, "/tmp/dodona-alloc-silver-%ld", (long)getpid());
    FILE *file = fopen(silver_path, "wb");
    return !file || fputs(text, file) < 0 || fclose(file) != 0;
}

static int remove_silver(void **state)
{
    (void)state;
    return unlink(silver_path) != 0;
}

static dd_status tag_by_network(void *user, dd_error *error)
{
    dd_sentence **sentences = user;
    dd_tagger_options options = tagger_options();
    dd_draft draft = {0};
    dd_sections sections = {0};
    dd_tagger *tagger = NULL;
    dd_tagger_space *space = NULL;
    options.how = &network;
    options.silver = silver_path;
    options.silver_window = silver_window;
    dd_status status = dd_tagger_train_neural(&draft, sentences, SENTENCES, &options, error);
    dd_draft_list(&draft, &sections);
    if (status == DD_OK) status = dd_tagger_find(&tagger, &sections, error);
    if (status == DD_OK) status = dd_tagger_space_new(&space, tagger, error);
    if (status == DD_OK) status = dd_tagger_apply_all(tagger, space, sentences, SENTENCES, error);
    dd_tagger_space_free(space);
    dd_tagger_free(tagger);
    dd_draft_free(&draft);
    return status;
}

static dd_status lemmatize(void *user, dd_error *error)
{
    dd_sentence **sentences = user;
    dd_lemmatizer_options options;
    dd_buffer section = {0};
    dd_lemmatizer *lemmatizer = NULL;
    dd_lemmatizer_space *space = NULL;
    dd_lemmatizer_options_init(&options);
    options.iterations = 2;
    dd_status status = dd_lemmatizer_train(&section, sentences, SENTENCES, &options, error);
    if (status == DD_OK)
        status = dd_lemmatizer_map(&lemmatizer, (dd_text){section.data, section.size}, error);
    if (status == DD_OK) status = dd_lemmatizer_space_new(&space, lemmatizer, error);
    for (int i = 0; i < SENTENCES && status == DD_OK; i++)
        status = dd_lemmatizer_apply(lemmatizer, space, sentences[i], error);
    dd_lemmatizer_space_free(space);
    dd_lemmatizer_free(lemmatizer);
    dd_buffer_free(&section);
    return status;
}

static dd_status jackknife(void *user, dd_error *error)
{
    dd_sentence **sentences = user;
    dd_tagger_options options = tagger_options();
    dd_lemmatizer_options lemmas;
    dd_lemmatizer_options_init(&lemmas);
    return dd_tagger_jackknife(sentences, SENTENCES, 2, &options, &lemmas, error);
}

static void check(alloc_operation operation)
{
    dd_sentence *sentences[SENTENCES];
    read_sentences(sentences);
    /* What sentences keep for their cells is theirs: only what is lost would be a leak. */
    assert_int_equal(operation(sentences, NULL), DD_OK);
    assert_true(alloc_fail_each(operation, sentences) > 20);
    for (int i = 0; i < SENTENCES; i++) dd_sentence_free(sentences[i]);
}

static void tagging_ends_or_is_refused(void **state)
{
    (void)state;
    check(tag);
}

static void tagging_by_network_ends_or_is_refused(void **state)
{
    (void)state;
    check(tag_by_network);
    silver_window = 1;
    check(tag_by_network);
    silver_window = 0;
}

static void lemmatizing_ends_or_is_refused(void **state)
{
    (void)state;
    check(lemmatize);
}

static void jackknifing_ends_or_is_refused(void **state)
{
    (void)state;
    check(jackknife);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tagging_ends_or_is_refused),
        cmocka_unit_test_setup_teardown(tagging_by_network_ends_or_is_refused, write_silver,
                                        remove_silver),
        cmocka_unit_test(lemmatizing_ends_or_is_refused),
        cmocka_unit_test(jackknifing_ends_or_is_refused),
    };
    return cmocka_run_group_tests_name("alloc tag", tests, NULL, NULL);
}
