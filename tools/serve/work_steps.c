/* work_steps.c - walks of oracles and traces of parses, which are written whole */
#include "explorer.h"
#include "report_oracle.h"
#include "report_trace.h"
#include "serve/work.h"

#include <stdio.h>
#include <string.h>

typedef struct walker {
    job *work;
    const dd_sentence *sentence;
    dd_oracle *oracle; /* one of these two is NULL */
    dd_trace *trace;
    explorer page; /* of TO_HTML */
} walker;

static bool may_go_on(const walker *w)
{
    job *one = w->work;
    if (one->made.size > MOST_STEP_BYTES)
        return refuse(&one->why, 413,
                      "the steps take more than %d bytes; choose one sentence, or a shorter one",
                      MOST_STEP_BYTES);
    return one->made.status == DD_OK;
}

static bool write_walk(void *user, const dd_oracle_step *step)
{
    const walker *w = user;
    report_oracle_json(&w->work->made, w->sentence, step);
    return may_go_on(w);
}

static bool write_trace(void *user, const dd_trace_step *step)
{
    walker *w = user;
    if (w->work->plan.to == TO_HTML)
        explorer_step(&w->page, w->sentence, step);
    else
        report_trace_json(&w->work->made, w->sentence, step);
    return may_go_on(w);
}

static bool annotate(workspace *own, job *one, dd_sentence *sentence)
{
    dd_error error;
    if (!one->plan.model) return true;
    dd_parser *parser = workspace_parser(own, one->plan.model, &one->why);
    return parser && (dd_parser_annotate(parser, sentence, false, &error) == DD_OK ||
                      work_refuse(one, &error));
}

static void tell_skipped(walker *w, const char *reason)
{
    if (w->work->plan.to == TO_HTML)
        explorer_skipped(&w->page, w->sentence, reason);
    else
        report_oracle_skipped(&w->work->made, w->sentence, reason);
}

static bool walk_sentence(workspace *own, walker *w, dd_sentence *sentence)
{
    dd_error error;
    job *one = w->work;
    int words = dd_sentence_size(sentence);
    if (words > MOST_STEP_WORDS)
        return refuse(&one->why, 413, "a sentence has %d words; steps are shown of up to %d", words,
                      MOST_STEP_WORDS);
    w->sentence = sentence;
    if (!annotate(own, one, sentence)) return false;
    dd_status status = w->oracle ? dd_oracle_walk(w->oracle, sentence, write_walk, w, &error)
                                 : dd_trace_sentence(w->trace, sentence, write_trace, w, &error);
    if (status == DD_ERROR_DATA) tell_skipped(w, error.message);
    if (status == DD_INTERRUPTED && one->made.status != DD_OK) return refuse_memory(&one->why);
    return status == DD_OK || status == DD_ERROR_DATA || work_refuse(one, &error);
}

static bool walk_all(workspace *own, walker *w)
{
    job *one = w->work;
    for (size_t n = 1; !one->at_end; n += one->held) {
        if (!work_read(own, one)) return false;
        one->passed += one->held;
        for (size_t i = 0; i < one->held; i++) {
            if (one->plan.sentence && (size_t)one->plan.sentence != n + i) continue;
            if (!walk_sentence(own, w, one->sentences[i])) return false;
        }
    }
    return true;
}

/* Lines become items of an array, in place: each line end is a comma, but for the last. */
static void close_array(job *one)
{
    output *out = &one->made;
    if (out->status != DD_OK) return;
    for (char *at = out->data; (at = memchr(at, '\n', (size_t)(out->data + out->size - at))); at++)
        *at = ',';
    if (out->data[out->size - 1] == ',') out->size--;
    output_string(out, "]}\n");
}

static void begin(walker *w)
{
    job *one = w->work;
    const job_plan *plan = &one->plan;
    if (plan->to == TO_JSON) output_string(&one->made, "{\"steps\":[");
    if (plan->to != TO_HTML) return;
    w->page.trace = w->trace;
    if (!plan->model) {
        explorer_begin(&w->page, &one->made, plan->trace.system, explorer_oracle);
        return;
    }
    char system[64];
    dd_text fact = model_fact(plan->model->model, "system");
    snprintf(system, sizeof system, "%.*s", (int)fact.size, fact.data);
    explorer_begin(&w->page, &one->made, system, plan->model->names[0]);
}

static void end(walker *w)
{
    if (w->work->plan.to == TO_JSON) close_array(w->work);
    if (w->work->plan.to == TO_HTML) explorer_end(&w->page);
}

bool work_steps(workspace *own, job *one)
{
    walker w = {.work = one};
    dd_error error;
    one->plan.oracle.cancel = one->plan.trace.cancel = own->cancel;
    dd_status status = one->plan.kind == JOB_ORACLE
                           ? dd_oracle_new(&w.oracle, &one->plan.oracle, &error)
                           : dd_trace_new(&w.trace, &one->plan.trace, &error);
    if (status != DD_OK) return refuse_error(&one->why, &error);
    begin(&w);
    bool good = walk_all(own, &w);
    end(&w);
    dd_oracle_free(w.oracle);
    dd_trace_free(w.trace);
    return good;
}
