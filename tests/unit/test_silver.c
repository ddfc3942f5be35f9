/* Silver trees: how many of them an iteration learns from and in which order, and that they teach
 * without making the model larger. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../settings_help.h"
#include "linear/extract.h"
#include "model/image.h"
#include "neural/neural_learner.h"
#include "systems/registry.h"
#include "train/training.h"

/* ---- the order ---------------------------------------------------------------------------- */

enum { TREES = 23, GOLD_WORDS = 50, LONGEST = 9 };

/* Chains of 1 to LONGEST words: each depends on the one before it, with its own number as label. */
static int length_of(size_t tree)
{
    return 1 + (int)(tree * 4 % LONGEST);
}

static void add_chain(dd_silver *silver, int n)
{
    int32_t heads[LONGEST + 1], labels[LONGEST + 1];
    dd_gold gold = {0};
    for (int word = 0; word <= n; word++) heads[word] = word - 1, labels[word] = word;
    assert_true(dd_gold_set(&gold, heads, labels, n) && dd_silver_add(silver, &gold));
    dd_gold_free(&gold);
}

static void fill(dd_silver *silver, uint64_t seed)
{
    dd_train_options options = {.silver = DEMO_TEST, .seed = seed};
    *silver = (dd_silver){0};
    assert_int_equal(dd_silver_open(silver, &options, NULL), DD_OK);
    for (size_t i = 0; i < TREES; i++) add_chain(silver, length_of(i));
}

typedef struct drawn {
    uint32_t *list;
    size_t count, capacity;
} drawn;

static int words_of(const dd_silver *silver, const drawn *d, size_t from)
{
    int words = 0;
    for (size_t i = from; i < d->count; i++) words += dd_silver_length(silver, d->list[i]);
    return words;
}

/* All that is drawn in some iterations; each has its share, up to a sentence. */
static drawn draw(dd_silver *silver, double weight, int iterations)
{
    dd_train_options options = {.silver = "there is one", .silver_weight = weight};
    drawn d = {0};
    for (int k = 1; k <= iterations; k++) {
        size_t before = d.count;
        uint64_t due = dd_silver_due(&options, GOLD_WORDS, k);
        assert_true(dd_silver_draw(silver, due, &d.list, &d.count, &d.capacity));
        double share = weight * GOLD_WORDS;
        assert_true(words_of(silver, &d, before) > share - LONGEST);
        assert_true(words_of(silver, &d, before) < share + LONGEST);
        assert_true(words_of(silver, &d, 0) >= share * k);
        assert_true(words_of(silver, &d, 0) < share * k + LONGEST);
    }
    return d;
}

static void iterations_get_their_share_of_words(void **state)
{
    static const double weights[] = {0.5, 1, 2, 100};
    (void)state;
    for (size_t i = 0; i < sizeof weights / sizeof *weights; i++) {
        dd_silver silver;
        fill(&silver, 1);
        drawn d = draw(&silver, weights[i], 9);
        free(d.list);
        dd_silver_free(&silver);
    }
    dd_train_options none = {.silver_weight = 1};
    assert_int_equal(dd_silver_due(&none, GOLD_WORDS, 1), 0);
}

static void all_come_before_any_comes_again(void **state)
{
    (void)state;
    dd_silver silver;
    fill(&silver, 1);
    drawn d = draw(&silver, 1, 20);
    assert_true(d.count > 5 * TREES);
    for (size_t from = 0; from + TREES <= d.count; from += TREES) {
        bool seen[TREES] = {false};
        for (size_t i = from; i < from + TREES; i++) {
            assert_true(d.list[i] < TREES);
            assert_false(seen[d.list[i]]);
            seen[d.list[i]] = true;
        }
        if (from > 0) assert_memory_not_equal(d.list, d.list + from, TREES * sizeof *d.list);
    }
    free(d.list);
    dd_silver_free(&silver);
}

static void the_seed_decides_the_order(void **state)
{
    (void)state;
    dd_silver one, same, other;
    fill(&one, 1);
    fill(&same, 1);
    fill(&other, 2);
    drawn a = draw(&one, 2, 3), b = draw(&same, 2, 3), c = draw(&other, 2, 3);
    assert_int_equal(a.count, b.count);
    assert_memory_equal(a.list, b.list, a.count * sizeof *a.list);
    assert_memory_not_equal(a.list, c.list, TREES * sizeof *a.list);
    free(a.list);
    free(b.list);
    free(c.list);
    dd_silver_free(&one);
    dd_silver_free(&same);
    dd_silver_free(&other);
}

