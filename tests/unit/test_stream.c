/* Input that runs dry: what is whole is read, parsed and written, and the rest waits for more. */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../settings_help.h"
#include "text_help.h"

typedef struct fixture {
    dd_model *model;
    char folder[64], path[96];
} fixture;

static const char *const packings[] = {"", ".gz", ".zst"};

/* ---- reading without waiting ---- */

/* A pipe with a name, of which both ends are held, so that nobody waits when it is opened. */
static int make_pipe(fixture *f, const char *end)
{
    snprintf(f->path, sizeof f->path, "%s/pipe%s", f->folder, end);
    assert_int_equal(mkfifo(f->path, 0600), 0);
    int both = open(f->path, O_RDWR);
    assert_true(both >= 0);
    return both;
}

static void send(dd_writer *writer, const char *text)
{
    assert_int_equal(dd_writer_write(writer, text_of(text), NULL), DD_OK);
    assert_int_equal(dd_writer_flush(writer, NULL), DD_OK);
}

/* The words of the sentence that is whole by now; 0: none is. */
static int read_now(dd_reader *reader, dd_sentence *sentence)
{
    bool dry = false;
    dd_error error;
    dd_status status = dd_reader_next_now(reader, sentence, &dry, &error);
    if (status != DD_OK) fail_msg("%s", error.message);
    assert_int_equal(dry, dd_sentence_size(sentence) == 0);
    if (dry) assert_int_equal(sentence->origin.raw.size, 0);
    return dd_sentence_size(sentence);
}

static void read_in_pieces(fixture *f, const char *packing)
{
    int both = make_pipe(f, packing);
    dd_reader *reader;
    dd_writer *writer;
    dd_sentence *sentence;
    assert_int_equal(dd_reader_open(&reader, f->path, DD_FORMAT_CONLLU, NULL), DD_OK);
    assert_int_equal(dd_writer_open(&writer, f->path, NULL), DD_OK);
    assert_int_equal(dd_sentence_new(&sentence, NULL), DD_OK);
    assert_int_equal(read_now(reader, sentence), 0);
    send(writer, "1");
    assert_int_equal(read_now(reader, sentence), 0);
    send(writer, REST "2" REST);
    assert_int_equal(read_now(reader, sentence), 0);
    send(writer, "\n1" REST "\n# sent_id = x\n1");
    assert_int_equal(read_now(reader, sentence), 2);
    assert_int_equal(dd_sentence_line(sentence), 1);
    assert_int_equal(read_now(reader, sentence), 1);
    assert_int_equal(dd_sentence_line(sentence), 4);
    for (int i = 0; i < 2; i++) assert_int_equal(read_now(reader, sentence), 0);
    send(writer, REST " ");
    assert_int_equal(read_now(reader, sentence), 0);
    /* A line of white space, of which the beginning was there before. */
    dd_error error;
    bool dry;
    send(writer, "\n1" REST);
    assert_int_equal(dd_reader_next_now(reader, sentence, &dry, &error), DD_ERROR_FORMAT);
    assert_int_equal(error.line, 8);
    assert_int_equal(read_now(reader, sentence), 0);
    assert_int_equal(dd_writer_close(writer, NULL), DD_OK);
    close(both);
    assert_int_equal(read_now(reader, sentence), 1);
    assert_int_equal(dd_sentence_line(sentence), 9);
    assert_int_equal(dd_reader_next_now(reader, sentence, &dry, NULL), DD_END);
    assert_false(dry);
    dd_sentence_free(sentence);
    dd_reader_close(reader);
    unlink(f->path);
}

static void conllu_is_read_as_it_comes(void **state)
{
    for (int i = 0; i < 3; i++) read_in_pieces(*state, packings[i]);
}

