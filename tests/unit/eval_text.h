/* eval_text.h - small files for the tests of the evaluation
 *
 *     "1 Dogs dog NOUN _ _ 2 nsubj\n2 bark ...\n\n"
 *
 * Spaces stand for tabs, and columns that are left out for `_`. */
#ifndef TESTS_EVAL_TEXT_H
#define TESTS_EVAL_TEXT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <dodona_tools.h>

#include "core/strings.h"

static inline void eval_text(dd_buffer *out, const char *compact)
{
    out->size = 0;
    int columns = 1;
    bool comment = false;
    for (const char *at = compact; *at; at++) {
        bool starts = at == compact || at[-1] == '\n';
        if (starts) columns = *at == '\n' || *at == '\r' ? DD_COLUMNS : 1;
        if (starts) comment = *at == '#';
        if (*at == ' ' && !comment) columns++;
        if ((*at == '\n' || *at == '\r') && !comment)
            for (; columns < DD_COLUMNS; columns++) assert_true(dd_buffer_text(out, "\t_"));
        assert_true(dd_buffer_append(out, *at == ' ' && !comment ? "\t" : at, 1));
    }
}

static inline dd_reader *eval_reader(const char *name, const dd_buffer *text, dd_format format)
{
    dd_reader *reader = NULL;
    dd_text bytes = {text->size ? text->data : "", text->size};
    assert_int_equal(dd_reader_open_memory(&reader, name, bytes, format, NULL), DD_OK);
    return reader;
}

/* Evaluates two compact texts; the files are called gold and system in messages. */
static inline dd_status eval_compact(dd_evaluation **out, const char *gold, const char *system,
                                     const dd_eval_options *options, dd_error *error)
{
    dd_buffer left = {0}, right = {0};
    eval_text(&left, gold);
    eval_text(&right, system);
    dd_format format =
        options && options->format == DD_FORMAT_CONLLX ? DD_FORMAT_CONLLX : DD_FORMAT_CONLLU;
    dd_reader *one = eval_reader("gold", &left, format);
    dd_reader *two = eval_reader("system", &right, format);
    dd_status status = dd_evaluate_readers(out, one, two, options, error);
    dd_reader_close(one);
    dd_reader_close(two);
    dd_buffer_free(&left);
    dd_buffer_free(&right);
    return status;
}

static inline dd_evaluation *eval_ok(const char *gold, const char *system,
                                     const dd_eval_options *options)
{
    dd_evaluation *evaluation = NULL;
    dd_error error = {.message = ""};
    dd_status status = eval_compact(&evaluation, gold, system, options, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(status, DD_OK);
    return evaluation;
}

static inline dd_metric eval_metric(const dd_evaluation *evaluation, const char *name)
{
    dd_metric metric;
    for (size_t i = 0; dd_evaluation_metric(evaluation, i, &metric); i++)
        if (strcmp(metric.name, name) == 0) return metric;
    fail_msg("no metric %s", name);
    return metric;
}

/* correct/gold/system, or correct/gold/system/aligned: "3/4/4/4" */
static inline void eval_expect(const dd_evaluation *evaluation, const char *name,
                               const char *counts)
{
    char got[128], want[128];
    dd_metric metric = eval_metric(evaluation, name);
    int size = snprintf(got, sizeof got, "%s %d/%d/%d", name, (int)metric.correct, (int)metric.gold,
                        (int)metric.system);
    if (metric.on_aligned)
        snprintf(got + size, sizeof got - (size_t)size, "/%d", (int)metric.aligned);
    snprintf(want, sizeof want, "%s %s", name, counts);
    assert_string_equal(got, want);
}

#endif
