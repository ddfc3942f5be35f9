/* Calls that are ended before they are done: wherever that happens, they say so, leave what they
 * were given as it was, and can be made again. */
#include "../settings_help.h"
#include "core/cancel.h"
#include "text_help.h"

#include <math.h>
#include <pthread.h>

static const char *const systems[] = {"arc-standard", "arc-eager", "arc-hybrid",
                                      "arc-eager-nm", "lr-spine",  "attardi",
                                      "covington",    "pointer",   "covington-nm"};
enum { SYSTEMS = sizeof systems / sizeof *systems, MOST_LOOKS = 1000000 };

/* Up to 40 looks are tried one by one, further ones in growing steps. */
static int64_t next_look(int64_t look)
{
    return look < 40 ? look + 1 : look + look / 3;
}

static dd_cancel *new_cancel(void)
{
    dd_cancel *cancel;
    assert_int_equal(dd_cancel_new(&cancel, NULL), DD_OK);
    return cancel;
}

static dd_sentence *read_one(const char *conllu)
{
    dd_reader *reader;
    dd_sentence *sentence;
    dd_error error;
    assert_int_equal(dd_sentence_new(&sentence, NULL), DD_OK);
    assert_int_equal(dd_reader_open_memory(&reader, "t", text_of(conllu), DD_FORMAT_CONLLU, NULL),
                     DD_OK);
    if (dd_reader_next(reader, sentence, &error) != DD_OK) fail_msg("%s", error.message);
    dd_reader_close(reader);
    return sentence;
}

static dd_buffer format(const dd_sentence *sentence)
{
    dd_buffer out = {0};
    assert_int_equal(dd_sentence_format(sentence, DD_FORMAT_AUTO, &out, NULL), DD_OK);
    return out;
}

static void assert_same(const dd_buffer *one, const dd_buffer *other)
{
    assert_int_equal(one->size, other->size);
    assert_memory_equal(one->data, other->data, one->size);
}

/* ---- the object itself ---- */

static void it_is_due_when_it_was_told(void **state)
{
    (void)state;
    dd_cancel *cancel = new_cancel();
    assert_false(dd_cancel_is_due(cancel));
    dd_cancel_after(cancel, INFINITY);
    assert_false(dd_cancel_is_due(cancel));
    dd_cancel_after(cancel, 1e300);
    assert_false(dd_cancel_is_due(cancel));
    dd_cancel_after(cancel, 3600);
    assert_false(dd_cancel_is_due(cancel));
    dd_cancel_after(cancel, 0);
    assert_true(dd_cancel_is_due(cancel));
    dd_cancel_after(cancel, -1);
    assert_true(dd_cancel_is_due(cancel));
    dd_cancel_reset(cancel);
    assert_false(dd_cancel_is_due(cancel));
    dd_cancel_now(cancel);
    dd_cancel_after(cancel, INFINITY);
    assert_true(dd_cancel_is_due(cancel));
    dd_cancel_free(cancel);
    dd_cancel_free(NULL);
}

static bool refuse(void *user)
{
    ++*(int *)user;
    return false;
}

static void *wait_until_due(void *user)
{
    while (!dd_cancel_is_due(user)) continue;
    return NULL;
}

/* By its own thread alone; others learn of the answer. */
static void a_function_is_asked(void **state)
{
    (void)state;
    int asked = 0;
    pthread_t other;
    dd_cancel *cancel = new_cancel();
    dd_cancel_when(cancel, refuse, &asked);
    assert_int_equal(pthread_create(&other, NULL, wait_until_due, cancel), 0);
    wait_until_due(cancel);
    assert_int_equal(pthread_join(other, NULL), 0);
    assert_int_equal(asked, 1);
    dd_cancel_free(cancel);
}

/* ---- parsing ---- */

#define WORD(id, form, upos) id "\t" form "\t_\t" upos "\t_\t_\t_\t_\t_\t_\n"
#define WORDS                                                                                      \
    WORD("1", "The", "DET")                                                                        \
    WORD("2", "old", "ADJ")                                                                        \
    WORD("3", "oak", "NOUN")                                                                       \
    WORD("4", ",", "PUNCT")                                                                        \
    WORD("5", "rustles", "VERB")                                                                   \
    WORD("6", "in", "ADP")                                                                         \
    WORD("7", "the", "DET") WORD("8", "wind", "NOUN") WORD("9", ".", "PUNCT") "\n"

