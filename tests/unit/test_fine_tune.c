/* Training that starts from a model: nothing is lost when bytes become numbers again, and learning
 * goes on from there. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../settings_help.h"
#include "core/strings.h"
#include "model/image.h"
#include "model/model.h"
#include "neural/frozen.h"

typedef struct files {
    char model[40], data[40], vectors[40];
} files;

static int set_up(void **state)
{
    files *f = calloc(1, sizeof *f);
    snprintf(f->model, sizeof f->model, "/tmp/dodona-go-on-%ld.model", (long)getpid());
    snprintf(f->data, sizeof f->data, "/tmp/dodona-go-on-%ld.data", (long)getpid());
    snprintf(f->vectors, sizeof f->vectors, "/tmp/dodona-go-on-%ld.vectors", (long)getpid());
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    files *f = *state;
    unlink(f->model);
    unlink(f->data);
    unlink(f->vectors);
    free(f);
    return 0;
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static dd_model *train(const char *data, const char *settings)
{
    dd_error error;
    dd_model *model = NULL;
    if (train_with_settings(&model, settings, NULL, data, NULL, &error) != DD_OK)
        fail_msg("%s", error.message);
    return model;
}

/* A small network, saved too. */
static dd_model *train_first(const files *f, const char *data, const char *more)
{
    char settings[800];
    snprintf(settings, sizeof settings,
             "scorer=neural width=16 hidden=16 batch-words=60 iterations=4 %s", more);
    dd_model *model = train(data, settings);
    assert_int_equal(dd_model_save(model, f->model, NULL), DD_OK);
    return model;
}

static dd_model *go_on(const files *f, const char *data, const char *more)
{
    char settings[800];
    snprintf(settings, sizeof settings, "scorer=neural start-from=%s batch-words=60 %s", f->model,
             more);
    return train(data, settings);
}

/* ---- the way back ------------------------------------------------------------------------- */

static dd_frozen frozen_of(const dd_model *model)
{
    dd_sections sections;
    dd_text network, vectors = {NULL, 0};
    dd_frozen frozen;
    dd_image_list(model->image, &sections);
    assert_true(dd_sections_find(&sections, "network", &network));
    dd_sections_find(&sections, "vectors", &vectors);
    assert_int_equal(dd_frozen_map(&frozen, network, vectors, NULL), DD_OK);
    return frozen;
}

static void are_close(const float *one, const float *other, size_t count, float most)
{
    for (size_t i = 0; i < count; i++)
        assert_true(fabsf(one[i] - other[i]) <= 1e-4f * fabsf(one[i]) + most);
}

static void compare_matrices(const dd_frozen_matrix *one, const dd_frozen_matrix *other)
{
    assert_memory_equal(one->weights, other->weights, one->rows * one->columns);
    are_close(one->factors, other->factors, one->columns, 0);
}

static void compare_parts(const dd_part *part, const dd_frozen_part *one,
                          const dd_frozen_part *other)
{
    size_t count = part->rows * part->columns;
    switch (part->kind) {
    case DD_PART_MATRIX: compare_matrices(&one->matrix, &other->matrix); break;
    case DD_PART_BIAS:
        for (int i = 0; i < one->n_bias; i++)
            are_close(one->bias[i], other->bias[i], one->columns, part->scale ? 1e-2f : 1e-4f);
        break;
    case DD_PART_OUTPUT_BIAS:
        for (size_t i = 0; i < count; i++) assert_true(abs(one->wholes[i] - other->wholes[i]) <= 1);
        break;
    case DD_PART_SHORTS:
    case DD_PART_OUTPUTS: assert_memory_equal(one->shorts, other->shorts, 2 * count); break;
    default: break; /* embeddings; some of them stand in another section */
    }
}

static void compare_networks(const dd_frozen *one, const dd_frozen *other)
{
    const dd_frozen_header *h = &one->header;
    for (int i = 0; i < DD_INPUTS; i++) {
        assert_int_equal(h->vocabulary[i], other->header.vocabulary[i]);
        assert_memory_equal(one->embeddings[i], other->embeddings[i],
                            (size_t)h->vocabulary[i] * h->size[i]);
    }
    assert_true(one->parts.list.count == other->parts.list.count);
    for (int i = 0; i < one->parts.list.count; i++)
        compare_parts(&one->parts.list.all[i], &one->arrays[i], &other->arrays[i]);
    assert_true(fabs(h->unit - other->header.unit) < 1e-4 * h->unit);
    assert_true(fabs(h->label_unit - other->header.label_unit) < 1e-4 * h->label_unit);
}

