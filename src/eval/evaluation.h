/* evaluation.h - the scores of one file
 *
 *     two readers -> two corpora -> alignment -> metrics, labels, counts a sentence
 *
 * Only the scores are kept; dd_evaluate frees corpora and alignment. */
#ifndef DODONA_EVAL_EVALUATION_H
#define DODONA_EVAL_EVALUATION_H

#include "eval/corpus.h"

#include <dodona_tools.h>

enum { DD_EVAL_MAX_METRICS = 14 };

struct dd_evaluation {
    dd_eval_options options;
    dd_metric metrics[DD_EVAL_MAX_METRICS];
    size_t n_metrics;
    dd_metric *labels; /* [n_labels] the names are owned */
    size_t n_labels;
    dd_confusion *confusions; /* [n_confusions] the labels are those of `labels` */
    size_t n_confusions;
    dd_sentence_score *sentences; /* [n_sentences] of the gold file */
    size_t n_sentences;
    bool same_words; /* every word of each file is aligned */
    char *system;    /* name of the system's file, for messages */
};

/* What the scoring functions read. */
typedef struct dd_eval_pair_of_files {
    const dd_eval_corpus *gold, *system;
    const dd_eval_alignment *alignment;
    const dd_vocab *vocab;
    bool no_punct;
} dd_eval_pair_of_files;

static inline bool dd_eval_is_scored(const dd_eval_pair_of_files *files, const dd_eval_word *word)
{
    return !(files->no_punct && word->punctuation);
}

/* Heads that are the same aligned word, or the root on both sides. */
static inline bool dd_eval_same_head(const dd_eval_pair_of_files *files, const dd_eval_word *gold,
                                     const dd_eval_word *system)
{
    if (gold->head < 0 || system->head < 0) return gold->head < 0 && system->head < 0;
    return files->alignment->gold_of[system->head] == gold->head;
}

void dd_eval_score(dd_evaluation *evaluation, const dd_eval_pair_of_files *files);
/* Each returns false if allocation fails. */
bool dd_eval_count_sentences(dd_evaluation *evaluation, const dd_eval_pair_of_files *files);
bool dd_eval_count_labels(dd_evaluation *evaluation, const dd_eval_pair_of_files *files);

#endif
