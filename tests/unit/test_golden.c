/* The same trees from plain code and from code for wider processors, from one thread and from many,
 * for every system, greedily and with a beam; and the same models and trees as are kept in
 * golden/results.txt. Where they are meant to change, that file is rewritten by
 *
 *     DODONA_GOLDEN=write build/tests/unit/test_golden
 *
 * Models name the version that made them: where only that is new, only the models' column is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include <cmocka.h>

#include "../settings_help.h"
#include "core/random.h"
#include "core/strings.h"
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

static dd_buffer read_file(const char *path)
{
    dd_buffer bytes = {0};
    char part[4096];
    size_t size;
    FILE *file = fopen(path, "rb");
    if (!file) fail_msg("%s cannot be read", path);
    while ((size = fread(part, 1, sizeof part, file)) > 0)
        assert_true(dd_buffer_append(&bytes, part, size));
    fclose(file);
    return bytes;
}

/* What stands in f->out then: the treebank, parsed. */
static dd_buffer parse(const fixture *f, const dd_model *model, int threads)
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
    return read_file(f->out);
}

static dd_model *train(const char *path, const char *system, int beam, int iterations,
                       const char *more)
{
    char settings[128];
    dd_error error;
    dd_model *model = NULL;
    snprintf(settings, sizeof settings, "system=%s beam=%d iterations=%d%s", system, beam,
             iterations, more);
    if (train_with_settings(&model, settings, NULL, path, NULL, &error) != DD_OK)
        fail_msg("%s", error.message);
    return model;
}

/* The hash of the parsed treebank, which must be the same with all kernels and numbers of threads.
 */
static uint64_t check_parses(const fixture *f, dd_model *model)
{
    dd_model_choose_kernels(model, dd_kernels_at(0));
    dd_buffer plain = parse(f, model, 1);
    assert_true(plain.size > f->treebank.size);
    for (int k = 0; dd_kernels_at(k); k++) {
        dd_model_choose_kernels(model, dd_kernels_at(k));
        for (int threads = 1; threads <= 3; threads++) {
            dd_buffer other = parse(f, model, threads);
            assert_int_equal(other.size, plain.size);
            assert_memory_equal(other.data, plain.data, plain.size);
            dd_buffer_free(&other);
        }
    }
    uint64_t hash = XXH3_64bits(plain.data, plain.size);
    dd_buffer_free(&plain);
    return hash;
}

static void parses_are_the_same(const fixture *f, const char *system, int beam)
{
    dd_model *model = train(f->train, system, beam, 2, "");
    check_parses(f, model);
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

/* ---- results that are kept ---- */

static int set_up_demo(void **state)
{
    if (set_up(state) != 0) return -1;
    fixture *f = *state;
    dd_buffer_free(&f->treebank);
    f->treebank = read_file(DEMO_TEST);
    return 0;
}

static uint64_t hash_of_model(const fixture *f, const dd_model *model)
{
    assert_int_equal(dd_model_save(model, f->out, NULL), DD_OK);
    dd_buffer bytes = read_file(f->out);
    uint64_t hash = XXH3_64bits(bytes.data, bytes.size);
    dd_buffer_free(&bytes);
    return hash;
}

/* Training a network rounds differently on different processors. At a rate of 0 the weights stay as
 * they were drawn, and freezing and parsing must give the same everywhere. */
static const char neural[] = " scorer=neural rate=0 width=24 hidden=32";

/* A line of the file: system, beam, the hash of the model, that of what it parses. */
static void add_result(const fixture *f, const char *system, int beam, const char *more,
                       dd_buffer *results)
{
    dd_model *model = train(DEMO, system, beam, more == neural ? 1 : 4, more);
    uint64_t hash = hash_of_model(f, model);
    assert_true(dd_buffer_printf(
        results, "%s%s %d %016llx %016llx\n", more == neural ? "neural:" : "", system, beam,
        (unsigned long long)hash, (unsigned long long)check_parses(f, model)));
    dd_model_free(model);
}

static void write_results(const dd_buffer *results)
{
    FILE *file = fopen(GOLDEN, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(results->data, 1, results->size, file), results->size);
    assert_int_equal(fclose(file), 0);
}

/* The line of the same system and beam; its length is that of any text up to its end. */
static const char *kept_line(const char *golden, const char *line)
{
    size_t key = (size_t)(strchr(strchr(line, ' ') + 1, ' ') - line + 1);
    for (; golden; golden = strchr(golden, '\n')) {
        golden += *golden == '\n';
        if (strncmp(golden, line, key) == 0) return golden;
    }
    return "nothing";
}

/* Line by line, so that each system that differs is named. */
static int count_differences(char *now, const char *golden)
{
    int differences = 0;
    for (char *line = strtok(now, "\n"); line; line = strtok(NULL, "\n")) {
        const char *kept = kept_line(golden, line);
        size_t size = strcspn(kept, "\n");
        if (size == strlen(line) && memcmp(kept, line, size) == 0) continue;
        print_error("%s, but kept is %.*s\n", line, (int)size, kept);
        differences++;
    }
    return differences;
}

static void results_are_those_that_are_kept(void **state)
{
    const fixture *f = *state;
    const char *wanted = getenv("DODONA_GOLDEN");
    dd_system_info system;
    dd_buffer results = {0};
    assert_true(dd_buffer_text(&results, "# system, beam, hash of the model, hash of the trees\n"));
    for (size_t i = 0; dd_system_at(i, &system); i++) {
        add_result(f, system.name, 1, "", &results);
        add_result(f, system.name, 3, "", &results);
        add_result(f, system.name, 1, neural, &results);
        add_result(f, system.name, 3, neural, &results);
    }
    add_result(f, "graph", 1, neural, &results);
    if (wanted && strcmp(wanted, "write") == 0) write_results(&results);
    dd_buffer golden = read_file(GOLDEN);
    assert_true(dd_buffer_append(&golden, "", 1) && dd_buffer_append(&results, "", 1));
    assert_int_equal(count_differences(results.data, golden.data), 0);
    assert_int_equal(golden.size, results.size);
    dd_buffer_free(&golden);
    dd_buffer_free(&results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(greedy_parses_are_the_same, set_up, tear_down),
        cmocka_unit_test_setup_teardown(beam_parses_are_the_same, set_up, tear_down),
        cmocka_unit_test_setup_teardown(results_are_those_that_are_kept, set_up_demo, tear_down),
    };
    return cmocka_run_group_tests_name("golden", tests, NULL, NULL);
}
