#include "serve/annotate/annotate.h"

#include "cmd.h"
#include "heap.h"
#include "number.h"
#include "serve/annotate/store.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- the fields of a request -------------------------------------------------------------------- */

/* A request in the hands of a worker. Its strings are those of the JSON. */
typedef struct request {
    annotator *all;
    job *work;
    dd_value root;
    refusal *why;
} request;

static bool read_request(request *own)
{
    enum { MOST = 1000000 };
    dd_error error;
    dd_text text = {own->work->text.data ? own->work->text.data : "", own->work->text.size};
    if (dd_value_read(&own->root, text, MOST, &error) != DD_OK)
        return refuse_error(own->why, &error);
    return own->root.kind == DD_JSON_OBJECT || refuse(own->why, 400, "the JSON is not an object");
}

static bool read_string(const request *own, const dd_value *object, const char *key,
                        const char **out)
{
    *out = dd_value_string(dd_value_at(object, key));
    return *out || refuse(own->why, 400, "the field '%s', a string, is missing", key);
}

static bool check_name(const request *own, const char *key, const char *name)
{
    return store_is_name(name) ||
           refuse(own->why, 400,
                  "%s: '%.100s' is not a name: 1 to %d bytes of UTF-8 without '/' and control "
                  "characters, which do not begin with a full stop",
                  key, name, MOST_NAME);
}

typedef struct model_names {
    const char *project, *id; /* "": a model that is served, whose name is the project's */
} model_names;

static bool read_names(const request *own, const dd_value *info, const char *key, model_names *out)
{
    const dd_value *id = dd_value_at(info, "model_id");
    bool served = !id || id->kind == DD_JSON_NULL || (dd_value_string(id) && !*id->string);
    if (!info || info->kind != DD_JSON_OBJECT)
        return refuse(own->why, 400, "the field '%s', an object, is missing", key);
    out->id = "";
    return read_string(own, info, "project_name", &out->project) &&
           check_name(own, "project_name", out->project) &&
           (served || (read_string(own, info, "model_id", &out->id) &&
                       check_name(own, "model_id", out->id)));
}

static bool refuse_missing(const request *own, const model_names *names)
{
    return refuse(own->why, 404, "there is no model '%s%s%s'", names->project,
                  *names->id ? "/" : "", names->id);
}

/* Texts by name; at least one, and all of them CoNLL-U that can be read. */
static const dd_value *read_samples(const request *own, const char *key)
{
    const dd_value *samples = dd_value_at(&own->root, key);
    if (!samples || samples->kind != DD_JSON_OBJECT || samples->count == 0) {
        refuse(own->why, 400, "the field '%s', an object with a text at least, is missing", key);
        return NULL;
    }
    for (size_t i = 0; i < samples->count; i++)
        if (samples->values[i].kind != DD_JSON_STRING) {
            refuse(own->why, 400, "%s: '%.100s' is not a string", key, samples->values[i].key);
            return NULL;
        }
    return samples;
}

/* Calls for each sentence, which may not be malformed. */
static bool each_sentence(const request *own, const dd_value *sample,
                          bool (*see)(void *user, const dd_sentence *sentence), void *user)
{
    dd_reader *reader = NULL;
    dd_sentence *sentence = NULL;
    dd_error error;
    size_t size;
    char *text = keep_clean(sample->string, &size);
    if (!text) return refuse_memory(own->why);
    dd_status status = dd_sentence_new(&sentence, &error);
    if (status == DD_OK)
        status = dd_reader_open_memory(&reader, sample->key, (dd_text){text, size},
                                       DD_FORMAT_CONLLU, &error);
    while (status == DD_OK) {
        status = dd_reader_next(reader, sentence, &error);
        int words = status == DD_OK ? dd_sentence_size(sentence) : 0;
        if (words > own->all->options.limits->sentence)
            refuse(own->why, 413, "%.100s: a sentence has %d words; this server takes %d",
                   sample->key, words, own->all->options.limits->sentence);
        if (own->why->status != 0 || (status == DD_OK && !see(user, sentence))) break;
    }
    if (status != DD_OK && status != DD_END) refuse_error(own->why, &error);
    dd_reader_close(reader);
    dd_sentence_free(sentence);
    free(text);
    return own->why->status == 0;
}

