/* Tidy trees: no words below punctuation and no rivals, whatever a bad model thinks of them; and
 * who gives way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../settings_help.h"
#include "core/random.h"
#include "core/strings.h"

enum { MOST_WORDS = 12, MOST_TREES = 3 };

/* ---- models ------------------------------------------------------------------------------- */

static dd_model *train(const char *text, const char *settings)
{
    dd_error error;
    char path[64];
    snprintf(path, sizeof path, "/tmp/dodona-tidy-%ld.conllu", (long)getpid());
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
    dd_model *model = NULL;
    dd_status status = train_with_settings(&model, settings, NULL, path, NULL, &error);
    unlink(path);
    if (status != DD_OK) fail_msg("%s: %s", settings, error.message);
    return model;
}

/* A tree without sense: heads come first in a random order of the words. */
static void add_tree(dd_buffer *out, dd_random *random, bool punctuation_only)
{
    static const char *const labels[] = {"nsubj", "csubj", "nsubj:pass", "nsubj:outer",
                                         "obj",   "obj:x", "obl",        "parataxis"};
    static const char *const tags[] = {"NOUN", "VERB", "PUNCT", "PUNCT"};
    uint32_t order[MOST_WORDS], heads[MOST_WORDS + 1] = {0};
    uint32_t n = 2 + dd_random_below(random, MOST_WORDS - 1);
    for (uint32_t i = 0; i < n; i++) order[i] = i + 1;
    dd_shuffle(random, order, n);
    for (uint32_t i = 1; i < n; i++) heads[order[i]] = order[dd_random_below(random, i)];
    for (uint32_t word = 1; word <= n; word++) {
        const char *tag = punctuation_only ? "PUNCT" : tags[dd_random_below(random, 4)];
        assert_true(dd_buffer_printf(out, "%u\t%c\t_\t%s\t_\t_\t%u\t%s\t_\t_\n", word,
                                     'a' + (int)dd_random_below(random, 9), tag, heads[word],
                                     heads[word] ? labels[dd_random_below(random, 8)] : "root"));
    }
    assert_true(dd_buffer_text(out, "\n"));
}

static char *make_trees(uint64_t seed, int count)
{
    dd_random random = {seed};
    dd_buffer out = {0};
    for (int i = 0; i < count; i++) add_tree(&out, &random, i % 20 == 19);
    assert_true(dd_buffer_append(&out, "", 1));
    return out.data;
}

static dd_reader *open_text(const char *text)
{
    dd_reader *reader;
    dd_text bytes = {text, strlen(text)};
    assert_int_equal(dd_reader_open_memory(&reader, "t", bytes, DD_FORMAT_CONLLU, NULL), DD_OK);
    return reader;
}

/* ---- the slow, obvious rules -------------------------------------------------------------- */

static bool starts_with(dd_text text, const char *start)
{
    size_t size = strlen(start);
    return text.size >= size && memcmp(text.data, start, size) == 0 &&
           (text.size == size || text.data[size] == ':');
}

/* 0: any number of such dependents is fine. */
static int role_of(dd_text label)
{
    if (dd_text_is(label, "nsubj:outer") || dd_text_is(label, "csubj:outer")) return 1;
    if (starts_with(label, "nsubj") || starts_with(label, "csubj")) return 2;
    return starts_with(label, "obj") ? 3 : 0;
}

static bool are_rivals(const dd_sentence *sentence, int one, int other)
{
    int role = role_of(dd_sentence_deprel(sentence, one));
    return one != other && role && role == role_of(dd_sentence_deprel(sentence, other)) &&
           dd_sentence_head(sentence, one) > 0 &&
           dd_sentence_head(sentence, one) == dd_sentence_head(sentence, other);
}

static bool is_rival(const dd_sentence *sentence, int word)
{
    for (int other = 1; other <= dd_sentence_size(sentence); other++)
        if (are_rivals(sentence, word, other)) return true;
    return false;
}

static bool is_punctuation(const dd_sentence *sentence, int word)
{
    return dd_text_is(dd_sentence_cell(sentence, word, DD_UPOS), "PUNCT");
}

static bool is_all_punctuation(const dd_sentence *sentence)
{
    int word = dd_sentence_size(sentence);
    while (word > 0 && is_punctuation(sentence, word)) word--;
    return word == 0;
}

