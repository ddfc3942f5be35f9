/* ask_parse.c - checks texts that are to be parsed and queues them as a task */
#include "serve/annotate/request.h"

#include "heap.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    } known[] = {{"keep_lemmas", DD_LEMMA}, {"keep_upos", DD_UPOS},  {"keep_xpos", DD_XPOS},
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
    if (!one || one->deleted || one->state == WORK_FAILED) return request_refuse_model(own, names);
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

/* Removes finished tasks, the oldest first, if their texts take too much memory. Under the lock. */
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

static bool draw_bytes(unsigned char *out, size_t size)
{
#ifdef __linux__
    return getentropy(out, size) == 0;
#else
    FILE *source = fopen("/dev/urandom", "rb");
    bool whole = source && fread(out, 1, size, source) == size;
    if (source) fclose(source);
    return whole;
#endif
}

/* It cannot be guessed. */
static bool name_task(const request *own, char out[TASK_NAME])
{
    unsigned char bytes[(TASK_NAME - 1) / 2];
    if (!draw_bytes(bytes, sizeof bytes))
        return refuse(own->why, 500, "there are no random numbers: %s", strerror(errno));
    for (size_t i = 0; i < sizeof bytes; i++) snprintf(out + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

static bool check_samples(const request *own, const dd_value *samples)
{
    for (size_t i = 0; i < samples->count; i++)
        if (!request_sentences(own, &samples->values[i], NULL, NULL)) return false;
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
    request_begin_success(out);
    output_string(out, "{\"model_info\":");
    request_write_model(out, one->project, one->id);
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

bool request_parse(request *own)
{
    model_names names = {"", ""};
    const dd_value *samples = request_samples(own, "to_parse_samples");
    if (!samples ||
        !request_model(own, dd_value_at(&own->root, "model_info"), "model_info", &names))
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
        request_write_failure(out, one->reason);
        return;
    }
    request_begin_success(out);
    output_format(out, "{\"ready\":%s", one->state == WORK_READY ? "true" : "false");
    if (one->state == WORK_READY) {
        output_string(out, ",\"model_info\":");
        request_write_model(out, one->project, one->id);
        output_string(out, ",\"parsed_samples\":");
        output_bytes(out, one->result.data, one->result.size);
    }
    output_string(out, "}}\n");
}

bool request_parsed(request *own)
{
    const char *name;
    bool found = false;
    if (!request_string(own, &own->root, "parse_task_id", &name)) return false;
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
