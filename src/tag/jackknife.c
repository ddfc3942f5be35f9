#include "core/memory.h"
#include "tag/lemmatizer.h"
#include "tag/tagger.h"
#include "text/sentence.h"

#include <stdlib.h>
#include <string.h>

/* Every fold's models are trained before any tag is replaced, so that all learn from gold tags. */
typedef struct jackknife {
    dd_sentence *const *sentences;
    size_t count, folds;
    const dd_tagger_options *options;
    dd_sentence **others; /* [count] the sentences outside of the fold at hand */
    dd_buffer *taggers;   /* [folds] sections */
    dd_buffer *lemmatizers;
} jackknife;

/* Folds are runs of sentences: neighbours often stem from one text, and what is tagged later does
 * not have its own text in the training data either. */
static size_t fold_start(const jackknife *j, size_t fold)
{
    return (size_t)((uint64_t)j->count * fold / j->folds);
}

static dd_status train_fold(jackknife *j, size_t fold, dd_error *error)
{
    size_t from = fold_start(j, fold), to = fold_start(j, fold + 1), n = j->count - (to - from);
    dd_lemmatizer_options lemmas;
    for (size_t i = 0; i < from; i++) j->others[i] = j->sentences[i];
    for (size_t i = to; i < j->count; i++) j->others[i - (to - from)] = j->sentences[i];
    dd_status status = dd_tagger_train(&j->taggers[fold], j->others, n, j->options, error);
    if (status != DD_OK || !j->options->lemmas) return status;
    dd_lemmatizer_options_init(&lemmas);
    lemmas.seed = j->options->seed;
    return dd_lemmatizer_train(&j->lemmatizers[fold], j->others, n, &lemmas, error);
}

static dd_status tag_fold(const jackknife *j, size_t fold, dd_error *error)
{
    dd_tagger *tagger = NULL;
    dd_tagger_space *space = NULL;
    dd_text section = {j->taggers[fold].data, j->taggers[fold].size};
    dd_status status = dd_tagger_map(&tagger, section, error);
    if (status == DD_OK) status = dd_tagger_space_new(&space, tagger, error);
    for (size_t i = fold_start(j, fold); i < fold_start(j, fold + 1) && status == DD_OK; i++)
        status = dd_tagger_apply(tagger, space, j->sentences[i], error);
    dd_tagger_space_free(space);
    dd_tagger_free(tagger);
    return status;
}

static dd_status lemmatize_fold(const jackknife *j, size_t fold, dd_error *error)
{
    dd_lemmatizer *lemmatizer = NULL;
    dd_lemmatizer_space *space = NULL;
    dd_text section = {j->lemmatizers[fold].data, j->lemmatizers[fold].size};
    dd_status status = dd_lemmatizer_map(&lemmatizer, section, error);
    if (status == DD_OK) status = dd_lemmatizer_space_new(&space, lemmatizer, error);
    for (size_t i = fold_start(j, fold); i < fold_start(j, fold + 1) && status == DD_OK; i++)
        status = dd_lemmatizer_apply(lemmatizer, space, j->sentences[i], error);
    dd_lemmatizer_space_free(space);
    dd_lemmatizer_free(lemmatizer);
    return status;
}

static dd_status run(jackknife *j, dd_error *error)
{
    dd_status status = DD_OK;
    j->others = dd_calloc(j->count, sizeof *j->others);
    j->taggers = dd_calloc(j->folds, sizeof *j->taggers);
    j->lemmatizers = dd_calloc(j->folds, sizeof *j->lemmatizers);
    if (!j->others || !j->taggers || !j->lemmatizers) return dd_fail_memory(error);
    for (size_t fold = 0; fold < j->folds && status == DD_OK; fold++)
        status = train_fold(j, fold, error);
    for (size_t fold = 0; fold < j->folds && status == DD_OK; fold++) {
        status = tag_fold(j, fold, error);
        if (status == DD_OK && j->options->lemmas) status = lemmatize_fold(j, fold, error);
    }
    return status;
}

dd_status dd_tagger_jackknife(dd_sentence *const *sentences, size_t count, int folds,
                              const dd_tagger_options *options, dd_error *error)
{
    if (folds < 2 || (size_t)folds > count)
        return dd_fail(error, DD_ERROR_ARGUMENT, "%zu sentences cannot be cut in %d folds", count,
                       folds);
    jackknife j = {
        .sentences = sentences, .count = count, .folds = (size_t)folds, .options = options};
    dd_status status = run(&j, error);
    for (size_t fold = 0; fold < j.folds; fold++) {
        if (j.taggers) dd_buffer_free(&j.taggers[fold]);
        if (j.lemmatizers) dd_buffer_free(&j.lemmatizers[fold]);
    }
    free(j.others);
    free(j.taggers);
    free(j.lemmatizers);
    return status;
}
