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
#include "linear/linear.h"
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

enum { SENTENCES = 60 };

typedef struct stage {
    dd_train_options options;
    dd_templates *set;
    dd_inventory inventory;
    dd_sentence *sentences[SENTENCES];
    dd_token_batch words; /* of the sentences */
    uint32_t drawn;       /* the sentence at hand */
    dd_config config;
    dd_move moves[1];
    dd_candidate arcs[1];
    dd_view view;
    uint32_t keys[16];
    int n_keys;
    dd_extraction extraction;
    void *learner;
    slow *slow;
} stage;

static const dd_learner *const linear = &dd_linear_learner;

/* Sentences of random words. */
static void make_sentences(stage *s)
{
    dd_random random = {99};
    for (int i = 0; i < SENTENCES; i++) {
        dd_text forms[WORDS];
        for (int word = 0; word < WORDS; word++)
            forms[word] = (dd_text){&"abcde"[dd_random_below(&random, FORMS)], 1};
        assert_int_equal(dd_sentence_new(&s->sentences[i], NULL), DD_OK);
        assert_int_equal(dd_sentence_set_words(s->sentences[i], forms, WORDS, NULL), DD_OK);
    }
}

static void set_up(stage *s)
{
    static const char templates[] = "S0.form\nB0.form\nS0.form B0.form\nS1.form B1.form\n";
    const dd_sentence *sentences[SENTENCES];
    *s = (stage){.arcs = {{DD_NONE, DD_NONE, 0, 0}}, .inventory = {.n_classes = CLASSES}};
    s->slow = calloc(1, sizeof *s->slow);
    s->view = (dd_view){.config = &s->config, .n_moves = 1, .moves = s->moves, .arcs = s->arcs};
    assert_int_equal(
        dd_templates_parse(&s->set, "t", (dd_text){templates, strlen(templates)}, NULL), DD_OK);
    make_sentences(s);
    for (int i = 0; i < SENTENCES; i++) sentences[i] = s->sentences[i];
    assert_true(dd_token_batch_set(&s->words, s->set, sentences, SENTENCES, DD_ALL_COLUMNS));
    dd_train_options_init(&s->options);
    s->options.templates = templates;
    s->options.prune = 0;
    s->options.parser_bytes = 1 << 30;
    dd_lessons lessons = {.sentences = sentences,
                          .count = SENTENCES,
                          .words = SENTENCES * WORDS,
                          .inventory = &s->inventory,
                          .columns = DD_ALL_COLUMNS};
    assert_int_equal(linear->open(&s->learner, &s->options, NULL, NULL), DD_OK);
    assert_int_equal(linear->start(s->learner, &lessons, NULL), DD_OK);
}

static void tear_down(stage *s)
{
    dd_templates_free(s->set);
    dd_token_batch_free(&s->words);
    for (int i = 0; i < SENTENCES; i++) dd_sentence_free(s->sentences[i]);
    dd_config_free(&s->config);
    linear->free(s->learner);
    free(s->slow);
}

/* A random configuration over one of the sentences. */
static void draw(stage *s, dd_random *random)
{
    assert_true(dd_config_reset(&s->config, WORDS, false, false));
    s->drawn = dd_random_below(random, SENTENCES);
    int shifts = (int)dd_random_below(random, WORDS);
    for (int i = 0; i < shifts; i++) dd_shift(&s->config);
    s->n_keys = dd_extract(s->set, &s->config, &s->words.tokens[s->drawn], &s->extraction, s->keys);
}

static void score_by_learner(stage *s, int32_t *scores)
{
    dd_view *one = &s->view;
    s->view.scores = scores;
    dd_example example = {.sentence = s->drawn};
    assert_true(linear->prepare(s->learner, &example, 1));
    assert_true(linear->score(s->learner, &one, 1));
}

static void update(stage *s, int good, int bad)
{
    assert_true(linear->gradient(s->learner, &s->view, (dd_pick){good, 0}, -1));
    assert_true(linear->gradient(s->learner, &s->view, (dd_pick){bad, 0}, 1));
}

/* What the learner has learnt, as its scorer reads it. */
typedef struct parsing {
    dd_draft draft;
    dd_linear *frozen;
    void *space;
} parsing;

