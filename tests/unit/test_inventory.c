/* The labelled transitions that follow from the labels seen in training. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "systems/registry.h"
#include "transition/inventory.h"

static int see(dd_inventory *inventory, const char *label, int seen)
{
    return dd_inventory_see(inventory, (dd_text){label, strlen(label)}, seen);
}

static void labels_serve_where_they_were_seen(void **state)
{
    (void)state;
    dd_inventory inventory = {0};
    const dd_system *system = dd_system_find("arc-eager");
    assert_int_equal(see(&inventory, "nsubj", DD_SEEN_LEFT), 0);
    assert_int_equal(see(&inventory, "obj", DD_SEEN_RIGHT), 1);
    assert_int_equal(see(&inventory, "root", DD_SEEN_ROOT), 2);
    assert_int_equal(see(&inventory, "nsubj", DD_SEEN_RIGHT), 0);
    assert_int_equal(dd_inventory_close(&inventory, system, NULL), DD_OK);
    /* SH, LA nsubj, LA root (the root stands last), RA nsubj, RA obj, RE */
    assert_int_equal(inventory.n_classes, 6);
    assert_int_equal(dd_classes_of(&inventory, 1, false).count, 1);
    assert_int_equal(dd_classes_of(&inventory, 1, true).count, 1);
    assert_int_equal(dd_classes_of(&inventory, 2, false).count, 2);
    assert_int_equal(dd_classes_of(&inventory, 2, true).count, 0);
    assert_int_equal(dd_inventory_find(&inventory, (dd_text){"nsubj", 5}, 2, 1), 0);
    assert_int_equal(dd_inventory_find(&inventory, (dd_text){"nsubj", 5}, 1, 2), 0);
    assert_int_equal(dd_inventory_find(&inventory, (dd_text){"nsubj", 5}, 0, 2), DD_NONE);
    assert_int_equal(dd_inventory_find(&inventory, (dd_text){"obj", 3}, 2, 1), DD_NONE);
    assert_int_equal(dd_inventory_find(&inventory, (dd_text){"obj", 3}, 1, 2), 1);
    assert_int_equal(dd_inventory_find(&inventory, (dd_text){"root", 4}, 0, 2), 2);
    assert_int_equal(dd_inventory_find(&inventory, (dd_text){"root", 4}, 2, 1), DD_NONE);
    assert_int_equal(dd_inventory_find(&inventory, (dd_text){"amod", 4}, 2, 1), DD_NONE);
    dd_buffer text = {0};
    assert_true(dd_inventory_write(&inventory, &text));
    assert_int_equal(text.size, strlen("lr\tnsubj\nr\tobj\n0m\troot\n"));
    assert_memory_equal(text.data, "lr\tnsubj\nr\tobj\n0m\troot\n", text.size);
    dd_inventory again = {0};
    assert_int_equal(dd_inventory_read(&again, (dd_text){text.data, text.size}, system, NULL),
                     DD_OK);
    assert_int_equal(again.n_classes, 6);
    dd_inventory_free(&again);
    dd_inventory_free(&inventory);
    dd_buffer_free(&text);
}

/* RE of arc-eager-nm attaches a headless top and needs a label then, and none otherwise. */
static void a_move_that_may_build_an_arc_has_both_kinds_of_classes(void **state)
{
    (void)state;
    dd_inventory inventory = {0};
    see(&inventory, "nsubj", DD_SEEN_LEFT);
    see(&inventory, "obj", DD_SEEN_RIGHT);
    see(&inventory, "punct", DD_SEEN_LEFT | DD_SEEN_RIGHT);
    see(&inventory, "root", DD_SEEN_ROOT);
    assert_int_equal(dd_inventory_close(&inventory, dd_system_find("arc-eager-nm"), NULL), DD_OK);
    assert_int_equal(dd_classes_of(&inventory, 3, DD_USE_WORD).count, 2);
    assert_int_equal(dd_classes_of(&inventory, 3, DD_USE_ROOT).count, 0);
    dd_class_list arcless = dd_classes_of(&inventory, 3, DD_USE_ARCLESS);
    assert_int_equal(arcless.count, 1);
    assert_int_equal(inventory.classes[arcless.first].label, DD_NONE);
    /* SH, 3 of LA, 2 of RA, 3 of RE */
    assert_int_equal(inventory.n_classes, 9);
    dd_inventory_free(&inventory);
}

static void a_direction_without_labels_borrows(void **state)
{
    (void)state;
    dd_inventory inventory = {0};
    see(&inventory, "root", DD_SEEN_ROOT);
    assert_int_equal(dd_inventory_close(&inventory, dd_system_find("arc-standard"), NULL), DD_OK);
    assert_int_equal(dd_vocab_find(&inventory.labels, (dd_text){"dep", 3}), 1);
    assert_int_equal(dd_classes_of(&inventory, 1, false).count, 1);
    assert_int_equal(dd_classes_of(&inventory, 2, false).count, 1);
    dd_inventory_free(&inventory);
    see(&inventory, "root", DD_SEEN_ROOT);
    see(&inventory, "obj", DD_SEEN_RIGHT);
    assert_int_equal(dd_inventory_close(&inventory, dd_system_find("arc-standard"), NULL), DD_OK);
    assert_int_equal(dd_classes_of(&inventory, 1, false).count, 1);
    assert_int_equal(dd_inventory_find(&inventory, (dd_text){"obj", 3}, 2, 1), 1);
    dd_inventory_free(&inventory);
}

static void damaged_labels_are_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "l\tnsubj\n",         "0\troot", "x\troot\n", "0\t\n",     "\troot\n",
        "0\troot\n0\troot\n", "0root\n", "",          "0\tr\rt\n", "0\tr\xC3\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        dd_inventory inventory = {0};
        dd_text text = {texts[i], strlen(texts[i])};
        assert_int_equal(dd_inventory_read(&inventory, text, dd_system_get(0), NULL),
                         DD_ERROR_MODEL);
        dd_inventory_free(&inventory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_serve_where_they_were_seen),
        cmocka_unit_test(a_move_that_may_build_an_arc_has_both_kinds_of_classes),
        cmocka_unit_test(a_direction_without_labels_borrows),
        cmocka_unit_test(damaged_labels_are_refused),
    };
    return cmocka_run_group_tests_name("inventory", tests, NULL, NULL);
}
