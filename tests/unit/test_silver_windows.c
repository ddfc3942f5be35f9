/* Silver files that are larger than what may be in memory: windows of them, one after the other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../settings_help.h"
#include "linear/extract.h"
#include "model/image.h"
#include "neural/coder.h"
#include "text/windows.h"
#include "train/training.h"

static char path[64];

static int make_path(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "/tmp/dodona-windows-%ld", (long)getpid());
    return 0;
}

static int remove_file(void **state)
{
    (void)state;
    unlink(path);
    return 0;
}

/* Sentences of 1, 2, .. 5, 1, 2, .. words; if `bad`, with malformed ones before every seventh. */
static void write_sentences(int count, const char *form, bool bad)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    for (int i = 0; i < count; i++) {
        if (bad && i % 7 == 3) fputs("1\tx\n\n", file);
        for (int word = 1; word <= 1 + i % 5; word++)
            fprintf(file, "%d\t%s%d\t_\tNOUN\t_\t_\t%d\t%s\t_\t_\n", word, form, i, word - 1,
                    word == 1 ? "root" : "obj");
        fputs("\n", file);
    }
    assert_int_equal(fclose(file), 0);
}

/* ---- windows of a file -------------------------------------------------------------------- */

/* Reads a window; the forms of the first words into `forms`. DD_END: it was the last. */
static dd_status read_window(dd_windows *w, dd_buffer *forms, dd_error *error)
{
    dd_sentence *sentence;
    dd_status status = DD_OK;
    assert_int_equal(dd_sentence_new(&sentence, NULL), DD_OK);
    while (dd_windows_left(w) > 0 && status != DD_END) {
        status = dd_reader_next(w->reader, sentence, NULL);
        if (status != DD_OK) continue;
        dd_text form = dd_cell(sentence, 1, DD_FORM);
        assert_true(dd_buffer_append(forms, form.data, form.size) && dd_buffer_text(forms, " "));
        dd_windows_note(w, sentence);
    }
    dd_sentence_free(sentence);
    dd_status ended = dd_windows_end(w, status == DD_END, error);
    return ended == DD_OK ? (status == DD_END ? DD_END : DD_OK) : ended;
}

static void open_and_read_all(dd_windows *w, uint64_t most, dd_buffer *forms)
{
    dd_status status;
    assert_int_equal(dd_windows_open(w, path, DD_FORMAT_CONLLU, most, NULL), DD_OK);
    do status = read_window(w, forms, NULL);
    while (status == DD_OK);
    assert_int_equal(status, DD_END);
}

static void windows_are_the_same_when_they_are_read_again(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {1, 6, 10, 15, 55, 56, 60, 1000, 0};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        dd_windows w;
        dd_buffer first = {0}, second = {0};
        write_sentences(20, "w", i % 2);
        open_and_read_all(&w, sizes[i], &first);
        uint64_t words = 0;
        for (size_t k = 0; k < w.count; k++) {
            bool last = k + 1 == w.count;
            words += w.list[k].words;
            if (!last) assert_in_range(w.list[k].words, sizes[i], sizes[i] + 4);
        }
        assert_int_equal(words, 60);
        assert_int_equal(w.count == 1, sizes[i] > 55 || sizes[i] == 0);
        if (w.count > 1) assert_int_equal(dd_windows_seek(&w, 0, NULL), DD_OK);
        for (size_t k = 0; k < w.count && w.count > 1; k++) {
            assert_int_equal(w.at, k);
            assert_true(read_window(&w, &second, NULL) <= DD_END);
            assert_int_equal(dd_windows_next(&w, NULL), DD_OK);
        }
        if (w.count > 1) {
            assert_int_equal(w.at, 0);
            assert_int_equal(first.size, second.size);
            assert_memory_equal(first.data, second.data, first.size);
        }
        dd_buffer_free(&first);
        dd_buffer_free(&second);
        dd_windows_close(&w);
    }
}

