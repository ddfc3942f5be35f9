/* The floats that a learner scores with and the bytes that are made of them say the same of any
 * configuration, up to rounding. Both have code of their own for slots, products and labels. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../settings_help.h"
#include "core/memory.h"
#include "neural/neural_learner.h"
#include "systems/registry.h"
#include "train/settings.h"
#include "train/training.h"

enum { SENTENCES = 12, ITERATIONS = 12 };

/* Squares of scores by floats, and of what bytes are off by. */
typedef struct sums {
    double scores, errors;
    int count;
} sums;

typedef struct both {
    dd_training training;
    dd_model *model;
    void *space; /* of the model */
    dd_decoder decoder;
    dd_random random;
    double *floats, *bytes; /* of the classes of all moves */
    size_t floats_capacity, bytes_capacity;
    sums all, replacing; /* the latter: classes of moves whose arc replaces another */
} both;

/* ---- training ----------------------------------------------------------------------------- */

static void learn(dd_training *t)
{
    for (int k = 0; k < ITERATIONS; k++) {
        t->trainer.explore = 1;
        assert_int_equal(dd_training_begin_round(t, k + 1, NULL), DD_OK);
        for (size_t from = 0, to; from < t->n_round; from = to) {
            to = dd_training_end_of_batch(t, from);
            assert_true(dd_training_learn(t, t->round + from, (int)(to - from)));
        }
    }
}

/* What was frozen is the mean of the weights; that is now to be scored with, and whole. */
static void take_frozen(dd_neural *l)
{
    dd_network_trainer *d = &l->trainer;
    memcpy(d->weights, d->adam.average, d->network.tensors.whole * sizeof *d->weights);
    d->dropouts = (dd_dropouts){0, 0};
}

static void start(both *b, dd_train_options *options)
{
    dd_training *t = &b->training;
    const char *path = DEMO;
    *b = (both){.training = {.options = options, .best_uas = -1, .best_las = -1}, .random = {7}};
    assert_int_equal(dd_components_read(&t->components, options, &path, 1, NULL, NULL), DD_OK);
    assert_int_equal(dd_training_choose(t, NULL), DD_OK);
    assert_int_equal(dd_training_prepare(t, NULL), DD_OK);
    learn(t);
    assert_int_equal(dd_training_hand_out(t, &b->model, NULL), DD_OK);
    take_frozen(t->trainer.state);
    assert_int_equal(b->model->scorer->space_new(&b->space, b->model->frozen, NULL), DD_OK);
}

static void end(both *b)
{
    b->model->scorer->space_free(b->space);
    dd_decoder_free(&b->decoder);
    dd_model_free(b->model);
    dd_training_free(&b->training);
    free(b->floats);
    free(b->bytes);
}

/* ---- scores ------------------------------------------------------------------------------- */

/* Of all classes of all moves, counted from their mean: only differences matter. */
static size_t gather(const dd_decoder *decoder, double unit, double **to, size_t *capacity)
{
    size_t count = 0;
    double mean = 0;
    for (int m = 0; m < decoder->view.n_moves; m++) {
        dd_class_list list = dd_decoder_classes(decoder, m);
        assert_true(DD_RESERVE(to, capacity, count + (size_t)list.count));
        for (int i = 0; i < list.count; i++)
            (*to)[count++] = unit * dd_decoder_score(decoder, m, list.first + i);
    }
    for (size_t i = 0; i < count; i++) mean += (*to)[i] / (double)count;
    for (size_t i = 0; i < count; i++) (*to)[i] -= mean;
    return count;
}

static void add(sums *to, double score, double other)
{
    to->scores += score * score;
    to->errors += (score - other) * (score - other);
    to->count++;
}

static void compare_scores(both *b)
{
    dd_decoder *decoder = &b->decoder;
    dd_view *view = &decoder->view;
    size_t at = 0;
    assert_true(dd_trainer_score(&b->training.trainer, &decoder, 1));
    size_t count =
        gather(decoder, b->training.trainer.learner->unit, &b->floats, &b->floats_capacity);
    assert_true(b->model->scorer->score(b->space, &view, 1));
    assert_int_equal(
        gather(decoder, b->model->scorer->unit(b->model->frozen), &b->bytes, &b->bytes_capacity),
        count);
    for (int m = 0; m < view->n_moves; m++) {
        bool replaces = dd_view_old_head(view, m) != DD_NONE;
        for (int i = 0; i < dd_decoder_classes(decoder, m).count; i++, at++) {
            add(&b->all, b->floats[at], b->bytes[at]);
            if (replaces) add(&b->replacing, b->floats[at], b->bytes[at]);
        }
    }
}

/* Moves are drawn, so that all kinds of configurations come up. */
static void walk(both *b, uint32_t item)
{
    dd_training *t = &b->training;
    const dd_gold *gold = &t->corpus->items[item].gold;
    const dd_sentence *sentence = t->corpus->items[item].sentence;
    dd_example example = {.sentence = item, .gold = gold};
    assert_true(t->trainer.learner->prepare(t->trainer.state, &example, 1));
    assert_true(b->model->scorer->prepare(b->space, &sentence, 1));
    assert_true(dd_decoder_begin(&b->decoder, &b->model->inventory, gold->n, t->single_root));
    b->decoder.view.sentence = 0;
    while (dd_decoder_ready(&b->decoder)) {
        compare_scores(b);
        dd_choice choice = {
            .move = (int)dd_random_below(&b->random, (uint32_t)b->decoder.view.n_moves)};
        choice.class_id = dd_decoder_classes(&b->decoder, choice.move).first;
        dd_decoder_apply(&b->decoder, choice);
    }
}

static void assert_agree(sums s)
{
    assert_true(s.scores > 0);
    assert_true(s.errors < s.scores * 0.05 * 0.05);
}

static void compare_system(const dd_system *system)
{
    dd_settings *settings;
    dd_train_options options;
    both b;
    char text[200];
    snprintf(text, sizeof text,
             "only=parser scorer=neural width=32 hidden=32 batch-words=60 rate=0.01 system=%s",
             system->name);
    assert_int_equal(dd_settings_new(&settings, NULL), DD_OK);
    assert_int_equal(set_settings(settings, text, NULL), DD_OK);
    assert_int_equal(dd_train_options_fill(&options, settings, NULL, NULL), DD_OK);
    start(&b, &options);
    for (uint32_t item = 0; item < SENTENCES; item++) walk(&b, item);
    assert_agree(b.all);
    if (b.replacing.count > 0) assert_agree(b.replacing);
    assert_true((b.replacing.count > 0) == system->nonmonotonic);
    end(&b);
    dd_train_options_free(&options);
    dd_settings_free(settings);
}

static void floats_and_bytes_agree(void **state)
{
    (void)state;
    for (size_t s = 0; s < dd_system_count(); s++) compare_system(dd_system_get(s));
    compare_system(&dd_graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(floats_and_bytes_agree)};
    return cmocka_run_group_tests_name("neural agrees", tests, NULL, NULL);
}
