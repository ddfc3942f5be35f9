/* A model scored on a treebank, from its text, its words or its tags. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../settings_help.h"
#include "core/cancel.h"
#include "core/strings.h"
#include "segment/running_text.h"

static double score(const dd_model *model, const char *path, dd_eval_given *given, const char *name)
{
    dd_evaluation *evaluation;
    dd_error error;
    dd_metric metric;
    double f1 = -1;
    if (dd_evaluate_model(&evaluation, model, path, given, 1, NULL, &error) != DD_OK)
        fail_msg("%s", error.message);
    for (size_t i = 0; dd_evaluation_metric(evaluation, i, &metric); i++)
        if (strcmp(metric.name, name) == 0) f1 = dd_metric_f1(&metric);
    dd_evaluation_free(evaluation);
    return f1;
}

static dd_model *train(const char *settings)
{
    dd_model *model;
    dd_error error;
    if (train_with_settings(&model, settings, NULL, DEMO, NULL, &error) != DD_OK)
        fail_msg("%s", error.message);
    return model;
}

static void the_more_is_given_the_better_are_the_scores(void **state)
{
    (void)state;
    dd_model *model = train("only=all iterations=3 system=arc-eager");
    dd_eval_given given[] = {DD_EVAL_GIVEN_TEXT, DD_EVAL_GIVEN_WORDS, DD_EVAL_GIVEN_TAGS};
    assert_true(score(model, DEMO_TEST, &given[0], "Words") < 1);
    assert_true(score(model, DEMO_TEST, &given[1], "Words") == 1);
    assert_true(score(model, DEMO_TEST, &given[1], "UPOS") < 1);
    assert_true(score(model, DEMO_TEST, &given[2], "UPOS") == 1);
    assert_true(score(model, DEMO_TEST, &given[0], "LAS") > 0.5);
    dd_eval_given open = DD_EVAL_GIVEN_AUTO;
    assert_true(score(model, DEMO_TEST, &open, "Words") < 1);
    assert_int_equal(open, DD_EVAL_GIVEN_TEXT);
    dd_model_free(model);
}

static void a_parser_is_given_tags_and_a_model_without_one_is_refused(void **state)
{
    (void)state;
    dd_eval_given given = DD_EVAL_GIVEN_AUTO;
    dd_evaluation *evaluation;
    dd_error error;
    dd_model *parser = train("iterations=2"), *tagger = train("only=tagger");
    assert_true(score(parser, DEMO_TEST, &given, "UPOS") == 1);
    assert_int_equal(given, DD_EVAL_GIVEN_TAGS);
    given = DD_EVAL_GIVEN_TEXT;
    assert_int_equal(dd_evaluate_model(&evaluation, parser, DEMO_TEST, &given, 1, NULL, &error),
                     DD_ERROR_DATA);
    assert_non_null(strstr(error.message, "the model has no tokenizer for its text"));
    assert_int_equal(dd_evaluate_model(&evaluation, tagger, DEMO_TEST, NULL, 1, NULL, &error),
                     DD_ERROR_DATA);
    assert_string_equal(error.message, "a model without a parser has no trees to be scored");
    assert_int_equal(dd_evaluate_model(&evaluation, parser, "absent", NULL, 1, NULL, &error),
                     DD_ERROR_IO);
    dd_model_free(parser);
    dd_model_free(tagger);
}

#define ONE_WORD "# text = Birds\n1\tBirds\tbird\tNOUN\t_\t_\t0\troot\t_\t_\n\n"

/* Wherever that is: reading, parsing, scoring. */
static void an_evaluation_can_be_stopped(void **state)
{
    (void)state;
    char path[] = "/tmp/dodona-eval-XXXXXX";
    dd_model *model = train("only=tokenizer,tagger,parser iterations=1");
    FILE *file = fdopen(mkstemp(path), "w");
    assert_non_null(file);
    for (int i = 0; i < 300; i++) fputs(ONE_WORD, file);
    fclose(file);
    int looks = 0;
    for (int look = 1; look < 10000; look++) {
        dd_eval_options how;
        dd_evaluation *evaluation;
        dd_error error;
        dd_eval_options_init(&how);
        assert_int_equal(dd_cancel_new(&how.cancel, &error), DD_OK);
        dd_cancel_at_look(how.cancel, look);
        dd_status status = dd_evaluate_model(&evaluation, model, path, NULL, 1, &how, &error);
        dd_cancel_free(how.cancel);
        if (status == DD_OK) {
            dd_evaluation_free(evaluation);
            break;
        }
        assert_int_equal(status, DD_INTERRUPTED);
        assert_string_equal(error.message, "cancelled before it was done");
        assert_null(evaluation);
        looks++;
    }
    assert_in_range(looks, 100, 9998); /* among them one for each transition */
    unlink(path);
    dd_model_free(model);
}

#define WORD(id, form, misc) id "\t" form "\t_\t_\t_\t_\t_\t_\t_\t" misc "\n"

static void running_text_is_that_of_the_sentences(void **state)
{
    (void)state;
    static const char treebank[] = "# text = He didn't.\n" WORD("1", "He", "_")
        WORD("2-3", "didn't", "SpaceAfter=No") WORD("2", "did", "_") WORD("3", "n't", "_") WORD(
            "4", ".", "SpaceAfter=No") "\n" WORD("1", "So", "_") WORD("2", "what", "SpaceAfter=No")
            WORD("3", "?", "_") "\n"
                                "# newpar\n" WORD("1", "Well", "SpaceAfter=No")
                                    WORD("2", ".", "_") "\n"
                                                        "# text = Yes\n" WORD("1", "Yes", "_") "\n";
    dd_running_text text = {0};
    dd_reader *reader;
    dd_sentence *sentence;
    assert_int_equal(dd_sentence_new(&sentence, NULL), DD_OK);
    assert_int_equal(dd_reader_open_memory(&reader, "t", (dd_text){treebank, strlen(treebank)},
                                           DD_FORMAT_CONLLU, NULL),
                     DD_OK);
    while (dd_reader_next(reader, sentence, NULL) == DD_OK)
        assert_true(dd_running_text_add(&text, sentence));
    assert_true(dd_buffer_append(&text.text, "", 1));
    assert_string_equal(text.text.data, "He didn't.So what?\n\nWell. Yes");
    assert_true(text.known);
    dd_running_text_free(&text);
    dd_sentence_free(sentence);
    dd_reader_close(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_more_is_given_the_better_are_the_scores),
        cmocka_unit_test(a_parser_is_given_tags_and_a_model_without_one_is_refused),
        cmocka_unit_test(an_evaluation_can_be_stopped),
        cmocka_unit_test(running_text_is_that_of_the_sentences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
