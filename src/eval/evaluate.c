#include "eval/evaluation.h"

#include "core/memory.h"
#include "core/options.h"

#include <stdlib.h>
#include <string.h>

void dd_eval_options_init_size(dd_eval_options *options, size_t size)
{
    const dd_eval_options defaults = {.rule = DD_EVAL_CONLL2018, .format = DD_FORMAT_AUTO};
    dd_options_init(options, size, &defaults, sizeof defaults);
}

dd_status dd_eval_options_take(dd_eval_options *how, const dd_eval_options *options,
                               dd_error *error)
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

/* All that is read and gone when the scores are made. */
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
    dd_status status = dd_eval_options_take(&evaluation->options, options, error);
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
    dd_status status = dd_eval_options_take(&how, options, error);
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
