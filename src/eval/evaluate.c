/* evaluate.c - two files compared, and a model scored on a treebank */
#include "core/memory.h"
#include "core/options.h"
#include "core/status.h"
#include "eval/evaluation.h"
#include "model/model.h"
#include "segment/running_text.h"

#include <dodona_tools.h>
#include <stdlib.h>
#include <string.h>

void dd_eval_options_init_size(dd_eval_options *options, size_t size)
{
    const dd_eval_options defaults = {.rule = DD_EVAL_CONLL2018, .format = DD_FORMAT_AUTO};
    dd_options_init(options, size, &defaults, sizeof defaults);
}

/* The caller's options, NULL for the defaults, in the library's own struct. */
static dd_status take_options(dd_eval_options *how, const dd_eval_options *options, dd_error *error)
{
    dd_eval_options_init(how);
    return DD_OPTIONS_TAKE(how, options, cancel, "options were", error);
}

void dd_evaluation_free(dd_evaluation *evaluation)
{
    if (!evaluation) return;
    for (size_t i = 0; i < evaluation->n_labels; i++) free((char *)evaluation->labels[i].name);
    free(evaluation->labels);
    free(evaluation->confusions);
    free(evaluation->sentences);
    free(evaluation->system);
    free(evaluation);
}

/* ---- evaluating ---- */

/* What is read, and freed once the scores are computed. */
typedef struct inputs {
    dd_vocab vocab;
    dd_eval_corpus gold, system;
    dd_eval_alignment alignment;
} inputs;

static dd_status read_inputs(inputs *in, dd_reader *gold, dd_reader *system,
                             const dd_eval_options *how, dd_error *error)
{
    if (!dd_eval_vocab_init(&in->vocab)) return dd_fail_memory(error);
    dd_status status = dd_eval_corpus_read(&in->gold, &in->vocab, gold, how, error);
    if (status == DD_OK) status = dd_eval_corpus_read(&in->system, &in->vocab, system, how, error);
    if (status != DD_OK) return status;
    return how->rule == DD_EVAL_CONLLX
               ? dd_eval_pair(&in->alignment, &in->vocab, &in->gold, &in->system, error)
               : dd_eval_align(&in->alignment, &in->gold, &in->system, error);
}

static void free_inputs(inputs *in)
{
    dd_vocab_free(&in->vocab);
    dd_eval_corpus_free(&in->gold);
    dd_eval_corpus_free(&in->system);
    dd_eval_alignment_free(&in->alignment);
}

static bool fill(dd_evaluation *evaluation, const inputs *in)
{
    dd_eval_pair_of_files files = {.gold = &in->gold,
                                   .system = &in->system,
                                   .alignment = &in->alignment,
                                   .vocab = &in->vocab,
                                   .no_punct = evaluation->options.no_punct};
    evaluation->same_words =
        in->alignment.matched == in->gold.n_words && in->alignment.matched == in->system.n_words;
    evaluation->system = dd_copy_text(in->system.name, strlen(in->system.name));
    dd_eval_score(evaluation, &files);
    return evaluation->system && dd_eval_count_sentences(evaluation, &files) &&
           dd_eval_count_labels(evaluation, &files);
}

dd_status dd_evaluate_readers(dd_evaluation **out, dd_reader *gold, dd_reader *system,
                              const dd_eval_options *options, dd_error *error)
{
    inputs in = {0};
    dd_evaluation *evaluation = dd_calloc(1, sizeof *evaluation);
    *out = NULL;
    if (!evaluation) return dd_fail_memory(error);
    dd_status status = take_options(&evaluation->options, options, error);
    if (status == DD_OK) status = read_inputs(&in, gold, system, &evaluation->options, error);
    if (status == DD_OK && !fill(evaluation, &in)) status = dd_fail_memory(error);
    free_inputs(&in);
    if (status == DD_OK)
        *out = evaluation;
    else
        dd_evaluation_free(evaluation);
    return status;
}

dd_status dd_evaluate(dd_evaluation **out, const char *gold_path, const char *system_path,
                      const dd_eval_options *options, dd_error *error)
{
    dd_reader *gold = NULL, *system = NULL;
    dd_eval_options how;
    *out = NULL;
    dd_status status = take_options(&how, options, error);
    if (status == DD_OK) status = dd_reader_open(&gold, gold_path, how.format, error);
    if (status == DD_OK) status = dd_reader_open(&system, system_path, how.format, error);
    if (status == DD_OK) status = dd_evaluate_readers(out, gold, system, &how, error);
    dd_reader_close(gold);
    dd_reader_close(system);
    return status;
}