static void trees_come_back(void **state)
{
    (void)state;
    dd_silver silver;
    fill(&silver, 1);
    assert_true(dd_silver_reserve(&silver, 2));
    for (size_t i = 0; i < TREES; i++) {
        const dd_gold *gold = dd_silver_tree(&silver, i, i % 2);
        assert_non_null(gold);
        assert_int_equal(gold->n, length_of(i));
        assert_true(gold->projective && gold->root == 1 && gold->unknown == 0);
        for (int word = 1; word <= gold->n; word++) {
            assert_int_equal(gold->heads[word], word - 1);
            assert_int_equal(gold->labels[word], word);
        }
    }
    assert_int_equal(dd_silver_tree(&silver, 0, 0)->n, length_of(0));
    dd_silver_free(&silver);
}

/* ---- words one by one --------------------------------------------------------------------- */

enum { SENTENCES = 60 };

static void read_demo(dd_sentence **sentences)
{
    dd_reader *reader;
    assert_int_equal(dd_reader_open(&reader, DEMO, DD_FORMAT_CONLLU, NULL), DD_OK);
    for (int i = 0; i < SENTENCES; i++) {
        assert_int_equal(dd_sentence_new(&sentences[i], NULL), DD_OK);
        assert_int_equal(dd_reader_next(reader, sentences[i], NULL), DD_OK);
    }
    dd_reader_close(reader);
}

static void compare_coded(const dd_coded *one, const dd_coded *other)
{
    size_t nodes = (size_t)one->n + 1;
    assert_int_equal(one->n, other->n);
    for (int i = 0; i < DD_INPUT_FEATS; i++)
        assert_memory_equal(one->symbols[i], other->symbols[i], nodes * sizeof *one->types);
    assert_memory_equal(one->types, other->types, nodes * sizeof *one->types);
    assert_memory_equal(one->first_feature, other->first_feature, (nodes + 1) * sizeof *one->types);
    assert_memory_equal(one->features, other->features,
                        one->first_feature[nodes] * sizeof *one->types);
}

/* Arrays move while they grow, and all must still point to what is theirs. */
static void compare_tokens(const dd_token_batch *one, const dd_token_batch *other)
{
    for (size_t i = 0; i < SENTENCES; i++) {
        assert_int_equal(one->tokens[i].n, other->tokens[i].n);
        assert_memory_equal(one->tokens[i].values, other->tokens[i].values,
                            ((size_t)one->tokens[i].n + 1) * (size_t)one->tokens[i].stride *
                                sizeof *one->values);
    }
}

static void words_can_be_added_one_by_one(void **state)
{
    (void)state;
    static const uint32_t least[DD_INPUTS] = {0};
    dd_sentence *read[SENTENCES];
    const dd_sentence *sentences[SENTENCES];
    dd_templates *set;
    dd_census census = {0};
    dd_coder coder = {0};
    dd_codes codes = {0}, added = {0};
    dd_token_batch tokens = {0}, added_tokens = {0};
    read_demo(read);
    for (int i = 0; i < SENTENCES; i++) sentences[i] = read[i];
    for (int i = 0; i < 30; i++) assert_true(dd_census_add(&census, read[i], DD_ALL_COLUMNS));
    assert_true(dd_coder_set(&coder, &census, DD_ALL_COLUMNS, UINT32_MAX, least));
    assert_int_equal(dd_templates_parse(&set, "t", dd_templates_builtin("eager"), NULL), DD_OK);
    assert_true(dd_codes_set(&codes, &coder, sentences, SENTENCES) &&
                dd_token_batch_set(&tokens, set, sentences, SENTENCES, DD_ALL_COLUMNS));
    assert_true(dd_codes_set(&added, &coder, sentences, 1) &&
                dd_token_batch_set(&added_tokens, set, sentences, 1, DD_ALL_COLUMNS));
    for (int i = 1; i < SENTENCES; i++)
        assert_true(dd_codes_add(&added, &coder, read[i]) &&
                    dd_token_batch_add(&added_tokens, set, read[i], DD_ALL_COLUMNS));
    for (int i = 0; i < SENTENCES; i++) {
        compare_coded(&codes.sentences[i], &added.sentences[i]);
        dd_sentence_free(read[i]);
    }
    compare_tokens(&tokens, &added_tokens);
    dd_templates_free(set);
    dd_token_batch_free(&tokens);
    dd_token_batch_free(&added_tokens);
    dd_codes_free(&codes);
    dd_codes_free(&added);
    dd_coder_free(&coder);
    dd_census_free(&census);
}

