/* The tagger whose scores come from a network: what it learns, its gradients, and that its tags
 * depend neither on threads nor on batches nor on kernels. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tag_help.h"

#include "core/random.h"
#include "core/strings.h"
#include "tag/tag_network.h"
#include "tag/tagger_parts.h"

static const dd_network_options small = {.layers = 1,
                                         .width = 16,
                                         .hidden = 16,
                                         .batch_words = 8,
                                         .rate = 0.01,
                                         .dropout = 0.1,
                                         .input_dropout = 0.1};

static dd_draft train(const bank *all, int iterations, int threads)
{
    dd_draft sections = {0};
    dd_tagger_options options;
    dd_tagger_options_init(&options);
    options.train = dd_tagger_train_neural;
    options.how = &small;
    options.iterations = iterations;
    options.threads = threads;
    assert_int_equal(options.train(&sections, all->sentences, all->count, &options, NULL), DD_OK);
    return sections;
}

static dd_status find_tagger(dd_tagger **out, const dd_draft *draft, dd_error *error)
{
    dd_sections sections = {0};
    dd_draft_list(draft, &sections);
    return dd_tagger_find(out, &sections, error);
}

static bool same_cell(const dd_sentence *a, const dd_sentence *b, int word, int column)
{
    return dd_text_same(dd_cell(a, word, column), dd_cell(b, word, column));
}

static int count_right(const bank *got, const bank *want)
{
    int right = 0;
    for (size_t i = 0; i < want->count; i++)
        for (int word = 1; word <= want->sentences[i]->n; word++)
            right += same_cell(got->sentences[i], want->sentences[i], word, DD_XPOS) &&
                     same_cell(got->sentences[i], want->sentences[i], word, DD_FEATS);
    return right;
}

static void clear_tags(const bank *all)
{
    for (size_t i = 0; i < all->count; i++)
        for (int word = 1; word <= all->sentences[i]->n; word++)
            for (int column = DD_UPOS; column <= DD_FEATS; column++)
                assert_true(dd_sentence_put_cell(all->sentences[i], word, column, text_of("_")));
}

static void it_learns_its_training_data(void **state)
{
    (void)state;
    bank gold = read_bank(tagged, DD_FORMAT_CONLLU), bare = read_bank(tagged, DD_FORMAT_CONLLU);
    dd_draft sections = train(&gold, 40, 1);
    dd_tagger *tagger;
    int words = 0;
    assert_int_equal(find_tagger(&tagger, &sections, NULL), DD_OK);
    for (size_t i = 0; i < gold.count; i++) words += gold.sentences[i]->n;
    clear_tags(&bare);
    tag_all(tagger, &bare);
    assert_int_equal(count_right(&bare, &gold), words);
    dd_tagger_free(tagger);
    dd_draft_free(&sections);
    free_bank(&gold);
    free_bank(&bare);
}

/* Forms that are never seen twice, all ending in -ing, and all verbs. */
static bank read_gerunds(void)
{
    char lines[16384];
    size_t size = 0;
    for (int word = 0; word < 120; word++)
        size += (size_t)snprintf(lines + size, sizeof lines - size,
                                 "%d\tx%ding\t_\tVERB\tVBG\t_\t_\t_\t_\t_\n%s", word % 4 + 1, word,
                                 word % 4 == 3 ? "\n" : "");
    return read_bank(lines, DD_FORMAT_CONLLU);
}

/* The list that a lexicon of these has for a new form with that ending. */
static int list_of_gerund(const bank *all, dd_tagger_trainer *trainer)
{
    dd_draft sections = {0};
    dd_tagger_options options;
    dd_tagger *tagger;
    dd_form form;
    dd_tagger_options_init(&options);
    options.how = &small;
    options.iterations = 1;
    assert_int_equal(trainer(&sections, all->sentences, all->count, &options, NULL), DD_OK);
    assert_int_equal(find_tagger(&tagger, &sections, NULL), DD_OK);
    dd_form_read(&form, text_of("offspring"));
    int list = dd_lexicon_list(&tagger->lexicon, NULL, &form);
    dd_tagger_free(tagger);
    dd_draft_free(&sections);
    return list;
}

static void endings_leave_all_tags_to_the_network(void **state)
{
    (void)state;
    bank gerunds = read_gerunds();
    assert_int_not_equal(list_of_gerund(&gerunds, dd_linear_tagger.train), 0);
    assert_int_equal(list_of_gerund(&gerunds, dd_tagger_train_neural), 0);
    free_bank(&gerunds);
}

static void batches_and_kernels_give_the_same_tags(void **state)
{
    (void)state;
    bank one = read_bank(tagged, DD_FORMAT_CONLLU), all = read_bank(tagged, DD_FORMAT_CONLLU);
    dd_draft sections = train(&one, 3, 1);
    dd_tagger *tagger;
    int words = 0;
    assert_int_equal(find_tagger(&tagger, &sections, NULL), DD_OK);
    tag_all(tagger, &one);
    for (size_t i = 0; i < one.count; i++) words += one.sentences[i]->n;
    for (int k = 0; dd_kernels_at(k); k++) {
        dd_tagger_space *space;
        dd_tagger_choose_kernels(tagger, dd_kernels_at(k));
        clear_tags(&all);
        assert_int_equal(dd_tagger_space_new(&space, tagger, NULL), DD_OK);
        assert_int_equal(dd_tagger_apply_all(tagger, space, all.sentences, all.count, NULL), DD_OK);
        assert_int_equal(count_right(&all, &one), words);
        dd_tagger_space_free(space);
    }
    dd_tagger_free(tagger);
    dd_draft_free(&sections);
    free_bank(&one);
    free_bank(&all);
}