static void assert_tidy(const dd_sentence *sentence)
{
    for (int word = 1; word <= dd_sentence_size(sentence); word++) {
        int head = dd_sentence_head(sentence, word);
        assert_true(is_all_punctuation(sentence) || head == 0 || !is_punctuation(sentence, head));
        assert_false(is_rival(sentence, word));
    }
}

/* ---- any model ---------------------------------------------------------------------------- */

typedef struct kept_tree {
    int32_t heads[MOST_WORDS + 1];
    char labels[MOST_WORDS + 1][16];
} kept_tree;

static kept_tree keep(const dd_sentence *sentence)
{
    kept_tree tree = {0};
    for (int word = 1; word <= dd_sentence_size(sentence); word++) {
        dd_text label = dd_sentence_deprel(sentence, word);
        tree.heads[word] = dd_sentence_head(sentence, word);
        snprintf(tree.labels[word], sizeof tree.labels[word], "%.*s", (int)label.size, label.data);
    }
    return tree;
}

static bool same_label(const dd_sentence *sentence, int word, const kept_tree *tree)
{
    return dd_text_is(dd_sentence_deprel(sentence, word), tree->labels[word]);
}

/* The sentence has the tree that leaves alone bring about. A tidy one has the same heads, and other
 * labels only of rivals, of which one keeps its own. */
static void compare_with_leaves(const dd_sentence *sentence, const kept_tree *tidy, int *changed)
{
    for (int word = 1; word <= dd_sentence_size(sentence); word++) {
        assert_int_equal(dd_sentence_head(sentence, word), tidy->heads[word]);
        if (!is_rival(sentence, word)) {
            assert_true(same_label(sentence, word, tidy));
            continue;
        }
        int same = same_label(sentence, word, tidy);
        *changed += !same;
        for (int other = 1; other <= dd_sentence_size(sentence); other++)
            same += are_rivals(sentence, word, other) && same_label(sentence, other, tidy);
        assert_int_equal(same, 1);
    }
}

static void parse(dd_parser *parser, dd_sentence *sentence, dd_tidy tidy)
{
    dd_error error;
    dd_parser_set_tidy(parser, tidy);
    if (dd_parser_parse(parser, sentence, false, &error) != DD_OK) fail_msg("%s", error.message);
}

static void check_greedy(dd_parser *parser, dd_sentence *sentence, int *changed)
{
    parse(parser, sentence, DD_TIDY_YES);
    assert_tidy(sentence);
    kept_tree tidy = keep(sentence);
    for (int word = 1; word <= dd_sentence_size(sentence); word++)
        if (is_punctuation(sentence, word) && !is_all_punctuation(sentence))
            assert_int_equal(dd_sentence_require_leaf(sentence, word, NULL), DD_OK);
    parse(parser, sentence, DD_TIDY_NO);
    compare_with_leaves(sentence, &tidy, changed);
}

static void check_beam(dd_parser *parser, dd_sentence *sentence)
{
    dd_parser_set_tidy(parser, DD_TIDY_YES);
    assert_int_equal(dd_parser_search(parser, sentence, 4, MOST_TREES, NULL), DD_OK);
    kept_tree trees[MOST_TREES];
    for (int k = 0; k < dd_parser_trees(parser); k++) {
        assert_int_equal(dd_parser_attach(parser, k, sentence, false, NULL), DD_OK);
        assert_tidy(sentence);
        trees[k] = keep(sentence);
        for (int other = 0; other < k; other++)
            assert_memory_not_equal(&trees[k], &trees[other], sizeof trees[k]);
    }
}

/* The trees of a model that has learnt hardly anything from trees without sense. */
static void check_model(const char *settings, bool beam)
{
    char *training = make_trees(1, 40), *text = make_trees(2, 60);
    dd_model *model = train(training, settings);
    dd_reader *reader = open_text(text);
    dd_parser *parser;
    dd_sentence *sentence;
    int changed = 0;
    assert_int_equal(dd_parser_new(&parser, model, NULL), DD_OK);
    assert_int_equal(dd_sentence_new(&sentence, NULL), DD_OK);
    while (dd_reader_next(reader, sentence, NULL) == DD_OK) {
        if (beam) check_beam(parser, sentence);
        check_greedy(parser, sentence, &changed);
    }
    assert_true(changed > 10);
    dd_sentence_free(sentence);
    dd_parser_free(parser);
    dd_reader_close(reader);
    dd_model_free(model);
    free(training);
    free(text);
}

