/* ask_train.c - begins a training: checks and writes its treebank, and queues it for a trainer */
#include "serve/annotate/request.h"

#include "heap.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- its beginning ------------------------------------------------------------------------ */

/* The treebank, of which each tenth sentence with heads is left out to score the model. */
typedef struct splitter {
    FILE *train, *dev;
    uint64_t n_train, n_dev, annotated;
    dd_buffer text;
    bool failed;
} splitter;

static bool has_heads(const dd_sentence *sentence)
{
    for (int word = 1; word <= dd_sentence_size(sentence); word++)
        if (dd_sentence_head(sentence, word) >= 0) return true;
    return false;
}

static bool split_sentence(void *user, const dd_sentence *sentence)
{
    enum { EACH = 10 };
    splitter *to = user;
    dd_error error;
    bool dev = has_heads(sentence) && to->annotated++ % EACH == 1;
    to->text.size = 0;
    to->failed =
        dd_sentence_format(sentence, DD_FORMAT_AUTO, &to->text, &error) != DD_OK ||
        fwrite(to->text.data, 1, to->text.size, dev ? to->dev : to->train) != to->text.size;
    *(dev ? &to->n_dev : &to->n_train) += 1;
    return !to->failed;
}

static bool close_file(FILE *file)
{
    return file && fclose(file) == 0;
}

/* A disk that is full shows when the files are closed, at the latest. */
static bool write_treebank(const request *own, const dd_value *samples, trained *one)
{
    char train[PATH_ROOM], dev[PATH_ROOM];
    store_path(own->all, one, "train.conllu", train);
    store_path(own->all, one, "dev.conllu", dev);
    splitter to = {.train = fopen(train, "w"), .dev = fopen(dev, "w")};
    to.failed = !to.train || !to.dev;
    for (size_t i = 0; i < samples->count && !to.failed; i++)
        if (!request_sentences(own, &samples->values[i], split_sentence, &to)) break;
    bool closed = close_file(to.train);
    closed = close_file(to.dev) && closed;
    dd_buffer_free(&to.text);
    one->n_train = to.n_train;
    one->n_dev = to.n_dev;
    if (to.failed || !closed)
        refuse(own->why, 507, "the treebank cannot be written: %s", strerror(errno));
    if (to.annotated == 0)
        refuse(own->why, 422, "there is nothing to train on: no word of the texts has a head");
    return own->why->status == 0;
}

/* The time of its beginning, which is its id for annotators; no two are the same. */
static void name_model(const annotator *all, const char *project, char out[MOST_NAME])
{
    struct timespec now;
    struct tm local;
    clock_gettime(CLOCK_REALTIME, &now);
    for (long ms = now.tv_nsec / 1000000;; ms++) {
        char time[40] = "";
        if (ms == 1000) {
            now.tv_sec++;
            ms = 0;
        }
        if (localtime_r(&now.tv_sec, &local))
            strftime(time, sizeof time, "%Y-%m-%d_%H:%M:%S", &local);
        snprintf(out, MOST_NAME, "%s.%03ld", time, ms);
        if (!store_find(all, project, out)) return;
    }
}

/* Under the lock. */
static bool has_place(const request *own, const char *project)
{
    size_t waiting = 0;
    for (size_t i = 0; i < own->all->n_models; i++) {
        const trained *one = own->all->models[i];
        if (one->state != WORK_WAITS && (one->state != WORK_RUNS || one->deleted)) continue;
        if (strcmp(one->project, project) == 0)
            return refuse(own->why, 409,
                          "a model of '%s' is being trained; wait for it, or delete '%s'", project,
                          one->id);
        waiting += one->state == WORK_WAITS;
    }
    return waiting < MOST_WAITING ||
           refuse(own->why, 503, "%zu trainings are waiting; try again later", waiting);
}

/* The file of the model to start from. Under the lock. */
static bool find_base(const request *own, const dd_value *info, char **out)
{
    model_names names = {"", ""};
    char path[PATH_ROOM];
    if (!request_model(own, info, "base_model", &names)) return false;
    const trained *one = store_find(own->all, names.project, names.id);
    if (!one || one->state != WORK_READY) return request_refuse_model(own, &names);
    store_path(own->all, one, "model.dodona", path);
    *out = heap_copy(path, strlen(path));
    return true;
}

/* The scorer of that name, or of models with that fact. */
static bool find_scorer(dd_text wanted, bool by_fact, dd_scorer_info *out)
{
    for (size_t i = 0; dd_scorer_at(i, out); i++) {
        const char *name = by_fact ? out->fact : out->name;
        if (wanted.size == strlen(name) && memcmp(wanted.data, name, wanted.size) == 0) return true;
    }
    return false;
}

static bool read_scorer(const request *own, dd_scorer_info *out)
{
    const dd_value *value = dd_value_at(&own->root, "scorer");
    bool named = value && value->kind != DD_JSON_NULL;
    const char *name = named ? dd_value_string(value) : own->all->options.scorer;
    if (name && find_scorer((dd_text){name, strlen(name)}, false, out)) return true;
    char list[256] = "";
    for (size_t i = 0; dd_scorer_at(i, out); i++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", out->name);
    }
    return refuse(own->why, 400, "scorer: it is not one of %s", list);
}

/* More iterations than there are by default gain nothing. */
static bool read_epochs(const request *own, trained *one)
{
    uint64_t epochs;
    const dd_value *value = dd_value_at(&own->root, "max_epoch");
    if (!value || value->kind == DD_JSON_NULL) return true;
    if (!dd_value_count(value, &epochs) || epochs == 0)
        return refuse(own->why, 400, "max_epoch: it is not a whole number from 1 on");
    if (epochs < (uint64_t)one->scorer.iterations) one->iterations = (int)epochs;
    return true;
}