static void a_window_can_be_sought(void **state)
{
    (void)state;
    dd_windows w;
    dd_buffer all = {0}, some = {0};
    write_sentences(20, "w", true);
    open_and_read_all(&w, 10, &all);
    assert_int_equal(w.count, 6);
    assert_int_equal(dd_windows_seek(&w, 3, NULL), DD_OK);
    assert_int_equal(read_window(&w, &some, NULL), DD_OK);
    assert_int_equal(some.size, strlen("w11 w12 w13 w14 "));
    assert_memory_equal(some.data, "w11 w12 w13 w14 ", some.size);
    dd_buffer_free(&all);
    dd_buffer_free(&some);
    dd_windows_close(&w);
}

static void a_file_that_has_changed_is_refused(void **state)
{
    (void)state;
    static const struct {
        int count;
        const char *form;
    } others[] = {{20, "v"}, {1, "w"}, {0, "w"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        dd_windows w;
        dd_buffer forms = {0};
        dd_error error;
        char message[200];
        write_sentences(20, "w", false);
        open_and_read_all(&w, 10, &forms);
        write_sentences(others[i].count, others[i].form, false);
        assert_int_equal(dd_windows_next(&w, NULL), DD_OK);
        assert_int_equal(read_window(&w, &forms, &error), DD_ERROR_DATA);
        snprintf(message, sizeof message, "%s: has changed since training began", path);
        assert_string_equal(error.message, message);
        dd_buffer_free(&forms);
        dd_windows_close(&w);
    }
}

/* ---- what is forgotten -------------------------------------------------------------------- */

enum { SENTENCES = 40, KEPT = 15 };

static void forgotten_sentences_make_room_for_others(void **state)
{
    (void)state;
    static const uint32_t least[DD_INPUTS] = {0};
    dd_reader *reader;
    dd_sentence *read[SENTENCES];
    dd_templates *set;
    dd_census census = {0};
    dd_coder coder = {0};
    dd_codes codes = {0};
    dd_token_batch tokens = {0};
    assert_int_equal(dd_reader_open(&reader, DEMO, DD_FORMAT_CONLLU, NULL), DD_OK);
    for (int i = 0; i < SENTENCES; i++) {
        assert_int_equal(dd_sentence_new(&read[i], NULL), DD_OK);
        assert_int_equal(dd_reader_next(reader, read[i], NULL), DD_OK);
        assert_true(dd_census_add(&census, read[i], DD_ALL_COLUMNS));
    }
    dd_reader_close(reader);
    const dd_sentence *const *sentences = (const dd_sentence *const *)read;
    assert_true(dd_coder_set(&coder, &census, DD_ALL_COLUMNS, UINT32_MAX, least));
    assert_int_equal(dd_templates_parse(&set, "t", dd_templates_builtin("eager"), NULL), DD_OK);
    assert_true(dd_codes_set(&codes, &coder, sentences, KEPT) &&
                dd_token_batch_set(&tokens, set, sentences, KEPT, DD_ALL_COLUMNS));
    size_t numbers = codes.used, values = tokens.used;
    uint32_t types = codes.spellings.count;
    size_t spelt = codes.spellings.used;
    for (int pass = 0; pass < 3; pass++) {
        for (int i = KEPT; i < SENTENCES; i++)
            assert_true(dd_codes_add(&codes, &coder, read[i]) &&
                        dd_token_batch_add(&tokens, set, read[i], DD_ALL_COLUMNS));
        assert_true(codes.spellings.count > types);
        assert_int_equal(codes.sentences[SENTENCES - 1].n, read[SENTENCES - 1]->n);
        dd_codes_forget(&codes, KEPT);
        dd_token_batch_forget(&tokens, KEPT);
        assert_int_equal(codes.count, KEPT);
        assert_int_equal(codes.used, numbers);
        assert_int_equal(codes.spellings.count, types);
        assert_int_equal(codes.spellings.forms.count, types);
        assert_int_equal(codes.spellings.used, spelt);
        assert_int_equal(tokens.count, KEPT);
        assert_int_equal(tokens.used, values);
    }
    for (int word = 1; word <= read[0]->n; word++) {
        dd_text form = dd_cell(read[0], word, DD_FORM);
        assert_int_equal(dd_vocab_find(&codes.spellings.forms, form),
                         codes.sentences[0].types[word]);
    }
    for (int i = 0; i < SENTENCES; i++) dd_sentence_free(read[i]);
    dd_templates_free(set);
    dd_token_batch_free(&tokens);
    dd_codes_free(&codes);
    dd_coder_free(&coder);
    dd_census_free(&census);
}

/* ---- training ----------------------------------------------------------------------------- */

/* Sentences of the treebank each once in an iteration, in several legs, each with about as large a
 * part of it as of the silver words. */
static void legs_share_the_treebank(void **state)
{
    (void)state;
    const char *paths[] = {DEMO};
    dd_train_options options;
    dd_train_options_init(&options);
    options.silver = DEMO_TEST;
    options.silver_weight = 1;
    options.silver_window = 50;
    dd_training t = {.options = &options};
    assert_int_equal(dd_components_read(&t.components, &options, paths, 1, NULL, NULL), DD_OK);
    assert_int_equal(dd_training_choose(&t, NULL), DD_OK);
    assert_int_equal(dd_training_prepare(&t, NULL), DD_OK);
    assert_int_equal(t.silver.windows.count, 3);
    assert_int_equal(t.silver.counts.words, 142);
    for (int k = 1; k <= 4; k++) {
        uint8_t *seen = calloc(t.corpus->count, 1);
        size_t gold = 0, legs = 0;
        dd_status status = dd_training_begin_round(&t, k, NULL);
        for (; status == DD_OK; status = dd_training_next_leg(&t, k, NULL), legs++) {
            size_t here = 0;
            for (size_t i = 0; i < t.n_round; i++) {
                bool is_gold = t.round[i] < t.corpus->count;
                here += is_gold;
                if (is_gold) assert_int_equal(seen[t.round[i]]++, 0);
                if (!is_gold) assert_true(t.round[i] - t.corpus->count < t.silver.count);
            }
            if (!t.is_last_leg) assert_in_range(here, 0, t.n_order / 5);
            gold += here;
        }
        assert_int_equal(status, DD_END);
        assert_int_equal(gold, t.n_order);
        assert_in_range(legs, 11, 15); /* 584 words of 142, three windows each */
        assert_in_range(t.silver.drawn, 584 * (unsigned)k, 584 * (unsigned)k + 30);
        free(seen);
    }
    dd_training_free(&t);
}

static dd_status train(dd_model **model, const char *settings, dd_train_watch *watch,
                       dd_error *error)
{
    char all[800];
    snprintf(all, sizeof all,
             "only=parser silver=%s silver-weight=3 iterations=3 width=16 hidden=16 %s", path,
             settings);
    return train_with_settings(model, all, watch, DEMO, NULL, error);
}

static void the_same_seed_gives_the_same_bytes(void **state)
{
    (void)state;
    static const char *const how[] = {"scorer=linear silver-window=20",
                                      "scorer=neural batch-words=60 silver-window=20",
                                      "scorer=neural batch-words=60 silver-window=20 threads=3"};
    dd_model *models[3] = {NULL}, *again = NULL;
    write_sentences(60, "w", false);
    for (int i = 0; i < 3; i++) assert_int_equal(train(&models[i], how[i], NULL, NULL), DD_OK);
    assert_int_equal(train(&again, how[0], NULL, NULL), DD_OK);
    assert_int_equal(again->size, models[0]->size);
    assert_memory_equal(again->image, models[0]->image, again->size);
    assert_int_equal(models[1]->size, models[2]->size);
    assert_memory_equal(models[1]->image, models[2]->image, models[1]->size);
    for (int i = 0; i < 3; i++) dd_model_free(models[i]);
    dd_model_free(again);
}

/* Where the file fits, it is one window, whatever that would hold. */
static void files_that_fit_are_in_one_order(void **state)
{
    (void)state;
    dd_model *one = NULL, *other = NULL;
    write_sentences(30, "w", false);
    assert_int_equal(train(&one, "silver-window=1000", NULL, NULL), DD_OK);
    assert_int_equal(train(&other, "silver-window=1000000", NULL, NULL), DD_OK);
    assert_int_equal(one->size, other->size);
    assert_memory_equal(one->image, other->image, one->size);
    dd_model_free(one);
    dd_model_free(other);
}

typedef struct seen {
    dd_train_data data;
    int bad, reports;
} seen;

static void note_data(void *user, const dd_train_data *data)
{
    ((seen *)user)->data = *data;
}

static void note_bad(void *user, const dd_error *error)
{
    assert_non_null(strstr(error->message, path));
    ((seen *)user)->bad++;
}

static bool check_progress(void *user, const dd_train_progress *progress)
{
    ((seen *)user)->reports++;
    assert_in_range(progress->sentences, 1, progress->all_sentences);
    if (progress->finished) assert_int_equal(progress->sentences, progress->all_sentences);
    return true;
}

/* Once, however often the file is read. */
static void malformed_sentences_are_counted_once(void **state)
{
    (void)state;
    seen s = {0};
    dd_model *model = NULL;
    dd_train_watch watch;
    dd_train_watch_init(&watch);
    watch.user = &s;
    watch.data = note_data;
    watch.bad = note_bad;
    watch.report = check_progress;
    write_sentences(100, "w", true);
    assert_int_equal(train(&model, "silver-window=12 skip-bad=yes", &watch, NULL), DD_OK);
    assert_int_equal(s.bad, 14);
    assert_int_equal(s.data.silver_bad, 14);
    assert_int_equal(s.data.silver_sentences, 100);
    assert_int_equal(s.data.silver_words, 300);
    assert_true(s.reports > 3);
    dd_model_free(model);
}

static void windows_without_trees_are_passed_over(void **state)
{
    (void)state;
    seen s = {0};
    dd_model *model = NULL;
    dd_train_watch watch;
    dd_train_watch_init(&watch);
    watch.user = &s;
    watch.data = note_data;
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    for (int i = 0; i < 30; i++)
        fprintf(file, "1\tw\t_\t_\t_\t_\t%s\t_\t_\t_\n\n", i == 17 ? "0" : "_");
    assert_int_equal(fclose(file), 0);
    assert_int_equal(train(&model, "silver-window=3", &watch, NULL), DD_OK);
    assert_int_equal(s.data.silver_sentences, 1);
    assert_int_equal(s.data.silver_skipped, 29);
    dd_model_free(model);
}

/* Malformed sentences are known before training, in whatever window they are. */
static void the_line_of_a_malformed_sentence_is_named(void **state)
{
    (void)state;
    dd_error error;
    dd_model *model = NULL;
    char message[200];
    write_sentences(10, "w", false);
    FILE *file = fopen(path, "ab");
    assert_true(file && fputs("1\tx\n\n", file) >= 0 && fclose(file) == 0);
    assert_int_equal(train(&model, "silver-window=5", NULL, &error), DD_ERROR_FORMAT);
    snprintf(message, sizeof message, "%s:41: expected 10 columns separated by tabs, found 2",
             path);
    assert_string_equal(error.message, message);
    assert_null(model);
}

static bool change_file(void *user, const dd_train_progress *progress)
{
    (void)user;
    if (progress->finished) write_sentences(60, "v", false);
    return true;
}

static void a_file_that_changes_meanwhile_ends_training(void **state)
{
    (void)state;
    dd_error error;
    dd_model *model = NULL;
    dd_train_watch watch;
    dd_train_watch_init(&watch);
    watch.report = change_file;
    write_sentences(60, "w", false);
    assert_int_equal(train(&model, "silver-window=20", &watch, &error), DD_ERROR_DATA);
    assert_non_null(strstr(error.message, ": has changed since training began"));
    assert_null(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_are_the_same_when_they_are_read_again),
        cmocka_unit_test(a_window_can_be_sought),
        cmocka_unit_test(a_file_that_has_changed_is_refused),
        cmocka_unit_test(forgotten_sentences_make_room_for_others),
        cmocka_unit_test(legs_share_the_treebank),
        cmocka_unit_test(the_same_seed_gives_the_same_bytes),
        cmocka_unit_test(files_that_fit_are_in_one_order),
        cmocka_unit_test(malformed_sentences_are_counted_once),
        cmocka_unit_test(windows_without_trees_are_passed_over),
        cmocka_unit_test(the_line_of_a_malformed_sentence_is_named),
        cmocka_unit_test(a_file_that_changes_meanwhile_ends_training),
    };
    return cmocka_run_group_tests_name("silver windows", tests, make_path, remove_file);
}
