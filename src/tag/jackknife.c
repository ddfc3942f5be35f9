#include "core/memory.h"
#include "tag/lemmatizer.h"
#include "tag/tagger.h"
#include "text/sentence.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Every fold's models are trained before any tag is replaced, so that all learn from gold tags. */
typedef struct jackknife {
    dd_sentence *const *sentences;
    size_t count, folds;
    const dd_tagger_options *options;
    const dd_lemmatizer_options *lemmas; /* NULL: none are wanted */
    dd_draft *taggers;                   /* [folds] sections */
    dd_buffer *lemmatizers;
    size_t next_fold; /* to be trained; under the lock */
    dd_status status; /* of the first fold that failed; under the lock */
    dd_error *error;
    pthread_mutex_t lock;
} jackknife;

/* What the reports of one fold need to know. */
typedef struct fold_report {
    jackknife *jackknife;
    size_t fold;
} fold_report;

/* Folds are runs of sentences: neighbours often come from one text, and a text to be tagged later
 * is not in the training data either. */
static size_t fold_start(const jackknife *j, size_t fold)
{
    return (size_t)((uint64_t)j->count * fold / j->folds);
}

/* Adds which fold it is, and lets one thread through at a time. A fold that failed, or was told to
 * stop, stops the others as well. */
static bool report(void *user, const dd_component_progress *progress)
{
    const fold_report *of = user;
    jackknife *j = of->jackknife;
    dd_component_progress with_fold = *progress;
    with_fold.fold = (int)of->fold + 1;
    with_fold.folds = (int)j->folds;
    pthread_mutex_lock(&j->lock);
    bool go_on = j->status == DD_OK &&
                 (!j->options->report || j->options->report(j->options->user, &with_fold));
    pthread_mutex_unlock(&j->lock);
    return go_on;
}

/* `others`: [count], for the sentences outside of the fold. */
static dd_status train_fold(jackknife *j, size_t fold, dd_sentence **others, dd_error *error)
{
    size_t from = fold_start(j, fold), to = fold_start(j, fold + 1), n = j->count - (to - from);
    fold_report of = {j, fold};
    dd_tagger_options tags = *j->options;
    tags.report = report;
    tags.user = &of;
    tags.bad = NULL;  /* the final tagger has reported them */
    tags.threads = 1; /* the others train other folds */
    for (size_t i = 0; i < from; i++) others[i] = j->sentences[i];
    for (size_t i = to; i < j->count; i++) others[i - (to - from)] = j->sentences[i];
    dd_status status = tags.train(&j->taggers[fold], others, n, &tags, error);
    if (status != DD_OK || !j->lemmas) return status;
    dd_lemmatizer_options lemmas = *j->lemmas;
    lemmas.report = report;
    lemmas.user = &of;
    return dd_lemmatizer_train(&j->lemmatizers[fold], others, n, &lemmas, error);
}

/* The next fold to train; false if there is none, or one has failed. */
static bool take_fold(jackknife *j, size_t *fold)
{
    pthread_mutex_lock(&j->lock);
    *fold = j->next_fold++;
    bool go_on = *fold < j->folds && j->status == DD_OK;
    pthread_mutex_unlock(&j->lock);
    return go_on;
}

static void note_failure(jackknife *j, dd_status status, const dd_error *error)
{
    pthread_mutex_lock(&j->lock);
    if (j->status == DD_OK) {
        j->status = status;
        if (j->error) *j->error = *error;
    }
    pthread_mutex_unlock(&j->lock);
}

/* What each thread does: one fold after the other, until none is left. */
static void *train_folds(void *user)
{
    jackknife *j = user;
    dd_error error = {0};
    size_t fold;
    dd_sentence **others = dd_calloc(j->count, sizeof(dd_sentence *));
    if (!others) note_failure(j, dd_fail_memory(&error), &error);
    while (take_fold(j, &fold)) {
        dd_status status = train_fold(j, fold, others, &error);
        if (status != DD_OK) note_failure(j, status, &error);
    }
    free(others);
    return NULL;
}

/* If a thread cannot be started, the others do its work. */
static dd_status train_all(jackknife *j)
{
    pthread_t helpers[DD_MAX_THREADS];
    int started = 0, wanted = j->options->threads - 1;
    if (wanted > (int)j->folds - 1) wanted = (int)j->folds - 1;
    if (wanted > DD_MAX_THREADS - 1) wanted = DD_MAX_THREADS - 1;
    pthread_mutex_init(&j->lock, NULL);
    while (started < wanted && pthread_create(&helpers[started], NULL, train_folds, j) == 0)
        started++;
    train_folds(j);
    for (int t = 0; t < started; t++) pthread_join(helpers[t], NULL);
    pthread_mutex_destroy(&j->lock);
    return j->status;
}

static dd_status tag_fold(const jackknife *j, size_t fold, dd_error *error)
{
    dd_tagger *tagger = NULL;
    dd_tagger_space *space = NULL;
    dd_sections sections = {0};
    dd_draft_list(&j->taggers[fold], &sections);
    dd_status status = dd_tagger_find(&tagger, &sections, error);
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
    j->taggers = dd_calloc(j->folds, sizeof *j->taggers);
    j->lemmatizers = dd_calloc(j->folds, sizeof *j->lemmatizers);
    if (!j->taggers || !j->lemmatizers) return dd_fail_memory(error);
    dd_status status = train_all(j);
    for (size_t fold = 0; fold < j->folds && status == DD_OK; fold++) {
        status = tag_fold(j, fold, error);
        if (status == DD_OK && j->lemmas) status = lemmatize_fold(j, fold, error);
    }
    return status;
}

dd_status dd_tagger_jackknife(dd_sentence *const *sentences, size_t count, int folds,
                              const dd_tagger_options *options, const dd_lemmatizer_options *lemmas,
                              dd_error *error)
{
    if (folds < 2 || (size_t)folds > count)
        return dd_fail(error, DD_ERROR_ARGUMENT, "%zu sentences cannot be cut into %d folds", count,
                       folds);
    jackknife j = {.sentences = sentences,
                   .count = count,
                   .folds = (size_t)folds,
                   .options = options,
                   .lemmas = lemmas,
                   .error = error};
    dd_status status = run(&j, error);
    for (size_t fold = 0; fold < j.folds; fold++) {
        if (j.taggers) dd_draft_free(&j.taggers[fold]);
        if (j.lemmatizers) dd_buffer_free(&j.lemmatizers[fold]);
    }
    free(j.taggers);
    free(j.lemmatizers);
    return status;
}
