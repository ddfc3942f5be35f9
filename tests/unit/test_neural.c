/* The neural scorer as a whole: it learns, and what it learnt does not depend on threads,
 * processors or batches. */
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
#include "core/random.h"
#include "core/strings.h"
#include "model/image.h"
#include "model/model.h"
#include "parse/parser.h"
#include "score/neural/frozen.h"
#include "score/neural/normal.h"
#include "systems/registry.h"

enum { SENTENCES = 20 };

/* Small enough to be quick. */
static dd_model *train_small(const char *more)
{
    char settings[200];
    dd_model *model = NULL;
    snprintf(settings, sizeof settings,
             "scorer=neural width=16 hidden=24 batch-words=60 iterations=3 %s", more);
    assert_int_equal(train_with_settings(&model, settings, NULL, DEMO, NULL, NULL), DD_OK);
    return model;
}

static void read_sentences(dd_sentence **sentences)
{
    dd_reader *reader;
    assert_int_equal(dd_reader_open(&reader, DEMO, DD_FORMAT_CONLLU, NULL), DD_OK);
    for (int i = 0; i < SENTENCES; i++) {
        assert_int_equal(dd_sentence_new(&sentences[i], NULL), DD_OK);
        assert_int_equal(dd_reader_next(reader, sentences[i], NULL), DD_OK);
    }
    dd_reader_close(reader);
}

/* Parses so many at once. */
static void parse(const dd_model *model, dd_sentence **sentences, size_t together)
{
    dd_parser *parser;
    size_t done;
    assert_int_equal(dd_parser_new(&parser, model, NULL), DD_OK);
    read_sentences(sentences);
    for (size_t i = 0; i < SENTENCES; i += together) {
        size_t count = SENTENCES - i < together ? SENTENCES - i : together;
        assert_int_equal(dd_parser_parse_batch(parser, sentences + i, count, NULL, &done, NULL),
                         DD_OK);
    }
    dd_parser_free(parser);
}

static void compare_and_free(dd_sentence **one, dd_sentence **other)
{
    for (int i = 0; i < SENTENCES; i++) {
        for (int word = 1; word <= dd_sentence_size(one[i]); word++) {
            dd_text label = dd_sentence_deprel(one[i], word);
            dd_text other_label = dd_sentence_deprel(other[i], word);
            assert_int_equal(dd_sentence_head(one[i], word), dd_sentence_head(other[i], word));
            assert_int_equal(label.size, other_label.size);
            assert_memory_equal(label.data, other_label.data, label.size);
        }
        dd_sentence_free(one[i]);
        dd_sentence_free(other[i]);
    }
}

/* Transition systems, and behind them graph. */
static const char *name_of(size_t system)
{
    return system < dd_system_count() ? dd_system_get(system)->name : dd_graph.name;
}

static void learns(const char *system)
{
    char settings[100];
    snprintf(settings, sizeof settings, "system=%s iterations=60 dropout=0 input-dropout=0",
             system);
    dd_model *model = train_small(settings);
    dd_sentence *parsed[SENTENCES], *gold[SENTENCES];
    int words = 0, right = 0;
    parse(model, parsed, SENTENCES);
    read_sentences(gold);
    for (int i = 0; i < SENTENCES; i++) {
        for (int word = 1; word <= dd_sentence_size(gold[i]); word++, words++)
            right += dd_sentence_head(parsed[i], word) == dd_sentence_head(gold[i], word);
        dd_sentence_free(parsed[i]);
        dd_sentence_free(gold[i]);
    }
    assert_true(right * 10 > words * 9);
    dd_model_free(model);
}

static void it_learns_its_training_data(void **state)
{
    (void)state;
    learns("arc-hybrid");
    learns("graph");
}

static void parse_together_and_alone(const char *settings)
{
    dd_sentence *together[SENTENCES], *alone[SENTENCES];
    dd_model *model = train_small(settings);
    parse(model, together, SENTENCES);
    parse(model, alone, 1);
    compare_and_free(together, alone);
    dd_model_free(model);
}

static void every_system_and_oracle_trains(void **state)
{
    (void)state;
    static const char *const ways[] = {"oracle=static", "oracle=nondet", "oracle=dynamic",
                                       "beam=3"};
    for (size_t s = 0; s < dd_system_count(); s++)
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
            char settings[100];
            snprintf(settings, sizeof settings, "iterations=1 system=%s %s", dd_system_get(s)->name,
                     ways[i]);
            parse_together_and_alone(settings);
        }
    parse_together_and_alone("system=graph");
    parse_together_and_alone("system=graph single-root=no");
}