/* ---- answers ------------------------------------------------------------------------------------ */

static void write_names(output *out, const char *project, const char *id)
{
    output_string(out, "{\"project_name\":");
    output_json_string(out, project);
    output_string(out, ",\"model_id\":");
    output_json_string(out, id);
    output_string(out, "}");
}

static void begin_success(output *out)
{
    output_string(out, "{\"status\":\"success\",\"data\":");
}

/* The request was understood, and what was asked for has failed. */
static void write_failure(output *out, const char *reason)
{
    output_string(out, "{\"status\":\"failure\",\"error\":");
    output_json_string(out, reason);
    output_string(out, "}\n");
}

/* ---- the models --------------------------------------------------------------------------------- */

static bool tell_list(job *one)
{
    annotator *all = one->plan.user;
    output *out = &one->made;
    const char *before = "";
    begin_success(out);
    output_string(out, "[");
    pthread_mutex_lock(&all->lock);
    for (size_t i = 0; i < all->n_models; i++) {
        const trained *model = all->models[i];
        if (model->state != WORK_READY) continue;
        output_format(out, "%s{\"model_info\":", before);
        write_names(out, model->project, model->id);
        output_format(out, ",\"scores_best\":%s}", model->best);
        before = ",\n";
    }
    pthread_mutex_unlock(&all->lock);
    output_string(out, "]}\n");
    return true;
}

/* "PROJECT/ID", without the lock. */
static bool delete_model(request *own, const char *project, const char *id)
{
    annotator *all = own->all;
    pthread_mutex_lock(&all->lock);
    trained *one = store_find(all, project, id);
    bool runs = one && one->state == WORK_RUNS;
    if (runs) one->deleted = true;
    if (one && !runs) store_forget(all, one);
    pthread_mutex_unlock(&all->lock);
    if (!one) return refuse(own->why, 404, "there is no model '%s/%s'", project, id);
    return runs || store_remove_files(all, project, id) ||
           refuse(own->why, 500, "the files of the model cannot be removed: %s", strerror(errno));
}

static bool answer_delete(job *one)
{
    request own = {.all = one->plan.user, .work = one, .why = &one->why};
    char *project = one->body, *slash = strchr(project, '/');
    if (slash) *slash = '\0';
    if (!slash) return refuse(&one->why, 400, "the path must be " ANNOTATE_LIST "/PROJECT/MODEL");
    if (!check_name(&own, "project", project) || !check_name(&own, "model", slash + 1) ||
        !delete_model(&own, project, slash + 1))
        return false;
    output_string(&one->made, "{\"status\":\"success\"}\n");
    return true;
}

/* ---- training: its beginning -------------------------------------------------------------------- */

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
        if (!each_sentence(own, &samples->values[i], split_sentence, &to)) break;
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

/* The time of its beginning, by which annotators know it; two never have the same. */
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

/* The file of the model to start from, which has to be neural. Under the lock. */
static bool find_base(const request *own, const dd_value *info, char **out)
{
    model_names names = {"", ""};
    char path[PATH_ROOM];
    if (!read_names(own, info, "base_model", &names)) return false;
    const trained *one = store_find(own->all, names.project, names.id);
    if (!one || one->state != WORK_READY) return refuse_missing(own, &names);
    store_path(own->all, one, "model.dodona", path);
    *out = heap_copy(path, strlen(path));
    return true;
}

static bool is_neural(const char *path, const request *own, bool *out)
{
    dd_model *model;
    dd_error error;
    if (dd_model_load(&model, path, &error) != DD_OK) return refuse_error(own->why, &error);
    dd_text scorer = model_fact(model, "scorer");
    *out = scorer.size == 6 && memcmp(scorer.data, "neural", 6) == 0;
    dd_model_free(model);
    return true;
}

static bool read_scorer(const request *own, bool *neural)
{
    const dd_value *value = dd_value_at(&own->root, "scorer");
    const char *name = dd_value_string(value);
    *neural = own->all->options.neural;
    if (!value || value->kind == DD_JSON_NULL) return true;
    *neural = name && strcmp(name, "neural") == 0;
    return *neural || (name && strcmp(name, "linear") == 0) ||
           refuse(own->why, 400, "scorer: it is not one of linear, neural");
}

