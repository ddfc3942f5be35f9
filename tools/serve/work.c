#include "serve/work.h"

#include "heap.h"
#include "number.h"

#include <stdlib.h>

void bench_free(bench *own)
{
    for (size_t i = 0; i < own->models; i++) dd_parser_free(own->parsers[i]);
    free(own->parsers);
    dd_drawing_free(own->drawing);
    dd_sentence_free(own->sentence);
    dd_buffer_free(&own->text);
    dd_buffer_free(&own->trees);
    free(own->batch);
    free(own->owners);
}

dd_parser *bench_parser(bench *own, const served_model *model, refusal *why)
{
    dd_error error;
    dd_parser **parser = &own->parsers[model->index];
    if (!*parser && dd_parser_new(parser, model->model, &error) != DD_OK) refuse_error(why, &error);
    return *parser;
}

bool work_is_alike(const job *one, const job *other)
{
    const job_plan *a = &one->plan, *b = &other->plan;
    return a->kind == JOB_PARSE && b->kind == JOB_PARSE && a->model == b->model &&
           a->tag == b->tag && a->parse == b->parse && a->how.scores == b->how.scores &&
           a->how.beam == b->how.beam && a->how.nbest == b->how.nbest && a->how.tidy == b->how.tidy;
}

/* ---- parsing ------------------------------------------------------------------------------ */

static void gather(bench *own, job *const *jobs, size_t count)
{
    own->batch_size = 0;
    for (size_t i = 0; i < count; i++) {
        if (jobs[i]->why.status != 0) continue;
        size_t need = own->batch_size + jobs[i]->held;
        HEAP_GROW(&own->batch, &own->batch_capacity, need);
        HEAP_GROW(&own->owners, &own->owners_capacity, need);
        for (size_t k = 0; k < jobs[i]->held; k++) {
            own->batch[own->batch_size] = jobs[i]->sentences[k];
            own->owners[own->batch_size++] = jobs[i];
        }
    }
}

static void parse(const bench *own, dd_parser *parser, const dd_parse_options *how)
{
    for (size_t at = 0, done; at < own->batch_size; at += done) {
        dd_error error;
        if (dd_parser_parse_batch(parser, own->batch + at, own->batch_size - at, how, &done,
                                  &error) == DD_OK)
            return;
        refuse_error(&own->owners[at + done]->why, &error);
        done++;
    }
}

static void tag(const bench *own, dd_parser *parser)
{
    dd_error error;
    for (size_t i = 0; i < own->batch_size; i++)
        if (dd_parser_annotate(parser, own->batch[i], true, &error) != DD_OK)
            refuse_error(&own->owners[i]->why, &error);
}

static void annotate(bench *own, const job_plan *plan)
{
    if (own->batch_size == 0 || (!plan->tag && !plan->parse)) return;
    refusal why = {0};
    dd_parser *parser = bench_parser(own, plan->model, &why);
    for (size_t i = 0; i < own->batch_size && !parser; i++) own->owners[i]->why = why;
    if (!parser) return;
    if (plan->parse)
        parse(own, parser, &plan->how);
    else
        tag(own, parser);
}

/* ---- a step ------------------------------------------------------------------------------- */

static void read_one(bench *own, job *one)
{
    double now = number_seconds_now();
    if (one->begun == 0) one->begun = now;
    if (one->why.status != 0) return;
    if (now > one->deadline && job_is_unread(one))
        refuse(&one->why, 503, "the server is too busy to answer in time");
    else if (one->plan.kind != JOB_PARSE)
        work_steps(own, one);
    else
        work_read(own, one);
}

static job_next finish_step(bench *own, job *one)
{
    bool steps = one->plan.kind != JOB_PARSE;
    if (one->why.status == 0 && !steps) work_write(own, one);
    if (one->why.status == 0 && one->made.status != DD_OK) refuse(&one->why, 503, "out of memory");
    if (one->why.status != 0) {
        job_refuse(one);
        return JOB_STOP;
    }
    one->passed += steps ? 0 : one->held;
    return job_publish(one, steps || one->at_end);
}

void work_on(bench *own, job *const *jobs, size_t count, job_next *next)
{
    for (size_t i = 0; i < count; i++) read_one(own, jobs[i]);
    if (jobs[0]->plan.kind == JOB_PARSE) {
        gather(own, jobs, count);
        annotate(own, &jobs[0]->plan);
    }
    for (size_t i = 0; i < count; i++) next[i] = finish_step(own, jobs[i]);
}