/* ---- training ----------------------------------------------------------------------------- */

typedef struct files {
    char gold[40], silver[40];
} files;

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static int set_up(void **state)
{
    files *f = calloc(1, sizeof *f);
    snprintf(f->gold, sizeof f->gold, "/tmp/dodona-gold-%ld", (long)getpid());
    snprintf(f->silver, sizeof f->silver, "/tmp/dodona-silver-%ld", (long)getpid());
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    files *f = *state;
    unlink(f->gold);
    unlink(f->silver);
    free(f);
    return 0;
}

static void keep_data(void *user, const dd_train_data *data)
{
    *(dd_train_data *)user = *data;
}

/* Trains on `gold`, with silver unless it is NULL. */
static dd_model *train(const char *gold, const char *silver, const char *settings,
                       dd_train_data *data)
{
    char all[800];
    dd_error error;
    dd_model *model = NULL;
    dd_train_watch watch;
    dd_train_watch_init(&watch);
    watch.user = data;
    if (data) watch.data = keep_data;
    snprintf(all, sizeof all, "%s%s %s", silver ? "silver=" : "", silver ? silver : "", settings);
    if (train_with_settings(&model, all, &watch, gold, NULL, &error) != DD_OK)
        fail_msg("%s", error.message);
    return model;
}

static const char small[] = "scorer=neural width=16 hidden=16 batch-words=60 iterations=3";

/* A training over the demo treebank that has not begun, with the test file as silver. */
static void prepare(dd_training *t, dd_train_options *options, const char *scorer)
{
    const char *paths[] = {DEMO};
    dd_train_options_init(options);
    options->scorer = scorer;
    options->silver = DEMO_TEST;
    options->silver_weight = 0.5;
    options->iterations = 4;
    options->network.width = 8;
    options->network.batch_words = 100;
    *t = (dd_training){.options = options};
    assert_int_equal(dd_components_read(&t->components, options, paths, 1, NULL, NULL), DD_OK);
    assert_int_equal(dd_training_choose(t, NULL), DD_OK);
    assert_int_equal(dd_training_prepare(t, NULL), DD_OK);
}

/* Each sentence of the treebank comes once, and silver ones are anywhere among them. */
static void check_round(const dd_training *t)
{
    uint8_t *seen = calloc(t->corpus->count, 1);
    size_t gold = 0, silver_in_first_half = 0;
    for (size_t i = 0; i < t->n_round; i++) {
        bool is_gold = t->round[i] < t->corpus->count;
        gold += is_gold;
        silver_in_first_half += !is_gold && i < t->n_round / 2;
        if (is_gold) assert_int_equal(seen[t->round[i]]++, 0);
        if (!is_gold) assert_true(t->round[i] - t->corpus->count < t->silver.count);
    }
    size_t silver = t->n_round - gold;
    assert_int_equal(gold, t->n_order);
    assert_in_range(silver_in_first_half, silver / 4, silver - silver / 4);
    free(seen);
}

static void a_round_has_all_of_the_treebank_and_silver_among_it(void **state)
{
    (void)state;
    dd_train_options options;
    dd_training t;
    prepare(&t, &options, "linear");
    size_t words = 0;
    for (int k = 1; k <= options.iterations; k++) {
        assert_int_equal(dd_training_begin_round(&t, k, NULL), DD_OK);
        check_round(&t);
        for (size_t i = 0; i < t.n_round; i++)
            if (t.round[i] >= t.corpus->count)
                words += (size_t)dd_silver_length(&t.silver, t.round[i] - t.corpus->count);
        assert_in_range(words, t.words * (unsigned)k / 2, t.words * (unsigned)k / 2 + 20);
    }
    dd_training_free(&t);
}

