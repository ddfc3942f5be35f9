/* train.c - training in a thread of its own
 *
 *     R's thread: every 50 ms: interrupted? -> stop; tells what has come -> done? -> the model
 *     its thread: dd_train -> reports, from any of its threads
 *
 * Reports may come from threads that must not call R, and R must be asked for interrupts while none
 * comes. So R waits, and training runs beside it. */
#include "dodona_r.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct iteration {
    int iteration;
    double accuracy, uas, las, seconds;
    bool best;
} iteration;

typedef struct training {
    dd_settings *settings;
    const char **paths;
    size_t n_paths;
    const char *dev;
    pthread_t thread;
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t change;
    bool started, stop, finished;
    char component[16]; /* trained last, until it has been told */
    int iterations;     /* planned */
    iteration *history; /* [count] of the parser */
    size_t count, capacity, told;
    dd_status status;
    dd_error error;
    dd_model *model;
} training;

/* ---- in threads of training ----------------------------------------------------------------- */

static bool add(training *t, const dd_train_progress *p)
{
    if (t->count == t->capacity) {
        size_t capacity = 2 * t->capacity + 16;
        iteration *grown = realloc(t->history, capacity * sizeof *grown);
        if (!grown) return false;
        t->history = grown;
        t->capacity = capacity;
    }
    t->history[t->count++] = (iteration){
        p->iteration, p->accuracy, p->has_dev ? p->dev_uas : NAN, p->has_dev ? p->dev_las : NAN,
        p->seconds,   p->best};
    return true;
}

static bool on_report(void *user, const dd_train_progress *progress)
{
    training *t = user;
    pthread_mutex_lock(&t->lock);
    t->iterations = progress->iterations;
    bool goes_on = !t->stop && (!progress->finished || add(t, progress));
    pthread_cond_signal(&t->change);
    pthread_mutex_unlock(&t->lock);
    return goes_on;
}

static bool on_component_report(void *user, const dd_component_progress *progress)
{
    training *t = user;
    (void)progress;
    pthread_mutex_lock(&t->lock);
    bool goes_on = !t->stop;
    pthread_mutex_unlock(&t->lock);
    return goes_on;
}

static void on_component(void *user, dd_component component, double seconds)
{
    training *t = user;
    (void)seconds;
    pthread_mutex_lock(&t->lock);
    strcpy(t->component, component == DD_TOKENIZER    ? "tokenizer"
                         : component == DD_TAGGER     ? "tagger"
                         : component == DD_LEMMATIZER ? "lemmatizer"
                                                      : "");
    pthread_cond_signal(&t->change);
    pthread_mutex_unlock(&t->lock);
}

static void *run(void *user)
{
    training *t = user;
    dd_train_watch watch;
    dd_train_watch_init(&watch);
    watch.user = t;
    watch.report = on_report;
    watch.component_report = on_component_report;
    watch.component = on_component;
    dd_status status =
        dd_train(&t->model, t->settings, &watch, t->paths, t->n_paths, t->dev, &t->error);
    pthread_mutex_lock(&t->lock);
    t->status = status;
    t->finished = true;
    pthread_cond_signal(&t->change);
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

/* ---- in R's thread -------------------------------------------------------------------------- */

static void end_training(SEXP pointer)
{
    training *t = R_ExternalPtrAddr(pointer);
    if (!t) return;
    R_ClearExternalPtr(pointer);
    if (t->started) { /* a longjmp has passed by */
        pthread_mutex_lock(&t->lock);
        t->stop = true;
        pthread_mutex_unlock(&t->lock);
        pthread_join(t->thread, NULL);
    }
    pthread_mutex_destroy(&t->lock);
    pthread_cond_destroy(&t->change);
    dd_model_free(t->model);
    dd_settings_free(t->settings);
    free(t->history);
    R_Free(t->paths);
    R_Free(t);
}

static SEXP new_training(training **out)
{
    SEXP pointer = PROTECT(R_MakeExternalPtr(NULL, R_NilValue, R_NilValue));
    R_RegisterCFinalizer(pointer, end_training);
    training *t = R_Calloc(1, training);
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->change, NULL);
    R_SetExternalPtrAddr(pointer, t);
    UNPROTECT(1);
    *out = t;
    return pointer;
}

/* Waits for a report, or for 50 ms. False: training is over. */
static bool await(training *t)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 50 * 1000 * 1000;
    until.tv_sec += until.tv_nsec / (1000 * 1000 * 1000);
    until.tv_nsec %= 1000 * 1000 * 1000;
    pthread_mutex_lock(&t->lock);
    if (!t->finished) pthread_cond_timedwait(&t->change, &t->lock, &until);
    bool goes_on = !t->finished;
    pthread_mutex_unlock(&t->lock);
    return goes_on;
}

static void tell(training *t)
{
    iteration new = {0};
    char component[sizeof t->component];
    pthread_mutex_lock(&t->lock);
    memcpy(component, t->component, sizeof component);
    t->component[0] = '\0';
    int iterations = t->iterations;
    bool came = t->told < t->count;
    if (came) new = t->history[t->told++];
    pthread_mutex_unlock(&t->lock);
    if (component[0]) REprintf("%s trained\n", component);
    if (!came) return;
    REprintf("iteration %d of %d: %.1f s, accuracy %.2f", new.iteration, iterations, new.seconds,
             100 * new.accuracy);
    if (!ISNAN(new.las))
        REprintf(", dev UAS %.2f, LAS %.2f%s", new.uas, new.las, new.best ? " *" : "");
    REprintf("\n");
}

