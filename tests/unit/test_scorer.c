/* A third scorer is a folder and a row: here the folder is this file, and the row replaces the
 * library's table, whose object the linker then leaves in the archive. The scorer knows one
 * weight for each class, whatever the configuration; it trains in minibatches, saves, loads and
 * parses through the public calls alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../settings_help.h"
#include "core/memory.h"
#include "score/learner.h"
#include "systems/registry.h"

#include <dodona_tools.h>

/* ---- the scorer: its section is a table of int32 ---- */

typedef struct toy {
    int classes;
    int32_t *table;      /* [classes] */
    int32_t *gathered;   /* [classes] changes since the last step; NULL: it does not learn */
    int prepared, steps; /* sentences in the minibatch, minibatches */
} toy;

static void toy_free(void *handle)
{
    toy *t = handle;
    if (!t) return;
    free(t->table);
    free(t->gathered);
    free(t);
}

static bool toy_score(void *handle, dd_view *const *views, int count)
{
    const toy *t = handle;
    for (int i = 0; i < count; i++)
        for (int row = 0; views[i]->scores && row <= (views[i]->by_move ? views[i]->n_moves : 0);
             row++)
            memcpy(views[i]->scores + row * t->classes, t->table,
                   (size_t)t->classes * sizeof *t->table);
    return true;
}

static dd_status toy_map(void **out, const dd_sections *sections, const dd_inventory *inventory,
                         uint32_t columns, dd_error *error)
{
    dd_text table;
    size_t size = (size_t)inventory->n_classes * sizeof(int32_t);
    (void)columns;
    if (!dd_sections_find(sections, "table", &table) || table.size != size)
        return dd_fail(error, DD_ERROR_MODEL, "the table is damaged");
    toy *t = dd_calloc(1, sizeof *t);
    if (!t || !(t->table = dd_calloc(1, size))) {
        toy_free(t);
        return dd_fail_memory(error);
    }
    t->classes = inventory->n_classes;
    memcpy(t->table, table.data, size);
    *out = t;
    return DD_OK;
}

static double toy_unit(const void *frozen)
{
    (void)frozen;
    return 1;
}

static bool toy_by_move(const void *handle)
{
    (void)handle;
    return true;
}

static dd_status toy_space_new(void **out, const void *frozen, dd_error *error)
{
    const toy *t = frozen;
    toy *space = dd_calloc(1, sizeof *space);
    if (!space || !(space->table = dd_calloc((size_t)t->classes, sizeof *space->table))) {
        toy_free(space);
        return dd_fail_memory(error);
    }
    space->classes = t->classes;
    memcpy(space->table, t->table, (size_t)t->classes * sizeof *t->table);
    *out = space;
    return DD_OK;
}

static bool toy_prepare(void *space, const dd_sentence *const *sentences, size_t count)
{
    (void)sentences;
    ((toy *)space)->prepared = (int)count;
    return true;
}

static const dd_scorer toy_scorer = {
    .name = "toy",
    .batches = true,
    .map = toy_map,
    .unmap = toy_free,
    .unit = toy_unit,
    .by_move = toy_by_move,
    .space_new = toy_space_new,
    .space_free = toy_free,
    .prepare = toy_prepare,
    .score = toy_score,
};

/* ---- the learner ---- */

enum { BATCH_WORDS = 50 };

static dd_status toy_open(void **out, const dd_train_options *options, const dd_system *system,
                          dd_error *error)
{
    (void)options;
    (void)system;
    return (*out = dd_calloc(1, sizeof(toy))) ? DD_OK : dd_fail_memory(error);
}

static uint32_t toy_columns(const void *state)
{
    (void)state;
    return 1u << DD_FORM;
}

/* Where a model is fine-tuned, its table is where learning starts. */
static dd_status toy_start(void *state, const dd_lessons *lessons, dd_error *error)
{
    toy *t = state;
    dd_text table;
    t->classes = lessons->inventory->n_classes;
    t->table = dd_calloc((size_t)t->classes, sizeof *t->table);
    t->gathered = dd_calloc((size_t)t->classes, sizeof *t->gathered);
    if (!t->table || !t->gathered) return dd_fail_memory(error);
    if (!lessons->from) return DD_OK;
    assert_true(dd_sections_find(lessons->from, "table", &table));
    assert_true(table.size == (size_t)t->classes * sizeof *t->table);
    memcpy(t->table, table.data, table.size);
    return DD_OK;
}

