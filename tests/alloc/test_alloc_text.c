/* Reading, changing and writing sentences while memory runs out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <dodona_tools.h>

#include "../pieces_help.h"
#include "alloc_fail.h"
#include "text/reader.h"
#include "text/sentence.h"

#define WORD(id) id "\ta\t_\t_\t_\t_\t_\t_\t_\t_\n"

static const char text[] = "# sent_id = a\n" WORD("0.1") WORD("1-2") WORD("1") WORD("2") WORD("3")
    WORD("4") WORD("5") WORD("6") WORD("7") WORD("8") WORD("9") WORD("10") "\n" WORD("1")
        WORD("x") "\n" WORD("1") "\n";

/* Twice: what stands in the buffer stays there when the second time fails. */
static dd_status format(const dd_sentence *sentence, dd_format as, dd_error *error)
{
    dd_buffer out = {0};
    dd_status status = dd_sentence_format(sentence, as, &out, error);
    size_t once = out.size;
    assert_true(status == DD_OK ? once > 0 : once == 0);
    if (status == DD_OK) {
        status = dd_sentence_format(sentence, as, &out, error);
        assert_int_equal(out.size, status == DD_OK ? 2 * once : once);
    }
    dd_buffer_free(&out);
    return status;
}

/* Twice: an outline that could not be made is empty. */
static dd_status outline(const dd_sentence *sentence, dd_error *error)
{
    dd_outline *made = NULL;
    dd_status status = dd_outline_new(&made, error);
    for (int i = 0; i < 2 && status == DD_OK; i++) {
        status = dd_outline_make(made, sentence, error);
        assert_true((dd_outline_token(made, 0) != NULL) == (status == DD_OK));
        assert_true((dd_outline_text(made).size > 0) == (status == DD_OK));
    }
    dd_outline_free(made);
    return status;
}

static dd_status quote(dd_error *error)
{
    dd_buffer out = {0};
    dd_status status = dd_text_json((dd_text){text, sizeof text - 1}, &out, error);
    assert_true((out.size > 0) == (status == DD_OK));
    dd_buffer_free(&out);
    return status;
}

static dd_status change(dd_sentence *sentence, dd_writer *writer, dd_error *error)
{
    dd_status status = DD_OK;
    for (int word = 1; word <= dd_sentence_size(sentence) && status == DD_OK; word++) {
        status = dd_sentence_attach(sentence, word, 0, (dd_text){"some-label", 10}, error);
        if (status == DD_OK)
            status = dd_sentence_set_cell(sentence, word, DD_UPOS, (dd_text){"tag", 3}, error);
    }
    if (status == DD_OK && !writer) status = format(sentence, DD_FORMAT_AUTO, error);
    if (status == DD_OK && !writer) status = format(sentence, DD_FORMAT_JSON, error);
    if (status == DD_OK && !writer) status = outline(sentence, error);
    if (status == DD_OK && !writer) status = quote(error);
    if (status == DD_OK && writer) status = dd_writer_sentence(writer, sentence, error);
    return status;
}

static dd_status copy(dd_reader *reader, dd_writer *writer, dd_error *error)
{
    dd_sentence *sentence = NULL;
    dd_status status = dd_sentence_new(&sentence, error);
    while (status == DD_OK || status == DD_ERROR_FORMAT) {
        status = dd_reader_next(reader, sentence, error);
        if (status == DD_OK) status = change(sentence, writer, error);
    }
    dd_sentence_free(sentence);
    return status == DD_END ? DD_OK : status;
}

static dd_status copy_memory(void *user, dd_error *error)
{
    (void)user;
    dd_reader *reader = NULL;
    dd_text bytes = {text, sizeof text - 1};
    dd_status status = dd_reader_open_memory(&reader, "t", bytes, DD_FORMAT_AUTO, error);
    if (status == DD_OK) status = copy(reader, NULL, error);
    dd_reader_close(reader);
    return status;
}

static dd_format write_format = DD_FORMAT_AUTO;

/* From memory into the file whose path `user` is. */
static dd_status write_file(void *user, dd_error *error)
{
    dd_reader *reader = NULL;
    dd_writer *writer = NULL;
    dd_text bytes = {text, sizeof text - 1};
    dd_status status = dd_reader_open_memory(&reader, "t", bytes, DD_FORMAT_AUTO, error);
    if (status == DD_OK) status = dd_writer_open(&writer, user, error);
    if (status == DD_OK) status = dd_writer_set_format(writer, write_format, error);
    if (status == DD_OK) status = copy(reader, writer, error);
    dd_status closed = dd_writer_close(writer, status == DD_OK ? error : NULL);
    dd_reader_close(reader);
    return status == DD_OK ? closed : status;
}

