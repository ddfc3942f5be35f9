/* The averaged perceptron against a slow one that adds every weight up after every step, and the
 * packed weights against the learner. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/random.h"
#include "learn/lanes.h"
#include "learn/packed.h"
#include "learn/scorer.h"
#include "systems/inventory.h"

enum { CLASSES = 40, WORDS = 12, FORMS = 5, STEPS = 3000, FEATURES = 600 };

/* Dense and obvious. */
typedef struct slow {
    uint64_t keys[FEATURES];
    int n_keys;
    int weight[FEATURES][CLASSES];
    double sum[FEATURES][CLASSES]; /* over all steps so far */
} slow;

static int slow_find(slow *s, uint64_t key)
{
    int at = 0;
    while (at < s->n_keys && s->keys[at] != key) at++;
    assert_true(at < FEATURES);
    if (at == s->n_keys) s->keys[s->n_keys++] = key;
    return at;
}

static void slow_end_step(slow *s)
{
    for (int f = 0; f < s->n_keys; f++)
        for (int c = 0; c < CLASSES; c++) s->sum[f][c] += s->weight[f][c];
}

typedef struct stage {
    dd_templates *set;
    dd_tokens tokens;
    dd_config config;
    uint64_t keys[8];
    int n_keys;
    dd_extraction extraction;
    void *learner;
    slow *slow;
} stage;

static void set_up(stage *s)
{
    static const char templates[] = "S0.form\nB0.form\nS0.form B0.form\nS1.form B1.form\n";
    *s = (stage){0};
    s->slow = calloc(1, sizeof *s->slow);
    assert_int_equal(
        dd_templates_parse(&s->set, "t", (dd_text){templates, strlen(templates)}, NULL), DD_OK);
    s->tokens = (dd_tokens){.n = WORDS, .columns = 1, .values = calloc(WORDS + 2, 8)};
    assert_int_equal(dd_perceptron.learner_new(&s->learner, s->set, CLASSES, NULL), DD_OK);
}

static void tear_down(stage *s)
{
    dd_templates_free(s->set);
    free(s->tokens.values);
    dd_config_free(&s->config);
    dd_perceptron.learner_free(s->learner);
    free(s->slow);
}

/* A random configuration over random words. */
static void draw(stage *s, dd_random *random)
{
    assert_true(dd_config_reset(&s->config, WORDS, false, false));
    for (int word = 0; word <= WORDS; word++)
        s->tokens.values[word] = 1 + 2 * dd_random_below(random, FORMS);
    int shifts = (int)dd_random_below(random, WORDS);
    for (int i = 0; i < shifts; i++) dd_shift(&s->config);
    s->n_keys = dd_extract(s->set, &s->config, &s->tokens, &s->extraction, s->keys);
}

static void check_scores(stage *s, const int32_t *scores)
{
    for (int c = 0; c < CLASSES; c++) {
        int want = 0;
        for (int t = 0; t < s->n_keys; t++)
            want += s->slow->weight[slow_find(s->slow, s->keys[t])][c];
        assert_int_equal(scores[c], want);
    }
}

static void learn(stage *s, dd_random *random, int steps)
{
    int32_t scores[CLASSES];
    for (int step = 0; step < steps; step++) {
        draw(s, random);
        dd_perceptron.learner_score(s->learner, &s->config, &s->tokens, scores);
        dd_perceptron.learner_step(s->learner);
        check_scores(s, scores);
        if (dd_random_below(random, 3) == 0) {
            int good = (int)dd_random_below(random, CLASSES);
            int bad = (good + 1 + (int)dd_random_below(random, CLASSES - 1)) % CLASSES;
            assert_true(
                dd_perceptron.learner_update(s->learner, (dd_pick){good, 0}, (dd_pick){bad, 0}));
            for (int t = 0; t < s->n_keys; t++) {
                int at = slow_find(s->slow, s->keys[t]);
                s->slow->weight[at][good]++;
                s->slow->weight[at][bad]--;
            }
        }
        slow_end_step(s->slow);
    }
}

