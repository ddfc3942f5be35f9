/* answer.c - answers, and the way from a whole request to one */
#include "number.h"
#include "serve/assets.h"
#include "serve/exchange.h"

#include <stdlib.h>
#include <string.h>

/* ---- answers ------------------------------------------------------------------------------ */

/* Each is false if memory runs out. */
static bool add(struct MHD_Response *response, const char *name, const char *value)
{
    return MHD_add_response_header(response, name, value) == MHD_YES;
}

static bool add_status_headers(const exchange *x, struct MHD_Response *response, int status)
{
    switch (status) {
    case 503: return add(response, MHD_HTTP_HEADER_RETRY_AFTER, "1");
    case 401: return add(response, MHD_HTTP_HEADER_WWW_AUTHENTICATE, "Bearer");
    case 405:
        return add(response, MHD_HTTP_HEADER_ALLOW,
                   route_only(x->route)   ? route_only(x->route)
                   : x->route->takes_post ? "GET, HEAD, POST"
                                          : "GET, HEAD");
    default: return true;
    }
}

static bool add_asset_headers(const asset *file, struct MHD_Response *response)
{
    return add(response, MHD_HTTP_HEADER_ETAG, file->tag) &&
           add(response, "Content-Security-Policy", file->policy) &&
           add(response, "Referrer-Policy", "no-referrer");
}

/* A page with texts of users in it, which has its script in itself. */
static bool add_explorer_headers(struct MHD_Response *response)
{
    return add(response, "Content-Security-Policy", asset_find("/page/explorer.html")->policy);
}

static bool add_cors_headers(const exchange *x, struct MHD_Response *response)
{
    const char *origin = x->all->cors;
    if (!origin) return true;
    if (!add(response, "Access-Control-Allow-Origin", origin) ||
        (strcmp(origin, "*") != 0 && !add(response, "Vary", "Origin")))
        return false;
    return strcmp(x->method, "OPTIONS") != 0 ||
           (add(response, "Access-Control-Allow-Methods",
                x->route && route_only(x->route) ? route_only(x->route) : "GET, POST") &&
            add(response, "Access-Control-Allow-Headers", "Authorization, Content-Type") &&
            add(response, "Access-Control-Max-Age", "86400"));
}

/* What is computed is kept nowhere; what is part of the program, until it has changed. */
static bool add_headers(const exchange *x, int status, const char *type,
                        struct MHD_Response *response, const asset *file)
{
    bool page = !file && strncmp(type, "text/html", 9) == 0;
    return add(response, MHD_HTTP_HEADER_CONTENT_TYPE, type) &&
           add(response, MHD_HTTP_HEADER_CACHE_CONTROL, file ? "no-cache" : "no-store") &&
           (!file || add_asset_headers(file, response)) &&
           (!page || add_explorer_headers(response)) &&
           add(response, "X-Content-Type-Options", "nosniff") &&
           (!atomic_load(&x->all->stops) || add(response, MHD_HTTP_HEADER_CONNECTION, "close")) &&
           add_status_headers(x, response, status) && add_cors_headers(x, response);
}

/* The response becomes libmicrohttpd's; NULL: out of memory. */
static enum MHD_Result queue(exchange *x, int status, const char *type,
                             struct MHD_Response *response, const asset *file)
{
    bool good = response && add_headers(x, status, type, response, file);
    x->status = good ? status : 503;
    enum MHD_Result queued =
        MHD_queue_response(x->connection, (unsigned)x->status, good ? response : x->all->no_memory);
    if (response) MHD_destroy_response(response);
    return queued;
}

enum MHD_Result exchange_answer(exchange *x, int status, const char *type, char *data, size_t size)
{
    struct MHD_Response *response =
        MHD_create_response_from_buffer(size, data, MHD_RESPMEM_MUST_FREE);
    if (!response) free(data);
    x->bytes_out = size;
    return queue(x, status, type, response, NULL);
}

/* What was written to memory. */
static enum MHD_Result answer_output(exchange *x, int status, const char *type, output *out)
{
    if (out->status == DD_OK) return exchange_answer(x, status, type, out->data, out->size);
    free(out->data);
    return queue(x, status, type, NULL, NULL);
}

/* In JSON where answers are JSON, as ArboratorGrew has it or as we do; UDPipe's clients expect
 * plain text. */
enum MHD_Result exchange_refuse(exchange *x, const refusal *why)
{
    output out;
    bool annotation = strncmp(x->path, ANNOTATE_PATH, strlen(ANNOTATE_PATH)) == 0;
    bool json = annotation || strncmp(x->path, "/api/", 5) == 0;
    output_keep(&out);
    if (annotation) {
        output_string(&out, "{\"status\":\"failure\",\"error\":");
        output_json_string(&out, why->reason);
        output_string(&out, "}\n");
    } else if (json) {
        output_format(&out, "{\"status\":%d,\"reason\":", why->status);
        output_json_string(&out, why->reason);
        output_string(&out, "}\n");
    } else {
        output_string(&out, why->reason);
        output_string(&out, "\n");
    }
    return answer_output(x, why->status, json ? "application/json" : "text/plain; charset=utf-8",
                         &out);
}

