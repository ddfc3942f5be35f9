#include "serve/work.h"

#include "number.h"

#include <dodona_tools.h>

#include <stdlib.h>
#include <string.h>

bool workspace_init(workspace *own, const serve_limits *limits, size_t models)
{
    *own = (workspace){
        .limits = limits, .models = models, .parsers = calloc(models, sizeof(dd_parser *))};
    return own->parsers && dd_cancel_new(&own->cancel, NULL) == DD_OK;
}

void workspace_free(workspace *own)
{
    for (size_t i = 0; own->parsers && i < own->models; i++) dd_parser_free(own->parsers[i]);
    free(own->parsers);
    dd_cancel_free(own->cancel);
    dd_drawing_free(own->drawing);
    dd_sentence_free(own->sentence);
    dd_buffer_free(&own->text);
    dd_buffer_free(&own->trees);
    free(own->batch);
    free(own->owners);
}

dd_parser *workspace_parser(workspace *own, const served_model *model, refusal *why)
{
    dd_error error;
    dd_parser **parser = &own->parsers[model->index];
    if (!*parser && dd_parser_new(parser, model->model, &error) != DD_OK) refuse_error(why, &error);
    if (*parser) dd_parser_set_cancel(*parser, own->cancel);
    return *parser;
}

bool work_is_alike(const job *one, const job *other)
{
    const job_plan *a = &one->plan, *b = &other->plan;
    return a->kind == JOB_PARSE && b->kind == JOB_PARSE && a->model == b->model &&
           a->parse == b->parse && dd_parse_options_alike(&a->how, &b->how);
}

static bool has_constraints(const job *one)
{
    static const char comment[] = "constraint";
    if (fields_find(&one->asked, comment) || fields_find(&one->asked, "constraints")) return true;
    const char *at = one->text.data, *end = at + one->text.size;
    while (at < end && (at = memchr(at, '#', (size_t)(end - at)))) {
        for (at++; at < end && (*at == ' ' || *at == '\t'); at++) continue;
        size_t left = (size_t)(end - at);
        if (left >= sizeof comment - 1 && memcmp(at, comment, sizeof comment - 1) == 0) return true;
    }
    return false;
}

bool work_is_hard(const job *one)
{
    const job_plan *plan = &one->plan;
    return plan->parse &&
           (plan->how.beam > dd_model_beam(plan->model->model) || has_constraints(one));
}

bool work_refuse(job *one, const dd_error *error)
{
    if (error->status != DD_INTERRUPTED) return refuse_error(&one->why, error);
    return refuse(&one->why, 503, "it takes too long; send less at a time");
}

/* The step in hand ends when the answer is due or, if the job is not heavy, after so many seconds;
 * once an answer has begun, a step has as much time as the whole had before. */
static void give_time(workspace *own, job *one, double light)
{
    double left = job_is_unread(one) ? one->deadline - number_seconds_now() : own->limits->seconds;
    dd_cancel_after(own->cancel, !one->heavy && light < left ? light : left);
}

/* ---- parsing ------------------------------------------------------------------------------ */

static bool make_room(workspace *own, size_t need)
{
    if (need <= own->batch_capacity) return true;
    size_t capacity = 2 * need;
    dd_sentence **batch = realloc(own->batch, capacity * sizeof *batch);
    if (batch) own->batch = batch;
    job **owners = realloc(own->owners, capacity * sizeof *owners);
    if (owners) own->owners = owners;
    if (!batch || !owners) return false;
    own->batch_capacity = capacity;
    return true;
}

static void gather(workspace *own, job *const *jobs, size_t count)
{
    own->batch_size = 0;
    for (size_t i = 0; i < count; i++) {
        if (jobs[i]->why.status != 0) continue;
        if (!make_room(own, own->batch_size + jobs[i]->held)) {
            refuse_memory(&jobs[i]->why);
            continue;
        }
        for (size_t k = jobs[i]->parsed; k < jobs[i]->held; k++) {
            own->batch[own->batch_size] = jobs[i]->sentences[k];
            own->owners[own->batch_size++] = jobs[i];
        }
    }
}

/* A step that is cut short is made again by itself, unless it had all its time already. */
static void fail(job *one, const dd_error *error)
{
    if (error->status == DD_INTERRUPTED && !one->heavy)
        one->heavy = one->again = true;
    else
        work_refuse(one, error);
}