static void what_is_not_flushed_is_not_there(void **state)
{
    fixture *f = *state;
    for (int i = 0; i < 3; i++) {
        int both = make_pipe(f, packings[i]);
        dd_writer *writer;
        struct pollfd file = {.fd = both, .events = POLLIN};
        assert_int_equal(dd_writer_open(&writer, f->path, NULL), DD_OK);
        assert_int_equal(dd_writer_write(writer, text_of("1" REST "\n"), NULL), DD_OK);
        assert_int_equal(poll(&file, 1, 0), 0);
        assert_int_equal(dd_writer_flush(writer, NULL), DD_OK);
        assert_int_equal(poll(&file, 1, 0), 1);
        char bytes[4096];
        ssize_t size = read(both, bytes, sizeof bytes);
        assert_true(size > 0 && size < 4096);
        assert_int_equal(dd_writer_flush(writer, NULL), DD_OK); /* there is nothing more */
        assert_int_equal(poll(&file, 1, 0), 0);
        assert_int_equal(dd_writer_close(writer, NULL), DD_OK);
        close(both);
        unlink(f->path);
    }
}

static dd_reader *open_plain(const fixture *f, dd_format format, bool lines,
                             dd_paragraphs paragraphs)
{
    dd_reader *reader;
    dd_input_options options;
    dd_input_options_init(&options);
    options.format = format;
    options.given = lines ? DD_GIVEN_SENTENCES : DD_GIVEN_AUTO;
    options.paragraphs = paragraphs;
    assert_int_equal(
        dd_reader_open_input(&reader, f->model, &(dd_input){.name = f->path}, &options, NULL),
        DD_OK);
    return reader;
}

/* What is complete, as soon as its last byte is there, byte by byte. */
static void read_lines(fixture *f, dd_format format, bool lines, dd_paragraphs paragraphs,
                       const char *text, int words)
{
    int both = make_pipe(f, "");
    dd_reader *reader = open_plain(f, format, lines, paragraphs);
    dd_sentence *sentence;
    assert_int_equal(dd_sentence_new(&sentence, NULL), DD_OK);
    for (int again = 0; again < 3; again++)
        for (const char *at = text; *at; at++) {
            assert_int_equal(write(both, at, 1), 1);
            assert_int_equal(read_now(reader, sentence), at[1] ? 0 : words);
        }
    assert_int_equal(read_now(reader, sentence), 0);
    dd_sentence_free(sentence);
    dd_reader_close(reader);
    close(both);
    unlink(f->path);
}

static void read_plain(fixture *f, dd_format format, bool lines, const char *text, int words)
{
    read_lines(f, format, lines, DD_PARAGRAPHS_BLANK, text, words);
}

static void plain_text_is_read_as_it_comes(void **state)
{
    fixture *f = *state;
    read_plain(f, DD_FORMAT_TEXT, false, "Birds\nsing\n\n", 2);
    read_plain(f, DD_FORMAT_TEXT, false, "\xC3\xA9\n \n", 1);
    read_lines(f, DD_FORMAT_TEXT, false, DD_PARAGRAPHS_LINE, "Birds sing\n", 2);
    read_lines(f, DD_FORMAT_TEXT, false, DD_PARAGRAPHS_AUTO, "The birds\nsing\n\n", 3);
    read_lines(f, DD_FORMAT_TEXT, false, DD_PARAGRAPHS_AUTO, "Birds sing\n\n", 2);
    read_plain(f, DD_FORMAT_TEXT, false, "\xE2\x82\xAC\xE2\x80\xA9", 1); /* ends a paragraph */
    read_plain(f, DD_FORMAT_TEXT, true, "Birds sing\n", 2);
    read_plain(f, DD_FORMAT_TEXT, true, "\xF0\n", 1); /* broken, whatever follows */
    read_plain(f, DD_FORMAT_VERTICAL, false, "Birds\nsing\n\n", 2);
    read_plain(f, DD_FORMAT_CONLLU, false, "1" REST "2" REST "\n", 2);
}

