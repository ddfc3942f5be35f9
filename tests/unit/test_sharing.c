/* One sentence, one evaluation and one parser's trees that several threads read at once: nothing is
 * written, and all get what one thread alone gets. `make tsan` runs this under ThreadSanitizer. */
#include <pthread.h>

#include "../settings_help.h"
#include "text_help.h"

enum { THREADS = 4, ROUNDS = 20 };

/* Constraints, a multiword token, a head for every word; tagging and parsing change the cells. */
static const char words[] =
    "# sent_id = shared\n# constraint = not-arc 1 2\n# constraint = span 1 2 any\n"
    "1\tThe\t_\t_\t_\t_\t2\tdet\t_\t_\n2\tking\t_\t_\t_\t_\t5\tnsubj\t_\tA=b\n"
    "3-4\tdoesn't\t_\t_\t_\t_\t_\t_\t_\t_\n3\tdoes\t_\t_\t_\t_\t5\taux\t_\t_\n"
    "4\tn't\t_\t_\t_\t_\t5\tadvmod\t_\t_\n5\tsing\t_\t_\t_\t_\t0\troot\t_\t_\n\n";

/* What is shared: all that a reading call takes is const. */
typedef struct shared {
    const dd_model *model;
    const dd_sentence *sentence, *other; /* the same words; parsed, and as they were read */
    const dd_parser *parser;             /* which holds the trees that it found */
    const dd_evaluation *evaluation;
} shared;

typedef struct fixture {
    dd_model *model;
    dd_sentence *sentence, *other;
    dd_parser *parser;
    dd_evaluation *evaluation;
    shared shared;
} fixture;

/* ---- what each thread does ---- */

static void add(dd_buffer *out, dd_text text)
{
    assert_true(dd_buffer_append(out, text.data, text.size));
}

static void add_cells(dd_buffer *out, const dd_sentence *s)
{
    dd_text text;
    add(out, dd_sentence_id(s));
    assert_true(dd_buffer_printf(out, "%d\n", (int)dd_sentence_line(s)));
    for (int word = 1; word <= dd_sentence_size(s); word++) {
        assert_int_equal(dd_sentence_heads(s)[word], dd_sentence_head(s, word));
        assert_true(dd_buffer_printf(out, "%d", dd_sentence_head(s, word)));
        add(out, dd_sentence_deprel(s, word));
        for (int column = 0; column < DD_COLUMNS; column++)
            add(out, dd_sentence_cell(s, word, (dd_column)column));
    }
    for (size_t i = 0; dd_sentence_constraint(s, i, &text); i++) add(out, text);
}

static void write_sentences(const shared *all)
{
    dd_writer *writer;
    assert_int_equal(dd_writer_open(&writer, "/dev/null", NULL), DD_OK);
    assert_int_equal(dd_writer_sentence(writer, all->sentence, NULL), DD_OK);
    assert_int_equal(dd_writer_sentence(writer, all->other, NULL), DD_OK);
    assert_int_equal(dd_writer_close(writer, NULL), DD_OK);
}

static void add_drawings(dd_buffer *out, const shared *all)
{
    for (int format = DD_DRAW_TEXT; format <= DD_DRAW_DOT; format++) {
        dd_draw_options options;
        dd_drawing *drawing;
        dd_text picture;
        dd_draw_options_init(&options);
        options.format = (dd_draw_format)format;
        assert_int_equal(dd_drawing_new(&drawing, &options, NULL), DD_OK);
        assert_int_equal(dd_draw(drawing, all->sentence, all->other, &picture, NULL), DD_OK);
        add(out, picture);
        dd_drawing_free(drawing);
    }
}

