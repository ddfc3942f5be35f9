/* A second encoder is a file and a row: the file is window_encoder.c, and the row stands in a table
 * here that replaces the library's, whose object the linker then leaves in the archive. It learns,
 * is quantised, saved, loaded, fine-tuned, and parses and tags; test_gradients.c compares its
 * gradients with finite differences. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/strings.h"
#include "model/image.h"
#include "neural/frozen.h"
#include "neural_help.h"

extern const dd_encoder dd_bilstm, dd_window;
const dd_encoder *const dd_encoders[] = {&dd_bilstm, &dd_window, NULL};

static dd_model *train_window(const char *more)
{
    char settings[400];
    snprintf(settings, sizeof settings, "encoder=window %s", more);
    return train_small(settings);
}

static dd_frozen_header header_of(const dd_model *model)
{
    dd_sections sections;
    dd_text network;
    dd_frozen_header header;
    dd_image_list(model->image, &sections);
    assert_true(dd_sections_find(&sections, "network", &network));
    memcpy(&header, network.data, sizeof header);
    return header;
}

/* Of 100 words, those that have the right head. */
static int share_of_right_heads(dd_sentence **parsed)
{
    dd_sentence *gold[SENTENCES];
    int words = 0, right = 0;
    read_sentences(gold);
    for (int i = 0; i < SENTENCES; i++) {
        for (int word = 1; word <= dd_sentence_size(gold[i]); word++, words++)
            right += dd_sentence_head(parsed[i], word) == dd_sentence_head(gold[i], word);
        dd_sentence_free(parsed[i]);
        dd_sentence_free(gold[i]);
    }
    return 100 * right / words;
}

static void it_learns_its_training_data(void **state)
{
    (void)state;
    static const char *const settings[] = {
        "system=arc-hybrid iterations=60 dropout=0 input-dropout=0",
        "system=graph layers=1 iterations=60 dropout=0 input-dropout=0",
        "system=arc-hybrid layers=3 inputs=form,upos iterations=60 dropout=0 input-dropout=0"};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        dd_model *model = train_window(settings[i]);
        dd_sentence *parsed[SENTENCES];
        assert_true(dd_text_is(dd_model_find_fact(model, "encoder"), "window"));
        parse(model, parsed, SENTENCES);
        assert_true(share_of_right_heads(parsed) > 90);
        dd_model_free(model);
    }
}

static void save(const dd_model *model, char *path)
{
    int file = mkstemp(path);
    assert_true(file >= 0 && close(file) == 0);
    assert_int_equal(dd_model_save(model, path, NULL), DD_OK);
}

static void it_is_saved_loaded_and_fine_tuned(void **state)
{
    (void)state;
    char path[] = "/tmp/dodona-window-XXXXXX", settings[200];
    dd_model *model = train_window("system=covington"), *loaded = NULL, *tuned = NULL;
    dd_sentence *one[SENTENCES], *other[SENTENCES];
    save(model, path);
    assert_int_equal(dd_model_load(&loaded, path, NULL), DD_OK);
    parse(model, one, SENTENCES);
    parse(loaded, other, 1);
    compare_and_free(one, other);
    /* With a rate of 0 the bytes become floats and the floats bytes again. */
    snprintf(settings, sizeof settings, "scorer=neural start-from=%s rate=0 iterations=1", path);
    assert_int_equal(train_with_settings(&tuned, settings, NULL, DEMO, NULL, NULL), DD_OK);
    assert_true(header_of(tuned).encoder == dd_window.number);
    parse(model, one, SENTENCES);
    parse(tuned, other, SENTENCES);
    compare_and_free(one, other);
    snprintf(settings, sizeof settings, "scorer=neural start-from=%s encoder=bilstm", path);
    dd_error error;
    dd_model *none = NULL;
    assert_int_equal(train_with_settings(&none, settings, NULL, DEMO, NULL, &error),
                     DD_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "encoder"));
    unlink(path);
    dd_model_free(model);
    dd_model_free(loaded);
    dd_model_free(tuned);
}