static const char *const sentences[] = {
    WORDS,
    "# constraint = arc 5 _ 3\n# constraint = span 6 8 any\n# constraint = leaf 2\n" WORDS,
    "# constraint = not-arc 5 9\n# constraint = not-arc 3 1\n" WORDS,
};

static dd_model *train(const char *system)
{
    char settings[128];
    dd_model *model;
    dd_error error;
    snprintf(settings, sizeof settings, "system=%s iterations=1 scorer=%s", system,
             strcmp(system, "graph") == 0 ? "neural" : "linear");
    if (train_with_settings(&model, settings, NULL, DEMO, NULL, &error) != DD_OK)
        fail_msg("%s", error.message);
    return model;
}

static dd_status parse(dd_parser *parser, dd_sentence *sentence, const dd_parse_options *how,
                       dd_error *error)
{
    size_t done;
    dd_status status = dd_parser_parse_batch(parser, &sentence, 1, how, &done, error);
    assert_int_equal(done, status == DD_OK);
    return status;
}

/* Returns how many looks the parse takes: one for each word, at least, unless it is refused. */
static int64_t cancel_each_look(const dd_model *model, const char *text,
                                const dd_parse_options *how)
{
    dd_parser *parser;
    dd_error error;
    dd_sentence *whole = read_one(text);
    assert_int_equal(dd_parser_new(&parser, model, NULL), DD_OK);
    dd_status expected = parse(parser, whole, how, &error);
    dd_buffer wanted = format(whole);
    int64_t look = 0;
    for (dd_status status = DD_INTERRUPTED; status == DD_INTERRUPTED;) {
        dd_cancel *cancel = new_cancel();
        dd_sentence *sentence = read_one(text);
        dd_buffer before = format(sentence);
        look = next_look(look);
        dd_cancel_at_look(cancel, look);
        dd_parser_set_cancel(parser, cancel);
        status = parse(parser, sentence, how, &error);
        if (status == DD_INTERRUPTED) {
            assert_string_equal(error.message, "cancelled before it was done");
            dd_buffer after = format(sentence);
            assert_same(&after, &before);
            dd_buffer_free(&after);
            dd_parser_set_cancel(parser, NULL);
            assert_int_equal(parse(parser, sentence, how, &error), expected);
        } else {
            assert_int_equal(status, expected);
        }
        dd_buffer found = format(sentence);
        assert_same(&found, &wanted);
        dd_buffer_free(&found);
        dd_buffer_free(&before);
        dd_sentence_free(sentence);
        dd_cancel_free(cancel);
        assert_true(look < MOST_LOOKS);
    }
    assert_true(expected != DD_OK || look > dd_sentence_size(whole));
    dd_buffer_free(&wanted);
    dd_sentence_free(whole);
    dd_parser_free(parser);
    return look;
}

static void a_parse_can_be_cancelled(void **state)
{
    (void)state;
    for (int s = 0; s <= SYSTEMS; s++) {
        dd_model *model = train(s < SYSTEMS ? systems[s] : "graph");
        for (int i = 0; i < 3; i++) {
            dd_parse_options how;
            dd_parse_options_init(&how);
            how.beam = 1;
            cancel_each_look(model, sentences[i], &how);
            how.tidy = DD_TIDY_YES;
            cancel_each_look(model, sentences[i], &how);
            if (s == SYSTEMS) continue;
            how.beam = 4;
            how.nbest = 2;
            cancel_each_look(model, sentences[i], &how);
        }
        dd_model_free(model);
    }
}

/* In pieces too, and where the constraints of a long sentence are searched for a conflict. */
static void a_long_sentence_can_be_cancelled(void **state)
{
    (void)state;
    dd_buffer text = {0};
    dd_model *model = train("arc-hybrid");
    for (int i = 1; i < 60; i++)
        assert_true(dd_buffer_printf(&text, "# constraint = not-arc %d %d\n", i % 7 + 1, i));
    assert_true(dd_buffer_printf(&text, "# constraint = arc 9 _ 3\n# constraint = leaf 9\n"));
    size_t constraints = text.size;
    for (int i = 1; i <= 60; i++)
        assert_true(dd_buffer_printf(&text, "%d\tw%d\t_\tNOUN\t_\t_\t_\t_\t_\t_\n", i, i));
    assert_true(dd_buffer_append(&text, "\n", 2));
    dd_parse_options how;
    dd_parse_options_init(&how);
    cancel_each_look(model, text.data, &how);
    how.max_words = 7;
    assert_true(cancel_each_look(model, text.data + constraints, &how) > 60);
    dd_buffer_free(&text);
    dd_model_free(model);
}