static SEXP list_history(const training *t)
{
    static const char *names[] = {"iteration", "accuracy", "uas", "las", "seconds", "best", ""};
    R_xlen_t count = (R_xlen_t)t->count;
    SEXP history = PROTECT(Rf_mkNamed(VECSXP, names));
    SET_VECTOR_ELT(history, 0, Rf_allocVector(INTSXP, count));
    for (int i = 1; i < 5; i++) SET_VECTOR_ELT(history, i, Rf_allocVector(REALSXP, count));
    SET_VECTOR_ELT(history, 5, Rf_allocVector(LGLSXP, count));
    for (R_xlen_t i = 0; i < count; i++) {
        const iteration *one = &t->history[i];
        bool scored = !ISNAN(one->las);
        INTEGER(VECTOR_ELT(history, 0))[i] = one->iteration;
        REAL(VECTOR_ELT(history, 1))[i] = 100 * one->accuracy;
        REAL(VECTOR_ELT(history, 2))[i] = scored ? one->uas : NA_REAL;
        REAL(VECTOR_ELT(history, 3))[i] = scored ? one->las : NA_REAL;
        REAL(VECTOR_ELT(history, 4))[i] = one->seconds;
        LOGICAL(VECTOR_ELT(history, 5))[i] = scored ? one->best : NA_LOGICAL;
    }
    UNPROTECT(1);
    return history;
}

static dd_status set_all(training *t, SEXP names, SEXP values)
{
    dd_status status = dd_settings_new(&t->settings, &t->error);
    for (R_xlen_t i = 0; i < XLENGTH(names) && status == DD_OK; i++)
        status = dd_settings_set(t->settings, CHAR(STRING_ELT(names, i)),
                                 Rf_translateCharUTF8(STRING_ELT(values, i)), &t->error);
    return status;
}

static dd_status start(training *t, SEXP train, SEXP dev)
{
    t->n_paths = (size_t)XLENGTH(train);
    t->paths = R_Calloc(t->n_paths + 1, const char *);
    for (size_t i = 0; i < t->n_paths; i++)
        t->paths[i] = Rf_translateChar(STRING_ELT(train, (R_xlen_t)i));
    t->dev = dr_path(dev);
    if (pthread_create(&t->thread, NULL, run, t) == 0) {
        t->started = true;
        return DD_OK;
    }
    t->error = (dd_error){.status = DD_ERROR_MEMORY, .message = "cannot start a thread"};
    return DD_ERROR_MEMORY;
}

/* False: the user has asked to stop. */
static bool wait_for_end(training *t, bool tells)
{
    bool stopped = false;
    for (bool goes_on = true; goes_on;) {
        goes_on = await(t);
        if (tells) tell(t);
        if (!stopped && dr_is_interrupted()) {
            stopped = true;
            pthread_mutex_lock(&t->lock);
            t->stop = true;
            pthread_mutex_unlock(&t->lock);
        }
    }
    pthread_join(t->thread, NULL);
    t->started = false;
    return !stopped;
}

SEXP dr_train(SEXP train, SEXP dev, SEXP names, SEXP values, SEXP tells)
{
    static const char *parts[] = {"pointer", "history", ""};
    training *t;
    SEXP held = PROTECT(new_training(&t));
    SEXP made = PROTECT(Rf_mkNamed(VECSXP, parts));
    SET_VECTOR_ELT(made, 0, dr_new_model());
    dd_status status = set_all(t, names, values);
    if (status == DD_OK) status = start(t, train, dev);
    if (status == DD_OK) {
        status = wait_for_end(t, Rf_asLogical(tells)) ? t->status : DD_INTERRUPTED;
        while (Rf_asLogical(tells) && t->told < t->count) tell(t);
    }
    if (status == DD_OK) {
        R_SetExternalPtrAddr(VECTOR_ELT(made, 0), t->model);
        t->model = NULL;
        SET_VECTOR_ELT(made, 1, list_history(t));
    }
    SEXP result = PROTECT(status == DD_OK ? made : dr_failure(status, &t->error));
    end_training(held);
    UNPROTECT(3);
    return result;
}

/* ---- settings ------------------------------------------------------------------------------- */

static const char *kind_name(dd_setting_kind kind)
{
    static const char *names[] = {"flag", "whole", "real", "choice", "list", "text"};
    return names[kind];
}

SEXP dr_settings(void)
{
    static const char *names[] = {"name", "kind", "default", "low", "high", "choices", "help", ""};
    R_xlen_t count = 0;
    const dd_setting *row;
    while (dd_setting_at((size_t)count)) count++;
    SEXP rows = PROTECT(Rf_allocVector(VECSXP, count));
    for (R_xlen_t i = 0; (row = dd_setting_at((size_t)i)); i++) {
        const char *usual = row->default_value ? row->default_value : row->default_note;
        int n = 0;
        while (dd_setting_choice(row, (size_t)n)) n++;
        SEXP one = Rf_mkNamed(VECSXP, names), choices;
        SET_VECTOR_ELT(rows, i, one);
        SET_VECTOR_ELT(one, 0, Rf_mkString(row->name));
        SET_VECTOR_ELT(one, 1, Rf_mkString(kind_name(row->kind)));
        SET_VECTOR_ELT(one, 2, dr_c_text(usual));
        SET_VECTOR_ELT(one, 3, Rf_ScalarReal(row->low));
        SET_VECTOR_ELT(one, 4, Rf_ScalarReal(row->high));
        SET_VECTOR_ELT(one, 5, choices = Rf_allocVector(STRSXP, n));
        for (int k = 0; k < n; k++)
            SET_STRING_ELT(choices, k, Rf_mkChar(dd_setting_choice(row, (size_t)k)));
        SET_VECTOR_ELT(one, 6, dr_c_text(row->help));
    }
    UNPROTECT(1);
    return rows;
}