/* Somebody else has set the file not to block. */
static void files_that_do_not_block_are_waited_for(void **state)
{
    (void)state;
    int ends[2], kept = dup(STDIN_FILENO);
    dd_reader *reader;
    dd_sentence *sentence;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
    dup2(ends[0], STDIN_FILENO);
    assert_int_equal(dd_reader_open(&reader, "-", DD_FORMAT_CONLLU, NULL), DD_OK);
    assert_int_equal(dd_sentence_new(&sentence, NULL), DD_OK);
    pid_t child = fork();
    if (child == 0) {
        usleep(20000);
        _exit(write(ends[1], "1" REST "\n", strlen("1" REST "\n")) < 0);
    }
    assert_int_equal(dd_reader_next(reader, sentence, NULL), DD_OK);
    assert_int_equal(dd_sentence_size(sentence), 1);
    dd_sentence_free(sentence);
    dd_reader_close(reader);
    dup2(kept, STDIN_FILENO);
    close(kept);
    close(ends[0]);
    close(ends[1]);
}

/* ---- the stream ---- */

typedef struct receiver {
    int calls;
    dd_buffer bytes;
} receiver;

static dd_status receive(void *user, dd_text bytes, dd_error *error)
{
    (void)error;
    receiver *to = user;
    to->calls++;
    return dd_buffer_append(&to->bytes, bytes.data, bytes.size) ? DD_OK : DD_ERROR_MEMORY;
}

static receiver stream_demo(const dd_model *model, int threads, bool unbuffered)
{
    receiver to = {0};
    dd_reader *reader;
    dd_writer *writer;
    dd_parse_options options;
    dd_parse_report report;
    dd_parse_options_init(&options);
    dd_parse_report_init(&report, model);
    options.threads = threads;
    options.unbuffered = unbuffered;
    assert_int_equal(dd_reader_open(&reader, DEMO_TEST, DD_FORMAT_AUTO, NULL), DD_OK);
    assert_int_equal(dd_writer_open_to(&writer, receive, &to, NULL), DD_OK);
    assert_int_equal(dd_parse_stream(model, reader, writer, &options, &report, NULL), DD_OK);
    assert_int_equal(report.sentences, 16);
    assert_int_equal(dd_writer_close(writer, NULL), DD_OK);
    dd_reader_close(reader);
    return to;
}

static void a_text_is_parsed_in_one_call(void **state)
{
    const fixture *f = *state;
    static const char words[] =
        "1\tthe\t_\t_\t_\t_\t_\t_\t_\t_\n2\tcat\t_\t_\t_\t_\t_\t_\t_\t_\n\n";
    dd_buffer out = {0};
    dd_error error;
    assert_int_equal(dd_parse(f->model, text_of(words), &out, &error), DD_OK);
    size_t once = out.size;
    assert_true(once > strlen(words));
    assert_int_equal(dd_parse(f->model, text_of(words), &out, &error), DD_OK);
    assert_int_equal(out.size, 2 * once);
    assert_memory_equal(out.data, out.data + once, once);
    assert_int_equal(dd_parse(f->model, text_of("1\tthe\n\n"), &out, &error), DD_ERROR_FORMAT);
    assert_int_equal(out.size, 2 * once);
    assert_int_equal(dd_parse(f->model, (dd_text){NULL, 0}, &out, &error), DD_OK);
    assert_int_equal(out.size, 2 * once);
    dd_buffer_free(&out);
}

static void sentences_are_written_one_by_one_if_asked_for(void **state)
{
    fixture *f = *state;
    receiver whole = stream_demo(f->model, 1, false);
    assert_int_equal(whole.calls, 1);
    for (int threads = 1; threads <= 3; threads++) {
        receiver single = stream_demo(f->model, threads, true);
        assert_int_equal(single.calls, 16);
        assert_int_equal(single.bytes.size, whole.bytes.size);
        assert_memory_equal(single.bytes.data, whole.bytes.data, whole.bytes.size);
        dd_buffer_free(&single.bytes);
    }
    dd_buffer_free(&whole.bytes);
}