/* What was written before is whole. */
static void a_stream_can_be_cancelled(void **state)
{
    (void)state;
    dd_model *model = train("arc-hybrid");
    dd_buffer text = {0};
    for (int i = 0; i < 500; i++) assert_true(dd_buffer_text(&text, WORDS));
    for (int threads = 1; threads <= 3; threads += 2) {
        int64_t look = 0;
        for (dd_status status = DD_INTERRUPTED; status == DD_INTERRUPTED;) {
            FILE *file = tmpfile();
            dd_reader *reader;
            dd_writer *writer;
            dd_parse_options how;
            dd_parse_report report;
            assert_non_null(file);
            dd_parse_options_init(&how);
            dd_parse_report_init(&report, model);
            how.threads = threads;
            how.cancel = new_cancel();
            look = look * 3 + 1;
            dd_cancel_at_look(how.cancel, look);
            assert_int_equal(dd_reader_open_memory(&reader, "t", (dd_text){text.data, text.size},
                                                   DD_FORMAT_CONLLU, NULL),
                             DD_OK);
            assert_int_equal(dd_writer_open_fd(&writer, "out", fileno(file), NULL), DD_OK);
            status = dd_parse_stream(model, reader, writer, &how, &report, NULL);
            assert_int_equal(dd_writer_close(writer, NULL), DD_OK);
            dd_reader_close(reader);
            rewind(file);
            dd_reader *back;
            assert_int_equal(dd_reader_open_fd(&back, "out", fileno(file), DD_FORMAT_CONLLU, NULL),
                             DD_OK);
            copy all = copy_reader(back);
            assert_int_equal(all.good, report.sentences);
            assert_int_equal(all.bad, 0);
            if (status != DD_INTERRUPTED) assert_int_equal(status, DD_OK);
            assert_int_equal(report.sentences == 500, status == DD_OK);
            dd_buffer_free(&all.output);
            dd_cancel_free(how.cancel);
            fclose(file);
            assert_true(look < MOST_LOOKS);
        }
        assert_true(look > 1000);
    }
    dd_buffer_free(&text);
    dd_model_free(model);
}

/* ---- oracles ---- */

typedef struct walk {
    dd_cancel *cancel;
    int steps;
    uint64_t sum;       /* of losses and costs */
    int64_t left;       /* looks before the step */
    int64_t most_looks; /* within one step */
} walk;

static bool note_step(void *user, const dd_oracle_step *step)
{
    walk *w = user;
    int64_t left = w->cancel ? dd_cancel_looks_left(w->cancel) : 0;
    if (w->left - left > w->most_looks) w->most_looks = w->left - left;
    w->left = left;
    w->steps++;
    w->sum = w->sum * 31 + (uint64_t)step->loss;
    for (int i = 0; i < step->transitions; i++) w->sum = w->sum * 31 + (uint64_t)step->costs[i];
    return true;
}

static dd_status walk_tree(const dd_oracle_options *how, const dd_sentence *tree, walk *w)
{
    dd_oracle *oracle;
    dd_error error;
    assert_int_equal(dd_oracle_new(&oracle, how, NULL), DD_OK);
    w->cancel = how->cancel;
    dd_status status = dd_oracle_walk(oracle, tree, note_step, w, &error);
    if (status == DD_INTERRUPTED)
        assert_string_equal(error.message, "cancelled before it was done");
    dd_oracle_free(oracle);
    return status;
}

/* The first steps are those of the whole walk, and no more are told. */
static void cancel_walk(dd_oracle_options *how, const dd_sentence *tree)
{
    walk whole = {0};
    assert_int_equal(walk_tree(how, tree, &whole), DD_OK);
    int64_t look = 0;
    for (dd_status status = DD_INTERRUPTED; status == DD_INTERRUPTED;) {
        walk w = {0};
        how->cancel = new_cancel();
        look = next_look(look);
        dd_cancel_at_look(how->cancel, look);
        status = walk_tree(how, tree, &w);
        if (status == DD_INTERRUPTED) {
            assert_true(w.steps < whole.steps);
            assert_true(w.steps < look);
        } else {
            assert_int_equal(status, DD_OK);
            assert_int_equal(w.sum, whole.sum);
        }
        dd_cancel_free(how->cancel);
        assert_true(look < MOST_LOOKS);
    }
    how->cancel = NULL;
}

