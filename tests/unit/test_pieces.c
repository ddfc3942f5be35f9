/* Sentences that are too long to be parsed at once, against their pieces parsed one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../settings_help.h"
#include "core/strings.h"
#include "parse/parser.h"
#include "systems/registry.h"

#define WORD(id, form, head, label) id "\t" form "\t_\tX\t_\t_\t" head "\t" label "\t_\t_\n"

/* Most arcs to the right are `stop`; of those into heads most are `then`. */
static const char treebank[] = WORD("1", "come", "0", "root") WORD("2", "dogs", "1", "then")
    WORD("3", "bark", "2", "what") WORD("4", ".", "1", "stop") WORD("5", ".", "1", "stop") "\n";

static dd_model *train_on(const char *path, const char *system)
{
    dd_error error;
    dd_model *model = NULL;
    char settings[96];
    snprintf(settings, sizeof settings, "system=%s", system);
    dd_status status = train_with_settings(&model, settings, NULL, path, NULL, &error);
    if (status != DD_OK) fail_msg("%s", error.message);
    return model;
}

static dd_model *train_on_text(const char *text, const char *system)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/dodona-pieces-%ld", (long)getpid());
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
    dd_model *model = train_on(path, system);
    unlink(path);
    return model;
}

/* A sentence of these forms, parted by spaces, with other tags from word to word, `before` of which
 * are passed over. */
static void add_words(dd_buffer *out, const char *forms, int before, int count)
{
    static const char *const tags[] = {"NOUN", "VERB", "DET", "ADP", "PUNCT"};
    char line[200];
    for (int word = 1; *forms && word <= before + count; word++) {
        int size = (int)strcspn(forms, " ");
        snprintf(line, sizeof line, "%d\t%.*s\t_\t%s\t_\t_\t_\t_\t_\t_\n", word - before, size,
                 forms, tags[word % 7 % 5]);
        if (word > before) assert_true(dd_buffer_text(out, line));
        forms += size + (forms[size] == ' ');
    }
    assert_true(dd_buffer_text(out, "\n") && dd_buffer_append(out, "", 1));
}

static dd_sentence *read_text(const char *text)
{
    dd_error error;
    dd_reader *reader;
    dd_sentence *sentence;
    dd_text bytes = {text, strlen(text)};
    assert_int_equal(dd_sentence_new(&sentence, NULL), DD_OK);
    assert_int_equal(dd_reader_open_memory(&reader, "t", bytes, DD_FORMAT_CONLLU, NULL), DD_OK);
    if (dd_reader_next(reader, sentence, &error) != DD_OK) fail_msg("%s", error.message);
    dd_reader_close(reader);
    return sentence;
}

static dd_sentence *make_sentence(const char *forms, int before, int count)
{
    dd_buffer text = {0};
    add_words(&text, forms, before, count);
    dd_sentence *sentence = read_text(text.data);
    dd_buffer_free(&text);
    return sentence;
}

static dd_status parse(dd_parser *parser, dd_sentence *sentence, const dd_parse_options *options,
                       dd_error *error)
{
    size_t done;
    dd_status status = dd_parser_parse_batch(parser, &sentence, 1, options, &done, error);
    assert_int_equal(done, status == DD_OK);
    return status;
}

static bool same_text(dd_text one, dd_text other)
{
    return one.size == other.size && memcmp(one.data, other.data, one.size) == 0;
}

/* ---- cutting and joining ------------------------------------------------------------------ */

typedef struct example {
    const char *forms;
    int most;
    int ends[8]; /* the last words of the pieces, 0 after the last */
} example;

