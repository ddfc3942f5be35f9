/* trainer.c - the thread of a trainer: trains the models in the order of their requests */
#include "serve/annotate/store.h"

#include "heap.h"
#include "number.h"
#include "serve/metrics.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* One training. Only its own thread changes `one`, under the lock, as others read it. */
typedef struct training {
    annotator *all;
    trained *one;
    double end;     /* of its time */
    bool cut, late; /* by the end of the server or because it was deleted; by its time */
} training;

/* ---- its reports -------------------------------------------------------------------------- */

static double share(double percent)
{
    return isfinite(percent) ? percent / 100 : 0;
}

/* As the parser of ArboratorGrew has it, of which null is what is not measured here. */
static char *describe(const trained *one, const dd_train_progress *now)
{
    output out;
    output_keep(&out);
    output_format(&out,
                  "{\"LAS_epoch\":%.4f,\"LAS_chuliu_epoch\":%.4f,\"acc_head_epoch\":%.4f,"
                  "\"acc_deprel_epoch\":null,\"acc_uposs_epoch\":null,\"loss_epoch\":null,",
                  share(now->dev_las), share(now->dev_las), share(now->dev_uas));
    output_format(&out,
                  "\"training_diagnostics\":{\"data_description\":{\"n_train_sents\":%llu,"
                  "\"n_test_sents\":%llu,\"n_train_batches\":0,\"n_test_batches\":0},"
                  "\"epoch\":%d,\"is_best_LAS\":%s,\"seconds\":%.1f}}",
                  (unsigned long long)one->n_train, (unsigned long long)one->n_dev, now->iteration,
                  now->best ? "true" : "false", now->seconds);
    output_bytes(&out, "", 1);
    if (out.status == DD_OK) return out.data;
    free(out.data);
    return heap_copy("null", 4);
}

static void keep_scores(trained *one, const dd_train_progress *now)
{
    char *scores = describe(one, now);
    size_t before = one->history ? strlen(one->history) : 0, size = before + strlen(scores) + 2;
    char *history = heap_zeroed(size, 1);
    snprintf(history, size, "%s%s%s", before ? one->history : "", before ? "," : "", scores);
    free(one->history);
    one->history = history;
    if (now->best || !now->has_dev) {
        free(one->best);
        one->best = scores;
    } else {
        free(scores);
    }
}

/* Whether to continue. */
static bool may_go_on(training *own)
{
    own->cut =
        own->cut || own->all->stopping || own->one->deleted || atomic_load(own->all->options.stops);
    own->late = own->late || number_seconds_now() > own->end;
    return !own->cut && !own->late;
}

static bool on_report(void *user, const dd_train_progress *now)
{
    training *own = user;
    trained *one = own->one;
    pthread_mutex_lock(&own->all->lock);
    snprintf(one->progress, sizeof one->progress, "parser: iteration %d of %d", now->iteration,
             now->iterations);
    if (now->finished) keep_scores(one, now);
    bool goes_on = may_go_on(own);
    pthread_mutex_unlock(&own->all->lock);
    return goes_on;
}

static const char *name_component(dd_component which)
{
    return which == DD_TOKENIZER ? "tokenizer" : which == DD_TAGGER ? "tagger" : "lemmatizer";
}

static bool on_component(void *user, const dd_component_progress *now)
{
    training *own = user;
    trained *one = own->one;
    pthread_mutex_lock(&own->all->lock);
    snprintf(one->progress, sizeof one->progress, "%s: iteration %d of %d",
             name_component(now->component), now->iteration, now->iterations);
    bool goes_on = may_go_on(own);
    pthread_mutex_unlock(&own->all->lock);
    return goes_on;
}

/* ---- one training ------------------------------------------------------------------------- */

/* Systems that can build any tree, as annotators' arcs may cross. */
static dd_status make_settings(const trained *one, dd_settings **out, dd_error *error)
{
    char iterations[16];
    snprintf(iterations, sizeof iterations, "%d", one->iterations);
    const struct {
        const char *name, *value;
    } wanted[] = {{"scorer", one->scorer.name},
                  {"system", one->base ? NULL : one->scorer.all_trees},
                  {"start-from", one->base},
                  {"iterations", one->iterations > 0 ? iterations : NULL},
                  {"threads", "1"},
                  {"skip-bad", "yes"}};
    dd_status status = dd_settings_new(out, error);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted && status == DD_OK; i++)
        if (wanted[i].value) status = dd_settings_set(*out, wanted[i].name, wanted[i].value, error);
    return status;
}