static bool toy_add(void *state, const dd_sentence *sentence)
{
    (void)state;
    return dd_sentence_size(sentence) > 0;
}

static void toy_forget(void *state, size_t count)
{
    (void)state;
    (void)count;
}

static int toy_batch_words(const void *state)
{
    (void)state;
    return BATCH_WORDS;
}

static bool toy_prepare_batch(void *state, const dd_example *examples, int count)
{
    (void)examples;
    ((toy *)state)->prepared = count;
    return true;
}

static bool toy_gradient(void *state, const dd_view *view, dd_pick pick, float derivative)
{
    toy *t = state;
    assert_true(view->sentence >= 0 && view->sentence < t->prepared);
    t->gathered[pick.class_id] -= (int32_t)derivative;
    return true;
}

static bool toy_step(void *state)
{
    toy *t = state;
    for (int i = 0; i < t->classes; i++) t->table[i] += t->gathered[i];
    memset(t->gathered, 0, (size_t)t->classes * sizeof *t->gathered);
    t->steps++;
    return true;
}

static bool toy_freeze(const void *state, dd_draft *sections)
{
    const toy *t = state;
    return dd_buffer_append(dd_draft_add(sections, "table"), t->table,
                            (size_t)t->classes * sizeof *t->table);
}

static bool toy_save(const void *state, dd_buffer *out)
{
    const toy *t = state;
    return dd_block_put(out, DD_ALIGN_NUMBERS, t->table, (size_t)t->classes * sizeof *t->table) &&
           dd_block_put(out, DD_ALIGN_NUMBERS, &t->steps, sizeof t->steps);
}

static bool toy_restore(void *state, dd_cursor *from)
{
    toy *t = state;
    size_t count, counters;
    const int32_t *table = dd_cursor_block(from, sizeof *table, &count);
    const int *steps = dd_cursor_block(from, sizeof *steps, &counters);
    if (count != (size_t)t->classes || counters != 1 || !dd_cursor_ended(from)) return false;
    memcpy(t->table, table, count * sizeof *table);
    t->steps = *steps;
    return true;
}

static bool toy_write_sizes(const void *state, dd_buffer *out)
{
    return dd_buffer_printf(out, "minibatches\t%d\n", ((const toy *)state)->steps);
}

static const dd_learner toy_learner = {
    .name = "toy",
    .scorer = &toy_scorer,
    .unit = 1,
    .iterations = 3,
    .fine_tunes = true,
    .takes_vectors = true,
    .projective_system = "attardi",
    .nonprojective_system = "attardi",
    .open = toy_open,
    .free = toy_free,
    .columns = toy_columns,
    .start = toy_start,
    .add = toy_add,
    .forget = toy_forget,
    .by_move = toy_by_move,
    .batch_words = toy_batch_words,
    .prepare = toy_prepare_batch,
    .score = toy_score,
    .gradient = toy_gradient,
    .step = toy_step,
    .freeze = toy_freeze,
    .save = toy_save,
    .restore = toy_restore,
    .write_sizes = toy_write_sizes,
};

const dd_learner *const dd_learners[] = {&toy_learner, NULL};

/* ---- through the public calls ---- */

static dd_model *train(const char *system, int beam)
{
    char settings[64];
    dd_model *model = NULL;
    snprintf(settings, sizeof settings, "scorer=toy system=%s beam=%d iterations=2", system, beam);
    assert_int_equal(train_with_settings(&model, settings, NULL, DEMO, DEMO, NULL), DD_OK);
    return model;
}

static dd_text fact_of(const dd_model *model, const char *wanted)
{
    dd_text key, value;
    for (size_t i = 0; dd_model_fact(model, i, &key, &value); i++)
        if (key.size == strlen(wanted) && memcmp(key.data, wanted, key.size) == 0) return value;
    return (dd_text){"", 0};
}

