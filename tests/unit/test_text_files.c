/* Files: plain, packed, damaged, joined, full disks. */
#include <stdio.h>
#include <unistd.h>

#include "text/io.h"
#include "text_help.h"

typedef struct place {
    char folder[64];
    char path[128];
} place;

static int set_up(void **state)
{
    place *p = calloc(1, sizeof *p);
    if (!p) return -1;
    strcpy(p->folder, "/tmp/dodona-test-XXXXXX");
    *state = p;
    return mkdtemp(p->folder) ? 0 : -1;
}

static int tear_down(void **state)
{
    place *p = *state;
    int failed = rmdir(p->folder); /* every test removes its own files */
    free(p);
    return failed;
}

static const char *path_in(place *p, const char *name)
{
    snprintf(p->path, sizeof p->path, "%s/%s", p->folder, name);
    return p->path;
}

static void put(const char *path, dd_text bytes)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes.data, 1, bytes.size, file), bytes.size);
    assert_int_equal(fclose(file), 0);
}

static dd_buffer sample(void)
{
    dd_buffer text = {0};
    for (int i = 0; i < 20000; i++)
        assert_true(dd_buffer_printf(&text, "# sent_id = %d\n1" REST "\n", i * 7919));
    return text;
}

static void write_all(const char *path, dd_text bytes)
{
    dd_writer *writer;
    assert_int_equal(dd_writer_open(&writer, path, NULL), DD_OK);
    /* Pieces that do not divide the chunk size. */
    for (size_t at = 0; at < bytes.size; at += 1000) {
        size_t left = bytes.size - at;
        dd_text piece = {bytes.data + at, left < 1000 ? left : 1000};
        assert_int_equal(dd_writer_write(writer, piece, NULL), DD_OK);
    }
    assert_int_equal(dd_writer_close(writer, NULL), DD_OK);
}

static const char *const names[] = {"a.conllu", "a.conllu.gz", "a.conllu.zst"};

static void files_of_each_packing_come_back(void **state)
{
    dd_buffer text = sample();
    dd_text bytes = {text.data, text.size};
    for (size_t i = 0; i < 3; i++) {
        const char *path = path_in(*state, names[i]);
        write_all(path, bytes);
        dd_buffer packed = read_bytes(path);
        assert_int_equal(packed.size<text.size / 4, i> 0);
        copy all = copy_file(path);
        assert_int_equal(all.good, 20000);
        assert_copied(&all, bytes);
        dd_buffer_free(&all.output);
        dd_buffer_free(&packed);
        unlink(path);
    }
    dd_buffer_free(&text);
}

static void empty_files_are_packed_and_read(void **state)
{
    for (size_t i = 0; i < 3; i++) {
        const char *path = path_in(*state, names[i]);
        write_all(path, (dd_text){"", 0});
        copy all = copy_file(path);
        assert_copied(&all, (dd_text){"", 0});
        unlink(path);
    }
}

/* Under a name that does not tell the packing. */
static void several_members_are_one_text(void **state)
{
    for (size_t i = 1; i < 3; i++) {
        const char *path = path_in(*state, names[i]);
        write_all(path, text_of("# a\n1" REST));
        dd_buffer first = read_bytes(path), text = {0};
        write_all(path, text_of("2" REST "\n"));
        dd_buffer second = read_bytes(path);
        unlink(path);
        assert_true(dd_buffer_append(&text, first.data, first.size));
        assert_true(dd_buffer_append(&text, second.data, second.size));
        path = path_in(*state, "plain-name");
        put(path, (dd_text){text.data, text.size});
        copy all = copy_file(path);
        assert_copied(&all, text_of("# a\n1" REST "2" REST "\n"));
        assert_int_equal(all.words, 2);
        unlink(path);
        dd_buffer_free(&all.output);
        dd_buffer_free(&first);
        dd_buffer_free(&second);
        dd_buffer_free(&text);
    }
}

