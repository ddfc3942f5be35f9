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
#include "score/linear/packed.h"
#include "score/scorer.h"
#include "systems/registry.h"

enum { CLASSES = 40, WORDS = 12, FORMS = 5, STEPS = 3000, FEATURES = 600 };

/* Dense and obvious. */
typedef struct slow {
    uint32_t keys[FEATURES];
    int n_keys;
    int weight[FEATURES][CLASSES];
    double sum[FEATURES][CLASSES]; /* over all steps so far */
} slow;

static int slow_find(slow *s, uint32_t key)
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
    uint32_t keys[16];
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
    s->tokens = (dd_tokens){.n = WORDS, .stride = DD_VALUE_GROUP};
    s->tokens.values = calloc((WORDS + 1) * DD_VALUE_GROUP, sizeof *s->tokens.values);
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
        s->tokens.values[word * DD_VALUE_GROUP] = 77 + 1234567 * dd_random_below(random, FORMS);
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
    assert_true(dd_perceptron.learner_average(s.learner, (dd_freezing){0}, &section));
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
        assert_true(dd_perceptron.learner_average(s.learner, (dd_freezing){0}, &sections[run]));
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
    assert_true(dd_perceptron.learner_average(s.learner, (dd_freezing){0}, &section));
    dd_text bytes = {section.data, section.size};
    assert_int_equal(dd_perceptron.frozen_map(&frozen, bytes, s.set, CLASSES, NULL), DD_OK);
    dd_packed_header header;
    memcpy(&header, section.data, sizeof header);
    assert_int_equal(header.feature_count, 0);
    assert_int_equal(header.cell_count, 0);
    dd_perceptron.frozen_free(frozen);
    dd_buffer_free(&section);
    tear_down(&s);
}

/* Features whose largest weight does not reach the mark are gone, the others as they were, but for
 * weights below a quarter of the mark. */
static void pruning_keeps_large_weights(void **state)
{
    (void)state;
    stage s;
    dd_random random = {31};
    set_up(&s);
    learn(&s, &random, STEPS);
    dd_buffer section = {0};
    void *frozen, *space;
    assert_true(dd_perceptron.learner_average(s.learner, (dd_freezing){.prune = 30}, &section));
    dd_text bytes = {section.data, section.size};
    assert_int_equal(dd_perceptron.frozen_map(&frozen, bytes, s.set, CLASSES, NULL), DD_OK);
    assert_int_equal(dd_perceptron.space_new(&space, frozen, NULL), DD_OK);
    double unit = dd_perceptron.unit(frozen);
    uint64_t kept = 0;
    double prune = 0;
    for (int f = 0; f < s.slow->n_keys; f++)
        for (int c = 0; c < CLASSES; c++)
            prune = fmax(prune, 0.3 * fabs(s.slow->sum[f][c] / STEPS));
    for (int f = 0; f < s.slow->n_keys; f++) {
        double largest = 0;
        for (int c = 0; c < CLASSES; c++) largest = fmax(largest, fabs(s.slow->sum[f][c] / STEPS));
        kept += largest >= prune;
    }
    assert_true(kept > 0 && kept < (uint64_t)s.slow->n_keys);
    assert_int_equal(((dd_packed_scorer *)frozen)->packed.header.feature_count, kept);
    for (int round = 0; round < 200; round++) {
        int32_t scores[CLASSES];
        draw(&s, &random);
        dd_perceptron.frozen_score(frozen, space, &s.config, &s.tokens, scores);
        for (int c = 0; c < CLASSES; c++) {
            double want = 0;
            for (int t = 0; t < s.n_keys; t++) {
                int f = slow_find(s.slow, s.keys[t]);
                double weight = s.slow->sum[f][c] / STEPS, largest = 0;
                for (int k = 0; k < CLASSES; k++)
                    largest = fmax(largest, fabs(s.slow->sum[f][k] / STEPS));
                if (largest >= prune && fabs(weight) >= prune / 4) want += weight;
            }
            assert_true(fabs(scores[c] * unit - want) <= 0.5001 * unit * s.set->n_templates);
        }
    }
    dd_perceptron.space_free(space);
    dd_perceptron.frozen_free(frozen);
    dd_buffer_free(&section);
    tear_down(&s);
}

