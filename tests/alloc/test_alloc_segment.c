/* Tokenizers and plain text while memory runs out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../settings_help.h"
#include "alloc_fail.h"

static const char treebank[] = "# text = I can't come.\n"
                               "1\tI\t_\tPRON\t_\t_\t3\tnsubj\t_\t_\n"
                               "2-3\tcan't\t_\t_\t_\t_\t_\t_\t_\t_\n"
                               "2\tca\t_\tAUX\t_\t_\t4\taux\t_\t_\n"
                               "3\tn't\t_\tPART\t_\t_\t4\tadvmod\t_\t_\n"
                               "4\tcome\t_\tVERB\t_\t_\t0\troot\t_\tSpaceAfter=No\n"
                               "5\t.\t_\tPUNCT\t_\t_\t4\tpunct\t_\t_\n\n"
                               "# newpar\n"
                               "1\tDon't\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n";

typedef struct files {
    char train[64], model[64], output[64], list[64];
    const char *only, *tokenizer;
    int jackknife;      /* 0: none */
    bool writes, takes; /* the folds' tags; the model's components */
    bool lists;         /* of tokens */
    dd_format format;
    bool lines;
    int threads;
    const char *encoding;
} files;

static int set_up(void **state)
{
    files *f = calloc(1, sizeof *f);
    snprintf(f->train, sizeof f->train, "/tmp/dodona-alloc-%ld.conllu", (long)getpid());
    snprintf(f->model, sizeof f->model, "/tmp/dodona-alloc-%ld.model", (long)getpid());
    snprintf(f->output, sizeof f->output, "/tmp/dodona-alloc-%ld.out", (long)getpid());
    snprintf(f->list, sizeof f->list, "/tmp/dodona-alloc-%ld.txt", (long)getpid());
    *state = f;
    FILE *file = fopen(f->train, "wb"), *list = fopen(f->list, "wb");
    if (!file || !list || fputs(treebank, file) < 0) return -1;
    if (fputs("# some\ncan't\ncome.\n/[A-Z]on't|x{2,4}/i\n", list) < 0) return -1;
    return fclose(file) || fclose(list);
}

static int tear_down(void **state)
{
    files *f = *state;
    unlink(f->train);
    unlink(f->model);
    unlink(f->output);
    unlink(f->list);
    free(f);
    return 0;
}

static dd_status train(void *user, dd_error *error)
{
    const files *f = user;
    char settings[400], folds[32] = "";
    dd_model *model = NULL;
    if (f->jackknife) snprintf(folds, sizeof folds, "jackknife=%d", f->jackknife);
    int used = snprintf(settings, sizeof settings, "iterations=1 only=%s tokenizer=%s %s%s%s%s%s",
                        f->only, f->tokenizer ? f->tokenizer : "linear", folds,
                        f->writes ? " jackknifed=" : "", f->writes ? f->output : "",
                        f->takes ? " components-from=" : "", f->takes ? f->model : "");
    if (f->lists)
        snprintf(settings + used, sizeof settings - (size_t)used,
                 " keep-tokens=%s abbreviations=%s", f->list, f->list);
    bool chooses = f->tokenizer && strncmp(f->tokenizer, "auto", 4) == 0;
    const char *dev = f->jackknife || f->takes || chooses ? f->train : NULL;
    dd_status status = train_with_settings(&model, settings, NULL, f->train, dev, error);
    if (status == DD_OK) status = dd_model_save(model, f->model, error);
    dd_model_free(model);
    return status;
}

