/* The same trees from plain code and from code for wider processors, from one thread and from many,
 * for every system, greedily and with a beam. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../settings_help.h"
#include "core/buffer.h"
#include "core/random.h"
#include "model/model.h"
#include "transition/system.h"

enum { SENTENCES = 300, MAX_WORDS = 25, FORMS = 80, TAGS = 9 };

typedef struct fixture {
    char train[64], out[80];
    dd_buffer treebank;
} fixture;

/* A random projective tree over first..last, below `head`. */
static void hang(dd_random *random, int *heads, int head, int first, int last)
{
    if (first > last) return;
    int root = first + (int)dd_random_below(random, (uint32_t)(last - first + 1));
    heads[root] = head;
    int cut = first + (int)dd_random_below(random, (uint32_t)(root - first + 1));
    hang(random, heads, root, first, cut - 1);
    hang(random, heads, root, cut, root - 1);
    hang(random, heads, root, root + 1, last);
}

/* Tags and labels follow from heads, loosely, so that there is something to learn. */
static void add_sentence(dd_buffer *out, dd_random *random)
{
    int heads[MAX_WORDS + 1], n = 1 + (int)dd_random_below(random, MAX_WORDS);
    hang(random, heads, 0, 1, n);
    for (int word = 1; word <= n; word++) {
        unsigned form = dd_random_below(random, FORMS);
        unsigned tag = (heads[word] > word) * 4 + form % (TAGS - 4);
        const char *label = heads[word] == 0 ? "root" : form % 3 ? "obj" : "mod";
        assert_true(dd_buffer_printf(out, "%d\tw%u\tl%u\tT%u\tX%u\tA=%u|B=%u\t%d\t%s\t_\t_\n", word,
                                     form, form / 2, tag, tag, form % 4, tag % 3, heads[word],
                                     label));
    }
    assert_true(dd_buffer_text(out, "\n"));
}

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    dd_random random = {3};
    snprintf(f->train, sizeof f->train, "/tmp/dodona-golden-XXXXXX");
    int file = mkstemp(f->train);
    if (file < 0) return -1;
    snprintf(f->out, sizeof f->out, "%s.out", f->train);
    for (int i = 0; i < SENTENCES; i++) add_sentence(&f->treebank, &random);
    bool ok = write(file, f->treebank.data, f->treebank.size) == (ssize_t)f->treebank.size;
    close(file);
    *state = f;
    return ok ? 0 : -1;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    unlink(f->train);
    unlink(f->out);
    dd_buffer_free(&f->treebank);
    free(f);
    return 0;
}

static char *parse(const fixture *f, const dd_model *model, int threads)
{
    dd_reader *reader;
    dd_writer *writer;
    dd_parse_options options;
    dd_parse_report report;
    dd_parse_options_init(&options);
    dd_parse_report_init(&report, model);
    options.threads = threads;
    options.scores = true;
    dd_text text = {f->treebank.data, f->treebank.size};
    assert_int_equal(dd_reader_open_memory(&reader, "t", text, DD_FORMAT_CONLLU, NULL), DD_OK);
    assert_int_equal(dd_writer_open(&writer, f->out, NULL), DD_OK);
    assert_int_equal(dd_parse_stream(model, reader, writer, &options, &report, NULL), DD_OK);
    assert_int_equal(dd_writer_close(writer, NULL), DD_OK);
    dd_reader_close(reader);
    FILE *file = fopen(f->out, "rb");
    assert_non_null(file);
    size_t size = 2 * f->treebank.size + 100000;
    char *bytes = calloc(1, size);
    assert_true(fread(bytes, 1, size - 1, file) < size - 1);
    fclose(file);
    return bytes;
}

static void parses_are_the_same(const fixture *f, const char *system, int beam)
{
    char settings[64];
    dd_error error;
    dd_model *model = NULL;
    snprintf(settings, sizeof settings, "system=%s beam=%d iterations=2", system, beam);
    if (train_with_settings(&model, settings, NULL, f->train, NULL, &error) != DD_OK)
        fail_msg("%s", error.message);
    dd_model_choose_version(model, 0);
    char *plain = parse(f, model, 1);
    assert_string_not_equal(plain, f->treebank.data);
    for (int version = 0; version <= 1; version++) {
        dd_model_choose_version(model, version);
        for (int threads = 1; threads <= 3; threads++) {
            char *other = parse(f, model, threads);
            assert_string_equal(other, plain);
            free(other);
        }
    }
    free(plain);
    dd_model_free(model);
}

static void greedy_parses_are_the_same(void **state)
{
    dd_system_info system;
    for (size_t i = 0; dd_system_at(i, &system); i++) parses_are_the_same(*state, system.name, 1);
}

static void beam_parses_are_the_same(void **state)
{
    dd_system_info system;
    for (size_t i = 0; dd_system_at(i, &system); i++) parses_are_the_same(*state, system.name, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(greedy_parses_are_the_same, set_up, tear_down),
        cmocka_unit_test_setup_teardown(beam_parses_are_the_same, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("golden", tests, NULL, NULL);
}