static const example examples[] = {
    {"the dog sees the cat", 5, {5}},
    {"the dog sees the cat", 4, {4, 5}},
    {"the dog sees the cat", 1, {1, 2, 3, 4, 5}},
    {"the dog sleeps . the cat sees , the dog , the king", 6, {4, 8, 13}},
    {"he sees the dog . and the cat , she", 6, {5, 10}},
    /* Not in the first half of a piece, and rather after a full stop than after a comma. */
    {"the . dog sees the cat the dog", 6, {6, 8}},
    {"the dog sees . the cat , the", 7, {4, 8}},
    {"the dog sees , the cat runs the", 7, {4, 8}},
    {"the dog sees ?! the , cat the", 7, {4, 8}},
    {"the dog sees \xE3\x80\x82 the , cat the", 7, {4, 8}},
    /* Not after an opening bracket, and forms with letters or digits are none. */
    {"the dog sees the ( cat the dog", 6, {6, 8}},
    {"the dog sees Dr. 3. cat the dog", 6, {6, 8}},
};

static int root_of(const dd_sentence *sentence)
{
    int word = 1;
    while (dd_sentence_head(sentence, word) != 0) word++;
    return word;
}

static void check_piece(const dd_sentence *whole, const dd_sentence *piece, int before, int root)
{
    for (int word = 1; word <= piece->n; word++) {
        int head = dd_sentence_head(piece, word), found = dd_sentence_head(whole, before + word);
        if (head == 0 && before > 0) {
            assert_int_equal(found, root);
            continue;
        }
        assert_int_equal(found, head == 0 ? 0 : head + before);
        assert_true(
            same_text(dd_sentence_deprel(piece, word), dd_sentence_deprel(whole, before + word)));
        assert_true(whole->edits.scores[before + word].margin == piece->edits.scores[word].margin);
    }
}

static void check_example(dd_parser *parser, const example *e, int beam)
{
    dd_parse_options options;
    dd_parse_options_init(&options);
    options.beam = beam;
    options.scores = true;
    options.max_words = e->most;
    int total = 0, root = 0;
    double score = 0;
    while (e->ends[total]) total++;
    dd_sentence *whole = make_sentence(e->forms, 0, e->ends[total - 1]);
    assert_int_equal(parse(parser, whole, &options, NULL), DD_OK);
    double joined_score = dd_parser_tree_score(parser, 0);
    assert_int_equal(dd_parser_trees(parser), 1);
    options.max_words = 1000;
    for (int i = 0; e->ends[i]; i++) {
        int before = i ? e->ends[i - 1] : 0;
        dd_sentence *piece = make_sentence(e->forms, before, e->ends[i] - before);
        assert_int_equal(parse(parser, piece, &options, NULL), DD_OK);
        if (i == 0) root = root_of(piece);
        check_piece(whole, piece, before, root);
        score += dd_parser_tree_score(parser, 0);
        dd_sentence_free(piece);
    }
    assert_true(score - joined_score < 1e-6 && joined_score - score < 1e-6);
    dd_sentence_free(whole);
}

static void pieces_are_parsed_as_sentences_of_their_own(void **state)
{
    (void)state;
    for (size_t s = 0; s < dd_system_count(); s++) {
        dd_model *model = train_on(DEMO, dd_system_get(s)->name);
        dd_parser *parser;
        assert_int_equal(dd_parser_new(&parser, model, NULL), DD_OK);
        for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
            for (int beam = 1; beam <= 3; beam += 2) check_example(parser, &examples[i], beam);
        dd_parser_free(parser);
        dd_model_free(model);
    }
}

