/* How much memory is held at a time. In parsing it is bounded by the longest sentence, not by how
 * many there are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../settings_help.h"
#include "alloc_peak.h"
#include "core/strings.h"
#include "model/model.h"

enum { MIB = 1 << 20 };

static dd_model *make_model(const char *system)
{
    static const char data[] = "1\ta\t_\t_\t_\t_\t2\tobj\t_\t_\n"
                               "2\tb\t_\t_\t_\t_\t0\troot\t_\t_\n\n";
    char path[64];
    snprintf(path, sizeof path, "/tmp/dodona-alloc-peak-%ld", (long)getpid());
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, sizeof data - 1, file), sizeof data - 1);
    assert_int_equal(fclose(file), 0);
    char settings[64];
    dd_model *model = NULL;
    snprintf(settings, sizeof settings, "system=%s", system);
    assert_int_equal(train_with_settings(&model, settings, NULL, path, NULL, NULL), DD_OK);
    unlink(path);
    return model;
}

/* ---- parsing a stream --------------------------------------------------------------------- */

/* Few words, with a comment of so many bytes. */
static void add_sentence(dd_buffer *text, size_t bytes)
{
    assert_true(dd_buffer_text(text, "# ") && dd_buffer_reserve(text, bytes));
    memset(text->data + text->size, 'c', bytes);
    text->size += bytes;
    assert_true(
        dd_buffer_text(text, "\n1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n2\tb\t_\t_\t_\t_\t_\t_\t_\t_\n\n"));
}

/* The most memory held while so many sentences of so many bytes are parsed. */
static size_t peak_of_stream(const dd_model *model, int count, size_t bytes, int threads)
{
    dd_buffer text = {0};
    dd_reader *reader;
    dd_writer *writer;
    dd_parse_options options;
    dd_parse_report report;
    for (int i = 0; i < count; i++) add_sentence(&text, bytes);
    dd_parse_options_init(&options);
    dd_parse_report_init(&report, model);
    options.threads = threads;
    alloc_peak_begin();
    dd_text all = {text.data, text.size};
    assert_int_equal(dd_reader_open_memory(&reader, "t", all, DD_FORMAT_CONLLU, NULL), DD_OK);
    assert_int_equal(dd_writer_open(&writer, "/dev/null", NULL), DD_OK);
    assert_int_equal(dd_parse_stream(model, reader, writer, &options, &report, NULL), DD_OK);
    assert_int_equal(report.sentences, count);
    dd_writer_close(writer, NULL);
    dd_reader_close(reader);
    size_t peak = alloc_peak();
    dd_buffer_free(&text);
    return peak;
}

static void long_sentences_are_not_held_together(void **state)
{
    (void)state;
    dd_model *model = make_model("arc-eager");
    size_t one = peak_of_stream(model, 1, 4 * MIB, 1), few = peak_of_stream(model, 1, 100, 3);
    assert_true(one > 4 * MIB);
    assert_in_range(peak_of_stream(model, 40, 4 * MIB, 1), 4 * MIB, one + MIB);
    /* With threads more is read ahead, but not much more. */
    size_t ahead = 3 * 4 * (MIB / 2);
    assert_in_range(peak_of_stream(model, 40, 4 * MIB, 3), 4 * MIB, few + 3 * ahead + 3 * one);
    dd_model_free(model);
}

/* ---- silver trees ------------------------------------------------------------------------- */

static void write_sentences(const char *path, int count)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    for (int i = 0; i < count; i++)
        for (int word = 1; word <= 20; word++)
            fprintf(file, "%d\tword%d\tword\tNOUN\tNN\tNumber=Plur|Case=Nom\t%d\t%s\t_\t_\n%s",
                    word, i % 1000, word - 1, word == 1 ? "root" : "dep", word == 20 ? "\n" : "");
    assert_int_equal(fclose(file), 0);
}

/* The most memory held while so many silver sentences of 20 words are read. */
static size_t peak_of_silver(const char *scorer, int window, int count)
{
    char gold[64], silver[64], settings[256];
    dd_model *model = NULL;
    snprintf(gold, sizeof gold, "/tmp/dodona-alloc-peak-%ld.gold", (long)getpid());
    snprintf(silver, sizeof silver, "/tmp/dodona-alloc-peak-%ld.silver", (long)getpid());
    snprintf(settings, sizeof settings,
             "scorer=%s width=8 iterations=1 silver=%s silver-weight=100 silver-window=%d", scorer,
             silver, window);
    write_sentences(gold, 2);
    write_sentences(silver, count);
    alloc_peak_begin();
    assert_int_equal(train_with_settings(&model, settings, NULL, gold, NULL, NULL), DD_OK);
    size_t peak = alloc_peak();
    dd_model_free(model);
    unlink(gold);
    unlink(silver);
    return peak;
}

/* 5 million words are to fit into 2 GB; arrays that grow hold up to twice of what they need. */
static void a_silver_word_takes_little(void **state)
{
    (void)state;
    static const char *const scorers[] = {"linear", "neural"};
    for (int i = 0; i < 2; i++) {
        size_t few = peak_of_silver(scorers[i], 1000000, 2000),
               many = peak_of_silver(scorers[i], 1000000, 10000);
        assert_in_range((many - few) / (20 * 8000), 8, 130);
    }
}

/* A window, whatever the file's size: 3000 words are drawn, of several windows. */
static void no_more_than_a_window_is_held(void **state)
{
    (void)state;
    static const char *const scorers[] = {"linear", "neural"};
    for (int i = 0; i < 2; i++) {
        size_t few = peak_of_silver(scorers[i], 1000, 2000),
               many = peak_of_silver(scorers[i], 1000, 10000);
        assert_in_range(many, few - few / 8, few + few / 8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_sentences_are_not_held_together),
        cmocka_unit_test(a_silver_word_takes_little),
        cmocka_unit_test(no_more_than_a_window_is_held),
    };
    return cmocka_run_group_tests_name("alloc peak", tests, NULL, NULL);
}