static dd_status parse(void *user, dd_error *error)
{
    static const char plain[] = "I can't\ncome. Don't\xFF\n\nI come.\n";
    static const char documents[] = "{\"id\":\"a b\",\"text\":\"I can't come. Don't\",\"k\":[1,"
                                    "{\"a\":1,\"b\":2}]}\n{\"x\"\n{\"text\":\"I come.\"}";
    const files *f = user;
    const char *text = f->format == DD_FORMAT_JSONL ? documents : plain;
    dd_model *model = NULL;
    dd_reader *reader = NULL;
    dd_writer *writer = NULL;
    dd_input_options input = {.size = sizeof input,
                              .format = f->format,
                              .given = f->lines ? DD_GIVEN_SENTENCES : DD_GIVEN_AUTO,
                              .ranges = true,
                              .document = "some document",
                              .prefix = "some",
                              .encoding = f->encoding,
                              .keep_tokens = f->lists ? f->list : NULL,
                              .abbreviations = f->lists ? f->list : NULL};
    dd_parse_options options;
    dd_parse_report report;
    dd_parse_options_init(&options);
    options.threads = f->threads;
    options.skip_bad = true;
    dd_status status = dd_model_load(&model, f->model, error);
    if (status == DD_OK)
        status = dd_reader_open_input(&reader, model,
                                      &(dd_input){.name = "t",
                                                  .kind = DD_INPUT_BYTES,
                                                  .bytes = (dd_text){text, strlen(text)}},
                                      &input, error);
    if (status == DD_OK) status = dd_writer_open(&writer, f->output, error);
    if (status == DD_OK && f->format == DD_FORMAT_JSONL)
        status = dd_writer_set_format(writer, DD_FORMAT_JSONL, error);
    if (status == DD_OK) {
        dd_parse_report_init(&report, model);
        status = dd_parse_stream(model, reader, writer, &options, &report, error);
    }
    if (writer) {
        dd_status closed = dd_writer_close(writer, status == DD_OK ? error : NULL);
        if (status == DD_OK) status = closed;
    }
    dd_reader_close(reader);
    dd_model_free(model);
    return status;
}

static void training_ends_or_is_refused(void **state)
{
    files *f = *state;
    f->only = "tokenizer";
    assert_true(alloc_fail_each(train, f) > 50);
    f->lists = true;
    assert_true(alloc_fail_each(train, f) > 70);
    f->lists = false;
    f->tokenizer = "neural";
    assert_true(alloc_fail_each(train, f) > 100);
    f->tokenizer = NULL;
    f->only = "tokenizer,parser";
    assert_true(alloc_fail_each(train, f) > 80);
    f->only = "tagger,lemmatizer,parser";
    f->jackknife = 2;
    assert_true(alloc_fail_each(train, f) > 200);
    f->only = "tagger";
    f->writes = true;
    assert_true(alloc_fail_each(train, f) > 100);
    f->jackknife = 0;
    f->writes = false;
    f->only = "parser";
    f->takes = true;
    assert_true(alloc_fail_each(train, f) > 100);
    f->takes = false;
}

static void parsing_ends_or_is_refused(void **state)
{
    files *f = *state;
    f->only = "tokenizer";
    f->tokenizer = "neural";
    f->threads = 1;
    f->format = DD_FORMAT_TEXT;
    assert_int_equal(train(f, NULL), DD_OK);
    assert_true(alloc_fail_each(parse, f) > 20);
    f->lists = true;
    assert_int_equal(train(f, NULL), DD_OK);
    assert_true(alloc_fail_each(parse, f) > 40);
    f->lists = false;
    f->tokenizer = NULL;
    f->only = "all";
    assert_int_equal(train(f, NULL), DD_OK);
    for (f->threads = 1; f->threads <= 2; f->threads++) {
        f->format = DD_FORMAT_TEXT;
        f->lines = false;
        assert_true(alloc_fail_each(parse, f) > 20);
        f->lines = true;
        assert_true(alloc_fail_each(parse, f) > 20);
        f->lines = false;
        f->format = DD_FORMAT_VERTICAL;
        assert_true(alloc_fail_each(parse, f) > 20);
        f->format = DD_FORMAT_AUTO;
        assert_true(alloc_fail_each(parse, f) > 20);
        f->format = DD_FORMAT_JSONL;
        assert_true(alloc_fail_each(parse, f) > 40);
        f->encoding = "latin1";
        assert_true(alloc_fail_each(parse, f) > 40);
        f->encoding = NULL;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(training_ends_or_is_refused),
        cmocka_unit_test(parsing_ends_or_is_refused),
    };
    return cmocka_run_group_tests_name("alloc segment", tests, set_up, tear_down);
}