static void a_leading_skippable_frame_is_zstd(void **state)
{
    const char *path = path_in(*state, "a.zst");
    write_all(path, text_of("1" REST "\n"));
    dd_buffer frame = read_bytes(path), text = {0};
    assert_true(dd_buffer_append(&text, "\x50\x2A\x4D\x18\x02\0\0\0xy", 10));
    assert_true(dd_buffer_append(&text, frame.data, frame.size));
    copy all = copy_memory((dd_text){text.data, text.size}, DD_FORMAT_AUTO);
    assert_copied(&all, text_of("1" REST "\n"));
    unlink(path);
    dd_buffer_free(&all.output);
    dd_buffer_free(&frame);
    dd_buffer_free(&text);
}

static void cut_packed_files_are_told(void **state)
{
    static const char *const kinds[] = {"", "gzip", "zstd"};
    dd_buffer text = sample();
    for (size_t i = 1; i < 3; i++) {
        const char *path = path_in(*state, names[i]);
        write_all(path, (dd_text){text.data, text.size});
        dd_buffer packed = read_bytes(path);
        const size_t cuts[] = {4, 11, packed.size / 2, packed.size - 9, packed.size - 1};
        char expected[256];
        snprintf(expected, sizeof expected, "%s: truncated %s data", path, kinds[i]);
        for (size_t k = 0; k < sizeof cuts / sizeof *cuts; k++) {
            put(path, (dd_text){packed.data, cuts[k]});
            copy all = copy_file(path);
            assert_int_equal(all.last, DD_ERROR_IO);
            assert_string_equal(all.first.message, expected);
            dd_buffer_free(&all.output);
        }
        unlink(path);
        dd_buffer_free(&packed);
    }
    dd_buffer_free(&text);
}

static void damaged_packed_files_are_told(void **state)
{
    dd_buffer text = sample();
    for (size_t i = 1; i < 3; i++) {
        const char *path = path_in(*state, names[i]);
        write_all(path, (dd_text){text.data, text.size});
        dd_buffer packed = read_bytes(path);
        char expected[256];
        snprintf(expected, sizeof expected, "%s: damaged %s data (", path,
                 i == 1 ? "gzip" : "zstd");
        for (int byte = 0; byte < 40; byte++) packed.data[packed.size / 2 + (size_t)byte] ^= 0x55;
        put(path, (dd_text){packed.data, packed.size});
        copy all = copy_file(path);
        assert_int_equal(all.last, DD_ERROR_IO);
        assert_memory_equal(all.first.message, expected, strlen(expected));
        unlink(path);
        dd_buffer_free(&all.output);
        dd_buffer_free(&packed);
    }
    dd_buffer_free(&text);
}

static void lines_may_lie_across_chunks(void **state)
{
    const char *path = path_in(*state, "a.conllu");
    const char *word = "1" REST "\r\n1" REST "\n";
    for (size_t offset = 0; offset < strlen(word) + 3; offset++) {
        dd_buffer text = {0};
        assert_true(dd_buffer_text(&text, "# "));
        while (text.size < DD_IO_CHUNK - offset) assert_true(dd_buffer_text(&text, "x"));
        assert_true(dd_buffer_printf(&text, "\n%s", word));
        put(path, (dd_text){text.data, text.size});
        copy all = copy_file(path);
        assert_int_equal(all.good, 2);
        assert_copied(&all, (dd_text){text.data, text.size});
        dd_buffer_free(&all.output);
        dd_buffer_free(&text);
    }
    unlink(path);
}

static void write_sentences(dd_writer *writer, const char *text)
{
    dd_reader *reader;
    dd_sentence *s;
    assert_int_equal(dd_reader_open_memory(&reader, "t", text_of(text), DD_FORMAT_AUTO, NULL), 0);
    assert_int_equal(dd_sentence_new(&s, NULL), DD_OK);
    while (dd_reader_next(reader, s, NULL) != DD_END)
        assert_int_equal(dd_writer_sentence(writer, s, NULL), DD_OK);
    dd_sentence_free(s);
    dd_reader_close(reader);
}