static void make_file(char *path)
{
    int file = mkstemp(path);
    assert_true(file >= 0 && close(file) == 0);
}

static dd_model *save_and_load(const dd_model *model)
{
    char path[] = "/tmp/dodona-toy-XXXXXX";
    dd_model *loaded = NULL;
    make_file(path);
    assert_int_equal(dd_model_save(model, path, NULL), DD_OK);
    assert_int_equal(dd_model_load(&loaded, path, NULL), DD_OK);
    unlink(path);
    return loaded;
}

enum { SENTENCES = 8 };

/* Parses some sentences at once, and each again alone; returns their labels' numbers. */
static void parse(const dd_model *model)
{
    dd_parser *parser;
    dd_reader *reader;
    dd_sentence *together[SENTENCES], *alone;
    size_t done;
    assert_int_equal(dd_parser_new(&parser, model, NULL), DD_OK);
    assert_int_equal(dd_reader_open(&reader, DEMO, DD_FORMAT_CONLLU, NULL), DD_OK);
    for (int i = 0; i < SENTENCES; i++) {
        assert_int_equal(dd_sentence_new(&together[i], NULL), DD_OK);
        assert_int_equal(dd_reader_next(reader, together[i], NULL), DD_OK);
    }
    dd_reader_close(reader);
    assert_int_equal(dd_parser_parse_batch(parser, together, SENTENCES, NULL, &done, NULL), DD_OK);
    assert_int_equal(done, SENTENCES);
    assert_int_equal(dd_reader_open(&reader, DEMO, DD_FORMAT_CONLLU, NULL), DD_OK);
    assert_int_equal(dd_sentence_new(&alone, NULL), DD_OK);
    for (int i = 0; i < SENTENCES; i++) {
        dd_buffer one = {0}, other = {0};
        assert_int_equal(dd_reader_next(reader, alone, NULL), DD_OK);
        assert_int_equal(dd_parser_parse(parser, alone, false, NULL), DD_OK);
        assert_int_equal(dd_sentence_format(alone, DD_FORMAT_AUTO, &one, NULL), DD_OK);
        assert_int_equal(dd_sentence_format(together[i], DD_FORMAT_AUTO, &other, NULL), DD_OK);
        assert_int_equal(one.size, other.size);
        assert_memory_equal(one.data, other.data, one.size);
        dd_buffer_free(&one);
        dd_buffer_free(&other);
        dd_sentence_free(together[i]);
    }
    dd_sentence_free(alone);
    dd_reader_close(reader);
    dd_parser_free(parser);
}

static void it_trains_saves_loads_and_parses(void **state)
{
    (void)state;
    for (size_t s = 0; s < dd_system_count(); s++)
        for (int beam = 1; beam <= 4; beam += 3) {
            dd_model *model = train(dd_system_get(s)->name, beam);
            dd_model *loaded = save_and_load(model);
            dd_text scorer = fact_of(loaded, "scorer"), columns = fact_of(loaded, "columns");
            assert_true(scorer.size == 3 && memcmp(scorer.data, "toy", 3) == 0);
            assert_true(columns.size == 4 && memcmp(columns.data, "FORM", 4) == 0);
            assert_true(atoi(fact_of(loaded, "minibatches").data) > 2);
            parse(loaded);
            dd_model_free(loaded);
            dd_model_free(model);
        }
}

static bool is(dd_text text, const char *wanted)
{
    return text.size == strlen(wanted) && memcmp(text.data, wanted, text.size) == 0;
}

static dd_model *train_with(const char *settings, const dd_train_watch *watch)
{
    char all[400];
    dd_model *model = NULL;
    snprintf(all, sizeof all, "scorer=toy %s", settings);
    train_with_settings(&model, all, watch, DEMO, NULL, NULL);
    return model;
}