static dd_status read_file(void *user, dd_error *error)
{
    dd_reader *reader = NULL;
    dd_status status = dd_reader_open(&reader, user, DD_FORMAT_AUTO, error);
    if (status == DD_OK) status = copy(reader, NULL, error);
    dd_reader_close(reader);
    return status;
}

static dd_status make_of_words(void *user, dd_error *error)
{
    (void)user;
    dd_sentence *sentence = NULL;
    dd_text forms[40];
    for (int i = 0; i < 40; i++) forms[i] = (dd_text){"some-word", 9};
    dd_status status = dd_sentence_new(&sentence, error);
    if (status == DD_OK) status = dd_sentence_set_words(sentence, forms, 40, error);
    if (status == DD_OK) status = change(sentence, NULL, error);
    dd_sentence_free(sentence);
    return status;
}

/* With the id of a document, which is added to what is read. */
static dd_status name_document(void *user, dd_error *error)
{
    (void)user;
    dd_reader *reader = NULL;
    dd_text bytes = {text, sizeof text - 1};
    dd_input_options options;
    dd_input_options_init(&options);
    options.document = "some document";
    dd_status status = dd_reader_open_input(
        &reader, NULL, &(dd_input){.name = "t", .kind = DD_INPUT_BYTES, .bytes = bytes}, &options,
        error);
    if (status == DD_OK) status = copy(reader, NULL, error);
    dd_reader_close(reader);
    return status;
}

static dd_status read_pieces(void *user, dd_error *error)
{
    (void)user;
    dd_reader *reader = NULL;
    pieces from = {.rest = {text, sizeof text - 1}};
    dd_status status = dd_reader_open_input(
        &reader, NULL,
        &(dd_input){
            .name = "f.conllu", .kind = DD_INPUT_FUNCTION, .read = read_piece, .user = &from},
        NULL, error);
    if (status == DD_OK) status = copy(reader, NULL, error);
    dd_reader_close(reader);
    return status;
}

/* From one end of a pipe to the other. */
static dd_status copy_descriptors(void *user, dd_error *error)
{
    (void)user;
    int pipes[2];
    dd_reader *reader = NULL;
    dd_writer *writer = NULL;
    assert_int_equal(pipe(pipes), 0);
    dd_status status = dd_writer_open_fd(&writer, "f.gz", pipes[1], error);
    if (status == DD_OK) status = dd_writer_write(writer, (dd_text){text, sizeof text - 1}, error);
    dd_status closed = dd_writer_close(writer, status == DD_OK ? error : NULL);
    if (status == DD_OK) status = closed;
    close(pipes[1]);
    if (status == DD_OK)
        status = dd_reader_open_fd(&reader, NULL, pipes[0], DD_FORMAT_CONLLU, error);
    if (status == DD_OK) status = copy(reader, NULL, error);
    dd_reader_close(reader);
    close(pipes[0]);
    return status;
}

static void functions_are_read_or_refused(void **state)
{
    (void)state;
    assert_true(alloc_fail_each(read_pieces, NULL) > 10);
}

static void descriptors_are_copied_or_refused(void **state)
{
    (void)state;
    assert_true(alloc_fail_each(copy_descriptors, NULL) > 10);
}

static void documents_are_named_or_refused(void **state)
{
    (void)state;
    assert_true(alloc_fail_each(name_document, NULL) > 10);
}

static void words_are_taken_or_refused(void **state)
{
    (void)state;
    assert_true(alloc_fail_each(make_of_words, NULL) > 10);
}

static void memory_is_read_or_refused(void **state)
{
    (void)state;
    assert_true(alloc_fail_each(copy_memory, NULL) > 10);
}

static void files_are_copied_or_refused(void **state)
{
    (void)state;
    static const char *const ends[] = {"", ".gz", ".zst"};
    for (int i = 0; i < 3; i++) {
        char path[64];
        snprintf(path, sizeof path, "/tmp/dodona-alloc-%ld%s", (long)getpid(), ends[i]);
        assert_true(alloc_fail_each(write_file, path) > 10);
        assert_true(alloc_fail_each(read_file, path) > 10);
        unlink(path);
    }
}

static void json_is_written_or_refused(void **state)
{
    (void)state;
    write_format = DD_FORMAT_JSON;
    assert_true(alloc_fail_each(write_file, "/dev/null") > 10);
    write_format = DD_FORMAT_AUTO;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_taken_or_refused),
        cmocka_unit_test(memory_is_read_or_refused),
        cmocka_unit_test(files_are_copied_or_refused),
        cmocka_unit_test(json_is_written_or_refused),
        cmocka_unit_test(functions_are_read_or_refused),
        cmocka_unit_test(descriptors_are_copied_or_refused),
        cmocka_unit_test(documents_are_named_or_refused),
    };
    return cmocka_run_group_tests_name("alloc text", tests, NULL, NULL);
}