/* ---- asking for the scores ---- */

bool dd_evaluation_metric(const dd_evaluation *evaluation, size_t index, dd_metric *out)
{
    if (index >= evaluation->n_metrics) return false;
    *out = evaluation->metrics[index];
    return true;
}

bool dd_evaluation_label(const dd_evaluation *evaluation, size_t index, dd_metric *out)
{
    if (index >= evaluation->n_labels) return false;
    *out = evaluation->labels[index];
    return true;
}

bool dd_evaluation_confusion(const dd_evaluation *evaluation, size_t index, dd_confusion *out)
{
    if (index >= evaluation->n_confusions) return false;
    *out = evaluation->confusions[index];
    return true;
}

bool dd_evaluation_sentence(const dd_evaluation *evaluation, size_t index, dd_sentence_score *out)
{
    if (index >= evaluation->n_sentences) return false;
    *out = evaluation->sentences[index];
    return true;
}

const char *dd_evaluation_rule(const dd_evaluation *evaluation)
{
    static const char *const rules[2][2] = {
        {"CoNLL 2018: words aligned by characters, DEPREL without subtypes, punctuation counted",
         "CoNLL 2018: words aligned by characters, DEPREL without subtypes, words whose FORM has "
         "only punctuation left out"},
        {"CoNLL-X: word by word, DEPREL in full, punctuation counted (as in 2007)",
         "CoNLL-X: word by word, DEPREL in full, words whose FORM has only punctuation left out "
         "(as in 2006)"},
    };
    return rules[evaluation->options.rule == DD_EVAL_CONLLX][evaluation->options.no_punct];
}