/* With a rate of 0 nothing is learnt: the bytes become numbers and the numbers bytes again. */
static void bytes_come_back(const files *f, const char *settings)
{
    dd_model *first = train_first(f, DEMO, settings);
    dd_model *again = go_on(f, DEMO_TEST, "rate=0 iterations=1");
    dd_frozen one = frozen_of(first), other = frozen_of(again);
    compare_networks(&one, &other);
    assert_true(first->columns == again->columns && first->single_root == again->single_root);
    dd_model_free(first);
    dd_model_free(again);
}

static void nothing_is_lost_on_the_way_back(void **state)
{
    const files *f = *state;
    char with_vectors[100];
    write_file(f->vectors, "the 1 -2 0.5 3\nbirds 0 1 1 -1\nking 2 2 -2 0.1\n");
    snprintf(with_vectors, sizeof with_vectors, "system=arc-hybrid vectors=%s", f->vectors);
    bytes_come_back(f, "system=arc-hybrid");
    bytes_come_back(f, "system=covington inputs=form,upos layers=1");
    bytes_come_back(f, "system=graph layers=3 single-root=no");
    bytes_come_back(f, with_vectors);
}

static dd_text fact(const dd_model *model, const char *key)
{
    return dd_model_find_fact(model, key);
}

static void the_model_decides_what_it_is(void **state)
{
    const files *f = *state;
    dd_model *first = train_first(f, DEMO, "system=attardi inputs=form,feats width=24 layers=1");
    dd_model *again = go_on(f, DEMO, "iterations=1");
    assert_true(dd_text_is(fact(again, "system"), "attardi"));
    assert_true(dd_text_is(fact(again, "network"), "1 x 24, hidden 16"));
    assert_true(dd_text_is(fact(again, "columns"), "FORM FEATS"));
    assert_true(dd_text_is(fact(again, "started from"), dd_last_part(f->model)));
    assert_null(fact(first, "started from").data);
    dd_model_free(first);
    dd_model_free(again);
}

static dd_text slots_of(const dd_model *model)
{
    dd_sections sections;
    dd_text slots;
    dd_image_list(model->image, &sections);
    assert_true(dd_sections_find(&sections, "slots", &slots));
    return slots;
}

/* Saves the model as if its system had these nodes. */
static void save_with_slots(const files *f, const dd_model *model, const char *slots)
{
    dd_sections sections;
    char *image;
    size_t size;
    dd_model *made = NULL;
    dd_image_list(model->image, &sections);
    for (int i = 0; i < sections.count; i++)
        if (strcmp(sections.names[i], "slots") == 0)
            sections.contents[i] = (dd_text){slots, strlen(slots)};
    assert_int_equal(dd_model_assemble(&image, &size, &sections, NULL), DD_OK);
    assert_int_equal(dd_model_from_image(&made, "m", image, size, DD_IMAGE_ALLOCATED, NULL), DD_OK);
    assert_int_equal(dd_model_save(made, f->model, NULL), DD_OK);
    dd_model_free(made);
}

static void a_network_keeps_the_nodes_it_looks_at(void **state)
{
    const files *f = *state;
    dd_model *first = train_first(f, DEMO, "system=arc-hybrid");
    assert_true(dd_text_is(slots_of(first), "S2 S1 S0 B0"));
    save_with_slots(f, first, "S1 S0 B0 B1");
    dd_model *again = go_on(f, DEMO, "iterations=1");
    assert_true(dd_text_is(slots_of(again), "S1 S0 B0 B1"));
    dd_model_free(first);
    dd_model_free(again);
}

static void lifted_trees_stay_lifted(void **state)
{
    const files *f = *state;
    dd_model *first = train_first(f, DEMO, "system=arc-hybrid unbuildable=lift-head");
    dd_model *again = go_on(f, DEMO, "iterations=1");
    assert_true(dd_text_is(fact(again, "pseudo-projective"), "head"));
    assert_int_equal(first->inventory.labels.count, again->inventory.labels.count);
    dd_model_free(again);
    dd_model_free(go_on(f, DEMO, "iterations=1 unbuildable=lift-head"));
    dd_model_free(first);
}

