/* web.c - the parser in a page without a server, and in the npm package: a request and its answer
 * are those of `dodona serve`, but a call takes the place of the connection. Compiled to
 * WebAssembly; see docs/server.md and docs/js.md.
 */
#include "web.h"

#include "number.h"
#include "serve/ask.h"
#include "serve/work.h"

#include <emscripten.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static model_store models;
static workspace own;
static serve_limits limits = {.sentence = 5000, .seconds = 60, .beam = 64};
static output answer; /* to the last request */

static output *begin_answer(void)
{
    free(answer.data);
    output_keep(&answer);
    return &answer;
}

static int tell_refusal(const refusal *why)
{
    begin_answer();
    output_format(&answer, "{\"status\":%d,\"reason\":", why->status);
    output_json_string(&answer, why->reason);
    output_string(&answer, "}\n");
    return why->status;
}

/* ---- loading ------------------------------------------------------------------------------ */

/* Room for the bytes of a model or a text, with one byte more; NULL: out of memory. */
EMSCRIPTEN_KEEPALIVE char *web_room(size_t size)
{
    size_t whole = (size / DD_MODEL_ALIGNMENT + 1) * DD_MODEL_ALIGNMENT;
    return whole > size ? aligned_alloc(DD_MODEL_ALIGNMENT, whole) : NULL;
}

/* A model from bytes in such room, which stay there. Returns the status, 200 if it is there. */
EMSCRIPTEN_KEEPALIVE int web_load(const char *name, char *bytes, size_t size)
{
    refusal why = {0};
    dd_error error;
    if (model_store_add_bytes(&models, name, (dd_text){bytes, size}, &error) != DD_OK) {
        free(bytes);
        refuse_error(&why, &error);
        return tell_refusal(&why);
    }
    workspace_free(&own);
    if (workspace_init(&own, &limits, models.count)) return 200;
    refuse_memory(&why);
    return tell_refusal(&why);
}

/* There are no other clients. */
EMSCRIPTEN_KEEPALIVE void web_lift_limits(void)
{
    limits = (serve_limits){.sentence = INT_MAX, .seconds = INFINITY, .beam = DD_MAX_BEAM};
}

/* ---- jobs --------------------------------------------------------------------------------- */

/* Nobody waits: an answer is read when it is finished. */
static void ignore(void *user)
{
    (void)user;
}

static const job_reader calls = {ignore, ignore};

static int finish(job *work)
{
    job_next next = JOB_GO_ON;
    while (next != JOB_STOP) work_on(&own, &work, 1, &next);
    if (work->why.status != 0) return tell_refusal(&work->why);
    begin_answer();
    answer.data = job_take(work, &answer.size);
    return 200;
}

/* Makes the answer in one go, unless it is that of a job. */
static bool answer_at_once(const char *path, job *work, bool *done)
{
    *done = true;
    dd_cancel_reset(own.cancel);
    dd_cancel_after(own.cancel, work->deadline - number_seconds_now());
    if (strcmp(path, "draw") == 0)
        return web_draw(&work->asked, work->text, own.cancel, begin_answer(), &work->why);
    if (strcmp(path, "evaluate") == 0)
        return web_evaluate(&work->asked, work->text, own.cancel, begin_answer(), &work->why);
    *done = false;
    return true;
}

static bool plan(job *work, const char *path)
{
    const ask from = {.models = &models, .limits = &limits, .type = "", .accept = ""};
    if (strcmp(path, "parse") == 0) return ask_parse(&from, work, &work->why);
    if (strcmp(path, "draw") == 0) return ask_draw(&from, work, &work->why);
    if (strcmp(path, "trace") == 0) return ask_trace(&from, work, &work->why);
    return refuse(&work->why, 404, "there is no such path");
}

static int do_job(job *work, const char *path, double seconds)
{
    bool done;
    work->deadline = number_seconds_now() + seconds;
    work->heavy = true; /* no other request waits for it */
    work->whole = true;
    bool good = answer_at_once(path, work, &done);
    if (good && answer.status != DD_OK) good = refuse_memory(&work->why);
    if (good && done) return 200;
    return good && plan(work, path) ? finish(work) : tell_refusal(&work->why);
}

static int tell_no_memory(void)
{
    static const refusal no_memory = {503, "out of memory"};
    return tell_refusal(&no_memory);
}

/* The fields of a path below /api/v1/ as JSON, in memory that is freed here. Returns the status;
 * web_answer has what was answered. */
EMSCRIPTEN_KEEPALIVE int web_ask(const char *path, char *body, size_t size)
{
    const ask from = {.type = "application/json"};
    job *work = job_new(&calls, NULL);
    if (!work) {
        free(body);
        return tell_no_memory();
    }
    int status = ask_read_body(&from, work, body, size, &work->why)
                     ? do_job(work, path, limits.seconds)
                     : tell_refusal(&work->why);
    job_drop(work);
    return status;
}

static bool read_fields(job *work, const char *json)
{
    return fields_read_json(&work->asked, (dd_text){json, strlen(json)}, &work->why) &&
           fields_are_utf8(&work->asked, &work->why) &&
           (text_is_utf8(work->text) || refuse(&work->why, 400, "the text is not UTF-8"));
}

/* The same with the text by itself, in room that is freed here, and so many seconds for it;
 * INFINITY: any number. */
EMSCRIPTEN_KEEPALIVE int web_ask_text(const char *path, const char *json, char *text, size_t size,
                                      double seconds)
{
    job *work = job_new(&calls, NULL);
    if (!work) {
        free(text);
        return tell_no_memory();
    }
    work->body = text;
    work->text = (dd_text){text, size};
    int status = read_fields(work, json) ? do_job(work, path, seconds) : tell_refusal(&work->why);
    job_drop(work);
    return status;
}

/* ---- answers ------------------------------------------------------------------------------ */

EMSCRIPTEN_KEEPALIVE int web_models(void)
{
    model_store_describe(&models, begin_answer());
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
