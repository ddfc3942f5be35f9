/* web.c - the parser in a page without a server: a request and its answer are those of `dodona
 * serve`, but a call takes the place of the connection. Compiled to WebAssembly; see
 * docs/server.md.
 */
#include "number.h"
#include "serve/ask.h"
#include "serve/work.h"

#include <emscripten.h>
#include <stdlib.h>
#include <string.h>

static model_store models;
static workspace own;
static const serve_limits limits = {.sentence = 5000, .seconds = 60, .beam = 64};
static output answer; /* to the last request */

/* "NAME=FILE". 0: it is there; else standard error has the reason. */
EMSCRIPTEN_KEEPALIVE int web_load(const char *model)
{
    int status = model_store_add(&models, model);
    workspace_free(&own);
    return workspace_init(&own, &limits, models.count) ? status : -1;
}

static void begin_answer(void)
{
    free(answer.data);
    output_keep(&answer);
}

static int tell_refusal(const refusal *why)
{
    begin_answer();
    output_format(&answer, "{\"status\":%d,\"reason\":", why->status);
    output_json_string(&answer, why->reason);
    output_string(&answer, "}\n");
    return why->status;
}

/* ---- jobs --------------------------------------------------------------------------------- */

/* Nobody waits: an answer is read when it is finished. */
static void ignore(void *user)
{
    (void)user;
}

static const job_reader calls = {ignore, ignore};

static bool plan(job *work, const char *path, char *body, size_t size)
{
    const ask from = {
        .models = &models, .limits = &limits, .type = "application/json", .accept = ""};
    if (!ask_read_body(&from, work, body, size, &work->why)) return false;
    if (strcmp(path, "parse") == 0) return ask_parse(&from, work, &work->why);
    if (strcmp(path, "draw") == 0) return ask_draw(&from, work, &work->why);
    if (strcmp(path, "trace") == 0) return ask_trace(&from, work, &work->why);
    return refuse(&work->why, 404, "there is no such path");
}

static int finish(job *work)
{
    job_next next = JOB_GO_ON;
    work->deadline = number_seconds_now() + limits.seconds;
    work->heavy = true; /* there is nobody else to wait for it */
    while (next != JOB_STOP) work_on(&own, &work, 1, &next);
    if (work->why.status != 0) return tell_refusal(&work->why);
    begin_answer();
    free(answer.data);
    answer.data = job_take(work, &answer.size);
    return 200;
}

/* The fields of a path below /api/v1/ as JSON, in memory that is freed here. Returns the status;
 * web_answer has what was answered. */
EMSCRIPTEN_KEEPALIVE int web_ask(const char *path, char *body, size_t size)
{
    static const refusal no_memory = {503, "out of memory"};
    job *work = job_new(&calls, NULL);
    if (!work) {
        free(body);
        return tell_refusal(&no_memory);
    }
    int status = plan(work, path, body, size) ? finish(work) : tell_refusal(&work->why);
    job_drop(work);
    return status;
}

EMSCRIPTEN_KEEPALIVE int web_models(void)
{
    begin_answer();
    model_store_describe(&models, &answer);
    return 200;
}

EMSCRIPTEN_KEEPALIVE const char *web_answer(void)
{
    return answer.data;
}

EMSCRIPTEN_KEEPALIVE size_t web_answer_size(void)
{
    return answer.size;
}