/* More iterations than there are by default gain nothing. */
static bool read_epochs(const request *own, bool neural, int *out)
{
    enum { LINEAR = 10, NEURAL = 40 };
    uint64_t epochs;
    const dd_value *value = dd_value_at(&own->root, "max_epoch");
    if (!value || value->kind == DD_JSON_NULL) return true;
    if (!dd_value_count(value, &epochs) || epochs == 0)
        return refuse(own->why, 400, "max_epoch: it is not a whole number from 1 on");
    if (epochs < (neural ? NEURAL : LINEAR)) *out = (int)epochs;
    return true;
}

static bool read_base(const request *own, trained *one)
{
    const dd_value *base = dd_value_at(&own->root, "base_model");
    bool neural = false;
    if (!base || base->kind == DD_JSON_NULL) return true;
    pthread_mutex_lock(&own->all->lock);
    bool found = find_base(own, base, &one->base);
    pthread_mutex_unlock(&own->all->lock);
    if (!found || !is_neural(one->base, own, &neural)) return false;
    one->neural = true;
    return neural || refuse(own->why, 422,
                            "base_model: the model is linear, and only neural models can be "
                            "trained further; train without a base model");
}

static bool check_disk(const request *own)
{
    uint64_t used = store_disk(own->all), most = own->all->options.most_disk;
    return used < most || refuse(own->why, 507,
                                 "the models take %llu MiB, and may take %llu; delete some",
                                 (unsigned long long)(used >> 20), (unsigned long long)(most >> 20));
}

/* With a name that no other has, and a folder; its files follow. */
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
    if (!read_scorer(own, &one->neural) || !read_base(own, one) ||
        !read_epochs(own, one->neural, &one->iterations) || !check_disk(own) ||
        !reserve(own, one)) {
        trained_free(one);
        return false;
    }
    bool made = store_make_folder(own->all, one->project, one->id) ||
                refuse(own->why, errno == ENOSPC || errno == EDQUOT ? 507 : 500,
                       "a folder for the model cannot be made: %s", strerror(errno));
    bool good = made && write_treebank(own, samples, one);
    snprintf(id, sizeof id, "%s", one->id);
    output *out = &own->work->made;
    begin_success(out);
    output_string(out, "{\"model_info\":");
    write_names(out, one->project, id);
    output_string(out, ",\"train_task_id\":");
    output_json_string(out, id);
    output_string(out, "}}\n");
    release(own, one, good);
    return good;
}

static bool train(request *own)
{
    const char *project;
    if (!read_string(own, &own->root, "project_name", &project) ||
        !check_name(own, "project_name", project))
        return false;
    const dd_value *samples = read_samples(own, "train_samples");
    return samples && start_training(own, samples, trained_new(project, ""));
}

/* ---- training: its state ------------------------------------------------------------------------ */

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
        write_failure(out, one->deleted ? "the model was deleted" : one->reason);
        return;
    }
    begin_success(out);
    output_format(out, "{\"ready\":%s,\"model_info\":", one->state == WORK_READY ? "true" : "false");
    write_names(out, one->project, one->id);
    output_string(out, ",");
    if (one->state == WORK_WAITS)
        output_format(out, "\"waits_for\":%zu,", count_before(all, one));
    if (one->state == WORK_RUNS) {
        output_string(out, "\"progress\":");
        output_json_string(out, one->progress);
        output_string(out, ",");
    }
    write_scores(out, one);
    output_string(out, "}}\n");
}

static bool tell_trained(request *own)
{
    model_names names = {"", ""};
    if (!read_names(own, dd_value_at(&own->root, "model_info"), "model_info", &names)) return false;
    pthread_mutex_lock(&own->all->lock);
    const trained *one = store_find(own->all, names.project, names.id);
    if (one)
        write_trained(own->all, &own->work->made, one);
    else
        refuse_missing(own, &names);
    pthread_mutex_unlock(&own->all->lock);
    return one != NULL;
}

/* ---- parsing ------------------------------------------------------------------------------------ */