static void averages_equal_the_slow_ones(void **state)
{
    (void)state;
    stage s;
    dd_random random = {7};
    set_up(&s);
    learn(&s, &random, STEPS);
    dd_buffer section = {0};
    void *frozen, *space;
    assert_true(dd_perceptron.learner_average(s.learner, &section));
    dd_text bytes = {section.data, section.size};
    assert_int_equal(dd_perceptron.frozen_map(&frozen, bytes, s.set, CLASSES, NULL), DD_OK);
    assert_int_equal(dd_perceptron.space_new(&space, frozen, NULL), DD_OK);
    double unit = dd_perceptron.unit(frozen);
    assert_true(unit > 0 && unit < 0.01);
    for (int round = 0; round < 500; round++) {
        int32_t scores[CLASSES];
        draw(&s, &random);
        dd_perceptron.frozen_score(frozen, space, &s.config, &s.tokens, scores);
        for (int c = 0; c < CLASSES; c++) {
            double want = 0;
            for (int t = 0; t < s.n_keys; t++)
                want += s.slow->sum[slow_find(s.slow, s.keys[t])][c] / STEPS;
            assert_true(fabs(scores[c] * unit - want) <= 0.5001 * unit * s.set->n_templates);
        }
    }
    dd_perceptron.space_free(space);
    dd_perceptron.frozen_free(frozen);
    dd_buffer_free(&section);
    tear_down(&s);
}

static void the_same_steps_give_the_same_bytes(void **state)
{
    (void)state;
    dd_buffer sections[2] = {{0}, {0}};
    for (int run = 0; run < 2; run++) {
        stage s;
        dd_random random = {11};
        set_up(&s);
        learn(&s, &random, 400);
        assert_true(dd_perceptron.learner_average(s.learner, &sections[run]));
        tear_down(&s);
    }
    assert_int_equal(sections[0].size, sections[1].size);
    assert_memory_equal(sections[0].data, sections[1].data, sections[0].size);
    dd_buffer_free(&sections[0]);
    dd_buffer_free(&sections[1]);
}

static void nothing_learnt_still_maps(void **state)
{
    (void)state;
    stage s;
    set_up(&s);
    dd_random random = {3};
    draw(&s, &random);
    int32_t scores[CLASSES];
    dd_perceptron.learner_score(s.learner, &s.config, &s.tokens, scores);
    dd_perceptron.learner_step(s.learner);
    dd_buffer section = {0};
    void *frozen;
    assert_true(dd_perceptron.learner_average(s.learner, &section));
    dd_text bytes = {section.data, section.size};
    assert_int_equal(dd_perceptron.frozen_map(&frozen, bytes, s.set, CLASSES, NULL), DD_OK);
    dd_packed_header header;
    memcpy(&header, section.data, sizeof header);
    assert_int_equal(header.feature_count, 0);
    assert_int_equal(header.cell_count, 1);
    dd_perceptron.frozen_free(frozen);
    dd_buffer_free(&section);
    tear_down(&s);
}

static void wrong_headers_are_refused(void **state)
{
    (void)state;
    stage s;
    set_up(&s);
    dd_random random = {5};
    learn(&s, &random, 100);
    dd_buffer section = {0};
    assert_true(dd_perceptron.learner_average(s.learner, &section));
    for (size_t field = 0; field < 5; field++) {
        dd_packed_header header;
        memcpy(&header, section.data, sizeof header);
        if (field == 0) header.classes++;
        if (field == 1) header.templates++;
        if (field == 2) header.slot_count = UINT64_C(1) << 62;
        if (field == 3) header.cell_count = UINT64_MAX / 4;
        if (field == 4) header.unit = NAN;
        dd_buffer copy = {0};
        void *frozen = NULL;
        assert_true(dd_buffer_append(&copy, section.data, section.size));
        memcpy(copy.data, &header, sizeof header);
        dd_text bytes = {copy.data, copy.size};
        assert_int_equal(dd_perceptron.frozen_map(&frozen, bytes, s.set, CLASSES, NULL),
                         DD_ERROR_MODEL);
        dd_buffer_free(&copy);
    }
    dd_buffer_free(&section);
    tear_down(&s);
}