static void minibatches_have_both(void **state)
{
    (void)state;
    dd_train_options options;
    dd_training t;
    prepare(&t, &options, "neural");
    int both = 0, batches = 0;
    assert_int_equal(dd_training_begin_round(&t, 1, NULL), DD_OK);
    for (size_t from = 0, to; from < t.n_round; from = to, batches++) {
        size_t silver = 0;
        to = dd_training_end_of_batch(&t, from);
        assert_true(dd_training_learn(&t, t.round + from, (int)(to - from)));
        for (size_t i = 0; i < to - from; i++) silver += t.examples[i].added;
        both += silver > 0 && silver < to - from;
    }
    assert_true(batches > 5 && both > batches / 2);
    dd_training_free(&t);
}

static void accuracy_is_that_of_the_treebank(void **state)
{
    (void)state;
    dd_train_options options;
    dd_training t;
    prepare(&t, &options, "linear");
    uint32_t gold = 0, silver = (uint32_t)t.corpus->count;
    assert_true(dd_training_learn(&t, &silver, 1));
    assert_int_equal(t.trainer.tally.asked, 0);
    assert_true(dd_training_learn(&t, &gold, 1));
    assert_true(t.trainer.tally.asked > 0);
    dd_training_free(&t);
}

static void the_pace_counts_silver_words(void **state)
{
    (void)state;
    dd_train_options options;
    dd_training t;
    prepare(&t, &options, "neural");
    const dd_neural *l = t.trainer.state;
    uint64_t words = t.words + t.words / 2;
    assert_int_equal(l->trainer.steps_in_all, (words / 100 + 1) * 4);
    dd_training_free(&t);
}

static void compare_models(const dd_model *one, const dd_model *other)
{
    assert_int_equal(one->size, other->size);
    assert_memory_equal(one->image, other->image, one->size);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    char settings[200];
    dd_model *models[3];
    for (int i = 0; i < 3; i++) {
        snprintf(settings, sizeof settings, "%s silver-weight=2 threads=%d", small, i + 1);
        models[i] = train(DEMO, DEMO_TEST, settings, NULL);
    }
    compare_models(models[0], models[1]);
    compare_models(models[0], models[2]);
    for (int i = 0; i < 3; i++) dd_model_free(models[i]);
}

static void every_system_learns_from_silver_trees(void **state)
{
    static const char *const how[] = {"iterations=2", "iterations=2 oracle=static",
                                      "iterations=2 beam=3 oracle=dynamic"};
    (void)state;
    char settings[200];
    dd_train_data data;
    for (size_t s = 0; s <= dd_system_count(); s++) {
        bool graph = s == dd_system_count();
        const char *name = graph ? dd_graph.name : dd_system_get(s)->name;
        for (size_t i = 0; i < sizeof how / sizeof *how && !graph; i++) {
            snprintf(settings, sizeof settings, "system=%s %s", name, how[i]);
            dd_model_free(train(DEMO, DEMO_TEST, settings, &data));
            assert_int_equal(data.silver_sentences + data.silver_skipped, 16);
        }
        snprintf(settings, sizeof settings, "%s system=%s", small, name);
        dd_model_free(train(DEMO, DEMO_TEST, settings, &data));
        assert_int_equal(data.silver_sentences, 16);
        assert_int_equal(data.silver_words, 142);
    }
    dd_model_free(train(DEMO, DEMO_TEST, "unbuildable=lift iterations=2", &data));
    assert_int_equal(data.silver_sentences, 16);
}

/* ---- what silver trees do not bring ------------------------------------------------------- */

static const char few[] = "1\tthe\tthe\tDET\t_\t_\t2\tdet\t_\t_\n"
                          "2\tdog\tdog\tNOUN\t_\t_\t3\tnsubj\t_\t_\n"
                          "3\tbarks\tbark\tVERB\t_\t_\t0\troot\t_\t_\n\n"
                          "1\tthe\tthe\tDET\t_\t_\t2\tdet\t_\t_\n"
                          "2\tcat\tcat\tNOUN\t_\t_\t3\tnsubj\t_\t_\n"
                          "3\tsees\tsee\tVERB\t_\t_\t0\troot\t_\t_\n"
                          "4\tdogs\tdog\tNOUN\t_\t_\t3\tobj\t_\t_\n\n";

