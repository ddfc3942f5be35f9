/* tasks.c - the thread that parses for annotation tools */
#include "serve/annotate/store.h"

#include "number.h"
#include "serve/metrics.h"

#include <stdio.h>
#include <stdlib.h>

void task_free(task *one)
{
    if (!one) return;
    free(one->project);
    free(one->id);
    free(one->path);
    dd_value_free(&one->request);
    free(one->body);
    free(one->result.data);
    free(one);
}

static dd_status fill_samples(task *one, dd_parser *parser, const dd_model *model, output *out,
                              keep_counts *counts, dd_error *error)
{
    const dd_value *samples = dd_value_at(&one->request, "to_parse_samples");
    dd_status status = DD_OK;
    for (size_t i = 0; samples && i < samples->count && status == DD_OK; i++) {
        output filled;
        size_t size;
        char *text = keep_clean(samples->values[i].string, &size);
        output_keep(&filled);
        if (!text) return DD_ERROR_MEMORY;
        status =
            keep_fill(parser, model, (dd_text){text, size}, &one->rules, &filled, counts, error);
        if (filled.status != DD_OK) status = filled.status;
        output_string(out, i > 0 ? "," : "");
        output_json_string(out, samples->values[i].key);
        output_string(out, ":");
        output_json(out, (dd_text){filled.size ? filled.data : "", filled.size});
        free(filled.data);
        free(text);
    }
    return status == DD_OK ? out->status : status;
}

static dd_status fill(annotator *all, task *one, output *out, keep_counts *counts, dd_error *error)
{
    dd_model *loaded = NULL;
    dd_parser *parser = NULL;
    dd_status status = one->path ? dd_model_load(&loaded, one->path, error) : DD_OK;
    const dd_model *model = one->path ? loaded : one->served;
    if (status == DD_OK) status = dd_parser_new(&parser, model, error);
    if (status == DD_OK) {
        dd_parser_set_cancel(parser, all->cancel);
        output_string(out, "{");
        status = fill_samples(one, parser, model, out, counts, error);
        output_string(out, "}");
    }
    dd_parser_free(parser);
    dd_model_free(loaded);
    return status;
}

static void log_task(const task *one, const keep_counts *counts, double seconds, bool good)
{
    char line[4 * MOST_NAME];
    snprintf(line, sizeof line, "%s/%s: %llu sentences, %llu words, %.3f s, %llu refused",
             one->project, one->id, (unsigned long long)counts->sentences,
             (unsigned long long)counts->words, seconds, (unsigned long long)counts->refused);
    log_event(good ? "parsed" : "not parsed", "model", line);
}

static void do_task(annotator *all, task *one)
{
    output out;
    keep_counts counts = {0};
    dd_error error = {.message = "out of memory"};
    double start = number_seconds_now();
    output_keep(&out);
    dd_cancel_after(all->cancel, all->options.most_seconds);
    dd_status status = fill(all, one, &out, &counts, &error);
    bool good = status == DD_OK && out.status == DD_OK;
    log_task(one, &counts, number_seconds_now() - start, good);
    pthread_mutex_lock(&all->lock);
    dd_value_free(&one->request);
    one->request = (dd_value){.kind = DD_JSON_NULL};
    free(one->body);
    one->body = NULL;
    one->result = out;
    one->size = out.size;
    one->state = good ? WORK_READY : WORK_FAILED;
    if (!good)
        snprintf(one->reason, sizeof one->reason, "%s",
                 status == DD_INTERRUPTED ? "the texts took longer than this server allows"
                                          : error.message);
    pthread_mutex_unlock(&all->lock);
}

static task *await_task(annotator *all)
{
    while (!all->stopping) {
        for (size_t i = 0; i < all->n_tasks; i++)
            if (all->tasks[i]->state == WORK_WAITS) return all->tasks[i];
        pthread_cond_wait(&all->more, &all->lock);
    }
    return NULL;
}

void *annotate_parse_all(void *user)
{
    annotator *all = user;
    annotate_be_nice();
    for (;;) {
        pthread_mutex_lock(&all->lock);
        task *one = await_task(all);
        if (one) one->state = WORK_RUNS;
        pthread_mutex_unlock(&all->lock);
        if (!one) return NULL;
        do_task(all, one);
    }
}