static void threads_give_the_same_bytes(void **state)
{
    (void)state;
    bank all = read_bank(tagged, DD_FORMAT_CONLLU);
    dd_draft one = train(&all, 3, 1), three = train(&all, 3, 3);
    assert_int_equal(one.count, three.count);
    for (int i = 0; i < one.count; i++) {
        assert_int_equal(one.contents[i].size, three.contents[i].size);
        assert_memory_equal(one.contents[i].data, three.contents[i].data, one.contents[i].size);
    }
    dd_draft_free(&one);
    dd_draft_free(&three);
    free_bank(&all);
}

static void folds_can_be_neural(void **state)
{
    (void)state;
    bank all = read_bank(tagged, DD_FORMAT_CONLLU), gold = read_bank(tagged, DD_FORMAT_CONLLU);
    dd_tagger_options options;
    dd_tagger_options_init(&options);
    options.train = dd_tagger_train_neural;
    options.how = &small;
    options.iterations = 20;
    options.threads = 2;
    assert_int_equal(dd_tagger_jackknife(all.sentences, all.count, 3, &options, NULL, NULL), DD_OK);
    assert_in_range(count_right(&all, &gold), 20, 37);
    free_bank(&all);
    free_bank(&gold);
}

/* ---- derivatives -------------------------------------------------------------------------------
 */

static const char tags[] = "NOUN\tNN\tNumber=Sing\nNOUN\tNNS\tNumber=Plur\nVERB\tVB\t_\n"
                           "VERB\tVBD\tMood=Ind|Tense=Past\nPRON\tPRP\tCase=Nom|Number=Sing\n";

static double loss_of(dd_tag_sums *sums, const double *scores, int gold)
{
    for (int i = 0; i < sums->set->parts; i++) sums->parts[i] = (dd_real)scores[i];
    dd_tag_weigh(sums);
    return -log(sums->tags[gold]);
}

static void derivatives_are_those_of_the_loss(void **state)
{
    (void)state;
    const double step = 0.01;
    dd_tagset set;
    dd_tag_sums sums = {0};
    double scores[64];
    dd_random random = {7};
    assert_int_equal(dd_tagset_make(&set, text_of(tags), DD_FORMAT_CONLLU, NULL), DD_OK);
    assert_in_range(set.parts, 8, 64);
    assert_true(dd_tag_sums_set(&sums, &set));
    for (int gold = 0; gold < set.count; gold++) {
        dd_real derivatives[64];
        for (int i = 0; i < set.parts; i++) scores[i] = 2 * dd_random_unit(&random) - 1;
        loss_of(&sums, scores, gold);
        dd_tag_derivatives(&sums, gold);
        memcpy(derivatives, sums.parts, (size_t)set.parts * sizeof *derivatives);
        for (int i = 0; i < set.parts; i++) {
            double at = scores[i];
            scores[i] = at + step;
            double above = loss_of(&sums, scores, gold);
            scores[i] = at - step;
            double below = loss_of(&sums, scores, gold);
            scores[i] = at;
            assert_true(fabs((above - below) / (2 * step) - (double)derivatives[i]) < 1e-4);
        }
    }
    dd_tag_sums_free(&sums);
    dd_tagset_free(&set);
}

/* ---- damage ------------------------------------------------------------------------------- */

static void damaged_sections_are_refused(void **state)
{
    (void)state;
    bank all = read_bank(tagged, DD_FORMAT_CONLLU);
    dd_draft sections = train(&all, 1, 1);
    dd_tagger *tagger = NULL;
    dd_error error;
    assert_string_equal(sections.names[1], "tagger-network");
    dd_frozen_header *header = (dd_frozen_header *)(void *)sections.contents[1].data;
    uint32_t *const fields[] = {&header->slots, &header->outputs, &header->width,
                                &header->vocabulary[DD_INPUT_FORM],
                                &header->vocabulary[DD_INPUT_VECTOR]};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        uint32_t right = *fields[i];
        *fields[i] = right + 16;
        assert_int_equal(find_tagger(&tagger, &sections, &error), DD_ERROR_MODEL);
        *fields[i] = right;
    }
    sections.names[1] = "other";
    assert_int_equal(find_tagger(&tagger, &sections, &error), DD_ERROR_MODEL);
    assert_string_equal(error.message, "a section is missing");
    dd_draft_free(&sections);
    free_bank(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_learns_its_training_data),
        cmocka_unit_test(endings_leave_all_tags_to_the_network),
        cmocka_unit_test(batches_and_kernels_give_the_same_tags),
        cmocka_unit_test(threads_give_the_same_bytes),
        cmocka_unit_test(folds_can_be_neural),
        cmocka_unit_test(derivatives_are_those_of_the_loss),
        cmocka_unit_test(damaged_sections_are_refused),
    };
    return cmocka_run_group_tests_name("neural tagger", tests, NULL, NULL);
}
