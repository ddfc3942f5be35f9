/* Readers and writers over functions and files that are open already. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include "../pieces_help.h"
#include "text/io.h"
#include "text_help.h"

static const char two[] = "# sent_id = a\n1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
                          "1\tb\t_\t_\t_\t_\t2\tx\t_\t_\n2\tc\t_\t_\t_\t_\t0\ty\t_\t_\n\n";

static dd_reader *open_pieces(pieces *from)
{
    dd_reader *reader;
    assert_int_equal(
        dd_reader_open_from(&reader, "pieces", read_piece, from, DD_FORMAT_CONLLU, NULL), DD_OK);
    return reader;
}

static void pieces_of_any_size_make_the_text(void **state)
{
    (void)state;
    static const unsigned char sizes[] = {1, 7, 3, 0};
    for (size_t n = 0; n <= sizeof sizes; n++) {
        pieces from = {.rest = text_of(two), .sizes = sizes, .n_sizes = n};
        copy all = copy_reader(open_pieces(&from));
        assert_int_equal(all.last, DD_END);
        assert_int_equal(all.good, 2);
        assert_true(from.calls < 1000000);
        assert_copied(&all, text_of(two));
        dd_buffer_free(&all.output);
    }
}

static void the_end_may_be_told_by_a_status(void **state)
{
    (void)state;
    pieces from = {.rest = text_of(two), .last = DD_END};
    copy all = copy_reader(open_pieces(&from));
    assert_int_equal(all.last, DD_END);
    assert_int_equal(all.good, 2);
    dd_buffer_free(&all.output);
}

/* Packed data is known by its first bytes, which come one by one. */
static void pieces_may_be_packed(void **state)
{
    (void)state;
    char path[] = "/tmp/dodona-test-XXXXXX";
    int file = mkstemp(path);
    dd_writer *writer;
    assert_true(file >= 0);
    assert_int_equal(dd_writer_open_fd(&writer, "x.gz", file, NULL), DD_OK);
    assert_int_equal(dd_writer_write(writer, text_of(two), NULL), DD_OK);
    assert_int_equal(dd_writer_close(writer, NULL), DD_OK);
    dd_buffer packed = read_bytes(path);
    assert_memory_equal(packed.data, "\x1F\x8B", 2);
    pieces from = {.rest = {packed.data, packed.size}};
    copy all = copy_reader(open_pieces(&from));
    assert_int_equal(all.last, DD_END);
    assert_copied(&all, text_of(two));
    dd_buffer_free(&all.output);
    dd_buffer_free(&packed);
    close(file);
    unlink(path);
}

static dd_status fail_later(void *user, char *data, size_t size, size_t *got, dd_error *error)
{
    int *calls = user;
    assert_true(size >= 5);
    if (++*calls > 1) {
        if (*calls > 2) fail_msg("called after it has failed");
        strcpy(error->message, "the line went dead");
        return DD_ERROR_IO;
    }
    memcpy(data, "1\ta\t_", 5);
    *got = 5;
    return DD_OK;
}

static void a_failure_is_told_and_final(void **state)
{
    (void)state;
    int calls = 0;
    dd_reader *reader;
    dd_sentence *sentence;
    dd_error error;
    assert_int_equal(dd_reader_open_from(&reader, NULL, fail_later, &calls, DD_FORMAT_CONLLU, NULL),
                     DD_OK);
    assert_string_equal(dd_reader_name(reader), "<function>");
    assert_int_equal(dd_sentence_new(&sentence, NULL), DD_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(dd_reader_next(reader, sentence, &error), DD_ERROR_IO);
        assert_int_equal(error.status, DD_ERROR_IO);
        assert_string_equal(error.message, "the line went dead");
    }
    dd_sentence_free(sentence);
    dd_reader_close(reader);
}

static dd_status fail_silently(void *user, char *data, size_t size, size_t *got, dd_error *error)
{
    (void)user, (void)data, (void)size, (void)got, (void)error;
    return DD_INTERRUPTED;
}

static dd_status boast(void *user, char *data, size_t size, size_t *got, dd_error *error)
{
    (void)user, (void)data, (void)error;
    *got = size + 1;
    return DD_OK;
}

static void expect_refusal(dd_read_function *read, dd_status expected, const char *message)
{
    dd_reader *reader;
    dd_sentence *sentence;
    dd_error error;
    assert_int_equal(dd_reader_open_from(&reader, "f", read, NULL, DD_FORMAT_CONLLU, NULL), DD_OK);
    assert_int_equal(dd_sentence_new(&sentence, NULL), DD_OK);
    assert_int_equal(dd_reader_next(reader, sentence, &error), expected);
    assert_string_equal(error.message, message);
    dd_sentence_free(sentence);
    dd_reader_close(reader);
}

static void functions_may_be_wrong(void **state)
{
    (void)state;
    expect_refusal(fail_silently, DD_INTERRUPTED, "f: cannot be read");
    expect_refusal(boast, DD_ERROR_ARGUMENT, "f: more bytes were read than asked for");
}