static void add_scores(dd_buffer *out, const dd_evaluation *evaluation)
{
    dd_metric metric;
    dd_confusion confusion;
    dd_sentence_score score;
    dd_comparison comparison;
    for (size_t i = 0; dd_evaluation_metric(evaluation, i, &metric); i++)
        assert_true(dd_buffer_printf(out, "%s %d\n", metric.name, (int)metric.correct));
    for (size_t i = 0; dd_evaluation_label(evaluation, i, &metric); i++)
        assert_true(dd_buffer_printf(out, "%s %d\n", metric.name, (int)metric.correct));
    for (size_t i = 0; dd_evaluation_confusion(evaluation, i, &confusion); i++)
        assert_true(dd_buffer_printf(out, "%s %s\n", confusion.gold, confusion.system));
    for (size_t i = 0; dd_evaluation_sentence(evaluation, i, &score); i++)
        assert_true(dd_buffer_printf(out, "%d of %d\n", (int)score.heads, (int)score.words));
    assert_true(dd_buffer_text(out, dd_evaluation_rule(evaluation)));
    assert_int_equal(dd_compare(&comparison, evaluation, evaluation, 10, 1, NULL), DD_OK);
    assert_true(dd_buffer_printf(out, "%d\n", (int)comparison.las.as_large));
}

static dd_reader *read_back(dd_buffer *bytes, const dd_sentence *sentence)
{
    dd_reader *reader;
    assert_int_equal(dd_sentence_format(sentence, DD_FORMAT_AUTO, bytes, NULL), DD_OK);
    dd_text text = {bytes->data, bytes->size};
    assert_int_equal(dd_reader_open_memory(&reader, "t", text, DD_FORMAT_CONLLU, NULL), DD_OK);
    return reader;
}

static dd_evaluation *evaluate(const shared *all)
{
    dd_buffer one = {0}, two = {0};
    dd_reader *gold = read_back(&one, all->other), *system = read_back(&two, all->sentence);
    dd_evaluation *evaluation;
    assert_int_equal(dd_evaluate_readers(&evaluation, gold, system, NULL, NULL), DD_OK);
    dd_reader_close(gold);
    dd_reader_close(system);
    dd_buffer_free(&one);
    dd_buffer_free(&two);
    return evaluation;
}

static void add_counts(dd_buffer *out, const shared *all)
{
    dd_stats_collector *collector;
    dd_stats stats;
    dd_arc_counts arcs = {0};
    dd_evaluation *own = evaluate(all);
    assert_int_equal(dd_stats_collector_new(&collector, true, NULL), DD_OK);
    assert_int_equal(dd_stats_collector_add(collector, all->sentence, NULL), DD_OK);
    dd_stats_collector_get(collector, &stats);
    dd_stats_collector_free(collector);
    assert_int_equal(dd_arc_counts_add(&arcs, all->sentence, NULL), DD_OK);
    assert_true(dd_buffer_printf(out, "%d %d\n", (int)stats.words, (int)arcs.projective.right));
    add_scores(out, own);
    add_scores(out, all->evaluation);
    dd_evaluation_free(own);
}

static bool add_oracle_step(void *user, const dd_oracle_step *step)
{
    return dd_buffer_printf(user, "%d %d\n", step->step, step->loss);
}

static bool add_trace_step(void *user, const dd_trace_step *step)
{
    return dd_buffer_printf(user, "%d %d\n", step->step, step->n_moves);
}

static void add_walks(dd_buffer *out, const shared *all)
{
    dd_oracle_options walk;
    dd_trace_options options;
    dd_oracle *oracle;
    dd_trace *trace;
    dd_oracle_options_init(&walk);
    walk.system = "covington";
    assert_int_equal(dd_oracle_new(&oracle, &walk, NULL), DD_OK);
    assert_int_equal(dd_oracle_walk(oracle, all->sentence, add_oracle_step, out, NULL), DD_OK);
    dd_oracle_free(oracle);
    dd_trace_options_init(&options);
    options.model = all->model;
    assert_int_equal(dd_trace_new(&trace, &options, NULL), DD_OK);
    assert_int_equal(dd_trace_sentence(trace, all->sentence, add_trace_step, out, NULL), DD_OK);
    dd_trace_free(trace);
}

/* The shared parser's trees and those that a parser of this thread finds, in a sentence of its own.
 */