/* Each choice of a derivation, with the scores of all classes and with those of the best alone. */
static void compare_choices(const dd_model *model, const dd_sentence *sentence)
{
    void *space;
    dd_decoder decoder = {0};
    assert_int_equal(model->scorer->space_new(&space, model->frozen, NULL), DD_OK);
    assert_true(model->scorer->prepare(space, &sentence, 1));
    assert_true(dd_decoder_begin(&decoder, &model->inventory, dd_sentence_size(sentence), true));
    while (dd_decoder_ready(&decoder)) {
        dd_choice one, other;
        assert_true(dd_model_choose(model, space, &decoder, false, &one));
        assert_true(dd_model_choose(model, space, &decoder, true, &other));
        assert_int_equal(one.move, other.move);
        assert_int_equal(one.class_id, other.class_id);
        assert_true(one.margin == other.margin);
        dd_decoder_apply(&decoder, one);
    }
    dd_decoder_free(&decoder);
    model->scorer->space_free(space);
}

static void the_best_alone_is_the_best_of_all(void **state)
{
    (void)state;
    for (size_t s = 0; s <= dd_system_count(); s++) {
        char settings[100];
        dd_sentence *sentences[SENTENCES];
        snprintf(settings, sizeof settings, "system=%s", name_of(s));
        dd_model *model = train_small(settings);
        read_sentences(sentences);
        for (int i = 0; i < SENTENCES; i++) {
            compare_choices(model, sentences[i]);
            dd_sentence_free(sentences[i]);
        }
        dd_model_free(model);
    }
}

static void probabilities_add_up_to_1(void **state)
{
    (void)state;
    const double unit = 1.0 / 700;
    dd_random random = {3};
    for (int round = 0; round < 1000; round++) {
        int32_t scores[12], before[12];
        int count = 1 + (int)dd_random_below(&random, 12);
        double sum = 0;
        for (int i = 0; i < count; i++)
            before[i] = scores[i] = (int32_t)dd_random_below(&random, 9000) - 4500;
        dd_normalise(scores, count, unit);
        for (int i = 0; i < count; i++) {
            sum += exp(scores[i] * unit);
            assert_int_equal(scores[i] - scores[0], before[i] - before[0]);
        }
        assert_true(fabs(sum - 1) < 2e-3);
    }
    int32_t extremes[] = {1000000000, -1000000000};
    dd_normalise(extremes, 2, 1e-6);
    assert_int_equal(extremes[0], 0);
    assert_int_equal(extremes[1], -1000000000);
}

static bool columns_are(const dd_model *model, const char *want)
{
    dd_text key, value;
    for (size_t i = 0; dd_model_fact(model, i, &key, &value); i++)
        if (dd_text_is(key, "columns")) return dd_text_is(value, want);
    return false;
}