/* amod, which `few` lacks, and obj and root where it has them not. */
static const char strange[] = "1\twhite\twhite\tADJ\t_\tA=B\t2\tamod\t_\t_\n"
                              "2\tcats\tcat\tNOUN\tN\t_\t3\tobj\t_\t_\n"
                              "3\thear\thear\tVERB\t_\t_\t0\troot\t_\t_\n"
                              "4\tmice\tmouse\tNOUN\t_\t_\t3\troot\t_\t_\n"
                              "5\tdogs\tdog\tNOUN\t_\t_\t3\tobj\t_\t_\n\n";

static dd_text section_of(const dd_model *model, const char *name)
{
    dd_sections sections = {0};
    dd_text section = {0};
    dd_image_list(model->image, &sections);
    assert_true(dd_sections_find(&sections, name, &section));
    return section;
}

static void labels_and_symbols_are_those_of_the_treebank(void **state)
{
    static const char *const names[] = {"labels", "symbols", "slots"};
    const files *f = *state;
    dd_train_data data;
    write_file(f->gold, few);
    write_file(f->silver, strange);
    dd_model *without = train(f->gold, NULL, small, NULL);
    dd_model *with = train(f->gold, f->silver, small, &data);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        dd_text one = section_of(without, names[i]), other = section_of(with, names[i]);
        assert_int_equal(one.size, other.size);
        assert_memory_equal(one.data, other.data, one.size);
    }
    assert_int_equal(section_of(without, "network").size, section_of(with, "network").size);
    assert_int_equal(data.silver_unknown_labels, 3);
    assert_int_equal(data.labels, 4);
    dd_model_free(without);
    dd_model_free(with);
}

static void one_tree_has_its_labels(void **state)
{
    const files *f = *state;
    const char *paths[] = {f->gold};
    dd_train_options options;
    dd_training t;
    write_file(f->gold, few);
    write_file(f->silver, strange);
    dd_train_options_init(&options);
    options.silver = f->silver;
    t = (dd_training){.options = &options};
    assert_int_equal(dd_components_read(&t.components, &options, paths, 1, NULL, NULL), DD_OK);
    assert_int_equal(dd_training_choose(&t, NULL), DD_OK);
    assert_int_equal(dd_training_prepare(&t, NULL), DD_OK);
    assert_true(dd_silver_reserve(&t.silver, 1));
    const dd_gold *gold = dd_silver_tree(&t.silver, 0, 0);
    const int heads[] = {2, 3, 0, 3, 3};
    const char *const labels[] = {NULL, NULL, "root", NULL, "obj"};
    for (int i = 0; i < 5; i++) {
        int wanted =
            labels[i] ? dd_vocab_find(&t.inventory.labels, (dd_text){labels[i], strlen(labels[i])})
                      : DD_NONE;
        assert_int_equal(gold->heads[i + 1], heads[i]);
        assert_int_equal(gold->labels[i + 1], wanted);
    }
    dd_training_free(&t);
}

/* ---- what they bring ---------------------------------------------------------------------- */

static bool keep_best(void *user, const dd_train_progress *progress)
{
    double *best = user;
    if (progress->best) *best = progress->dev_las;
    return true;
}

/* The first sentences of the demo treebank. */
static void write_first(const char *path, int sentences)
{
    char line[1000];
    FILE *from = fopen(DEMO, "rb"), *to = fopen(path, "wb");
    assert_true(from && to);
    while (sentences > 0 && fgets(line, sizeof line, from)) {
        fputs(line, to);
        sentences -= line[0] == '\n';
    }
    fclose(from);
    fclose(to);
}

static double dev_las(const char *gold, const char *settings)
{
    double best = 0;
    dd_model *model = NULL;
    dd_train_watch watch;
    dd_train_watch_init(&watch);
    watch.user = &best;
    watch.report = keep_best;
    assert_int_equal(train_with_settings(&model, settings, &watch, gold, DEMO_TEST, NULL), DD_OK);
    dd_model_free(model);
    return best;
}

static void silver_trees_teach(void **state)
{
    static const char *const how[] = {
        "system=arc-eager iterations=6",
        "scorer=neural system=arc-hybrid width=32 hidden=32 batch-words=60 iterations=12"};
    const files *f = *state;
    char with[800];
    write_first(f->gold, 12);
    for (int i = 0; i < 2; i++) {
        snprintf(with, sizeof with, "%s silver=%s silver-weight=5", how[i], DEMO);
        assert_true(dev_las(f->gold, with) > dev_las(f->gold, how[i]) + 5);
    }
}