static void linear_trees_of_every_system(void **state)
{
    (void)state;
    dd_system_info info;
    for (size_t i = 0; dd_system_at(i, &info); i++) {
        char settings[64];
        snprintf(settings, sizeof settings, "iterations=1 system=%s", info.name);
        check_model(settings, true);
    }
}

static void trees_of_several_roots_and_lifted_trees(void **state)
{
    (void)state;
    check_model("iterations=1 system=arc-standard single-root=no", true);
    check_model("iterations=1 system=covington-nm single-root=no", true);
    check_model("iterations=1 system=arc-eager unbuildable=lift", true);
}

static void neural_trees(void **state)
{
    (void)state;
    check_model("scorer=neural system=arc-hybrid iterations=2 width=8 hidden=16", true);
    check_model("scorer=neural system=covington iterations=2 width=8 hidden=16", true);
    check_model("scorer=neural system=graph iterations=2 width=8 hidden=16", false);
}

/* ---- constraints, options and models -------------------------------------------------------- */

#define WORD(id, form, tag, head, label)                                                           \
    id "\t" form "\t_\t" tag "\t_\t_\t" head "\t" label "\t_\t_\n"
#define SURE                                                                                       \
    WORD("1", "birds", "NOUN", "2", "nsubj")                                                       \
    WORD("2", "sing", "VERB", "0", "root") WORD("3", ".", "PUNCT", "2", "punct") "\n"
#define UNSURE(label)                                                                              \
    WORD("1", "today", "NOUN", "2", label) WORD("2", "sing", "VERB", "0", "root") "\n"

static const char songs[] = SURE SURE SURE SURE UNSURE("nsubj") UNSURE("obl") UNSURE("nsubj")
    UNSURE("nsubj") UNSURE("obl") UNSURE("nsubj");
static const char singing[] = WORD("1", "birds", "NOUN", "_", "_")
    WORD("2", "today", "NOUN", "_", "_") WORD("3", "sing", "VERB", "_", "_") "\n";
typedef struct fixture {
    dd_model *model;
    dd_parser *parser;
    dd_sentence *sentence;
} fixture;

static void set_up(fixture *f, const char *settings)
{
    f->model = train(songs, settings);
    assert_int_equal(dd_parser_new(&f->parser, f->model, NULL), DD_OK);
    assert_int_equal(dd_sentence_new(&f->sentence, NULL), DD_OK);
}

static void read_words(fixture *f, const char *text)
{
    dd_reader *reader = open_text(text);
    assert_int_equal(dd_reader_next(reader, f->sentence, NULL), DD_OK);
    dd_reader_close(reader);
}

static void tear_down(fixture *f)
{
    dd_sentence_free(f->sentence);
    dd_parser_free(f->parser);
    dd_model_free(f->model);
}

static void require(fixture *f, int head, const char *label, int dependent)
{
    dd_text text = {label, strlen(label)};
    assert_int_equal(dd_sentence_require_arc(f->sentence, head, text, dependent, NULL), DD_OK);
}

static void assert_labels(const fixture *f, const char *first, const char *second)
{
    assert_true(dd_text_is(dd_sentence_deprel(f->sentence, 1), first));
    assert_true(dd_text_is(dd_sentence_deprel(f->sentence, 2), second));
}

static void required_labels_stay(void **state)
{
    (void)state;
    fixture f;
    set_up(&f, "system=arc-eager");
    read_words(&f, singing);
    require(&f, 3, "nsubj", 2);
    require(&f, 3, "_", 1);
    parse(f.parser, f.sentence, DD_TIDY_YES);
    assert_true(role_of(dd_sentence_deprel(f.sentence, 1)) == 0);
    assert_true(dd_text_is(dd_sentence_deprel(f.sentence, 2), "nsubj"));
    require(&f, 3, "nsubj", 1);
    parse(f.parser, f.sentence, DD_TIDY_YES);
    assert_labels(&f, "nsubj", "nsubj");
    tear_down(&f);
}