static dd_status map_weights(const stage *s, dd_text weights, dd_linear **frozen)
{
    dd_sections sections = {0};
    void *made = NULL;
    dd_sections_add(&sections, "templates", (dd_text){s->set->text, s->set->text_size});
    dd_sections_add(&sections, "weights", weights);
    dd_status status = linear->scorer->map(&made, &sections, &s->inventory, DD_ALL_COLUMNS, NULL);
    *frozen = made;
    return status;
}

static const dd_buffer *weights_of(const dd_draft *draft)
{
    assert_string_equal(draft->names[1], "weights");
    return &draft->contents[1];
}

static void freeze(const stage *s, parsing *p)
{
    *p = (parsing){0};
    assert_true(linear->freeze(s->learner, &p->draft));
    const dd_buffer *weights = weights_of(&p->draft);
    assert_int_equal(map_weights(s, (dd_text){weights->data, weights->size}, &p->frozen), DD_OK);
    assert_int_equal(linear->scorer->space_new(&p->space, p->frozen, NULL), DD_OK);
}

static void thaw(parsing *p)
{
    linear->scorer->space_free(p->space);
    linear->scorer->unmap(p->frozen);
    dd_draft_free(&p->draft);
}

static void score_frozen(stage *s, void *space, int32_t *scores)
{
    dd_view *one = &s->view;
    const dd_sentence *sentence = s->sentences[s->drawn];
    s->view.scores = scores;
    assert_true(linear->scorer->prepare(space, &sentence, 1));
    assert_true(linear->scorer->score(space, &one, 1));
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
        score_by_learner(s, scores);
        check_scores(s, scores);
        if (dd_random_below(random, 3) == 0) {
            int good = (int)dd_random_below(random, CLASSES);
            int bad = (good + 1 + (int)dd_random_below(random, CLASSES - 1)) % CLASSES;
            update(s, good, bad);
            for (int t = 0; t < s->n_keys; t++) {
                int at = slow_find(s->slow, s->keys[t]);
                s->slow->weight[at][good]++;
                s->slow->weight[at][bad]--;
            }
        }
        assert_true(linear->step(s->learner));
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
    parsing p;
    freeze(&s, &p);
    double unit = linear->scorer->unit(p.frozen);
    assert_true(unit > 0 && unit < 0.01);
    for (int round = 0; round < 500; round++) {
        int32_t scores[CLASSES];
        draw(&s, &random);
        score_frozen(&s, p.space, scores);
        for (int c = 0; c < CLASSES; c++) {
            double want = 0;
            for (int t = 0; t < s.n_keys; t++)
                want += s.slow->sum[slow_find(s.slow, s.keys[t])][c] / STEPS;
            assert_true(fabs(scores[c] * unit - want) <= 0.5001 * unit * s.set->n_templates);
        }
    }
    thaw(&p);
    tear_down(&s);
}

static void the_same_steps_give_the_same_bytes(void **state)
{
    (void)state;
    dd_draft drafts[2] = {{.count = 0}, {.count = 0}};
    for (int run = 0; run < 2; run++) {
        stage s;
        dd_random random = {11};
        set_up(&s);
        learn(&s, &random, 400);
        assert_true(linear->freeze(s.learner, &drafts[run]));
        tear_down(&s);
    }
    const dd_buffer *one = weights_of(&drafts[0]), *other = weights_of(&drafts[1]);
    assert_int_equal(one->size, other->size);
    assert_memory_equal(one->data, other->data, one->size);
    dd_draft_free(&drafts[0]);
    dd_draft_free(&drafts[1]);
}