static void add_trees(dd_buffer *out, const shared *all)
{
    dd_parser *own;
    dd_sentence *target = read_first(words, DD_FORMAT_CONLLU);
    assert_int_equal(dd_parser_new(&own, all->model, NULL), DD_OK);
    assert_int_equal(dd_parser_check(own, all->sentence, NULL), DD_OK);
    assert_int_equal(dd_parser_search(own, all->sentence, 4, 4, NULL), DD_OK);
    assert_int_equal(dd_parser_trees(own), dd_parser_trees(all->parser));
    for (int k = 0; k < dd_parser_trees(own); k++) {
        assert_true(dd_buffer_real(out, "%.4f", dd_parser_tree_score(all->parser, k)));
        assert_int_equal(dd_parser_attach(all->parser, k, target, true, NULL), DD_OK);
        assert_int_equal(dd_sentence_format(target, DD_FORMAT_AUTO, out, NULL), DD_OK);
        assert_int_equal(dd_parser_attach(own, k, target, true, NULL), DD_OK);
        assert_int_equal(dd_sentence_format(target, DD_FORMAT_AUTO, out, NULL), DD_OK);
    }
    dd_sentence_free(target);
    dd_parser_free(own);
}

static dd_buffer do_all(const shared *all)
{
    dd_buffer out = {0};
    for (int i = 0; i < ROUNDS; i++) {
        assert_int_equal(dd_sentence_format(all->sentence, DD_FORMAT_AUTO, &out, NULL), DD_OK);
        assert_int_equal(dd_sentence_format(all->other, DD_FORMAT_AUTO, &out, NULL), DD_OK);
        write_sentences(all);
        add_cells(&out, all->sentence);
        add_drawings(&out, all);
        add_counts(&out, all);
        add_walks(&out, all);
        add_trees(&out, all);
    }
    return out;
}

/* ---- side by side ---- */

typedef struct job {
    const shared *all;
    dd_buffer out;
} job;

static void *work(void *argument)
{
    job *own = argument;
    own->out = do_all(own->all);
    return NULL;
}

static void threads_read_the_same(void **state)
{
    fixture *f = *state;
    job jobs[THREADS] = {{0}};
    pthread_t threads[THREADS];
    dd_buffer alone = do_all(&f->shared);
    for (int i = 0; i < THREADS; i++) {
        jobs[i].all = &f->shared;
        assert_int_equal(pthread_create(&threads[i], NULL, work, &jobs[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(jobs[i].out.size, alone.size);
        assert_memory_equal(jobs[i].out.data, alone.data, alone.size);
        dd_buffer_free(&jobs[i].out);
    }
    dd_buffer_free(&alone);
}

/* The bytes stand in the caller's buffer, after what it held, and outlive the sentence. */
static void formatting_appends(void **state)
{
    (void)state;
    dd_sentence *sentence = read_first(words, DD_FORMAT_CONLLU);
    dd_buffer out = {0};
    assert_true(dd_buffer_text(&out, "kept\n"));
    assert_int_equal(dd_sentence_format(sentence, DD_FORMAT_AUTO, &out, NULL), DD_OK);
    dd_sentence_free(sentence);
    assert_true(dd_buffer_append(&out, "", 1));
    assert_int_equal(strncmp(out.data, "kept\n", 5), 0);
    assert_string_equal(out.data + 5, words);
    dd_buffer_free(&out);
    assert_true(out.data == NULL && out.size == 0 && out.capacity == 0);
    dd_buffer_free(NULL);
}

/* ---- what is shared ---- */

static int set_up(void **state)
{
    static fixture f;
    const char *settings = "only=tagger,lemmatizer,parser iterations=2";
    dd_error error;
    if (train_with_settings(&f.model, settings, NULL, DEMO, NULL, &error) != DD_OK) return -1;
    f.sentence = read_first(words, DD_FORMAT_CONLLU);
    f.other = read_first(words, DD_FORMAT_CONLLU);
    if (dd_parser_new(&f.parser, f.model, &error) != DD_OK ||
        dd_parser_parse(f.parser, f.sentence, true, &error) != DD_OK ||
        dd_parser_search(f.parser, f.sentence, 4, 4, &error) != DD_OK)
        return -1;
    f.shared = (shared){f.model, f.sentence, f.other, f.parser, NULL};
    f.shared.evaluation = f.evaluation = evaluate(&f.shared);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    dd_evaluation_free(f->evaluation);
    dd_parser_free(f->parser);
    dd_sentence_free(f->sentence);
    dd_sentence_free(f->other);
    dd_model_free(f->model);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_read_the_same),
        cmocka_unit_test(formatting_appends),
    };
    return cmocka_run_group_tests_name("sharing", tests, set_up, tear_down);
}
