/* The tagger: what it learns, that it is the same each time, what it refuses. */
#include "tag_help.h"

#include "../settings_help.h"
#include "core/strings.h"
#include "model/image.h"
#include "model/model.h"
#include "score/train_options.h"
#include "tag/tagger_parts.h"

#include <pthread.h>

/* Without tags and lemmas, to be tagged. */
#define BARE(id, form) id "\t" form "\t_\t_\t_\t_\t_\t_\t_\tx\n"

static void check_cells(const bank *all, size_t sentence, const char *const (*expected)[3])
{
    const dd_sentence *s = all->sentences[sentence];
    for (int word = 1; word <= s->n; word++)
        for (int i = 0; i < 3; i++)
            assert_text(dd_cell(s, word, DD_UPOS + i), expected[word - 1][i]);
}

static void tags_are_learnt_and_generalised(void **state)
{
    (void)state;
    static const char *const expected[][3] = {{"DET", "DT", "Definite=Def"},
                                              {"NOUN", "NNS", PL},
                                              {"VERB", "VBD", PAST},
                                              {"PUNCT", ".", "_"}};
    bank train = read_bank(tagged, DD_FORMAT_CONLLU);
    bank test = read_bank("# c\n" BARE("1-2", "x") BARE("1", "the") BARE("2", "horses")
                              BARE("3", "kicked") BARE("4", ".") "\n",
                          DD_FORMAT_CONLLU);
    dd_buffer section = train_tagger(&train, 1);
    dd_tagger *tagger;
    assert_int_equal(dd_tagger_map(&tagger, (dd_text){section.data, section.size}, NULL), DD_OK);
    tag_all(tagger, &test);
    check_cells(&test, 0, expected);
    dd_buffer out = format_all(&test);
    assert_text(
        ((dd_text){out.data, out.size}),
        "# c\n" BARE("1-2", "x") "1\tthe\t_\tDET\tDT\tDefinite=Def\t_\t_\t_\tx\n"
                                 "2\thorses\t_\tNOUN\tNNS\tNumber=Plur\t_\t_\t_\tx\n"
                                 "3\tkicked\t_\tVERB\tVBD\tMood=Ind|Tense=Past\t_\t_\t_\tx\n"
                                 "4\t.\t_\tPUNCT\t.\t_\t_\t_\t_\tx\n\n");
    tag_all(tagger, &train); /* which it knows by heart */
    dd_buffer again = format_all(&train);
    assert_text(((dd_text){again.data, again.size}), tagged);
    dd_buffer_free(&again);
    dd_buffer_free(&out);
    dd_tagger_free(tagger);
    dd_buffer_free(&section);
    free_bank(&train);
    free_bank(&test);
}

static void the_seed_decides(void **state)
{
    (void)state;
    bank train = read_bank(tagged, DD_FORMAT_CONLLU);
    dd_buffer one = train_tagger(&train, 1), same = train_tagger(&train, 1);
    dd_buffer other = train_tagger(&train, 2);
    assert_same(one, same);
    assert_false(one.size == other.size && !memcmp(one.data, other.data, one.size));
    dd_buffer_free(&one);
    dd_buffer_free(&same);
    dd_buffer_free(&other);
    free_bank(&train);
}

typedef struct task {
    const dd_tagger *tagger;
    const dd_lemmatizer *lemmatizer;
    bank bank;
} task;

static void *work(void *user)
{
    task *t = user;
    for (int round = 0; round < 20; round++) {
        tag_all(t->tagger, &t->bank);
        lemmatize_all(t->lemmatizer, &t->bank);
    }
    return NULL;
}