static void a_descriptor_stays_open(void **state)
{
    (void)state;
    int pipes[2];
    dd_reader *reader;
    dd_writer *writer;
    assert_int_equal(pipe(pipes), 0);
    assert_int_equal(dd_writer_open_fd(&writer, NULL, pipes[1], NULL), DD_OK);
    assert_int_equal(dd_writer_write(writer, text_of(two), NULL), DD_OK);
    assert_int_equal(dd_writer_close(writer, NULL), DD_OK);
    assert_int_equal(fcntl(pipes[1], F_GETFD), 0);
    close(pipes[1]);
    assert_int_equal(dd_reader_open_fd(&reader, "pipe", pipes[0], DD_FORMAT_CONLLU, NULL), DD_OK);
    assert_string_equal(dd_reader_name(reader), "pipe");
    copy all = copy_reader(reader);
    assert_copied(&all, text_of(two));
    assert_int_equal(fcntl(pipes[0], F_GETFD), 0);
    close(pipes[0]);
    dd_buffer_free(&all.output);
}

static void a_wrong_descriptor_is_refused(void **state)
{
    (void)state;
    dd_reader *reader;
    dd_error error;
    assert_int_equal(dd_reader_open_fd(&reader, "none", -1, DD_FORMAT_CONLLU, &error), DD_ERROR_IO);
    assert_non_null(strstr(error.message, "none: "));
    assert_int_equal(dd_reader_open_fd(&reader, "x", 0, DD_FORMAT_JSON, &error), DD_ERROR_ARGUMENT);
}

/* Slowly, so that the writer finds the pipe full. */
static void *drain(void *user)
{
    static char sink[4096];
    size_t *total = user;
    int file = (int)total[1];
    for (ssize_t got; (got = read(file, sink, sizeof sink)) > 0;) {
        total[0] += (size_t)got;
        usleep(100);
    }
    return NULL;
}

static void a_pipe_that_does_not_block_is_waited_for(void **state)
{
    (void)state;
    int pipes[2];
    dd_writer *writer;
    pthread_t thread;
    assert_int_equal(pipe(pipes), 0);
    assert_int_equal(fcntl(pipes[1], F_SETFL, O_NONBLOCK), 0);
    size_t total[2] = {0, (size_t)pipes[0]}, size = 4 * DD_IO_CHUNK;
    char *bytes = calloc(1, size);
    assert_int_equal(pthread_create(&thread, NULL, drain, total), 0);
    assert_int_equal(dd_writer_open_fd(&writer, NULL, pipes[1], NULL), DD_OK);
    assert_int_equal(dd_writer_write(writer, (dd_text){bytes, size}, NULL), DD_OK);
    assert_int_equal(dd_writer_close(writer, NULL), DD_OK);
    close(pipes[1]);
    pthread_join(thread, NULL);
    assert_int_equal(total[0], size);
    close(pipes[0]);
    free(bytes);
}

static void input_is_guessed_over_functions_and_files(void **state)
{
    (void)state;
    char path[] = "/tmp/dodona-test-XXXXXX";
    int file = mkstemp(path);
    dd_reader *reader;
    pieces from = {.rest = text_of("word\n\nother\n")};
    dd_input_options options;
    dd_input_options_init(&options);
    options.format = DD_FORMAT_VERTICAL;
    assert_int_equal(
        dd_reader_open_input(
            &reader, NULL,
            &(dd_input){.name = "f", .kind = DD_INPUT_FUNCTION, .read = read_piece, .user = &from},
            &options, NULL),
        DD_OK);
    copy all = copy_reader(reader);
    assert_int_equal(all.good, 2);
    dd_buffer_free(&all.output);
    assert_int_equal(write(file, two, sizeof two - 1), sizeof two - 1);
    lseek(file, 0, SEEK_SET);
    assert_int_equal(
        dd_reader_open_input(&reader, NULL,
                             &(dd_input){.name = NULL, .kind = DD_INPUT_DESCRIPTOR, .file = file},
                             NULL, NULL),
        DD_OK);
    all = copy_reader(reader);
    assert_copied(&all, text_of(two));
    dd_buffer_free(&all.output);
    close(file);
    unlink(path);
}

static dd_status refuse(void *user, dd_text bytes, dd_error *error)
{
    (void)user, (void)bytes, (void)error;
    return DD_ERROR_IO;
}

static void a_writer_says_something_where_its_function_does_not(void **state)
{
    (void)state;
    dd_writer *writer;
    dd_error error;
    assert_int_equal(dd_writer_open_to(&writer, refuse, NULL, NULL), DD_OK);
    assert_int_equal(dd_writer_write(writer, text_of(two), NULL), DD_OK);
    assert_int_equal(dd_writer_close(writer, &error), DD_ERROR_IO);
    assert_string_equal(error.message, "cannot be written");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_of_any_size_make_the_text),
        cmocka_unit_test(the_end_may_be_told_by_a_status),
        cmocka_unit_test(pieces_may_be_packed),
        cmocka_unit_test(a_failure_is_told_and_final),
        cmocka_unit_test(functions_may_be_wrong),
        cmocka_unit_test(a_descriptor_stays_open),
        cmocka_unit_test(a_wrong_descriptor_is_refused),
        cmocka_unit_test(a_pipe_that_does_not_block_is_waited_for),
        cmocka_unit_test(input_is_guessed_over_functions_and_files),
        cmocka_unit_test(a_writer_says_something_where_its_function_does_not),
    };
    return cmocka_run_group_tests_name("text sources", tests, NULL, NULL);
}