static bool read_scorer_of_base(const request *own, trained *one)
{
    dd_model *model;
    dd_error error;
    if (dd_model_load(&model, one->base, &error) != DD_OK) return refuse_error(own->why, &error);
    bool known = find_scorer(model_fact(model, "scorer"), true, &one->scorer);
    dd_model_free(model);
    return (known && one->scorer.fine_tunes) ||
           refuse(own->why, 422,
                  "base_model: its scorer, %s, cannot be trained further; train without a base "
                  "model",
                  known ? one->scorer.name : "none");
}

static bool read_base(const request *own, trained *one)
{
    const dd_value *base = dd_value_at(&own->root, "base_model");
    if (!base || base->kind == DD_JSON_NULL) return true;
    pthread_mutex_lock(&own->all->lock);
    bool found = find_base(own, base, &one->base);
    pthread_mutex_unlock(&own->all->lock);
    return found && read_scorer_of_base(own, one);
}

static bool check_disk(const request *own)
{
    uint64_t used = store_disk(own->all), most = own->all->options.most_disk;
    return used < most ||
           refuse(own->why, 507, "the models take %llu MiB, and may take %llu; delete some",
                  (unsigned long long)(used >> 20), (unsigned long long)(most >> 20));
}

/* With a unique name, and a folder; its files follow. */
static bool reserve(const request *own, trained *one)
{
    char id[MOST_NAME];
    annotator *all = own->all;
    pthread_mutex_lock(&all->lock);
    bool good = has_place(own, one->project);
    if (good) {
        name_model(all, one->project, id);
        free(one->id);
        one->id = heap_copy(id, strlen(id));
        one->state = WORK_RUNS; /* no trainer takes it yet */
        store_add(all, one);
    }
    pthread_mutex_unlock(&all->lock);
    return good;
}

static void release(const request *own, trained *one, bool good)
{
    annotator *all = own->all;
    if (!good) store_remove_files(all, one->project, one->id);
    pthread_mutex_lock(&all->lock);
    one->state = WORK_WAITS;
    if (!good) store_forget(all, one);
    if (good) pthread_cond_broadcast(&all->more);
    pthread_mutex_unlock(&all->lock);
}

static bool start_training(const request *own, const dd_value *samples, trained *one)
{
    char id[MOST_NAME];
    if (!read_scorer(own, &one->scorer) || !read_base(own, one) || !read_epochs(own, one) ||
        !check_disk(own) || !reserve(own, one)) {
        trained_free(one);
        return false;
    }
    bool made = store_make_folder(own->all, one->project, one->id) ||
                refuse(own->why, errno == ENOSPC || errno == EDQUOT ? 507 : 500,
                       "a folder for the model cannot be made: %s", strerror(errno));
    bool good = made && write_treebank(own, samples, one);
    snprintf(id, sizeof id, "%s", one->id);
    output *out = &own->work->made;
    request_begin_success(out);
    output_string(out, "{\"model_info\":");
    request_write_model(out, one->project, id);
    output_string(out, ",\"train_task_id\":");
    output_json_string(out, id);
    output_string(out, "}}\n");
    release(own, one, good);
    return good;
}

bool request_train(request *own)
{
    const char *project;
    if (!request_string(own, &own->root, "project_name", &project) ||
        !request_name(own, "project_name", project))
        return false;
    const dd_value *samples = request_samples(own, "train_samples");
    return samples && start_training(own, samples, trained_new(project, ""));
}

/* ---- its state ---------------------------------------------------------------------------- */

static void write_scores(output *out, const trained *one)
{
    output_format(out, "\"scores_best\":%s,\"scores_history\":", one->best ? one->best : "null");
    if (one->history)
        output_format(out, "[%s]", one->history);
    else
        output_string(out, "null");
}

static size_t count_before(const annotator *all, const trained *one)
{
    size_t before = 0;
    for (size_t i = 0; i < all->n_models && all->models[i] != one; i++)
        before += all->models[i]->state == WORK_WAITS || all->models[i]->state == WORK_RUNS;
    return before;
}

/* Under the lock. */
static void write_trained(const annotator *all, output *out, const trained *one)
{
    if (one->state == WORK_FAILED || one->deleted) {
        request_write_failure(out, one->deleted ? "the model was deleted" : one->reason);
        return;
    }
    request_begin_success(out);
    output_format(out,
                  "{\"ready\":%s,\"model_info\":", one->state == WORK_READY ? "true" : "false");
    request_write_model(out, one->project, one->id);
    output_string(out, ",");
    if (one->state == WORK_WAITS) output_format(out, "\"waits_for\":%zu,", count_before(all, one));
    if (one->state == WORK_RUNS) {
        output_string(out, "\"progress\":");
        output_json_string(out, one->progress);
        output_string(out, ",");
    }
    write_scores(out, one);
    output_string(out, "}}\n");
}

bool request_trained(request *own)
{
    model_names names = {"", ""};
    if (!request_model(own, dd_value_at(&own->root, "model_info"), "model_info", &names))
        return false;
    pthread_mutex_lock(&own->all->lock);
    const trained *one = store_find(own->all, names.project, names.id);
    if (one)
        write_trained(own->all, &own->work->made, one);
    else
        request_refuse_model(own, &names);
    pthread_mutex_unlock(&own->all->lock);
    return one != NULL;
}