/* A stream that runs in a thread of its own, between two pipes. */
typedef struct coprocess {
    const dd_model *model;
    int threads, in[2], out[2];
    pthread_t thread;
} coprocess;

static void *run_stream(void *argument)
{
    coprocess *c = argument;
    dd_reader *reader;
    dd_writer *writer;
    dd_parse_options options;
    dd_parse_report report;
    char in[32], out[32];
    dd_parse_options_init(&options);
    dd_parse_report_init(&report, c->model);
    options.threads = c->threads;
    snprintf(in, sizeof in, "/dev/fd/%d", c->in[0]);
    snprintf(out, sizeof out, "/dev/fd/%d", c->out[1]);
    assert_int_equal(dd_reader_open(&reader, in, DD_FORMAT_CONLLU, NULL), DD_OK);
    assert_int_equal(dd_writer_open(&writer, out, NULL), DD_OK);
    assert_int_equal(dd_parse_stream(c->model, reader, writer, &options, &report, NULL), DD_OK);
    assert_int_equal(dd_writer_close(writer, NULL), DD_OK);
    dd_reader_close(reader);
    return NULL;
}

/* Reads sentences until there are so many; fails where none comes for a minute. */
static void expect_sentences(int file, int count)
{
    char bytes[4096], last = '\0';
    while (count > 0) {
        struct pollfd wait = {.fd = file, .events = POLLIN};
        if (poll(&wait, 1, 60000) != 1) fail_msg("%d sentences have not come", count);
        ssize_t size = read(file, bytes, sizeof bytes);
        assert_true(size > 0);
        for (ssize_t i = 0; i < size; i++) {
            count -= last == '\n' && bytes[i] == '\n';
            last = bytes[i];
        }
    }
    assert_int_equal(count, 0);
}

static void put(int file, const char *text)
{
    assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
}

/* With pauses, in which threads wait for input and for each other, and bursts that fill the ring.
 */
static void trees_come_back_before_more_is_written(void **state)
{
    fixture *f = *state;
    for (int threads = 1; threads <= 4; threads++) {
        coprocess c = {.model = f->model, .threads = threads};
        assert_int_equal(pipe(c.in), 0);
        assert_int_equal(pipe(c.out), 0);
        assert_int_equal(pthread_create(&c.thread, NULL, run_stream, &c), 0);
        for (int burst = 1; burst < 400; burst = burst < 6 ? burst + 1 : burst * 3) {
            for (int i = 0; i < burst; i++) put(c.in[1], "1" REST "2" REST "\n");
            put(c.in[1], "1" REST); /* and a part of the next */
            expect_sentences(c.out[0], burst);
            put(c.in[1], "\n");
            expect_sentences(c.out[0], 1);
        }
        close(c.in[0]);
        close(c.in[1]);
        /* The stream has reopened the pipe, so that its end comes only when all are closed. */
        pthread_join(c.thread, NULL);
        close(c.out[0]);
        close(c.out[1]);
    }
}

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    dd_error error;
    snprintf(f->folder, sizeof f->folder, "/tmp/dodona-stream-XXXXXX");
    if (!mkdtemp(f->folder)) return -1;
    dd_status status = train_with_settings(&f->model, "only=tokenizer,parser iterations=1", NULL,
                                           DEMO, NULL, &error);
    if (status != DD_OK) print_error("%s\n", error.message);
    *state = f;
    return status == DD_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    dd_model_free(f->model);
    rmdir(f->folder);
    free(f);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conllu_is_read_as_it_comes),
        cmocka_unit_test(what_is_not_flushed_is_not_there),
        cmocka_unit_test(plain_text_is_read_as_it_comes),
        cmocka_unit_test(files_that_do_not_block_are_waited_for),
        cmocka_unit_test(a_text_is_parsed_in_one_call),
        cmocka_unit_test(sentences_are_written_one_by_one_if_asked_for),
        cmocka_unit_test(trees_come_back_before_more_is_written),
    };
    return cmocka_run_group_tests_name("stream", tests, set_up, tear_down);
}