static void what_is_asked_for_comes_first(void **state)
{
    (void)state;
    static const char text[] = WORD("1", "birds", "NOUN", "_", "_")
        WORD("2", ".", "PUNCT", "_", "_") WORD("3", ".", "PUNCT", "_", "_") "\n";
    fixture f;
    set_up(&f, "system=arc-eager");
    read_words(&f, text);
    require(&f, 0, "_", 2);
    parse(f.parser, f.sentence, DD_TIDY_YES); /* 2 is no leaf, but 3 is */
    assert_int_equal(dd_sentence_head(f.sentence, 1), 2);
    assert_int_equal(dd_sentence_head(f.sentence, 3), 2);
    dd_sentence_clear_constraints(f.sentence);
    require(&f, 3, "_", 1);
    parse(f.parser, f.sentence, DD_TIDY_YES);
    assert_int_equal(dd_sentence_head(f.sentence, 1), 3);
    require(&f, 1, "_", 3);
    assert_int_equal(dd_parser_parse(f.parser, f.sentence, false, NULL), DD_ERROR_DATA);
    tear_down(&f);
}

/* The model takes the second word for the root. */
static const char stops[] = WORD("1", "birds", "NOUN", "_", "_")
    WORD("2", "sing", "PUNCT", "_", "_") WORD("3", ".", "PUNCT", "_", "_") "\n";

static bool is_tidy(const fixture *f)
{
    return dd_sentence_head(f->sentence, 1) == 0;
}

static void models_options_and_parsers_say_whether(void **state)
{
    (void)state;
    for (int tidy = 0; tidy <= 1; tidy++) {
        fixture f;
        set_up(&f, tidy ? "system=covington tidy=yes" : "system=covington");
        read_words(&f, stops);
        parse(f.parser, f.sentence, DD_TIDY_AUTO);
        assert_int_equal(is_tidy(&f), tidy);
        parse(f.parser, f.sentence, DD_TIDY_YES);
        assert_true(is_tidy(&f));
        parse(f.parser, f.sentence, DD_TIDY_NO);
        assert_false(is_tidy(&f));
        dd_parse_options options;
        dd_parse_options_init(&options);
        for (int wanted = DD_TIDY_AUTO; wanted <= DD_TIDY_YES; wanted++) {
            size_t done;
            options.tidy = (dd_tidy)wanted;
            assert_int_equal(dd_parser_parse_batch(f.parser, &f.sentence, 1, &options, &done, NULL),
                             DD_OK);
            assert_int_equal(is_tidy(&f), wanted == DD_TIDY_YES); /* the parser itself was set */
        }
        tear_down(&f);
    }
}

static void pieces_of_long_sentences_are_tidy(void **state)
{
    (void)state;
    char *training = make_trees(1, 40), *text = make_trees(2, 60);
    dd_model *model = train(training, "iterations=1 system=arc-eager");
    dd_reader *reader = open_text(text);
    fixture f = {.model = model};
    dd_parse_options options;
    assert_int_equal(dd_parser_new(&f.parser, model, NULL), DD_OK);
    assert_int_equal(dd_sentence_new(&f.sentence, NULL), DD_OK);
    dd_parse_options_init(&options);
    options.tidy = DD_TIDY_YES;
    options.max_words = 5;
    while (dd_reader_next(reader, f.sentence, NULL) == DD_OK) {
        size_t done;
        assert_int_equal(dd_parser_parse_batch(f.parser, &f.sentence, 1, &options, &done, NULL),
                         DD_OK);
        for (int word = 1; word <= dd_sentence_size(f.sentence); word++)
            assert_false(is_rival(f.sentence, word));
    }
    dd_reader_close(reader);
    tear_down(&f);
    free(training);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_trees_of_every_system),
        cmocka_unit_test(trees_of_several_roots_and_lifted_trees),
        cmocka_unit_test(neural_trees),
        cmocka_unit_test(required_labels_stay),
        cmocka_unit_test(what_is_asked_for_comes_first),
        cmocka_unit_test(models_options_and_parsers_say_whether),
        cmocka_unit_test(pieces_of_long_sentences_are_tidy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