/* ---- streams ------------------------------------------------------------------------------ */

static ssize_t read_stream(void *user, uint64_t position, char *out, size_t most)
{
    exchange *x = user;
    bool again;
    (void)position;
    long got = job_read(x->work, out, most, &again);
    if (again) pool_resume(x->all->workers, x->work);
    if (got == JOB_READ_END) return MHD_CONTENT_READER_END_OF_STREAM;
    if (got == JOB_READ_BROKEN) return MHD_CONTENT_READER_END_WITH_ERROR;
    x->bytes_out += (uint64_t)got;
    return got;
}

enum MHD_Result exchange_stream(exchange *x)
{
    enum { PIECE = 1 << 15 };
    char type[ASK_TYPE_SIZE];
    return queue(x, 200, ask_type(&x->work->plan, type),
                 MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, PIECE, read_stream, x, NULL),
                 NULL);
}

/* ---- from the request to the answer ------------------------------------------------------- */

static void sleep_connection(void *user)
{
    MHD_suspend_connection(((exchange *)user)->connection);
}

static void wake_connection(void *user)
{
    MHD_resume_connection(((exchange *)user)->connection);
}

static const job_reader calls = {sleep_connection, wake_connection};

static enum MHD_Result refuse_late(exchange *x)
{
    refusal late = {0};
    refuse(&late, 503, "the answer was not ready within %g seconds", x->all->limits.seconds);
    return exchange_refuse(x, &late);
}

static enum MHD_Result answer_job(exchange *x)
{
    char type[ASK_TYPE_SIZE];
    static const refusal broken = {503, "out of memory"};
    size_t size;
    switch (job_await(x->work)) {
    case JOB_WAITS: return MHD_YES; /* it sleeps */
    case JOB_LATE: return refuse_late(x);
    case JOB_OPEN: return exchange_stream(x);
    case JOB_BROKEN: return exchange_refuse(x, &broken);
    case JOB_FINISHED: break;
    }
    if (x->work->why.status != 0) return exchange_refuse(x, &x->work->why);
    char *data = job_take(x->work, &size);
    return exchange_answer(x, 200, ask_type(&x->work->plan, type), data, size);
}

static bool make_job(exchange *x)
{
    const ask from = {.models = &x->all->models,
                      .limits = &x->all->limits,
                      .type = exchange_header(x, MHD_HTTP_HEADER_CONTENT_TYPE),
                      .accept = exchange_header(x, MHD_HTTP_HEADER_ACCEPT),
                      .path = x->path,
                      .annotator = x->all->annotator};
    char *body = x->body;
    if (x->query &&
        !fields_read_url(&x->work->asked, (dd_text){x->query, strlen(x->query)}, &x->why))
        return false;
    x->body = NULL;
    if (route_is_annotation(x->route)) {
        x->work->body = body;
        x->work->text = (dd_text){body, x->size};
    } else if (!ask_read_body(&from, x->work, body, x->size, &x->why)) {
        return false;
    }
    if (!x->route->plan(&from, x->work, &x->why)) return false;
    x->work->arrived = number_seconds_now();
    x->work->deadline = x->work->arrived + x->all->limits.seconds;
    if (!pool_submit(x->all->workers, x->work))
        return refuse(&x->why, 503, "too many requests are waiting; try again later");
    pending_add(&x->all->waiting, x->work, exchange_socket(x));
    return true;
}

static enum MHD_Result begin_job(exchange *x)
{
    x->work = job_new(&calls, x);
    if (!x->work)
        refuse_memory(&x->why);
    else
        x->work->unread = &x->all->unread;
    if (x->work && make_job(x)) return answer_job(x);
    if (x->work) job_drop(x->work);
    x->work = NULL;
    return exchange_refuse(x, &x->why);
}

/* Its bytes are not copied; none are sent if the client has them. */
static enum MHD_Result send_asset(exchange *x)
{
    const asset *file = asset_find(x->path);
    bool known = strstr(exchange_header(x, MHD_HTTP_HEADER_IF_NONE_MATCH), file->tag) != NULL;
    x->bytes_out = known ? 0 : file->size;
    return queue(x, known ? 304 : 200, file->type,
                 MHD_create_response_from_buffer((size_t)x->bytes_out, (void *)file->data,
                                                 MHD_RESPMEM_PERSISTENT),
                 file);
}

static enum MHD_Result tell_at_once(exchange *x)
{
    output out;
    output_keep(&out);
    int status = x->route->tell(x->all, &out);
    return answer_output(x, status, x->route->type, &out);
}

enum MHD_Result exchange_go_on(exchange *x)
{
    if (x->work) return answer_job(x);
    x->whole = true;
    atomic_fetch_add(&x->all->open_requests, 1);
    watch_whole(&x->all->connections, exchange_watched(x));
    if (x->why.status != 0) return exchange_refuse(x, &x->why);
    if (strcmp(x->method, "OPTIONS") == 0) return exchange_answer(x, 204, "text/plain", NULL, 0);
    if (x->route->tell) return tell_at_once(x);
    return x->route->plan ? begin_job(x) : send_asset(x);
}