/* A tree of n words: a left chain, or one with crossing arcs. */
static dd_sentence *make_tree(int n, bool crossing)
{
    dd_buffer text = {0};
    for (int i = 1; i <= n; i++) {
        int head = crossing ? (i < 3 ? i - 1 : i - 2) : i < n ? i + 1 : 0;
        assert_true(dd_buffer_printf(&text, "%d\tw\t_\t_\t_\t_\t%d\tdep\t_\t_\n", i, head));
    }
    assert_true(dd_buffer_append(&text, "\n", 2));
    dd_sentence *tree = read_one(text.data);
    dd_buffer_free(&text);
    return tree;
}

static void a_walk_can_be_cancelled(void **state)
{
    (void)state;
    static const char *const losses[] = {"upper", "lower", "pc-upper", "exact"};
    for (int s = 0; s < SYSTEMS; s++) {
        for (int kind = 0; kind < 8; kind++) {
            dd_oracle_options how;
            dd_oracle_options_init(&how);
            how.system = systems[s];
            how.walk = kind & 1 ? DD_WALK_RANDOM : DD_WALK_GOLD;
            how.single_root = kind & 2;
            how.partial = true;
            dd_sentence *tree = make_tree(8, kind & 4);
            for (int l = 0; l < (s == SYSTEMS - 1 ? 4 : 1); l++) {
                how.loss = s == SYSTEMS - 1 ? losses[l] : NULL;
                cancel_walk(&how, tree);
            }
            dd_sentence_free(tree);
        }
    }
}

/* One step can take minutes, so looks between steps would not do. */
static void a_loss_can_be_cancelled(void **state)
{
    (void)state;
    for (int s = 0; s < SYSTEMS; s++) {
        dd_oracle_options how;
        dd_oracle_options_init(&how);
        how.system = systems[s];
        how.walk = DD_WALK_RANDOM;
        bool nonmonotonic = s == SYSTEMS - 1;
        how.loss = nonmonotonic ? "exact" : NULL;
        dd_sentence *tree = make_tree(nonmonotonic ? 12 : 40, false);
        walk w = {.left = MOST_LOOKS};
        how.cancel = new_cancel();
        dd_cancel_at_look(how.cancel, MOST_LOOKS);
        dd_status status = walk_tree(&how, tree, &w);
        assert_true(status == DD_OK || status == DD_INTERRUPTED);
        bool tabular = s == 0 || s == 4 || s == 5 || nonmonotonic;
        if (tabular && w.most_looks < 8) fail_msg("%s: %d", systems[s], (int)w.most_looks);
        dd_cancel_free(how.cancel);
        dd_sentence_free(tree);
    }
}

static bool take_derivation(void *user, const dd_oracle_derivation *derivation)
{
    (void)derivation;
    return ++*(int *)user < 50;
}

static void counting_derivations_can_be_cancelled(void **state)
{
    (void)state;
    dd_sentence *tree = make_tree(10, false);
    for (int s = 0; s < SYSTEMS; s++) {
        int64_t look = 0;
        for (dd_status status = DD_INTERRUPTED; status == DD_INTERRUPTED;) {
            dd_oracle_options how;
            dd_oracle *oracle;
            const dd_oracle_total *total;
            int listed = 0;
            dd_oracle_options_init(&how);
            how.system = systems[s];
            how.cancel = new_cancel();
            look = next_look(look);
            dd_cancel_at_look(how.cancel, look);
            assert_int_equal(dd_oracle_new(&oracle, &how, NULL), DD_OK);
            status = dd_oracle_count(oracle, tree, &total, NULL);
            if (status == DD_INTERRUPTED)
                assert_int_equal(dd_oracle_list(oracle, tree, take_derivation, &listed, NULL),
                                 DD_INTERRUPTED);
            else
                assert_int_equal(status, DD_OK);
            assert_int_equal(listed, 0);
            dd_oracle_free(oracle);
            dd_cancel_free(how.cancel);
            assert_true(look < MOST_LOOKS);
        }
        assert_true(look > 10);
    }
    dd_sentence_free(tree);
}

/* ---- traces and drawings ---- */

static bool count_step(void *user, const dd_trace_step *step)
{
    (void)step;
    ++*(int *)user;
    return true;
}