static void joined_files_stay_apart(void **state)
{
    const char *path = path_in(*state, "a.conllu");
    dd_writer *writer;
    assert_int_equal(dd_writer_open(&writer, path, NULL), DD_OK);
    write_sentences(writer, "1\ta\t_\t_\t_\t_\t0\tr\t_\t_"); /* neither newline nor empty line */
    write_sentences(writer, "\xEF\xBB\xBF# c\r\n1\ta\t_\t_\t_\t_\t0\tr\t_\t_\r\n");
    write_sentences(writer, "x\n \ny\n\n"); /* bad sentences pass as they are */
    write_sentences(writer, "1" REST);
    assert_int_equal(dd_writer_close(writer, NULL), DD_OK);
    dd_buffer bytes = read_bytes(path);
    assert_text(((dd_text){bytes.data, bytes.size}),
                "1\ta\t_\t_\t_\t_\t0\tr\t_\t_\n\n# c\r\n1\ta\t_\t_\t_\t_\t0\tr\t_\t_\r\n\r\n"
                "x\n \ny\n\n1" REST);
    dd_buffer_free(&bytes);
    unlink(path);
}

static void formats_of_other_readers_are_refused(void **state)
{
    (void)state;
    static const dd_format others[] = {DD_FORMAT_TEXT, DD_FORMAT_VERTICAL, (dd_format)99};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        dd_reader *reader = NULL;
        dd_error error;
        assert_int_equal(dd_reader_open(&reader, "-", others[i], &error), DD_ERROR_ARGUMENT);
        assert_string_equal(error.message, "this format cannot be read");
        assert_int_equal(dd_reader_open_memory(&reader, "t", text_of(""), others[i], NULL),
                         DD_ERROR_ARGUMENT);
        assert_null(reader);
    }
}

static void missing_files_are_told(void **state)
{
    dd_reader *reader = NULL;
    dd_writer *writer = NULL;
    dd_error error;
    char expected[256];
    const char *path = path_in(*state, "none/a");
    snprintf(expected, sizeof expected, "%s: No such file or directory", path);
    assert_int_equal(dd_reader_open(&reader, path, DD_FORMAT_AUTO, &error), DD_ERROR_IO);
    assert_string_equal(error.message, expected);
    assert_int_equal(dd_writer_open(&writer, path, &error), DD_ERROR_IO);
    assert_string_equal(error.message, expected);
    assert_null(reader);
    assert_null(writer);
    copy all = copy_file("/tmp");
    assert_int_equal(all.last, DD_ERROR_IO);
    assert_string_equal(all.first.message, "/tmp: Is a directory");
}

static void a_full_disk_is_told(void **state)
{
    (void)state;
    if (access("/dev/full", W_OK) != 0) skip();
    dd_writer *writer;
    dd_error error;
    assert_int_equal(dd_writer_open(&writer, "/dev/full", NULL), DD_OK);
    assert_int_equal(dd_writer_write(writer, text_of("1" REST "\n"), &error), DD_OK);
    assert_int_equal(dd_writer_close(writer, &error), DD_ERROR_IO);
    assert_string_equal(error.message, "/dev/full: No space left on device");

    dd_buffer text = sample();
    assert_int_equal(dd_writer_open(&writer, "/dev/full", NULL), DD_OK);
    for (int again = 0; again < 2; again++)
        assert_int_equal(dd_writer_write(writer, (dd_text){text.data, text.size}, &error),
                         DD_ERROR_IO);
    assert_int_equal(dd_writer_close(writer, &error), DD_ERROR_IO);
    assert_string_equal(error.message, "/dev/full: No space left on device");
    dd_buffer_free(&text);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(files_of_each_packing_come_back),
        IN_FOLDER(empty_files_are_packed_and_read),
        IN_FOLDER(several_members_are_one_text),
        IN_FOLDER(a_leading_skippable_frame_is_zstd),
        IN_FOLDER(cut_packed_files_are_told),
        IN_FOLDER(damaged_packed_files_are_told),
        IN_FOLDER(lines_may_lie_across_chunks),
        IN_FOLDER(joined_files_stay_apart),
        IN_FOLDER(missing_files_are_told),
        cmocka_unit_test(a_full_disk_is_told),
        cmocka_unit_test(formats_of_other_readers_are_refused),
    };
    return cmocka_run_group_tests_name("text files", tests, NULL, NULL);
}