static double ratio(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

double dd_metric_precision(const dd_metric *metric)
{
    return ratio(metric->correct, metric->system);
}

double dd_metric_recall(const dd_metric *metric)
{
    return ratio(metric->correct, metric->gold);
}

double dd_metric_f1(const dd_metric *metric)
{
    return ratio(2 * metric->correct, metric->gold + metric->system);
}

double dd_metric_aligned_accuracy(const dd_metric *metric)
{
    return ratio(metric->correct, metric->aligned);
}

/* ---- a model scored on a treebank ----------------------------------------------------------- */

/* The treebank is parsed, without what the model is to find, and compared. */

typedef struct work {
    const dd_model *model;
    const char *path;
    dd_format format;
    dd_eval_given given; /* not AUTO once the treebank has been read */
    int threads;
    const dd_eval_options *how;
    dd_running_text text;   /* of the treebank */
    dd_buffer gold, parsed; /* CoNLL-U */
} work;

static void free_work(work *w)
{
    dd_running_text_free(&w->text);
    dd_buffer_free(&w->gold);
    dd_buffer_free(&w->parsed);
}

static dd_status read_gold(work *w, dd_reader *reader, dd_sentence *sentence, dd_error *error)
{
    dd_status status;
    size_t count = 0;
    while ((status = dd_reader_next(reader, sentence, error)) == DD_OK) {
        if (!dd_running_text_add(&w->text, sentence)) return dd_fail_memory(error);
        status = dd_sentence_format(sentence, DD_FORMAT_AUTO, &w->gold, error);
        if (status == DD_OK && ++count % DD_SENTENCES_PER_ASKING == 0)
            status = dd_eval_ask(w->how, error);
        if (status != DD_OK) return status;
    }
    return status == DD_END ? DD_OK : status;
}

static dd_status load_gold(work *w, dd_error *error)
{
    dd_reader *reader = NULL;
    dd_sentence *sentence = NULL;
    dd_status status = dd_reader_open(&reader, w->path, w->format, error);
    if (status == DD_OK) status = dd_sentence_new(&sentence, error);
    if (status == DD_OK) status = read_gold(w, reader, sentence, error);
    dd_sentence_free(sentence);
    dd_reader_close(reader);
    return status;
}

/* As little as the model can do with. */
static dd_status choose_given(work *w, dd_error *error)
{
    uint32_t has = dd_model_components(w->model);
    if (!(has & DD_PARSER))
        return dd_fail(error, DD_ERROR_DATA, "a model without a parser has no trees to be scored");
    bool possible = (has & DD_TOKENIZER) && w->text.known;
    if (w->given == DD_EVAL_GIVEN_AUTO)
        w->given = possible                            ? DD_EVAL_GIVEN_TEXT
                   : has & (DD_TAGGER | DD_LEMMATIZER) ? DD_EVAL_GIVEN_WORDS
                                                       : DD_EVAL_GIVEN_TAGS;
    if (w->given != DD_EVAL_GIVEN_TEXT || possible) return DD_OK;
    return dd_fail(error, DD_ERROR_DATA, "%.200s: %s", w->path,
                   w->text.known ? "the model has no tokenizer for its text"
                                 : "no text: no sentence has '# text' or SpaceAfter=No");
}

/* It is the calling thread that writes. */
static dd_status keep(void *user, dd_text bytes, dd_error *error)
{
    work *w = user;
    if (!dd_buffer_append(&w->parsed, bytes.data, bytes.size)) return dd_fail_memory(error);
    return dd_eval_ask(w->how, error);
}

static dd_status open_given(const work *w, dd_reader **out, dd_error *error)
{
    dd_input_options options;
    dd_input_options_init(&options);
    bool text = w->given == DD_EVAL_GIVEN_TEXT;
    const dd_buffer *bytes = text ? &w->text.text : &w->gold;
    options.format = text ? DD_FORMAT_TEXT : w->format;
    options.paragraphs = DD_PARAGRAPHS_BLANK; /* as running text has them */
    const dd_input from = {
        .name = w->path, .kind = DD_INPUT_BYTES, .bytes = {bytes->data, bytes->size}};
    return dd_reader_open_input(out, w->model, &from, &options, error);
}

static dd_status parse(work *w, dd_error *error)
{
    dd_reader *reader = NULL;
    dd_writer *writer = NULL;
    dd_parse_options options;
    dd_parse_report report;
    dd_parse_options_init(&options);
    dd_parse_report_init(&report, w->model);
    options.threads = w->threads;
    options.cancel = w->how->cancel;
    options.tag = w->given != DD_EVAL_GIVEN_TAGS;
    dd_status status = open_given(w, &reader, error);
    if (status == DD_OK) status = dd_writer_open_to(&writer, keep, w, error);
    if (status == DD_OK)
        status = dd_parse_stream(w->model, reader, writer, &options, &report, error);
    if (writer) {
        dd_status closed = dd_writer_close(writer, status == DD_OK ? error : NULL);
        if (status == DD_OK) status = closed;
    }
    dd_reader_close(reader);
    return status;
}

static dd_status score(dd_evaluation **out, const work *w, dd_error *error)
{
    dd_reader *gold = NULL, *parsed = NULL;
    dd_text right = {w->gold.data, w->gold.size}, found = {w->parsed.data, w->parsed.size};
    dd_format format = w->given == DD_EVAL_GIVEN_TEXT ? DD_FORMAT_CONLLU : w->format;
    dd_status status = dd_reader_open_memory(&gold, w->path, right, w->format, error);
    if (status == DD_OK) status = dd_reader_open_memory(&parsed, w->path, found, format, error);
    if (status == DD_OK) status = dd_evaluate_readers(out, gold, parsed, w->how, error);
    dd_reader_close(gold);
    dd_reader_close(parsed);
    return status;
}

dd_status dd_evaluate_model(dd_evaluation **out, const dd_model *model, const char *gold_path,
                            dd_eval_given *given, int threads, const dd_eval_options *options,
                            dd_error *error)
{
    dd_eval_options how;
    work w = {.model = model,
              .path = gold_path,
              .given = given ? *given : DD_EVAL_GIVEN_AUTO,
              .threads = threads,
              .how = &how};
    *out = NULL;
    dd_status status = take_options(&how, options, error);
    w.format = how.format;
    if (status == DD_OK) status = load_gold(&w, error);
    if (status == DD_OK) status = choose_given(&w, error);
    if (status == DD_OK) status = parse(&w, error);
    if (status == DD_OK) status = score(out, &w, error);
    if (given) *given = w.given;
    free_work(&w);
    return status;
}