static void inputs_can_be_left_out(void **state)
{
    (void)state;
    static const struct {
        const char *settings, *columns;
    } cases[] = {{"inputs=form", "FORM"},
                 {"inputs=characters", "FORM"},
                 {"inputs=feats,upos", "UPOS FEATS"},
                 {"inputs=all", "FORM LEMMA UPOS XPOS FEATS"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dd_sentence *one[SENTENCES], *other[SENTENCES];
        dd_model *model = train_small(cases[i].settings);
        assert_true(columns_are(model, cases[i].columns));
        parse(model, one, 3);
        parse(model, other, SENTENCES);
        compare_and_free(one, other);
        dd_model_free(model);
    }
}

static void train_with_threads(const char *system)
{
    char settings[100];
    snprintf(settings, sizeof settings, "system=%s threads=1", system);
    dd_model *one = train_small(settings);
    snprintf(settings, sizeof settings, "system=%s threads=3", system);
    dd_model *other = train_small(settings);
    assert_int_equal(one->size, other->size);
    assert_memory_equal(one->image, other->image, one->size);
    dd_model_free(one);
    dd_model_free(other);
}

static void threads_give_the_same_bytes(void **state)
{
    (void)state;
    train_with_threads("arc-eager");
    train_with_threads("graph");
}

static void compare_kernels(const char *settings)
{
    dd_model *model = train_small(settings);
    for (int k = 1; dd_kernels_at(k); k++) {
        dd_sentence *plain[SENTENCES], *fast[SENTENCES];
        dd_model_choose_kernels(model, dd_kernels_at(0));
        parse(model, plain, SENTENCES);
        dd_model_choose_kernels(model, dd_kernels_at(k));
        parse(model, fast, 7);
        compare_and_free(plain, fast);
    }
    dd_model_free(model);
}

static void all_kernels_give_the_same_trees(void **state)
{
    (void)state;
    compare_kernels("system=covington width=24");
    compare_kernels("system=covington-nm width=24");
    compare_kernels("system=graph width=24");
}

/* The model with other bytes in its network. */
static dd_status make_with(dd_model **made, const dd_model *model, const char *network, size_t size,
                           dd_error *error)
{
    dd_sections sections;
    char *image;
    size_t image_size;
    dd_image_list(model->image, &sections);
    for (int i = 0; i < sections.count; i++)
        if (strcmp(sections.names[i], "network") == 0)
            sections.contents[i] = (dd_text){network, size};
    assert_int_equal(dd_model_assemble(&image, &image_size, &sections, NULL), DD_OK);
    return dd_model_from_image(made, "m", image, image_size, DD_IMAGE_ALLOCATED, error);
}

static dd_status load_with(const dd_model *model, const char *network, size_t size, dd_error *error)
{
    dd_model *made = NULL;
    dd_status status = make_with(&made, model, network, size, error);
    dd_model_free(made);
    return status;
}

static void set_version(char *network, uint32_t version)
{
    memcpy(network + offsetof(dd_frozen_header, version), &version, sizeof version);
}

/* Networks of graph that say version 1 have the same product. */
static void older_networks_are_read(void **state)
{
    (void)state;
    dd_model *model = train_small("system=graph"), *older = NULL;
    dd_sentence *one[SENTENCES], *other[SENTENCES];
    dd_sections sections;
    dd_text network;
    dd_image_list(model->image, &sections);
    assert_true(dd_sections_find(&sections, "network", &network));
    char *copy = malloc(network.size);
    memcpy(copy, network.data, network.size);
    set_version(copy, DD_FROZEN_VERSION);
    assert_int_equal(make_with(&older, model, copy, network.size, NULL), DD_OK);
    parse(model, one, SENTENCES);
    parse(older, other, SENTENCES);
    compare_and_free(one, other);
    set_version(copy, DD_FROZEN_WITH_PAIRS + 1);
    assert_int_equal(load_with(model, copy, network.size, NULL), DD_ERROR_MODEL);
    free(copy);
    dd_model_free(older);
    dd_model_free(model);
}

static void damaged_networks_are_refused(void **state)
{
    (void)state;
    dd_model *model = train_small("system=arc-eager iterations=1");
    dd_sections sections;
    dd_text network;
    dd_error error;
    const float not_a_number = 0.0f / 0.0f;
    dd_image_list(model->image, &sections);
    assert_true(dd_sections_find(&sections, "network", &network));
    char *copy = malloc(network.size);
    for (size_t field = 0; field < offsetof(dd_frozen_header, unit) / sizeof(uint32_t); field++) {
        uint32_t absurd = UINT32_C(0x7FFFFFF8);
        memcpy(copy, network.data, network.size);
        memcpy(copy + field * sizeof absurd, &absurd, sizeof absurd);
        assert_int_equal(load_with(model, copy, network.size, &error), DD_ERROR_MODEL);
    }
    memcpy(copy, network.data, network.size);
    assert_int_equal(load_with(model, copy, network.size, &error), DD_OK);
    assert_int_equal(load_with(model, copy, network.size - 64, &error), DD_ERROR_MODEL);
    assert_non_null(strstr(error.message, "wrong size"));
    dd_frozen frozen = {0};
    assert_int_equal(dd_frozen_map(&frozen, (dd_text){copy, network.size}, (dd_text){0}, NULL),
                     DD_OK);
    memcpy(copy + ((const char *)frozen.words[1][1].bias - copy), &not_a_number,
           sizeof not_a_number);
    assert_int_equal(load_with(model, copy, network.size, &error), DD_ERROR_MODEL);
    assert_non_null(strstr(error.message, "numbers that are none"));
    free(copy);
    dd_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_learns_its_training_data),
        cmocka_unit_test(every_system_and_oracle_trains),
        cmocka_unit_test(the_best_alone_is_the_best_of_all),
        cmocka_unit_test(inputs_can_be_left_out),
        cmocka_unit_test(probabilities_add_up_to_1),
        cmocka_unit_test(threads_give_the_same_bytes),
        cmocka_unit_test(all_kernels_give_the_same_trees),
        cmocka_unit_test(older_networks_are_read),
        cmocka_unit_test(damaged_networks_are_refused),
    };
    return cmocka_run_group_tests_name("neural", tests, NULL, NULL);
}