/* A section stays below the bytes asked for, and what is left is what weighs most. */
static void a_limit_of_bytes_keeps_what_weighs_most(void **state)
{
    (void)state;
    stage s;
    dd_random random = {37};
    set_up(&s);
    learn(&s, &random, STEPS);
    dd_buffer all = {0}, some = {0};
    assert_true(dd_perceptron.learner_average(s.learner, (dd_freezing){0}, &all));
    assert_true(
        dd_perceptron.learner_average(s.learner, (dd_freezing){.bytes = all.size / 3}, &some));
    assert_true(some.size <= all.size / 3 + 200 && some.size > all.size / 6);
    /* Narrowed, the learner knows as many features, and learns no others. */
    assert_true(dd_perceptron.learner_narrow(s.learner, all.size / 3));
    dd_buffer narrow = {0};
    int32_t scores[CLASSES];
    for (int step = 0; step < 200; step++) {
        draw(&s, &random);
        dd_perceptron.learner_score(s.learner, &s.config, &s.tokens, scores);
        dd_perceptron.learner_step(s.learner);
        assert_true(dd_perceptron.learner_update(s.learner, (dd_pick){1, 0}, (dd_pick){2, 0}));
    }
    assert_true(dd_perceptron.learner_average(s.learner, (dd_freezing){0}, &narrow));
    dd_packed_header before, after;
    memcpy(&before, some.data, sizeof before);
    memcpy(&after, narrow.data, sizeof after);
    assert_true(before.feature_count > 0);
    assert_int_equal(before.feature_count, after.feature_count);
    dd_buffer_free(&all);
    dd_buffer_free(&some);
    dd_buffer_free(&narrow);
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
    assert_true(dd_perceptron.learner_average(s.learner, (dd_freezing){0}, &section));
    for (size_t field = 0; field < 5; field++) {
        dd_packed_header header;
        memcpy(&header, section.data, sizeof header);
        if (field == 0) header.classes++;
        if (field == 1) header.templates++;
        if (field == 2) header.bucket_count = UINT64_C(1) << 62;
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

/* ---- sections made to deceive ---- */

/* A section of one bucket, with cells that all name class 0, and one dense row. */
typedef struct deceit {
    dd_packed_header header;
    dd_packed_bucket bucket;
    dd_packed_cell cells[4096];
    int16_t dense[DD_LANE_GROUP * 3];
} deceit;

static void score_deceit(stage *s, deceit *section, uint64_t feature, int32_t *scores)
{
    void *frozen, *space;
    for (int byte = 0; byte < 6; byte++)
        section->bucket.features[byte] = (uint8_t)(feature >> 8 * byte);
    dd_text bytes = {(const char *)section, sizeof *section};
    assert_int_equal(dd_perceptron.frozen_map(&frozen, bytes, s->set, CLASSES, NULL), DD_OK);
    assert_int_equal(dd_perceptron.space_new(&space, frozen, NULL), DD_OK);
    dd_perceptron.frozen_score(frozen, space, &s->config, &s->tokens, scores);
    dd_perceptron.space_free(space);
    dd_perceptron.frozen_free(frozen);
}

static void what_does_not_exist_is_never_read(void **state)
{
    (void)state;
    stage s;
    set_up(&s);
    assert_true(dd_system_begin(dd_system_find("arc-eager"), &s.config, WORDS, false));
    int n = dd_extract(s.set, &s.config, &s.tokens, &s.extraction, s.keys);
    assert_int_equal(n, 1); /* the stack is empty */
    deceit *section = aligned_alloc(64, (sizeof *section + 63) / 64 * 64);
    *section = (deceit){.header = {.classes = CLASSES,
                                   .templates = (uint32_t)s.set->n_templates,
                                   .bucket_range = 1,
                                   .bucket_count = 1,
                                   .cell_count = 4096,
                                   .dense_count = 1,
                                   .unit = 1}};
    section->bucket.checks[0] = (uint16_t)s.keys[0];
    for (int i = 0; i < 4096; i++) section->cells[i].weight = 20000;
    for (int i = 0; i < CLASSES; i++) section->dense[i] = (int16_t)i;
    int32_t scores[CLASSES];
    /* a row that is there, though no freezing makes it: the sum wraps around */
    score_deceit(&s, section, DD_PACKED_SPARSE | UINT64_C(4095) << 2, scores);
    assert_int_equal(scores[0], (int16_t)(4095 * 20000));
    /* rows that go beyond the last cell */
    score_deceit(&s, section, DD_PACKED_SPARSE | UINT64_C(4095) << 2 | UINT64_C(2) << 14, scores);
    assert_int_equal(scores[0], 0);
    score_deceit(&s, section, DD_PACKED_SPARSE | UINT64_C(1) << 2 | UINT64_C(0xFFFFFFFF) << 14,
                 scores);
    assert_int_equal(scores[0], 0);
    /* a dense row, one that begins inside of it, and one beyond the end */
    score_deceit(&s, section, DD_PACKED_DENSE, scores);
    for (int c = 0; c < CLASSES; c++) assert_int_equal(scores[c], c);
    for (uint64_t group = 1; group <= UINT32_MAX; group *= 3) {
        score_deceit(&s, section, DD_PACKED_DENSE | group << 2, scores);
        for (int c = 0; c < CLASSES; c++) assert_int_equal(scores[c], 0);
    }
    /* a kind and classes that do not exist */
    score_deceit(&s, section, UINT64_C(0x3FFFFFFFFFFF), scores);
    score_deceit(&s, section, UINT64_C(0x3FFFFFFFFFFC), scores);
    free(section);
    tear_down(&s);
}

static void all_kernels_score_the_same(void **state)
{
    (void)state;
    stage s;
    dd_random random = {23};
    set_up(&s);
    learn(&s, &random, STEPS);
    dd_buffer section = {0};
    void *frozen, *space;
    assert_true(dd_perceptron.learner_average(s.learner, (dd_freezing){.prune = 0.1}, &section));
    dd_text bytes = {section.data, section.size};
    assert_int_equal(dd_perceptron.frozen_map(&frozen, bytes, s.set, CLASSES, NULL), DD_OK);
    assert_int_equal(dd_perceptron.space_new(&space, frozen, NULL), DD_OK);
    for (int round = 0; round < 300; round++) {
        int32_t plain[CLASSES], scores[CLASSES];
        draw(&s, &random);
        dd_perceptron.choose_kernels(frozen, dd_kernels_at(0));
        dd_perceptron.frozen_score(frozen, space, &s.config, &s.tokens, plain);
        for (int k = 1; dd_kernels_at(k); k++) {
            dd_perceptron.choose_kernels(frozen, dd_kernels_at(k));
            dd_perceptron.frozen_score(frozen, space, &s.config, &s.tokens, scores);
            assert_memory_equal(plain, scores, sizeof plain);
        }
    }
    dd_perceptron.space_free(space);
    dd_perceptron.frozen_free(frozen);
    dd_buffer_free(&section);
    tear_down(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(averages_equal_the_slow_ones),
        cmocka_unit_test(the_same_steps_give_the_same_bytes),
        cmocka_unit_test(nothing_learnt_still_maps),
        cmocka_unit_test(wrong_headers_are_refused),
        cmocka_unit_test(pruning_keeps_large_weights),
        cmocka_unit_test(a_limit_of_bytes_keeps_what_weighs_most),
        cmocka_unit_test(what_does_not_exist_is_never_read),
        cmocka_unit_test(all_kernels_score_the_same),
    };
    return cmocka_run_group_tests_name("learn", tests, NULL, NULL);
}
