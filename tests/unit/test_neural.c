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

#include "core/random.h"
#include "core/strings.h"
#include "model/model.h"
#include "neural/network_trainer.h"
#include "neural/neural.h"
#include "neural_help.h"
#include "systems/registry.h"

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

static bool fact_is(const dd_model *model, const char *name, const char *want)
{
    dd_text key, value;
    for (size_t i = 0; dd_model_fact(model, i, &key, &value); i++)
        if (dd_text_is(key, name)) return dd_text_is(value, want);
    return false;
}

/* As many steps as a large treebank makes, of fewer words. */
static void small_treebanks_have_small_minibatches(void **state)
{
    (void)state;
    dd_network_options how = {.batch_words = 0};
    assert_int_equal(dd_network_batch_words(&how, 0), 100);
    assert_int_equal(dd_network_batch_words(&how, 20166), 100);
    assert_int_equal(dd_network_batch_words(&how, 72974), 364);
    assert_int_equal(dd_network_batch_words(&how, 204577), 1000);
    assert_int_equal(dd_network_batch_words(&how, UINT64_C(1) << 60), 1000);
    how.batch_words = 7;
    assert_int_equal(dd_network_batch_words(&how, 72974), 7);
    dd_model *model = train_small("batch-words=auto system=arc-eager iterations=1");
    assert_true(fact_is(model, "batch words", "100"));
    dd_model_free(model);
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
        assert_true(fact_is(model, "columns", cases[i].columns));
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_learns_its_training_data),
        cmocka_unit_test(every_system_and_oracle_trains),
        cmocka_unit_test(the_best_alone_is_the_best_of_all),
        cmocka_unit_test(small_treebanks_have_small_minibatches),
        cmocka_unit_test(inputs_can_be_left_out),
        cmocka_unit_test(probabilities_add_up_to_1),
        cmocka_unit_test(threads_give_the_same_bytes),
        cmocka_unit_test(all_kernels_give_the_same_trees),
    };
    return cmocka_run_group_tests_name("neural", tests, NULL, NULL);
}
