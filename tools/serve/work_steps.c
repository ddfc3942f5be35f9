/* work_steps.c - walks of oracles and traces of parses, which are written whole */
#include "number.h"
#include "report_oracle.h"
#include "report_trace.h"
#include "serve/work.h"

#include <string.h>

enum { MOST_BYTES = 1 << 26 };

typedef struct walker {
    job *work;
    const dd_sentence *sentence;
    dd_oracle *oracle; /* one of these two is NULL */
    dd_trace *trace;
} walker;

static bool may_go_on(const walker *w)
{
    job *one = w->work;
    if (one->made.size > MOST_BYTES)
        return refuse(&one->why, 413, "the answer has more than %d bytes; choose one sentence",
                      MOST_BYTES);
    if (number_seconds_now() > one->deadline)
        return refuse(&one->why, 503, "it takes too long; choose one sentence");
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
    const walker *w = user;
    report_trace_json(&w->work->made, w->sentence, step);
    return may_go_on(w);
}

static bool annotate(bench *own, job *one, dd_sentence *sentence)
{
    dd_error error;
    if (!one->plan.model) return true;
    dd_parser *parser = bench_parser(own, one->plan.model, &one->why);
    return parser && (dd_parser_annotate(parser, sentence, false, &error) == DD_OK ||
                      refuse_error(&one->why, &error));
}

static bool walk_sentence(bench *own, walker *w, dd_sentence *sentence)
{
    dd_error error;
    job *one = w->work;
    w->sentence = sentence;
    if (!annotate(own, one, sentence)) return false;
    dd_status status = w->oracle ? dd_oracle_walk(w->oracle, sentence, write_walk, w, &error)
                                 : dd_trace_sentence(w->trace, sentence, write_trace, w, &error);
    if (status == DD_ERROR_DATA)
        report_oracle_skipped(&one->made, sentence, error.message);
    else if (status == DD_INTERRUPTED)
        return refuse(&one->why, 503, "out of memory");
    return status == DD_OK || status == DD_ERROR_DATA || refuse_error(&one->why, &error);
}

static bool walk_all(bench *own, walker *w)
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

bool work_steps(bench *own, job *one)
{
    walker w = {.work = one};
    dd_error error;
    dd_status status = one->plan.kind == JOB_ORACLE
                           ? dd_oracle_new(&w.oracle, &one->plan.oracle, &error)
                           : dd_trace_new(&w.trace, &one->plan.trace, &error);
    if (status != DD_OK) return refuse_error(&one->why, &error);
    if (one->plan.to == TO_JSON) output_string(&one->made, "{\"steps\":[");
    bool good = walk_all(own, &w);
    if (good && one->plan.to == TO_JSON) close_array(one);
    dd_oracle_free(w.oracle);
    dd_trace_free(w.trace);
    return good;
}