/* Tags that were set, not read, are those of the pieces too. */
static void pieces_have_the_tags_that_were_set(void **state)
{
    (void)state;
    static const char forms[] = "the dog sees the cat";
    static const char *const tags[] = {"VERB", "ADP", "NOUN", "DET", "VERB"};
    dd_model *model = train_on(DEMO, "arc-hybrid");
    dd_parser *parser;
    dd_parse_options options;
    dd_parse_options_init(&options);
    options.scores = true;
    assert_int_equal(dd_parser_new(&parser, model, NULL), DD_OK);
    dd_sentence *whole = make_sentence(forms, 0, 5), *piece = make_sentence(forms, 3, 2);
    for (int word = 1; word <= 5; word++) {
        dd_text tag = {tags[word - 1], strlen(tags[word - 1])};
        assert_int_equal(dd_sentence_set_cell(whole, word, DD_UPOS, tag, NULL), DD_OK);
        if (word > 3)
            assert_int_equal(dd_sentence_set_cell(piece, word - 3, DD_UPOS, tag, NULL), 0);
    }
    assert_int_equal(parse(parser, piece, &options, NULL), DD_OK);
    options.max_words = 3;
    assert_int_equal(parse(parser, whole, &options, NULL), DD_OK);
    dd_sentence part = dd_sentence_part(whole, 4, 5);
    for (int word = 1; word <= 2; word++)
        assert_true(same_text(dd_cell(&part, word, DD_UPOS), dd_cell(piece, word, DD_UPOS)));
    check_piece(whole, piece, 3, root_of(whole));
    dd_sentence_free(whole);
    dd_sentence_free(piece);
    dd_parser_free(parser);
    dd_model_free(model);
}

/* ---- labels ------------------------------------------------------------------------------- */

static void check_joining_label(const char *text, const char *label)
{
    dd_model *model = train_on_text(text, "covington");
    dd_parser *parser;
    dd_parse_options options;
    dd_parse_options_init(&options);
    options.max_words = 4;
    assert_int_equal(dd_parser_new(&parser, model, NULL), DD_OK);
    dd_sentence *sentence = read_text(WORD("1", "come", "_", "_") WORD("2", "dogs", "_", "_") WORD(
        "3", "bark", "_", "_") WORD("4", ".", "_", "_") WORD("5", "come", "_", "_") "\n");
    assert_int_equal(parse(parser, sentence, &options, NULL), DD_OK);
    assert_int_equal(dd_sentence_head(sentence, 5), root_of(sentence));
    assert_true(same_text(dd_sentence_deprel(sentence, 5), (dd_text){label, strlen(label)}));
    dd_sentence_free(sentence);
    dd_parser_free(parser);
    dd_model_free(model);
}

static void pieces_are_joined_by_parataxis_or_a_usual_label(void **state)
{
    (void)state;
    char with[2 * sizeof treebank];
    check_joining_label(treebank, "then");
    snprintf(with, sizeof with, "%s%s\n", treebank,
             WORD("1", "come", "0", "root") WORD("2", "go", "1", "parataxis"));
    check_joining_label(with, "parataxis");
}

/* ---- limits ------------------------------------------------------------------------------- */

/* A file of one sentence through the stream, with n words. */
static dd_parse_report stream_words(const dd_model *model, int n, int max_words, int threads)
{
    dd_reader *reader;
    dd_writer *writer;
    dd_parse_options options;
    dd_parse_report report;
    dd_buffer text = {0};
    char line[80];
    for (int word = 1; word <= n; word++) {
        snprintf(line, sizeof line, "%d\tdog\t_\tNOUN\t_\t_\t_\t_\t_\t_\n", word);
        assert_true(dd_buffer_text(&text, line));
    }
    assert_true(dd_buffer_text(&text, "\n"));
    dd_parse_options_init(&options);
    dd_parse_report_init(&report, model);
    options.threads = threads;
    options.max_words = max_words;
    dd_text bytes = {text.data, text.size};
    assert_int_equal(dd_reader_open_memory(&reader, "t", bytes, DD_FORMAT_CONLLU, NULL), DD_OK);
    assert_int_equal(dd_writer_open(&writer, "/dev/null", NULL), DD_OK);
    assert_int_equal(dd_parse_stream(model, reader, writer, &options, &report, NULL), DD_OK);
    assert_int_equal(dd_writer_close(writer, NULL), DD_OK);
    dd_reader_close(reader);
    dd_buffer_free(&text);
    return report;
}

