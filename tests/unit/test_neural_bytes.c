/* The bytes of a network: older ones, damaged ones, and what its products add to moves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/image.h"
#include "neural/frozen.h"
#include "neural_help.h"
#include "systems/registry.h"

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

/* To be changed and freed. */
static char *copy_network(const dd_model *model, size_t *size)
{
    dd_sections sections;
    dd_text network;
    dd_image_list(model->image, &sections);
    assert_true(dd_sections_find(&sections, "network", &network));
    char *copy = malloc(network.size);
    memcpy(copy, network.data, network.size);
    *size = network.size;
    return copy;
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
    size_t size;
    char *copy = copy_network(model, &size);
    set_version(copy, DD_FROZEN_VERSION);
    assert_int_equal(make_with(&older, model, copy, size, NULL), DD_OK);
    parse(model, one, SENTENCES);
    parse(older, other, SENTENCES);
    compare_and_free(one, other);
    set_version(copy, DD_FROZEN_WITH_PAIRS + 1);
    assert_int_equal(load_with(model, copy, size, NULL), DD_ERROR_MODEL);
    free(copy);
    dd_model_free(older);
    dd_model_free(model);
}

/* All that scores moves are products. */
static dd_model *keep_products(const dd_model *model)
{
    dd_model *made = NULL;
    dd_frozen f = {0};
    size_t size;
    char *copy = copy_network(model, &size);
    assert_int_equal(dd_frozen_map(&f, (dd_text){copy, size}, (dd_text){0}, NULL), DD_OK);
    memset((void *)(uintptr_t)f.moves, 0, (size_t)f.header.outputs * f.header.hidden * 2);
    memset((void *)(uintptr_t)f.moves_bias, 0, (size_t)f.header.outputs * 4);
    assert_int_equal(make_with(&made, model, copy, size, NULL), DD_OK);
    free(copy);
    return made;
}

/* Of the arc 3 -> 1, as LA of covington-nm would build it. */
static int32_t score_arc(const dd_model *model, void *space, const dd_config *config)
{
    enum { LEFT = 2 };
    dd_move move = {LEFT, 0};
    dd_candidate arc = {.head = 3, .dependent = 1};
    int32_t scores[DD_MAX_KINDS * 100];
    dd_view view = {.config = config, .n_moves = 1, .moves = &move, .arcs = &arc, .scores = scores};
    dd_view *one = &view;
    dd_class_list list = dd_classes_of(&model->inventory, LEFT, DD_USE_WORD);
    assert_true(model->scorer->score(space, &one, 1));
    int32_t best = scores[list.first];
    for (int i = 1; i < list.count; i++)
        if (scores[list.first + i] > best) best = scores[list.first + i];
    return best;
}

static void an_arc_counts_against_the_one_that_it_replaces(void **state)
{
    (void)state;
    dd_model *trained = train_small("system=covington-nm"), *model = keep_products(trained);
    dd_sentence *sentences[SENTENCES];
    dd_config config = {0};
    void *space;
    read_sentences(sentences);
    assert_int_equal(model->scorer->space_new(&space, model->frozen, NULL), DD_OK);
    assert_true(model->scorer->prepare(space, (const dd_sentence *const *)sentences, 1));
    int n = dd_sentence_size(sentences[0]);
    assert_true(n >= 3 && dd_system_begin(&dd_covington_nm, &config, n, true));
    config.focus = 1;
    config.front = 3;
    int32_t alone = score_arc(model, space, &config);
    dd_add_arc(&config, 2, 1, 0);
    int32_t instead = score_arc(model, space, &config);
    dd_remove_arc(&config, 1);
    dd_add_arc(&config, 3, 1, 0);
    assert_int_equal(score_arc(model, space, &config), 0);
    assert_true(alone != 0 && instead != alone);
    model->scorer->space_free(space);
    dd_config_free(&config);
    for (int i = 0; i < SENTENCES; i++) dd_sentence_free(sentences[i]);
    dd_model_free(model);
    dd_model_free(trained);
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
    const dd_frozen_part *last = &frozen.arrays[frozen.parts.slots - 1]; /* of the last layer */
    assert_true(last->n_bias == 2);
    memcpy(copy + ((const char *)last->bias[1] - copy), &not_a_number, sizeof not_a_number);
    assert_int_equal(load_with(model, copy, network.size, &error), DD_ERROR_MODEL);
    assert_non_null(strstr(error.message, "infinite or undefined numbers"));
    free(copy);
    dd_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(older_networks_are_read),
        cmocka_unit_test(an_arc_counts_against_the_one_that_it_replaces),
        cmocka_unit_test(damaged_networks_are_refused),
    };
    return cmocka_run_group_tests_name("neural bytes", tests, NULL, NULL);
}