static void threads_agree(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    bank train = read_bank(tagged, DD_FORMAT_CONLLU);
    dd_buffer section = train_tagger(&train, 1), lemmas = train_lemmatizer(&train, 1);
    dd_tagger *tagger;
    dd_lemmatizer *lemmatizer;
    assert_int_equal(dd_tagger_map(&tagger, (dd_text){section.data, section.size}, NULL), DD_OK);
    assert_int_equal(dd_lemmatizer_map(&lemmatizer, (dd_text){lemmas.data, lemmas.size}, NULL),
                     DD_OK);
    pthread_t threads[THREADS];
    task tasks[THREADS];
    for (int i = 0; i < THREADS; i++) {
        tasks[i] = (task){tagger, lemmatizer, read_bank(tagged, DD_FORMAT_CONLLU)};
        assert_int_equal(pthread_create(&threads[i], NULL, work, &tasks[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        dd_buffer first = format_all(&tasks[0].bank), mine = format_all(&tasks[i].bank);
        assert_same(first, mine);
        dd_buffer_free(&first);
        dd_buffer_free(&mine);
    }
    for (int i = 0; i < THREADS; i++) free_bank(&tasks[i].bank);
    dd_tagger_free(tagger);
    dd_lemmatizer_free(lemmatizer);
    dd_buffer_free(&section);
    dd_buffer_free(&lemmas);
    free_bank(&train);
}

/* The tag with the best sum, found without any list or shortcut. */
static void long_lists_are_searched_rightly(void **state)
{
    (void)state;
    dd_buffer text = {0};
    for (int i = 0; i < 60; i++)
        for (int k = 0; k < 2; k++)
            assert_true(dd_buffer_printf(&text, "1\tw%d%c\tl\tU%d\tX\tA=%d|B=%d\t_\t_\t_\t_\n\n", i,
                                         'a' + k, i % 7, i % 5 + k, i % 11));
    assert_true(dd_buffer_append(&text, "", 1));
    dd_reader *reader;
    dd_sentence *sentences[120];
    assert_int_equal(
        dd_reader_open_memory(&reader, "t", text_of(text.data), DD_FORMAT_CONLLU, NULL), DD_OK);
    for (int i = 0; i < 120; i++) {
        assert_int_equal(dd_sentence_new(&sentences[i], NULL), DD_OK);
        assert_int_equal(dd_reader_next(reader, sentences[i], NULL), DD_OK);
    }
    dd_reader_close(reader);
    dd_buffer section = {0};
    dd_tagger_options options;
    dd_tagger_options_init(&options);
    options.iterations = 3;
    assert_int_equal(dd_tagger_train(&section, sentences, 120, &options, NULL), DD_OK);
    dd_tagger *tagger;
    dd_tagger_space *space;
    assert_int_equal(dd_tagger_map(&tagger, (dd_text){section.data, section.size}, NULL), DD_OK);
    assert_int_equal(dd_tagger_space_new(&space, tagger, NULL), DD_OK);
    const dd_tagset *set = &tagger->tagset;
    assert_true(set->count > 64);
    for (int i = 0; i < 120; i++) {
        assert_int_equal(dd_tagger_apply(tagger, space, sentences[i], NULL), DD_OK);
        int best = 0;
        for (int tag = 1; tag < set->count; tag++)
            if (dd_tag_score(set, &set->tags[tag], space->scores) >
                dd_tag_score(set, &set->tags[best], space->scores))
                best = tag;
        for (int c = 0; c < 3; c++) {
            dd_text cell = dd_cell(sentences[i], 1, DD_UPOS + c), wish = set->tags[best].cells[c];
            assert_int_equal(cell.size, wish.size);
            assert_memory_equal(cell.data, wish.data, cell.size);
        }
    }
    dd_tagger_space_free(space);
    dd_tagger_free(tagger);
    for (int i = 0; i < 120; i++) dd_sentence_free(sentences[i]);
    dd_buffer_free(&section);
    dd_buffer_free(&text);
}

static void smaller_sections_are_smaller(void **state)
{
    (void)state;
    bank train = read_bank(tagged, DD_FORMAT_CONLLU);
    dd_buffer whole = train_tagger(&train, 1), small = {0};
    dd_tagger_options options;
    dd_tagger *tagger;
    dd_tagger_options_init(&options);
    options.most_bytes = 600;
    assert_int_equal(dd_tagger_train(&small, train.sentences, train.count, &options, NULL), DD_OK);
    assert_true(small.size + 1000 < whole.size);
    assert_int_equal(dd_tagger_map(&tagger, (dd_text){small.data, small.size}, NULL), DD_OK);
    tag_all(tagger, &train);
    dd_tagger_free(tagger);
    dd_buffer_free(&whole);
    dd_buffer_free(&small);
    free_bank(&train);
}

/* As `dodona train` has it. */
static void by_default_nothing_is_left_out(void **state)
{
    (void)state;
    dd_train_options all;
    dd_tagger_options tags;
    dd_lemmatizer_options lemmas;
    dd_train_options_init(&all);
    dd_tagger_options_init(&tags);
    dd_lemmatizer_options_init(&lemmas);
    assert_int_equal(all.tagger_bytes, 0);
    assert_int_equal(all.lemmatizer_bytes, 0);
    assert_int_equal(tags.most_bytes, 0);
    assert_int_equal(lemmas.most_bytes, 0);
}

/* All weights are dropped before there are any; none can be added then. */
static void rows_can_be_pruned_before_anything_is_learnt(void **state)
{
    (void)state;
    const uint64_t features[] = {1, 2};
    int32_t scores[2] = {0, 0};
    dd_rows rows = {0};
    dd_buffer section = {0};
    dd_tag_weights weights;
    assert_true(dd_tag_weights_least(&rows, 2, 100) == 0);
    dd_rows_prune(&rows, 1);
    assert_true(dd_rows_change(&rows, features, 2, 1, 5));
    dd_rows_score(&rows, features, 2, scores);
    assert_true(dd_tag_weights_write(&rows, 2, 0, &section));
    dd_cursor cursor = {{section.data, section.size}, DD_ALIGN_NUMBERS, false};
    assert_true(dd_tag_weights_map(&weights, &cursor, 2) && dd_cursor_ended(&cursor));
    dd_tag_weights_score(&weights, features, 2, scores);
    assert_true(scores[0] == 0 && scores[1] == 0);
    dd_buffer_free(&section);
    dd_rows_free(&rows);
}

/* However few the iterations, something is learnt before weights are dropped. */
static void one_iteration_with_a_limit_learns(void **state)
{
    (void)state;
    bank train = read_bank(tagged, DD_FORMAT_CONLLU);
    dd_buffer none = {0}, some = {0};
    dd_tagger_options options;
    dd_tagger_options_init(&options);
    options.iterations = 1;
    options.most_bytes = 1;
    assert_int_equal(dd_tagger_train(&none, train.sentences, train.count, &options, NULL), DD_OK);
    options.most_bytes = 600;
    assert_int_equal(dd_tagger_train(&some, train.sentences, train.count, &options, NULL), DD_OK);
    assert_true(some.size > none.size + 300);
    dd_buffer_free(&none);
    dd_buffer_free(&some);
    free_bank(&train);
}

static bool stop_at_once(void *user, const dd_component_progress *progress)
{
    *(dd_component_progress *)user = *progress;
    return false;
}

static void training_reports_and_stops(void **state)
{
    (void)state;
    bank train = read_bank(tagged, DD_FORMAT_CONLLU);
    dd_component_progress progress;
    dd_error error;
    dd_tagger_options options;
    dd_tagger *tagger;
    dd_buffer section = {0};
    dd_tagger_options_init(&options);
    options.report = stop_at_once;
    options.user = &progress;
    assert_int_equal(dd_tagger_train(&section, train.sentences, train.count, &options, &error),
                     DD_INTERRUPTED);
    assert_string_equal(error.message, "stopped while the tagger was trained");
    assert_int_equal(progress.component, DD_TAGGER);
    assert_int_equal(progress.iteration, 1);
    assert_int_equal(progress.iterations, options.iterations);
    assert_int_equal(progress.folds, 0);
    assert_true(progress.accuracy > 0 && progress.accuracy <= 1);
    assert_int_equal(dd_tagger_map(&tagger, (dd_text){section.data, section.size}, NULL), DD_OK);
    dd_buffer out = format_all(&train);
    assert_text(((dd_text){out.data, out.size}), tagged);
    dd_buffer_free(&out);
    dd_tagger_free(tagger);
    dd_buffer_free(&section);
    free_bank(&train);
}

static void bad_wishes_are_refused(void **state)
{
    (void)state;
    bank train = read_bank(tagged, DD_FORMAT_CONLLU);
    dd_buffer section = {0};
    dd_error error;
    dd_tagger_options options;
    dd_tagger_options_init(&options);
    assert_int_equal(dd_tagger_train(&section, train.sentences, 0, &options, &error),
                     DD_ERROR_DATA);
    assert_string_equal(error.message, "no words to train a tagger on");
    assert_int_equal(dd_tagger_jackknife(train.sentences, train.count, 1, &options, NULL, &error),
                     DD_ERROR_ARGUMENT);
    assert_int_equal(dd_tagger_jackknife(train.sentences, 3, 4, &options, NULL, &error),
                     DD_ERROR_ARGUMENT);
    assert_string_equal(error.message, "3 sentences cannot be cut into 4 folds");
    options.iterations = 0;
    assert_int_equal(dd_tagger_train(&section, train.sentences, train.count, &options, &error),
                     DD_ERROR_ARGUMENT);
    assert_int_equal(section.size, 0);
    free_bank(&train);
}

static void conllx_tags_stay_in_conllx(void **state)
{
    (void)state;
    bank train = read_bank("1\ta\t_\tN\tN s\tfree|x\t0\tR\t_\t_\n\n", DD_FORMAT_CONLLX);
    bank other = read_bank("1" REST "\n", DD_FORMAT_CONLLU);
    dd_buffer section = train_tagger(&train, 1);
    dd_tagger *tagger;
    dd_tagger_space *space;
    dd_error error;
    assert_int_equal(dd_tagger_map(&tagger, (dd_text){section.data, section.size}, NULL), DD_OK);
    tag_all(tagger, &train);
    assert_int_equal(dd_tagger_space_new(&space, tagger, NULL), DD_OK);
    assert_int_equal(dd_tagger_apply(tagger, space, other.sentences[0], &error), DD_ERROR_DATA);
    dd_tagger_space_free(space);
    dd_tagger_free(tagger);
    dd_buffer_free(&section);
    free_bank(&train);
    free_bank(&other);
}

static void damaged_sections_are_refused(void **state)
{
    (void)state;
    bank train = read_bank(tagged, DD_FORMAT_CONLLU);
    dd_buffer section = train_tagger(&train, 1);
    dd_tagger *tagger = NULL;
    dd_error error;
    for (size_t size = 0; size < section.size; size++) {
        char *cut = malloc(size + 1); /* of just that size, for a sanitizer */
        memcpy(cut, section.data, size);
        assert_int_equal(dd_tagger_map(&tagger, (dd_text){cut, size}, &error), DD_ERROR_MODEL);
        free(cut);
    }
    section.data[8]++;
    assert_int_equal(dd_tagger_map(&tagger, (dd_text){section.data, section.size}, &error),
                     DD_ERROR_MODEL);
    assert_string_equal(error.message, "the tagger is of version 2, not 1");
    assert_null(tagger);
    dd_buffer_free(&section);
    free_bank(&train);
}

/* By hand, fold by fold. */
static void jackknifing_hides_the_own_fold(void **state)
{
    (void)state;
    bank gold = read_bank(tagged, DD_FORMAT_CONLLU), knifed = read_bank(tagged, DD_FORMAT_CONLLU);
    bank again = read_bank(tagged, DD_FORMAT_CONLLU), mine = read_bank(tagged, DD_FORMAT_CONLLU);
    dd_tagger_options options;
    dd_tagger_options_init(&options);
    dd_lemmatizer_options lemmas;
    dd_lemmatizer_options_init(&lemmas);
    assert_int_equal(dd_tagger_jackknife(knifed.sentences, 10, 2, &options, &lemmas, NULL), DD_OK);
    options.threads = 2;
    assert_int_equal(dd_tagger_jackknife(again.sentences, 10, 2, &options, &lemmas, NULL), DD_OK);
    for (size_t fold = 0; fold < 2; fold++) {
        bank others = {.count = 5}, own = {.count = 5};
        memcpy(others.sentences, gold.sentences + (fold ? 0 : 5), 5 * sizeof *gold.sentences);
        memcpy(own.sentences, mine.sentences + (fold ? 5 : 0), 5 * sizeof *gold.sentences);
        dd_buffer section = train_tagger(&others, 1), rules = train_lemmatizer(&others, 1);
        dd_tagger *tagger;
        dd_lemmatizer *lemmatizer;
        assert_int_equal(dd_tagger_map(&tagger, (dd_text){section.data, section.size}, NULL),
                         DD_OK);
        assert_int_equal(dd_lemmatizer_map(&lemmatizer, (dd_text){rules.data, rules.size}, NULL),
                         DD_OK);
        tag_all(tagger, &own);
        lemmatize_all(lemmatizer, &own);
        dd_tagger_free(tagger);
        dd_lemmatizer_free(lemmatizer);
        dd_buffer_free(&section);
        dd_buffer_free(&rules);
    }
    dd_buffer a = format_all(&knifed), b = format_all(&mine), c = format_all(&again);
    assert_same(a, b);
    assert_same(a, c);
    assert_false(a.size == strlen(tagged) && !memcmp(a.data, tagged, a.size));
    dd_buffer_free(&a);
    dd_buffer_free(&b);
    dd_buffer_free(&c);
    free_bank(&gold);
    free_bank(&knifed);
    free_bank(&again);
    free_bank(&mine);
}

static dd_model *train_on_predicted_lemmas(size_t lemmatizer_bytes)
{
    char settings[128];
    dd_model *model;
    int size = snprintf(settings, sizeof settings,
                        "only=tagger,lemmatizer,parser iterations=1 jackknife=2");
    if (lemmatizer_bytes > 0)
        snprintf(settings + size, sizeof settings - (size_t)size, " lemmatizer-bytes=%zu",
                 lemmatizer_bytes);
    assert_int_equal(train_with_settings(&model, settings, NULL, DEMO, NULL, NULL), DD_OK);
    return model;
}

static dd_text weights_of(const dd_model *model)
{
    dd_sections sections = {0};
    dd_text weights;
    dd_image_list(model->image, &sections);
    assert_true(dd_sections_find(&sections, "weights", &weights));
    return weights;
}

/* A parser is to learn from lemmas as the model will give them. */
static void folds_have_the_limits_of_the_lemmatizer(void **state)
{
    (void)state;
    dd_model *whole = train_on_predicted_lemmas(0), *small = train_on_predicted_lemmas(1);
    assert_false(dd_text_same(weights_of(whole), weights_of(small)));
    dd_model_free(whole);
    dd_model_free(small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tags_are_learnt_and_generalised),
        cmocka_unit_test(the_seed_decides),
        cmocka_unit_test(threads_agree),
        cmocka_unit_test(long_lists_are_searched_rightly),
        cmocka_unit_test(smaller_sections_are_smaller),
        cmocka_unit_test(by_default_nothing_is_left_out),
        cmocka_unit_test(rows_can_be_pruned_before_anything_is_learnt),
        cmocka_unit_test(one_iteration_with_a_limit_learns),
        cmocka_unit_test(training_reports_and_stops),
        cmocka_unit_test(bad_wishes_are_refused),
        cmocka_unit_test(conllx_tags_stay_in_conllx),
        cmocka_unit_test(damaged_sections_are_refused),
        cmocka_unit_test(jackknifing_hides_the_own_fold),
        cmocka_unit_test(folds_have_the_limits_of_the_lemmatizer),
    };
    return cmocka_run_group_tests_name("tagger", tests, NULL, NULL);
}