static bool read_rule(const request *own, const dd_value *settings, const char *name,
                      keep_rule *out)
{
    static const char *const rules[] = {"NONE", "EXISTING", "ALL"};
    const dd_value *value = dd_value_at(settings, name);
    const char *wanted = dd_value_string(value);
    if (!value || value->kind == DD_JSON_NULL) return true;
    for (size_t i = 0; i < sizeof rules / sizeof *rules && wanted; i++) {
        if (strcmp(wanted, rules[i]) != 0) continue;
        *out = (keep_rule)i;
        return true;
    }
    return refuse(own->why, 400, "%s: it is not one of NONE, EXISTING, ALL", name);
}

static bool read_rules(const request *own, keep_rules *out)
{
    static const struct {
        const char *name;
        dd_column column;
    } known[] = {{"keep_lemmas", DD_LEMMA}, {"keep_upos", DD_UPOS},   {"keep_xpos", DD_XPOS},
                 {"keep_feats", DD_FEATS},  {"keep_heads", DD_HEAD}, {"keep_deprels", DD_DEPREL}};
    const dd_value *settings = dd_value_at(&own->root, "parsing_settings");
    if (settings && settings->kind != DD_JSON_OBJECT && settings->kind != DD_JSON_NULL)
        return refuse(own->why, 400, "parsing_settings: it is not an object");
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!read_rule(own, settings, known[i].name, &out->column[known[i].column])) return false;
    return true;
}

/* Under the lock. */
static bool find_trained(const request *own, const model_names *names, task *into)
{
    char path[PATH_ROOM];
    const trained *one = store_find(own->all, names->project, names->id);
    if (!one || one->deleted || one->state == WORK_FAILED) return refuse_missing(own, names);
    if (one->state != WORK_READY)
        return refuse(own->why, 409, "the model '%s/%s' is still being trained", one->project,
                      one->id);
    store_path(own->all, one, "model.dodona", path);
    into->path = heap_copy(path, strlen(path));
    return true;
}

static bool find_model(const request *own, const model_names *names, task *into)
{
    if (*names->id) {
        pthread_mutex_lock(&own->all->lock);
        bool found = find_trained(own, names, into);
        pthread_mutex_unlock(&own->all->lock);
        return found;
    }
    const served_model *served =
        model_store_find(own->all->options.served, names->project, own->why);
    if (!served) return false;
    into->served = served->model;
    return (served->components & DD_PARSER) ||
           refuse(own->why, 422, "the model '%s' has no parser", names->project);
}

/* Those that are done are forgotten, the oldest first, where their texts are too many. Under the
 * lock. */
static void forget_tasks(annotator *all)
{
    for (;;) {
        size_t bytes = 0, first = all->n_tasks;
        for (size_t i = all->n_tasks; i-- > 0;) {
            bytes += all->tasks[i]->size;
            if (all->tasks[i]->state >= WORK_READY) first = i;
        }
        if (first == all->n_tasks || (all->n_tasks < MOST_TASKS && bytes < MOST_RESULTS)) return;
        task_free(all->tasks[first]);
        all->n_tasks--;
        memmove(all->tasks + first, all->tasks + first + 1,
                (all->n_tasks - first) * sizeof *all->tasks);
    }
}

/* The annotator owns it from then on. */
static bool add_task(const request *own, task *one)
{
    annotator *all = own->all;
    size_t waiting = 0, bytes = one->size;
    pthread_mutex_lock(&all->lock);
    forget_tasks(all);
    for (size_t i = 0; i < all->n_tasks; i++) {
        if (all->tasks[i]->state >= WORK_READY) continue;
        waiting++;
        bytes += all->tasks[i]->size;
    }
    bool good = waiting < MOST_WAITING_TASKS && bytes <= 4 * all->options.most_bytes;
    if (good) {
        all->tasks[all->n_tasks++] = one;
        pthread_cond_broadcast(&all->more);
    }
    pthread_mutex_unlock(&all->lock);
    return good || refuse(own->why, 503, "%zu texts wait to be parsed; try again later", waiting);
}