static void all_kernels_give_the_same_trees(void **state)
{
    (void)state;
    dd_model *model = train_window("system=arc-hybrid width=24");
    for (int k = 1; dd_kernels_at(k); k++) {
        dd_sentence *plain[SENTENCES], *fast[SENTENCES];
        dd_model_choose_kernels(model, dd_kernels_at(0));
        parse(model, plain, SENTENCES);
        dd_model_choose_kernels(model, dd_kernels_at(k));
        parse(model, fast, 3);
        compare_and_free(plain, fast);
    }
    dd_model_free(model);
}

static void a_tagger_has_it_too(void **state)
{
    (void)state;
    dd_model *model = train_window("only=tagger,parser jackknife=no iterations=2 "
                                   "tagger-iterations=60 dropout=0 input-dropout=0");
    dd_sentence *parsed[SENTENCES], *gold[SENTENCES];
    dd_parser *parser;
    int words = 0, right = 0;
    assert_int_equal(dd_parser_new(&parser, model, NULL), DD_OK);
    read_sentences(parsed);
    read_sentences(gold);
    for (int i = 0; i < SENTENCES; i++) {
        assert_int_equal(dd_parser_annotate(parser, parsed[i], true, NULL), DD_OK);
        for (int word = 1; word <= dd_sentence_size(gold[i]); word++, words++) {
            dd_text tag = dd_cell(parsed[i], word, DD_UPOS),
                    wanted = dd_cell(gold[i], word, DD_UPOS);
            right += tag.size == wanted.size && memcmp(tag.data, wanted.data, tag.size) == 0;
        }
        dd_sentence_free(parsed[i]);
        dd_sentence_free(gold[i]);
    }
    assert_true(right * 10 > words * 9);
    dd_parser_free(parser);
    dd_model_free(model);
}

/* The model with other bytes in its header. */
static dd_status load_with(const dd_model *model, uint32_t version, uint32_t encoder)
{
    dd_sections sections;
    dd_model *made = NULL;
    char *image, *copy = NULL;
    size_t size;
    dd_image_list(model->image, &sections);
    for (int i = 0; i < sections.count; i++) {
        if (strcmp(sections.names[i], "network") != 0) continue;
        copy = malloc(sections.contents[i].size);
        memcpy(copy, sections.contents[i].data, sections.contents[i].size);
        memcpy(copy + offsetof(dd_frozen_header, version), &version, sizeof version);
        memcpy(copy + offsetof(dd_frozen_header, encoder), &encoder, sizeof encoder);
        sections.contents[i].data = copy;
    }
    assert_int_equal(dd_model_assemble(&image, &size, &sections, NULL), DD_OK);
    dd_status status = dd_model_from_image(&made, "m", image, size, DD_IMAGE_ALLOCATED, NULL);
    dd_model_free(made);
    free(copy);
    return status;
}

static void an_unknown_encoder_is_refused(void **state)
{
    (void)state;
    dd_model *model = train_window("system=arc-hybrid iterations=1");
    assert_true(header_of(model).version == DD_FROZEN_WITH_ENCODER);
    assert_int_equal(load_with(model, DD_FROZEN_WITH_ENCODER, dd_window.number), DD_OK);
    assert_int_equal(load_with(model, DD_FROZEN_WITH_ENCODER, 7), DD_ERROR_MODEL);
    assert_int_equal(load_with(model, DD_FROZEN_WITH_ENCODER, 0), DD_ERROR_MODEL);
    assert_int_equal(load_with(model, DD_FROZEN_VERSION, dd_window.number), DD_ERROR_MODEL);
    dd_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_learns_its_training_data),
        cmocka_unit_test(it_is_saved_loaded_and_fine_tuned),
        cmocka_unit_test(all_kernels_give_the_same_trees),
        cmocka_unit_test(a_tagger_has_it_too),
        cmocka_unit_test(an_unknown_encoder_is_refused),
    };
    return cmocka_run_group_tests_name("encoder", tests, NULL, NULL);
}