/* How many of the sentences from `at` on are parsed in one go, which has its time. */
static size_t next_part(const workspace *own, size_t at)
{
    size_t end = at;
    for (int words = 0; end < own->batch_size && words < SLICE_WORDS; end++)
        words += dd_sentence_size(own->batch[end]);
    return end - at;
}

static bool is_given_up(const job *one)
{
    return one->why.status != 0 || one->again;
}

static void parse(workspace *own, dd_parser *parser, const dd_parse_options *how)
{
    for (size_t at = 0; at < own->batch_size;) {
        dd_error error;
        job *owner = own->owners[at];
        size_t done = 0, part = next_part(own, at);
        if (is_given_up(owner)) {
            at++;
            continue;
        }
        give_time(own, owner, LIGHT_STEP);
        dd_status status = dd_parser_parse_batch(parser, own->batch + at, part, how, &done, &error);
        for (size_t i = at; i < at + done; i++) own->owners[i]->parsed++;
        at += done;
        if (status != DD_OK) fail(own->owners[at], &error);
    }
}

static void tag(workspace *own, dd_parser *parser)
{
    dd_error error;
    for (size_t i = 0; i < own->batch_size; i++) {
        job *owner = own->owners[i];
        if (is_given_up(owner)) continue;
        give_time(own, owner, LIGHT_STEP);
        if (dd_parser_annotate(parser, own->batch[i], true, &error) == DD_OK)
            owner->parsed++;
        else
            fail(owner, &error);
    }
}

static void annotate(workspace *own, const job_plan *plan)
{
    if (own->batch_size == 0 || (!plan->how.tag && !plan->parse)) return;
    refusal why = {0};
    dd_parser *parser = workspace_parser(own, plan->model, &why);
    for (size_t i = 0; i < own->batch_size && !parser; i++) own->owners[i]->why = why;
    if (!parser) return;
    if (plan->parse)
        parse(own, parser, &plan->how);
    else
        tag(own, parser);
}

/* ---- a step ------------------------------------------------------------------------------- */

static void read_one(workspace *own, job *one)
{
    double now = number_seconds_now();
    if (one->begun == 0) one->begun = now;
    if (one->why.status != 0) return;
    if (now > one->deadline && job_is_unread(one))
        refuse(&one->why, 503, "the server is too busy to answer in time");
    else if (one->plan.kind == JOB_ANSWER)
        one->plan.answer(one);
    else if (one->plan.kind != JOB_PARSE)
        work_steps(own, one);
    else if (one->again)
        one->again = false;
    else
        work_read(own, one);
}

static job_next finish_step(workspace *own, job *one)
{
    bool steps = one->plan.kind != JOB_PARSE;
    if (one->why.status == 0 && one->again) return JOB_GO_ON;
    give_time(own, one, own->limits->seconds);
    if (one->why.status == 0 && !steps) work_write(own, one);
    if (one->why.status == 0 && one->made.status != DD_OK) refuse_memory(&one->why);
    if (one->why.status == 0 && job_is_unread(one) && !job_has_room(one, one->made.size))
        refuse(&one->why, 503, "too many large answers wait to be read");
    if (one->why.status != 0) {
        job_refuse(one);
        return JOB_STOP;
    }
    one->passed += steps ? 0 : one->held;
    one->parsed = 0;
    return job_publish(one, steps || one->at_end);
}

/* A heavy job, which is worked on by itself, ends when its client goes away. */
static void begin_step(workspace *own, job *one)
{
    dd_cancel_reset(own->cancel);
    give_time(own, one, own->limits->seconds);
    if (one->heavy && !job_attach(one, own->cancel)) refuse(&one->why, 503, "the client went away");
}

void work_on(workspace *own, job *const *jobs, size_t count, job_next *next)
{
    if (count == 1 && job_stall(jobs[0])) {
        next[0] = JOB_PARK;
        return;
    }
    begin_step(own, jobs[0]);
    for (size_t i = 0; i < count; i++) read_one(own, jobs[i]);
    if (jobs[0]->plan.kind == JOB_PARSE) {
        gather(own, jobs, count);
        annotate(own, &jobs[0]->plan);
    }
    for (size_t i = 0; i < count; i++) next[i] = finish_step(own, jobs[i]);
    job_detach(jobs[0]);
}