/* Whatever feature is asked for, its row names the same class in every cell. */
static void a_row_counts_no_more_weights_than_classes(void **state)
{
    (void)state;
    enum { SLOTS = 1 << 12, CELLS = 70000 };
    stage s;
    set_up(&s);
    for (int word = 0; word <= WORDS; word++) s.tokens.values[word] = 77;
    assert_true(dd_system_begin(dd_system_find("arc-eager"), &s.config, WORDS, false));
    uint64_t keys[8];
    int n = dd_extract(s.set, &s.config, &s.tokens, &s.extraction, keys);
    assert_int_equal(n, 1); /* the stack is empty */
    dd_packed_header header = {.classes = CLASSES,
                               .templates = (uint32_t)s.set->n_templates,
                               .slot_count = SLOTS,
                               .cell_count = CELLS,
                               .unit = 1};
    size_t size = sizeof header + SLOTS * sizeof(dd_packed_slot) + CELLS * sizeof(dd_packed_cell);
    char *section = aligned_alloc(64, (size + 63) / 64 * 64);
    memset(section, 0, size);
    memcpy(section, &header, sizeof header);
    dd_packed_slot *slots = (dd_packed_slot *)(void *)(section + sizeof header);
    dd_packed_cell *cells = (dd_packed_cell *)(void *)(slots + SLOTS);
    slots[keys[0] & (SLOTS - 1)] = (dd_packed_slot){(uint32_t)(keys[0] >> 32), 1};
    cells[1].count = UINT32_MAX - 1;
    for (int i = 2; i < CELLS; i++) cells[i].weight = INT16_MAX;
    void *frozen, *space;
    int32_t scores[CLASSES];
    dd_text bytes = {section, size};
    assert_int_equal(dd_perceptron.frozen_map(&frozen, bytes, s.set, CLASSES, NULL), DD_OK);
    assert_int_equal(dd_perceptron.space_new(&space, frozen, NULL), DD_OK);
    dd_perceptron.frozen_score(frozen, space, &s.config, &s.tokens, scores);
    assert_int_equal(scores[0], CLASSES * INT16_MAX);
    for (int c = 1; c < CLASSES; c++) assert_int_equal(scores[c], 0);
    /* a dense row where not all of its weights are there */
    slots[keys[0] & (SLOTS - 1)].row = CELLS - dd_packed_dense_cells(CLASSES);
    cells[CELLS - dd_packed_dense_cells(CLASSES)].count = DD_PACKED_DENSE;
    dd_perceptron.frozen_score(frozen, space, &s.config, &s.tokens, scores);
    for (int c = 0; c < CLASSES; c++) assert_int_equal(scores[c], 0);
    dd_perceptron.space_free(space);
    dd_perceptron.frozen_free(frozen);
    free(section);
    tear_down(&s);
}

/* ---- lanes ---- */

static void all_versions_add_the_same(void **state)
{
    (void)state;
    enum { LANES = 5 * DD_LANE_GROUP };
    dd_random random = {17};
    int16_t short_weights[LANES];
    int32_t weights[LANES];
    for (int i = 0; i < LANES; i++) {
        short_weights[i] = (int16_t)(dd_random_below(&random, 65536) - 32768);
        weights[i] = (int32_t)dd_random_below(&random, 2000000) - 1000000;
    }
    for (int version = 0; dd_lanes_version(version); version++) {
        for (int lanes = 0; lanes <= LANES; lanes += DD_LANE_GROUP) {
            uint32_t short_sums[LANES];
            int32_t sums[LANES];
            for (int i = 0; i < LANES; i++) short_sums[i] = (uint32_t)(sums[i] = 7 * i);
            dd_short_lanes_version(version)(short_sums, short_weights, (size_t)lanes);
            dd_lanes_version(version)(sums, weights, (size_t)lanes);
            for (int i = 0; i < LANES; i++) {
                assert_int_equal(sums[i], 7 * i + (i < lanes ? weights[i] : 0));
                assert_int_equal((int32_t)short_sums[i],
                                 7 * i + (i < lanes ? short_weights[i] : 0));
            }
        }
    }
}

/* ---- labelled transitions ---- */

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
    assert_int_equal(inventory.classes[inventory.listed[arcless.first]].label, DD_NONE);
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
        cmocka_unit_test(averages_equal_the_slow_ones),
        cmocka_unit_test(the_same_steps_give_the_same_bytes),
        cmocka_unit_test(nothing_learnt_still_maps),
        cmocka_unit_test(wrong_headers_are_refused),
        cmocka_unit_test(a_row_counts_no_more_weights_than_classes),
        cmocka_unit_test(all_versions_add_the_same),
        cmocka_unit_test(labels_serve_where_they_were_seen),
        cmocka_unit_test(a_move_that_may_build_an_arc_has_both_kinds_of_classes),
        cmocka_unit_test(a_direction_without_labels_borrows),
        cmocka_unit_test(damaged_labels_are_refused),
    };
    return cmocka_run_group_tests_name("learn", tests, NULL, NULL);
}