/* ---- learning ----------------------------------------------------------------------------- */

static bool keep_first(void *user, const dd_train_progress *progress)
{
    double *las = user;
    if (progress->finished && progress->iteration == 1) *las = progress->dev_las;
    return true;
}

/* After the first iteration. */
static double first_las(const char *settings)
{
    double las = 0;
    dd_model *model = NULL;
    dd_train_watch watch;
    dd_train_watch_init(&watch);
    watch.user = &las;
    watch.report = keep_first;
    assert_int_equal(train_with_settings(&model, settings, &watch, DEMO, DEMO_TEST, NULL), DD_OK);
    dd_model_free(model);
    return las;
}

static void learning_goes_on(void **state)
{
    const files *f = *state;
    char settings[200];
    dd_model_free(train_first(f, DEMO, "system=arc-hybrid width=32 iterations=30"));
    snprintf(settings, sizeof settings, "scorer=neural start-from=%s batch-words=60 iterations=2",
             f->model);
    double from_scratch =
        first_las("scorer=neural system=arc-hybrid width=32 batch-words=60 iterations=2");
    assert_true(first_las(settings) > from_scratch + 20);
}

static void threads_do_not_matter(void **state)
{
    const files *f = *state;
    dd_model_free(train_first(f, DEMO, "system=arc-hybrid"));
    dd_model *one = go_on(f, DEMO, "iterations=2 threads=1");
    dd_model *two = go_on(f, DEMO, "iterations=2 threads=3");
    assert_int_equal(one->size, two->size);
    assert_memory_equal(one->image, two->image, one->size);
    dd_model_free(one);
    dd_model_free(two);
}

/* ---- labels ------------------------------------------------------------------------------- */

static const char few[] = "1\tthe\tthe\tDET\t_\t_\t2\tdet\t_\t_\n"
                          "2\tdog\tdog\tNOUN\t_\t_\t3\tnsubj\t_\t_\n"
                          "3\tbarks\tbark\tVERB\t_\t_\t0\troot\t_\t_\n\n";
static const char other[] = "1\tdogs\tdog\tNOUN\t_\t_\t2\tsubject\t_\t_\n"
                            "2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n"
                            "3\tloud\tloud\tADV\t_\t_\t2\tdet\t_\t_\n\n";

static void has_label(const dd_model *model, int id, const char *name, int seen)
{
    assert_true(dd_text_is(dd_vocab_text(&model->inventory.labels, id), name));
    assert_int_equal(model->inventory.seen[id], seen);
}

static void new_labels_are_added(void **state)
{
    const files *f = *state;
    write_file(f->data, few);
    dd_model_free(train_first(f, f->data, "system=arc-hybrid"));
    write_file(f->data, other);
    dd_model *again = go_on(f, f->data, "iterations=80 rate=0.01 dropout=0 input-dropout=0");
    assert_int_equal(again->inventory.labels.count, 4);
    has_label(again, 0, "det", DD_SEEN_LEFT | DD_SEEN_RIGHT);
    has_label(again, 1, "nsubj", DD_SEEN_LEFT);
    has_label(again, 2, "root", DD_SEEN_ROOT | DD_MAIN_ROOT);
    has_label(again, 3, "subject", DD_SEEN_LEFT);
    dd_reader *reader;
    dd_sentence *sentence;
    dd_parser *parser;
    assert_int_equal(dd_reader_open(&reader, f->data, DD_FORMAT_CONLLU, NULL), DD_OK);
    assert_int_equal(dd_sentence_new(&sentence, NULL), DD_OK);
    assert_int_equal(dd_parser_new(&parser, again, NULL), DD_OK);
    assert_int_equal(dd_reader_next(reader, sentence, NULL), DD_OK);
    assert_int_equal(dd_parser_parse(parser, sentence, false, NULL), DD_OK);
    assert_true(dd_text_is(dd_sentence_deprel(sentence, 1), "subject"));
    dd_parser_free(parser);
    dd_sentence_free(sentence);
    dd_reader_close(reader);
    dd_model_free(again);
}