/* ---- what cannot be read ------------------------------------------------------------------ */

static void is_refused(const files *f, const char *text, const char *settings, const char *wanted)
{
    char all[200], message[200];
    dd_error error;
    dd_model *model = NULL;
    write_file(f->gold, few);
    write_file(f->silver, text);
    snprintf(all, sizeof all, "silver=%s %s", f->silver, settings);
    snprintf(message, sizeof message, "%s:%s", f->silver, wanted);
    assert_true(train_with_settings(&model, all, NULL, f->gold, NULL, &error) != DD_OK);
    assert_null(model);
    assert_string_equal(error.message, message);
}

static void bad_files_are_refused_with_their_line(void **state)
{
    const files *f = *state;
    is_refused(f, "", "", " no silver trees to learn from");
    is_refused(f, "1\ta\t_\t_\t_\t_\t0\troot\t_\n\n", "",
               "1: expected 10 columns separated by tabs, found 9");
    is_refused(f, "# c\n1\ta\t_\t_\t_\t_\t1\troot\t_\t_\n\n", "", "1: no word is the root");
    is_refused(f,
               "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n1\ta\t_\t_\t_\t_\t2\troot\t_\t_\n"
               "2\tb\t_\t_\t_\t_\t1\troot\t_\t_\n\n",
               "", "3: no word is the root");
    is_refused(f, "1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n", "", " no silver trees to learn from");
    is_refused(f, "1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n", "oracle=static",
               "1: column 7 (HEAD): a word has no head; the static oracle needs whole trees, the "
               "dynamic one does not");
}

static void fail_if_trained(void *user, dd_component component, double seconds)
{
    (void)user, (void)component, (void)seconds;
    fail_msg("a component was trained");
}

static void a_missing_file_is_known_before_anything_is_trained(void **state)
{
    const files *f = *state;
    dd_error error;
    dd_model *model = NULL;
    dd_train_watch watch;
    dd_train_watch_init(&watch);
    watch.component = fail_if_trained;
    write_file(f->gold, few);
    assert_int_equal(train_with_settings(&model, "only=all silver=/nowhere/trees", &watch, f->gold,
                                         NULL, &error),
                     DD_ERROR_IO);
    assert_string_equal(error.message, "/nowhere/trees: No such file or directory");
    assert_int_equal(
        train_with_settings(&model, "only=tagger silver=x", NULL, f->gold, NULL, &error),
        DD_ERROR_ARGUMENT);
    assert_string_equal(error.message, "silver: needs 'only' with parser");
}

static void bad_sentences_can_be_passed_over(void **state)
{
    const files *f = *state;
    dd_train_data data;
    char text[2000];
    write_file(f->gold, few);
    snprintf(text, sizeof text, "1\tx\n\n%s1\tx\t_\t_\t_\t_\t1\troot\t_\t_\n\n", few);
    write_file(f->silver, text);
    dd_model_free(train(f->gold, f->silver, "skip-bad=yes", &data));
    assert_int_equal(data.silver_sentences, 2);
    assert_int_equal(data.silver_bad, 2);
    assert_int_equal(data.bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(iterations_get_their_share_of_words),
        cmocka_unit_test(all_come_before_any_comes_again),
        cmocka_unit_test(the_seed_decides_the_order),
        cmocka_unit_test(trees_come_back),
        cmocka_unit_test(words_can_be_added_one_by_one),
        cmocka_unit_test(a_round_has_all_of_the_treebank_and_silver_among_it),
        cmocka_unit_test(minibatches_have_both),
        cmocka_unit_test(accuracy_is_that_of_the_treebank),
        cmocka_unit_test(the_pace_counts_silver_words),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(every_system_learns_from_silver_trees),
        cmocka_unit_test(labels_and_symbols_are_those_of_the_treebank),
        cmocka_unit_test(one_tree_has_its_labels),
        cmocka_unit_test(silver_trees_teach),
        cmocka_unit_test(bad_files_are_refused_with_their_line),
        cmocka_unit_test(a_missing_file_is_known_before_anything_is_trained),
        cmocka_unit_test(bad_sentences_can_be_passed_over),
    };
    return cmocka_run_group_tests_name("silver", tests, set_up, tear_down);
}
