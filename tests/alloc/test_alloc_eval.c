/* Evaluating and comparing while memory runs out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../settings_help.h"
#include "alloc_fail.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define COLUMNS(head, label) "\t_\tX\t_\tCase=Nom|Number=Sing\t" head "\t" label "\t_\t_\n"
#define RANGE(id, form)      id "\t" form "\t_\t_\t_\t_\t_\t_\t_\t_\n"

static const char gold[] =
    RANGE("1-2", "del") "1\tde" COLUMNS("3", "case") "2\tel" COLUMNS("3", "det") "3\tmar" COLUMNS(
        "0", "root") "\n1\tX" COLUMNS("2", "nsubj:x") "2\tY" COLUMNS("0", "root") "\n";
static const char system_text[] = "1\tdel" COLUMNS("2", "det") "2\tmar" COLUMNS(
    "0", "root") "\n1\tX" COLUMNS("2", "obj") "2\tY" COLUMNS("0", "root") "\n";

static dd_status evaluate(dd_evaluation **out, const char *one, const char *two,
                          const dd_eval_options *options, dd_error *error)
{
    dd_reader *left = NULL, *right = NULL;
    dd_status status =
        dd_reader_open_memory(&left, "gold", (dd_text){one, strlen(one)}, DD_FORMAT_CONLLU, error);
    if (status == DD_OK)
        status = dd_reader_open_memory(&right, "system", (dd_text){two, strlen(two)},
                                       DD_FORMAT_CONLLU, error);
    if (status == DD_OK) status = dd_evaluate_readers(out, left, right, options, error);
    dd_reader_close(left);
    dd_reader_close(right);
    return status;
}

static dd_status align_and_score(void *user, dd_error *error)
{
    (void)user;
    dd_evaluation *evaluation = NULL;
    dd_status status = evaluate(&evaluation, gold, system_text, NULL, error);
    dd_evaluation_free(evaluation);
    return status;
}

static dd_status compare(void *user, dd_error *error)
{
    const dd_eval_options *options = user;
    dd_evaluation *evaluation = NULL;
    dd_comparison comparison;
    dd_status status = evaluate(&evaluation, gold, gold, options, error);
    if (status == DD_OK) status = dd_compare(&comparison, evaluation, evaluation, 3, 1, error);
    dd_evaluation_free(evaluation);
    return status;
}

typedef struct trained {
    dd_model *model;
    char path[32];
} trained;

static dd_status parse_and_score(void *user, dd_error *error)
{
    const trained *with = user;
    dd_evaluation *evaluation = NULL;
    dd_eval_given given = DD_EVAL_GIVEN_TEXT;
    dd_status status =
        dd_evaluate_model(&evaluation, with->model, with->path, &given, 1, NULL, error);
    dd_evaluation_free(evaluation);
    return status;
}

static dd_status count_arcs(void *user, dd_error *error)
{
    (void)user;
    dd_arc_counts counts = {0};
    dd_reader *reader = NULL;
    dd_sentence *sentence = NULL;
    dd_status status = dd_reader_open_memory(&reader, "gold", (dd_text){gold, strlen(gold)},
                                             DD_FORMAT_CONLLU, error);
    if (status == DD_OK) status = dd_sentence_new(&sentence, error);
    if (status == DD_OK) status = dd_reader_next(reader, sentence, error);
    if (status == DD_OK) status = dd_arc_counts_add(&counts, sentence, error);
    dd_sentence_free(sentence);
    dd_reader_close(reader);
    return status;
}

static void arcs_are_counted_or_refused(void **state)
{
    (void)state;
    assert_true(alloc_fail_each(count_arcs, NULL) > 5);
}

static void files_are_scored_or_refused(void **state)
{
    (void)state;
    assert_true(alloc_fail_each(align_and_score, NULL) > 20);
}

static void a_model_is_scored_or_refused(void **state)
{
    (void)state;
    static const char treebank[] = "# text = X Y.\n1\tX" COLUMNS("2", "nsubj") "2\tY" COLUMNS(
        "0", "root") "3\t." COLUMNS("2", "punct") "\n";
    trained with = {.path = "/tmp/dodona-eval-XXXXXX"};
    int file = mkstemp(with.path);
    assert_true(file >= 0);
    assert_int_equal(write(file, treebank, strlen(treebank)), strlen(treebank));
    close(file);
    assert_int_equal(train_with_settings(&with.model, "only=tokenizer,parser iterations=1", NULL,
                                         with.path, NULL, NULL),
                     DD_OK);
    assert_true(alloc_fail_each(parse_and_score, &with) > 30);
    dd_model_free(with.model);
    unlink(with.path);
}

static void systems_are_compared_or_refused(void **state)
{
    (void)state;
    dd_eval_options options = {.size = sizeof options, .rule = DD_EVAL_CONLLX};
    assert_true(alloc_fail_each(compare, NULL) > 20);
    assert_true(alloc_fail_each(compare, &options) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_scored_or_refused),
        cmocka_unit_test(a_model_is_scored_or_refused),
        cmocka_unit_test(systems_are_compared_or_refused),
        cmocka_unit_test(arcs_are_counted_or_refused),
    };
    return cmocka_run_group_tests_name("alloc eval", tests, NULL, NULL);
}