static void check_limit(const char *system, int limit)
{
    dd_model *model = train_on(DEMO, system);
    dd_parse_report report = stream_words(model, limit ? limit : 5000, 0, 1);
    assert_int_equal(report.cut, 0);
    assert_int_equal(report.max_words, limit);
    if (limit) assert_int_equal(stream_words(model, limit + 1, 0, 2).cut, 1);
    assert_int_equal(stream_words(model, 12, 12, 1).cut, 0);
    report = stream_words(model, 13, 12, 1);
    assert_int_equal(report.cut, 1);
    assert_int_equal(report.max_words, 12);
    assert_int_equal(stream_words(model, limit + 1, limit + 1, 1).cut, 0);
    dd_model_free(model);
}

static void only_quadratic_systems_have_a_limit(void **state)
{
    (void)state;
    check_limit("covington", 2000);
    check_limit("covington-nm", 1000);
    check_limit("lr-spine", 2000);
    check_limit("pointer", 2000);
    check_limit("graph scorer=neural width=8 hidden=16 iterations=1", 2000);
    check_limit("arc-standard", 0);
    check_limit("arc-eager-nm", 0);
}

static void constraints_are_not_cut(void **state)
{
    (void)state;
    static const char text[] =
        "# sent_id = long\n# constraint = arc 0 _ 1\n" WORD("1", "come", "_", "_")
            WORD("2", "dogs", "_", "_") WORD("3", "come", "_", "_") "\n";
    dd_model *model = train_on(DEMO, "covington");
    dd_parser *parser;
    dd_error error;
    dd_parse_options options;
    dd_parse_options_init(&options);
    options.max_words = 2;
    assert_int_equal(dd_parser_new(&parser, model, NULL), DD_OK);
    dd_sentence *sentence = read_text(text);
    assert_int_equal(parse(parser, sentence, &options, &error), DD_ERROR_DATA);
    assert_string_equal(error.message,
                        "t:2: sentence 'long': constraint 'arc 0 _ 1': a sentence with constraints "
                        "can have up to 2 words, this one has 3; longer ones are parsed in pieces");
    assert_int_equal(dd_sentence_head(sentence, 1), DD_HEAD_UNKNOWN);
    assert_int_equal(dd_parser_check(parser, sentence, NULL), DD_OK);
    options.max_words = 3;
    assert_int_equal(parse(parser, sentence, &options, NULL), DD_OK);
    dd_sentence_free(sentence);
    dd_parser_free(parser);
    dd_model_free(model);
}

static void of_several_trees_there_is_one(void **state)
{
    (void)state;
    dd_model *model = train_on(DEMO, "covington-nm");
    dd_parser *parser;
    dd_parse_options options;
    dd_buffer text = {0};
    dd_parse_options_init(&options);
    options.max_words = 3;
    options.beam = 4;
    options.nbest = 4;
    assert_int_equal(dd_parser_new(&parser, model, NULL), DD_OK);
    dd_sentence *sentence = make_sentence("the dog sees the cat", 0, 5);
    assert_int_equal(parse(parser, sentence, &options, NULL), DD_OK);
    assert_int_equal(dd_sentence_format(sentence, DD_FORMAT_AUTO, &text, NULL), DD_OK);
    assert_true(dd_buffer_append(&text, "", 1));
    assert_non_null(strstr(text.data, "# nbest = 1\n"));
    assert_null(strstr(text.data, "# nbest = 2\n"));
    dd_buffer_free(&text);
    dd_sentence_free(sentence);
    dd_parser_free(parser);
    dd_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_parsed_as_sentences_of_their_own),
        cmocka_unit_test(pieces_have_the_tags_that_were_set),
        cmocka_unit_test(pieces_are_joined_by_parataxis_or_a_usual_label),
        cmocka_unit_test(only_quadratic_systems_have_a_limit),
        cmocka_unit_test(constraints_are_not_cut),
        cmocka_unit_test(of_several_trees_there_is_one),
    };
    return cmocka_run_group_tests_name("pieces", tests, NULL, NULL);
}