/* Nobody can guess it. */
static bool name_task(const request *own, char out[TASK_NAME])
{
    unsigned char bytes[(TASK_NAME - 1) / 2];
    if (getentropy(bytes, sizeof bytes) != 0)
        return refuse(own->why, 500, "there are no random numbers: %s", strerror(errno));
    for (size_t i = 0; i < sizeof bytes; i++) snprintf(out + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

static bool see_nothing(void *user, const dd_sentence *sentence)
{
    (void)user;
    (void)sentence;
    return true;
}

static bool check_samples(const request *own, const dd_value *samples)
{
    for (size_t i = 0; i < samples->count; i++)
        if (!each_sentence(own, &samples->values[i], see_nothing, NULL)) return false;
    return true;
}

static task *task_new(const model_names *names)
{
    task *one = heap_zeroed(1, sizeof *one);
    one->project = heap_copy(names->project, strlen(names->project));
    one->id = heap_copy(names->id, strlen(names->id));
    return one;
}

static void write_started(output *out, const task *one)
{
    begin_success(out);
    output_string(out, "{\"model_info\":");
    write_names(out, one->project, one->id);
    output_format(out, ",\"parse_task_id\":\"%s\"}}\n", one->name);
}

/* The text, and the values that were read from it, become the task's. */
static void give_request(request *own, task *one)
{
    one->body = own->work->body;
    one->size = own->work->text.size;
    one->request = own->root;
    own->work->body = NULL;
    own->work->text = (dd_text){NULL, 0};
    own->root = (dd_value){.kind = DD_JSON_NULL};
}

static bool parse(request *own)
{
    model_names names = {"", ""};
    const dd_value *samples = read_samples(own, "to_parse_samples");
    if (!samples ||
        !read_names(own, dd_value_at(&own->root, "model_info"), "model_info", &names))
        return false;
    task *one = task_new(&names);
    bool good = find_model(own, &names, one) && read_rules(own, &one->rules) &&
                check_samples(own, samples) && name_task(own, one->name);
    if (good) {
        write_started(&own->work->made, one);
        give_request(own, one);
        good = add_task(own, one);
    }
    if (!good) task_free(one);
    return good;
}

/* Under the lock. */
static void write_task(output *out, const task *one)
{
    if (one->state == WORK_FAILED) {
        write_failure(out, one->reason);
        return;
    }
    begin_success(out);
    output_format(out, "{\"ready\":%s", one->state == WORK_READY ? "true" : "false");
    if (one->state == WORK_READY) {
        output_string(out, ",\"model_info\":");
        write_names(out, one->project, one->id);
        output_string(out, ",\"parsed_samples\":");
        output_bytes(out, one->result.data, one->result.size);
    }
    output_string(out, "}}\n");
}

static bool tell_parsed(request *own)
{
    const char *name;
    bool found = false;
    if (!read_string(own, &own->root, "parse_task_id", &name)) return false;
    pthread_mutex_lock(&own->all->lock);
    for (size_t i = 0; i < own->all->n_tasks && !found; i++) {
        if (strcmp(own->all->tasks[i]->name, name) != 0) continue;
        write_task(&own->work->made, own->all->tasks[i]);
        found = true;
    }
    pthread_mutex_unlock(&own->all->lock);
    return found || refuse(own->why, 404,
                           "parse_task_id: there is no such task; its result was kept for some "
                           "time, or the server was restarted");
}

/* ---- paths -------------------------------------------------------------------------------------- */

static bool answer(job *one, bool (*act)(request *own))
{
    request own = {.all = one->plan.user, .work = one, .why = &one->why};
    bool good = read_request(&own);
    if (good) good = act(&own);
    dd_value_free(&own.root);
    if (!good) one->made.size = 0;
    return good;
}

static bool answer_train(job *one)
{
    return answer(one, train);
}

static bool answer_trained(job *one)
{
    return answer(one, tell_trained);
}

static bool answer_parse(job *one)
{
    return answer(one, parse);
}

static bool answer_parsed(job *one)
{
    return answer(one, tell_parsed);
}

static bool plan(const ask *from, job *into, bool (*act)(job *one), refusal *why)
{
    into->plan.kind = JOB_ANSWER;
    into->plan.media = "application/json";
    into->plan.answer = act;
    into->plan.user = from->annotator;
    return from->annotator ||
           refuse(why, 404, "models are trained only by a server that runs with --train FOLDER");
}

/* Pages of other sites can send forms and plain text, but not this type, unless --cors lets them. */
static bool plan_json(const ask *from, job *into, bool (*act)(job *one), refusal *why)
{
    if (!plan(from, into, act, why)) return false;
    return ask_is_type(from->type, "application/json") ||
           refuse(why, 415, "the body must be of the type application/json");
}

bool ask_annotate_list(const ask *from, job *into, refusal *why)
{
    return plan(from, into, tell_list, why);
}

bool ask_annotate_delete(const ask *from, job *into, refusal *why)
{
    free(into->body);
    into->body = strdup(from->path + strlen(ANNOTATE_LIST "/"));
    if (!into->body) return refuse_memory(why);
    into->text = (dd_text){into->body, strlen(into->body)};
    return plan(from, into, answer_delete, why);
}

bool ask_annotate_train(const ask *from, job *into, refusal *why)
{
    return plan_json(from, into, answer_train, why);
}

bool ask_annotate_trained(const ask *from, job *into, refusal *why)
{
    return plan_json(from, into, answer_trained, why);
}

bool ask_annotate_parse(const ask *from, job *into, refusal *why)
{
    return plan_json(from, into, answer_parse, why);
}

bool ask_annotate_parsed(const ask *from, job *into, refusal *why)
{
    return plan_json(from, into, answer_parsed, why);
}

/* ---- its beginning and end ---------------------------------------------------------------------- */

size_t annotate_body(const annotator *all)
{
    return all ? all->options.most_bytes : 0;
}

annotate_state annotate_look(annotator *all)
{
    annotate_state now = {0};
    if (!all) return now;
    pthread_mutex_lock(&all->lock);
    for (size_t i = 0; i < all->n_models; i++) {
        work_state state = all->models[i]->state;
        *(state == WORK_WAITS   ? &now.waiting
          : state == WORK_RUNS  ? &now.running
          : state == WORK_READY ? &now.models
                                : &(size_t){0}) += 1;
    }
    for (size_t i = 0; i < all->n_tasks; i++) now.tasks += all->tasks[i]->state < WORK_READY;
    now.trained = all->n_trained;
    now.failed = all->n_failed;
    pthread_mutex_unlock(&all->lock);
    return now;
}

static bool start_threads(annotator *all)
{
    int wanted = all->options.jobs + 1;
    all->threads = heap_zeroed((size_t)wanted, sizeof *all->threads);
    for (; all->started < wanted; all->started++) {
        void *(*run)(void *) = all->started == 0 ? annotate_parse_all : annotate_train_all;
        if (pthread_create(&all->threads[all->started], NULL, run, all) != 0) return false;
    }
    return true;
}

int annotate_start(annotator **out, const annotate_options *options)
{
    annotator *all = heap_zeroed(1, sizeof *all);
    *out = all;
    all->options = *options;
    all->lock_file = -1;
    all->tasks = heap_zeroed(MOST_TASKS, sizeof *all->tasks);
    pthread_mutex_init(&all->lock, NULL);
    pthread_cond_init(&all->more, NULL);
    dd_error error;
    if (dd_cancel_new(&all->cancel, &error) != DD_OK) return say_error(&error);
    int status = store_open(all);
    if (status != STATUS_OK || start_threads(all)) return status;
    say("threads for training cannot be started");
    return STATUS_PROBLEM;
}

static void stop_threads(annotator *all)
{
    pthread_mutex_lock(&all->lock);
    all->stopping = true;
    pthread_cond_broadcast(&all->more);
    pthread_mutex_unlock(&all->lock);
    if (all->cancel) dd_cancel_now(all->cancel);
    for (int i = 0; i < all->started; i++) pthread_join(all->threads[i], NULL);
}

/* What waits to be trained is cut off: the next start finds it. */
void annotate_stop(annotator *all)
{
    if (!all) return;
    stop_threads(all);
    for (size_t i = 0; i < all->n_models; i++) trained_free(all->models[i]);
    for (size_t i = 0; i < all->n_tasks; i++) task_free(all->tasks[i]);
    free(all->models);
    free(all->tasks);
    free(all->threads);
    dd_cancel_free(all->cancel);
    if (all->lock_file >= 0) close(all->lock_file);
    pthread_cond_destroy(&all->more);
    pthread_mutex_destroy(&all->lock);
    free(all);
}
