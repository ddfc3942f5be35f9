#include "serve/annotate/annotate.h"

#include "cmd.h"
#include "heap.h"
#include "serve/annotate/request.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the models --------------------------------------------------------------------------- */

static bool tell_list(job *one)
{
    annotator *all = one->plan.user;
    output *out = &one->made;
    const char *before = "";
    request_begin_success(out);
    output_string(out, "[");
    pthread_mutex_lock(&all->lock);
    for (size_t i = 0; i < all->n_models; i++) {
        const trained *model = all->models[i];
        if (model->state != WORK_READY) continue;
        output_format(out, "%s{\"model_info\":", before);
        request_write_model(out, model->project, model->id);
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
    if (!request_name(&own, "project", project) || !request_name(&own, "model", slash + 1) ||
        !delete_model(&own, project, slash + 1))
        return false;
    output_string(&one->made, "{\"status\":\"success\"}\n");
    return true;
}

/* ---- paths -------------------------------------------------------------------------------- */

static bool answer(job *one, bool (*act)(request *own))
{
    request own = {.all = one->plan.user, .work = one, .why = &one->why};
    bool good = request_read(&own);
    if (good) good = act(&own);
    dd_value_free(&own.root);
    if (!good) one->made.size = 0;
    return good;
}

static bool answer_train(job *one)
{
    return answer(one, request_train);
}

static bool answer_trained(job *one)
{
    return answer(one, request_trained);
}

static bool answer_parse(job *one)
{
    return answer(one, request_parse);
}

static bool answer_parsed(job *one)
{
    return answer(one, request_parsed);
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

/* Pages of other sites can send forms and plain text, but not this type, unless --cors lets them.
 */
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

/* ---- its beginning and end ---------------------------------------------------------------- */

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