static dd_status learn(training *own, dd_model **model, dd_error *error)
{
    dd_settings *settings = NULL;
    dd_train_watch watch;
    char train[PATH_ROOM], dev[PATH_ROOM];
    const char *paths[] = {train};
    dd_train_watch_init(&watch);
    watch.user = own;
    watch.report = on_report;
    watch.component_report = on_component;
    store_path(own->all, own->one, "train.conllu", train);
    store_path(own->all, own->one, "dev.conllu", dev);
    dd_status status = make_settings(own->one, &settings, error);
    if (status == DD_OK)
        status =
            dd_train(model, settings, &watch, paths, 1, own->one->n_dev > 0 ? dev : NULL, error);
    dd_settings_free(settings);
    return status;
}

/* A training whose time is up keeps what it has learnt. */
static bool save(training *own, const dd_model *model, dd_error *error)
{
    static const dd_train_progress none = {.iteration = 0};
    static const char *const data[] = {"train.conllu", "dev.conllu"};
    char path[PATH_ROOM];
    pthread_mutex_lock(&own->all->lock);
    if (!own->one->best) own->one->best = describe(own->one, &none);
    pthread_mutex_unlock(&own->all->lock);
    store_path(own->all, own->one, "model.dodona", path);
    if (dd_model_save(model, path, error) != DD_OK) return false;
    if (!store_save_scores(own->all, own->one)) {
        snprintf(error->message, sizeof error->message, "the scores cannot be written: %s",
                 strerror(errno));
        return false;
    }
    for (size_t i = 0; i < sizeof data / sizeof *data; i++) {
        store_path(own->all, own->one, data[i], path);
        (void)unlink(path);
    }
    return true;
}

static const char *why_failed(const training *own, const dd_error *error)
{
    const annotator *all = own->all;
    if (own->one->deleted) return "the model was deleted while it was trained";
    if (own->cut) return "the server was shut down while the model was trained";
    if (own->late) return "the training took longer than this server allows";
    /* Files by their names, not by their places on the server. */
    size_t folder = strlen(all->options.folder);
    const char *file = strstr(error->message, "/train.conllu");
    bool named = file && strncmp(error->message, all->options.folder, folder) == 0;
    return named ? file + 1 : error->message;
}

/* What status requests report from now on. A model that has failed can be forgotten. */
static void settle(training *own, bool good, const dd_error *error)
{
    annotator *all = own->all;
    trained *one = own->one;
    char project[MOST_NAME + 1], id[MOST_NAME + 1], name[2 * MOST_NAME + 2];
    snprintf(project, sizeof project, "%s", one->project);
    snprintf(id, sizeof id, "%s", one->id);
    snprintf(name, sizeof name, "%s/%s", project, id);
    pthread_mutex_lock(&all->lock);
    bool deleted = one->deleted;
    bool ready = good && !deleted;
    one->state = ready ? WORK_READY : WORK_FAILED;
    if (!ready) snprintf(one->reason, sizeof one->reason, "%s", why_failed(own, error));
    *(ready ? &all->n_trained : &all->n_failed) += 1;
    pthread_mutex_unlock(&all->lock);
    /* The next start finds what the end of the server interrupted, and can report it. */
    if (deleted || (!good && !own->cut)) store_remove_files(all, project, id);
    log_event(ready ? "trained" : "not trained", "model", name);
}

static void train(annotator *all, trained *one)
{
    training own = {
        .all = all, .one = one, .end = number_seconds_now() + all->options.most_seconds};
    dd_model *model = NULL;
    dd_error error = {.message = ""};
    dd_status status = learn(&own, &model, &error);
    bool good = model && !own.cut && (status == DD_OK || status == DD_INTERRUPTED);
    if (good) good = save(&own, model, &error);
    dd_model_free(model);
    settle(&own, good, &error);
}

/* ---- the thread --------------------------------------------------------------------------- */

void annotate_be_nice(void)
{
    enum { NICE = 15 };
#ifdef __linux__
    (void)setpriority(PRIO_PROCESS, 0, NICE);
#endif
}

/* The oldest that waits, under the lock; NULL: the server ends. */
static trained *await_model(annotator *all)
{
    while (!all->stopping) {
        for (size_t i = 0; i < all->n_models; i++)
            if (all->models[i]->state == WORK_WAITS) return all->models[i];
        pthread_cond_wait(&all->more, &all->lock);
    }
    return NULL;
}

void *annotate_train_all(void *user)
{
    annotator *all = user;
    annotate_be_nice();
    for (;;) {
        pthread_mutex_lock(&all->lock);
        trained *one = await_model(all);
        if (one) one->state = WORK_RUNS;
        pthread_mutex_unlock(&all->lock);
        if (!one) return NULL;
        log_event("training", "model", one->id);
        train(all, one);
    }
}