/* What its descriptor says, nobody else need know. */
static void its_capabilities_count_everywhere(void **state)
{
    (void)state;
    dd_settings *settings;
    dd_model *model = train_with("only=tagger,parser jackknife=no tagger-iterations=1", NULL);
    assert_non_null(model);
    assert_int_equal(atoi(fact_of(model, "iterations").data), 3);
    assert_true(is(fact_of(model, "system"), "attardi"));
    assert_int_equal(fact_of(model, "tagger").size, 0); /* a linear one */
    assert_true(dd_model_gains_from_batches(model));
    dd_model_free(model);
    assert_int_equal(dd_settings_new(&settings, NULL), DD_OK);
    assert_int_equal(dd_settings_set(settings, "scorer", "toy", NULL), DD_OK);
    assert_true(dd_settings_resumable(settings));
    assert_int_equal(dd_settings_set(settings, "only", "tagger", NULL), DD_OK);
    assert_false(dd_settings_resumable(settings));
    dd_settings_free(settings);
    dd_scorer_info info;
    assert_true(dd_scorer_at(0, &info));
    assert_string_equal(info.name, "toy");
    assert_string_equal(info.fact, toy_scorer.name);
    assert_true(info.fine_tunes);
    assert_int_equal(info.iterations, toy_learner.iterations);
    assert_false(dd_scorer_at(1, &info));
}

static void what_it_cannot_do_is_refused(void **state)
{
    (void)state;
    dd_error error;
    dd_model *model;
    assert_int_equal(
        train_with_settings(&model, "scorer=toy system=graph", NULL, DEMO, NULL, &error),
        DD_ERROR_ARGUMENT);
    assert_string_equal(error.message, "system graph needs a scorer of arcs");
    assert_int_equal(train_with_settings(&model, "scorer=toy only=tagger vectors=/dev/null", NULL,
                                         DEMO, NULL, &error),
                     DD_ERROR_ARGUMENT);
    assert_string_equal(error.message,
                        "vectors: are for toy parsers and taggers; others take none");
    assert_int_equal(train_with_settings(&model, "scorer=toy vectors=/dev/null iterations=1", NULL,
                                         DEMO, NULL, &error),
                     DD_OK);
    dd_model_free(model);
}

static void it_is_fine_tuned(void **state)
{
    (void)state;
    char path[] = "/tmp/dodona-toy-XXXXXX", settings[100];
    dd_model *model = train("arc-eager", 1);
    make_file(path);
    assert_int_equal(dd_model_save(model, path, NULL), DD_OK);
    snprintf(settings, sizeof settings, "start-from=%s iterations=1", path);
    dd_model *tuned = train_with(settings, NULL);
    assert_non_null(tuned);
    assert_true(is(fact_of(tuned, "system"), "arc-eager"));
    unlink(path);
    dd_model_free(tuned);
    dd_model_free(model);
}

static bool stop_after_two(void *user, const dd_train_progress *progress)
{
    (void)user;
    return !(progress->finished && progress->iteration == 2);
}

static void it_is_resumed(void **state)
{
    (void)state;
    char path[] = "/tmp/dodona-toy-XXXXXX", settings[200];
    dd_train_watch watch;
    make_file(path);
    dd_train_watch_init(&watch);
    watch.report = stop_after_two;
    snprintf(settings, sizeof settings, "iterations=4 checkpoint=%s", path);
    dd_model *whole = train_with("iterations=4", NULL), *part = train_with(settings, &watch);
    strcat(settings, " resume=yes");
    dd_model *resumed = train_with(settings, NULL);
    assert_true(whole && part && resumed);
    assert_true(dd_model_checksum(part) != dd_model_checksum(whole));
    assert_true(dd_model_checksum(resumed) == dd_model_checksum(whole));
    unlink(path);
    dd_model_free(whole);
    dd_model_free(part);
    dd_model_free(resumed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_trains_saves_loads_and_parses),
        cmocka_unit_test(its_capabilities_count_everywhere),
        cmocka_unit_test(what_it_cannot_do_is_refused),
        cmocka_unit_test(it_is_fine_tuned),
        cmocka_unit_test(it_is_resumed),
    };
    return cmocka_run_group_tests_name("scorer", tests, NULL, NULL);
}