static void nothing_learnt_still_maps(void **state)
{
    (void)state;
    stage s;
    set_up(&s);
    dd_random random = {3};
    draw(&s, &random);
    int32_t scores[CLASSES];
    parsing p;
    score_by_learner(&s, scores);
    assert_true(linear->step(s.learner));
    freeze(&s, &p);
    assert_int_equal(p.frozen->packed.header.feature_count, 0);
    assert_int_equal(p.frozen->packed.header.cell_count, 0);
    thaw(&p);
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
    parsing p;
    s.options.prune = 30;
    freeze(&s, &p);
    double unit = linear->scorer->unit(p.frozen);
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
    assert_int_equal(p.frozen->packed.header.feature_count, kept);
    for (int round = 0; round < 200; round++) {
        int32_t scores[CLASSES];
        draw(&s, &random);
        score_frozen(&s, p.space, scores);
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
    thaw(&p);
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
    dd_draft all = {0}, some = {0}, narrow = {0};
    assert_true(linear->freeze(s.learner, &all));
    size_t size = weights_of(&all)->size;
    s.options.parser_bytes = size / 27 * 9;
    assert_true(linear->freeze(s.learner, &some));
    assert_true(weights_of(&some)->size <= size / 3 + 200 && weights_of(&some)->size > size / 6);
    /* Narrowed in the middle of training to nine tenths of the limit, the learner knows as many
     * features, and learns no others. */
    s.options.parser_bytes = size / 27 * 10;
    assert_true(linear->end_epoch(s.learner, 1, 4));
    assert_true(linear->end_epoch(s.learner, 2, 4));
    s.options.parser_bytes = 1 << 30;
    int32_t scores[CLASSES];
    for (int step = 0; step < 200; step++) {
        draw(&s, &random);
        score_by_learner(&s, scores);
        update(&s, 1, 2);
        assert_true(linear->step(s.learner));
    }
    assert_true(linear->freeze(s.learner, &narrow));
    dd_packed_header before, after;
    memcpy(&before, weights_of(&some)->data, sizeof before);
    memcpy(&after, weights_of(&narrow)->data, sizeof after);
    assert_true(before.feature_count > 0);
    assert_int_equal(before.feature_count, after.feature_count);
    dd_draft_free(&all);
    dd_draft_free(&some);
    dd_draft_free(&narrow);
    tear_down(&s);
}

static void wrong_headers_are_refused(void **state)
{
    (void)state;
    stage s;
    set_up(&s);
    dd_random random = {5};
    learn(&s, &random, 100);
    dd_draft draft = {0};
    assert_true(linear->freeze(s.learner, &draft));
    const dd_buffer *section = weights_of(&draft);
    for (size_t field = 0; field < 5; field++) {
        dd_packed_header header;
        memcpy(&header, section->data, sizeof header);
        if (field == 0) header.classes++;
        if (field == 1) header.templates++;
        if (field == 2) header.bucket_count = UINT64_C(1) << 62;
        if (field == 3) header.cell_count = UINT64_MAX / 4;
        if (field == 4) header.unit = NAN;
        dd_buffer copy = {0};
        dd_linear *frozen;
        assert_true(dd_buffer_append(&copy, section->data, section->size));
        memcpy(copy.data, &header, sizeof header);
        dd_text bytes = {copy.data, copy.size};
        assert_int_equal(map_weights(&s, bytes, &frozen), DD_ERROR_MODEL);
        dd_buffer_free(&copy);
    }
    dd_draft_free(&draft);
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
    dd_linear *frozen;
    void *space;
    for (int byte = 0; byte < 6; byte++)
        section->bucket.features[byte] = (uint8_t)(feature >> 8 * byte);
    dd_text bytes = {(const char *)section, sizeof *section};
    assert_int_equal(map_weights(s, bytes, &frozen), DD_OK);
    assert_int_equal(linear->scorer->space_new(&space, frozen, NULL), DD_OK);
    score_frozen(s, space, scores);
    linear->scorer->space_free(space);
    linear->scorer->unmap(frozen);
}

static void what_does_not_exist_is_never_read(void **state)
{
    (void)state;
    stage s;
    set_up(&s);
    assert_true(dd_system_begin(dd_system_find("arc-eager"), &s.config, WORDS, false));
    int n = dd_extract(s.set, &s.config, &s.words.tokens[0], &s.extraction, s.keys);
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
    parsing p;
    s.options.prune = 0.1;
    freeze(&s, &p);
    for (int round = 0; round < 300; round++) {
        int32_t plain[CLASSES], scores[CLASSES];
        draw(&s, &random);
        linear->scorer->choose_kernels(p.frozen, dd_kernels_at(0));
        score_frozen(&s, p.space, plain);
        for (int k = 1; dd_kernels_at(k); k++) {
            linear->scorer->choose_kernels(p.frozen, dd_kernels_at(k));
            score_frozen(&s, p.space, scores);
            assert_memory_equal(plain, scores, sizeof plain);
        }
    }
    thaw(&p);
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