/* ---- what is refused ---------------------------------------------------------------------- */

static void is_refused(const files *f, const char *settings, dd_status wanted, const char *message)
{
    char all[300], whole[300];
    dd_error error;
    dd_model *model = NULL;
    snprintf(all, sizeof all, "start-from=%s %s", f->model, settings);
    snprintf(whole, sizeof whole, message, f->model);
    assert_int_equal(train_with_settings(&model, all, NULL, DEMO, NULL, &error), wanted);
    assert_null(model);
    assert_string_equal(error.message, whole);
}

static void what_does_not_fit_is_refused(void **state)
{
    const files *f = *state;
    dd_model_free(train_first(f, DEMO, "system=arc-hybrid"));
    const struct {
        const char *settings, *message;
    } cases[] = {
        {"", "start-from: the scorer linear cannot be fine-tuned"},
        {"scorer=neural width=16", "width: cannot be set, as the model to start from has its own"},
        {"scorer=neural inputs=form",
         "inputs: cannot be set, as the model to start from has its own"},
        {"scorer=neural vectors=x",
         "vectors: cannot be set, as the model to start from has its own"},
        {"scorer=neural only=tagger", "start-from: needs 'only' with parser"},
        {"scorer=neural system=covington",
         "start-from: the model's system is arc-hybrid, not covington"},
        {"scorer=neural unbuildable=lift", "unbuildable: the model to start from lifts no trees"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        is_refused(f, cases[i].settings, DD_ERROR_ARGUMENT, cases[i].message);
    dd_model *linear = train(DEMO, "iterations=1");
    assert_int_equal(dd_model_save(linear, f->model, NULL), DD_OK);
    dd_model_free(linear);
    is_refused(f, "scorer=neural", DD_ERROR_ARGUMENT, "start-from: %s has no neural parser");
    write_file(f->model, "no model");
    is_refused(f, "scorer=neural", DD_ERROR_MODEL, "%s: not a Dodona model");
    unlink(f->model);
    is_refused(f, "scorer=neural", DD_ERROR_IO, "%s: cannot open: No such file or directory");
}

/* ---- weights of fewer bits ---------------------------------------------------------------- */

/* Whether all weights and embeddings are multiples of the step, and the largest of each kind is
 * used. */
static void has_step(const dd_frozen *frozen, int step)
{
    int most = 63 / step * step;
    for (int i = 0; i < DD_INPUTS; i++) {
        size_t count = (size_t)frozen->header.vocabulary[i] * frozen->header.size[i];
        int largest = 0;
        for (size_t k = 0; k < count; k++) {
            int byte = frozen->embeddings[i][k] - 64;
            assert_int_equal(byte % step, 0);
            largest = abs(byte) > largest ? abs(byte) : largest;
        }
        assert_true(count == 0 || largest == most);
    }
    for (int i = 0; i < frozen->parts.list.count; i++) {
        const dd_frozen_matrix *matrix = &frozen->arrays[i].matrix;
        if (frozen->parts.list.all[i].kind != DD_PART_MATRIX) continue;
        for (size_t k = 0; k < matrix->rows * matrix->columns; k++)
            assert_int_equal(matrix->weights[k] % step, 0);
    }
}

static void weights_have_as_many_bits_as_asked_for(void **state)
{
    const files *f = *state;
    static const char *const settings[] = {"weight-bits=7", "weight-bits=5", "weight-bits=4"};
    static const int steps[] = {1, 4, 8};
    for (int i = 0; i < 3; i++) {
        dd_model *model = train_first(f, DEMO, settings[i]);
        dd_frozen frozen = frozen_of(model);
        has_step(&frozen, steps[i]);
        dd_model_free(model);
    }
    bytes_come_back(f, "weight-bits=7");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_lost_on_the_way_back),
        cmocka_unit_test(the_model_decides_what_it_is),
        cmocka_unit_test(a_network_keeps_the_nodes_it_looks_at),
        cmocka_unit_test(lifted_trees_stay_lifted),
        cmocka_unit_test(learning_goes_on),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(new_labels_are_added),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(weights_have_as_many_bits_as_asked_for),
    };
    return cmocka_run_group_tests_name("go on", tests, set_up, tear_down);
}