static void a_trace_can_be_cancelled(void **state)
{
    (void)state;
    for (int s = 0; s < SYSTEMS; s++) {
        dd_model *model = train(systems[s]);
        dd_sentence *sentence = read_one(sentences[1]);
        for (int beam = 1; beam <= 4; beam += 3) {
            int64_t look = 0;
            int most = 0;
            for (dd_status status = DD_INTERRUPTED; status == DD_INTERRUPTED;) {
                dd_trace_options how;
                dd_trace *trace;
                int steps = 0;
                dd_trace_options_init(&how);
                how.model = model;
                how.beam = beam;
                how.tidy = DD_TIDY_YES;
                how.cancel = new_cancel();
                look = next_look(look);
                dd_cancel_at_look(how.cancel, look);
                assert_int_equal(dd_trace_new(&trace, &how, NULL), DD_OK);
                status = dd_trace_sentence(trace, sentence, count_step, &steps, NULL);
                assert_true(steps >= most);
                most = steps;
                dd_trace_free(trace);
                dd_cancel_free(how.cancel);
                assert_true(look < MOST_LOOKS);
            }
            assert_true(most > 9);
        }
        dd_sentence_free(sentence);
        dd_model_free(model);
    }
}

static void a_drawing_can_be_cancelled(void **state)
{
    (void)state;
    dd_sentence *tree = make_tree(60, true);
    dd_text whole = {0};
    int64_t look = 0;
    for (dd_status status = DD_INTERRUPTED; status == DD_INTERRUPTED;) {
        dd_draw_options how;
        dd_drawing *drawing;
        dd_error error;
        dd_draw_options_init(&how);
        how.format = DD_DRAW_SVG;
        how.cancel = new_cancel();
        look = next_look(look);
        dd_cancel_at_look(how.cancel, look);
        assert_int_equal(dd_drawing_new(&drawing, &how, NULL), DD_OK);
        status = dd_draw(drawing, tree, NULL, &whole, &error);
        if (status == DD_INTERRUPTED)
            assert_string_equal(error.message, "cancelled before it was done");
        else
            assert_true(whole.size > 1000);
        dd_drawing_free(drawing);
        dd_cancel_free(how.cancel);
        assert_true(look < MOST_LOOKS);
    }
    assert_true(look > 100);
    dd_sentence_free(tree);
}

/* Whether it is noticed while arcs are laid out, or while they are written. */
static void a_large_drawing_is_refused(void **state)
{
    (void)state;
    dd_sentence *tree = make_tree(300, true);
    dd_draw_options how;
    dd_drawing *drawing;
    dd_error error;
    dd_text svg;
    dd_draw_options_init(&how);
    how.format = DD_DRAW_SVG;
    how.width = 300;
    assert_int_equal(dd_drawing_new(&drawing, &how, NULL), DD_OK);
    assert_int_equal(dd_draw(drawing, tree, NULL, &svg, &error), DD_OK);
    size_t size = svg.size;
    dd_drawing_free(drawing);
    static const double shares[] = {0.1, 0.5, 0.9, 0.999, 1};
    for (int i = 0; i < 5; i++) {
        how.max_bytes = (size_t)((double)size * shares[i]);
        assert_int_equal(dd_drawing_new(&drawing, &how, NULL), DD_OK);
        dd_status status = dd_draw(drawing, tree, NULL, &svg, &error);
        assert_int_equal(status, shares[i] < 1 ? DD_ERROR_DATA : DD_OK);
        char reason[80];
        snprintf(reason, sizeof reason, "the drawing would have more than %zu bytes",
                 how.max_bytes);
        if (status != DD_OK) assert_string_equal(error.message, reason);
        dd_drawing_free(drawing);
    }
    dd_sentence_free(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_due_when_it_was_told),
        cmocka_unit_test(a_function_is_asked),
        cmocka_unit_test(a_parse_can_be_cancelled),
        cmocka_unit_test(a_long_sentence_can_be_cancelled),
        cmocka_unit_test(a_stream_can_be_cancelled),
        cmocka_unit_test(a_walk_can_be_cancelled),
        cmocka_unit_test(a_loss_can_be_cancelled),
        cmocka_unit_test(counting_derivations_can_be_cancelled),
        cmocka_unit_test(a_trace_can_be_cancelled),
        cmocka_unit_test(a_drawing_can_be_cancelled),
        cmocka_unit_test(a_large_drawing_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
