/* text_help.h - reading a whole text and putting it together again, for the tests of src/text */
#ifndef DODONA_TESTS_TEXT_HELP_H
#define DODONA_TESTS_TEXT_HELP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/strings.h"
#include "text/reader.h"
#include "text/sentence.h"

typedef struct copy {
    dd_buffer output; /* every sentence as it would be written */
    int good, bad;    /* sentences */
    long words;
    dd_status last; /* DD_END, or what stopped reading */
    dd_error first; /* message of the first malformed sentence, or of what stopped reading */
} copy;

static inline dd_text text_of(const char *string)
{
    return (dd_text){string, strlen(string)};
}

static inline copy copy_reader(dd_reader *reader)
{
    copy all = {.first = {.message = ""}};
    dd_sentence *sentence;
    dd_error error;
    assert_int_equal(dd_sentence_new(&sentence, &error), DD_OK);
    while ((all.last = dd_reader_next(reader, sentence, &error)) == DD_OK ||
           all.last == DD_ERROR_FORMAT) {
        bool bad = all.last == DD_ERROR_FORMAT;
        if (bad && all.bad == 0) all.first = error;
        all.bad += bad;
        all.good += !bad;
        all.words += dd_sentence_size(sentence);
        if (bad) assert_int_equal(dd_sentence_size(sentence), 0);
        assert_int_equal(dd_sentence_format(sentence, DD_FORMAT_AUTO, &all.output, &error), DD_OK);
    }
    if (all.last != DD_END) all.first = error;
    dd_sentence_free(sentence);
    dd_reader_close(reader);
    return all;
}

static inline copy copy_memory(dd_text bytes, dd_format format)
{
    dd_reader *reader;
    assert_int_equal(dd_reader_open_memory(&reader, "t", bytes, format, NULL), DD_OK);
    return copy_reader(reader);
}

static inline copy copy_file(const char *path)
{
    dd_reader *reader;
    assert_int_equal(dd_reader_open(&reader, path, DD_FORMAT_AUTO, NULL), DD_OK);
    return copy_reader(reader);
}

static inline dd_buffer read_bytes(const char *path)
{
    dd_buffer bytes = {0};
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char chunk[65536];
    for (size_t size; (size = fread(chunk, 1, sizeof chunk, file)) > 0;)
        assert_true(dd_buffer_append(&bytes, chunk, size));
    fclose(file);
    return bytes;
}

static inline void assert_copied(const copy *all, dd_text bytes)
{
    assert_int_equal(all->last, DD_END);
    assert_int_equal(all->output.size, bytes.size);
    if (bytes.size) assert_memory_equal(all->output.data, bytes.data, bytes.size);
}

/* What the sentence would be written as. */
static inline void assert_written(const dd_sentence *sentence, const char *expected)
{
    dd_buffer out = {0};
    assert_int_equal(dd_sentence_format(sentence, DD_FORMAT_AUTO, &out, NULL), DD_OK);
    assert_int_equal(out.size, strlen(expected));
    assert_memory_equal(out.data, expected, out.size);
    dd_buffer_free(&out);
}

/* The first sentence of the text. */
static inline dd_sentence *read_first(const char *text, dd_format format)
{
    dd_reader *reader;
    dd_sentence *sentence;
    dd_error error;
    assert_int_equal(dd_reader_open_memory(&reader, "t", text_of(text), format, NULL), DD_OK);
    assert_int_equal(dd_sentence_new(&sentence, NULL), DD_OK);
    if (dd_reader_next(reader, sentence, &error) != DD_OK) fail_msg("%s", error.message);
    dd_reader_close(reader);
    return sentence;
}

#define assert_text(text, string)                                                                  \
    do {                                                                                           \
        dd_text text_ = (text);                                                                    \
        assert_int_equal(text_.size, strlen(string));                                              \
        assert_memory_equal(text_.data, string, text_.size);                                       \
    } while (0)

/* A word line without its ID: "1" WORD */
#define REST "\ta\t_\t_\t_\t_\t_\t_\t_\t_\n"

#endif
