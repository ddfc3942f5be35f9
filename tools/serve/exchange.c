#include "serve/exchange.h"

#include "number.h"
#include "serve/head.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    HELD_BODIES = 64, /* of the largest size, in memory at a time */
    DRAINED = 16,     /* as many bodies of the largest size are read only to be refused */
};

const char *exchange_header(const exchange *x, const char *name)
{
    const char *value = MHD_lookup_connection_value(x->connection, MHD_HEADER_KIND, name);
    return value ? value : "";
}

watched *exchange_watched(const exchange *x)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(x->connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

int exchange_socket(const exchange *x)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(x->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

/* ---- its headers -------------------------------------------------------------------------- */

static bool is_get(const exchange *x)
{
    return strcmp(x->method, "GET") == 0 || strcmp(x->method, "HEAD") == 0;
}

static bool check_method(exchange *x)
{
    bool asks_first = x->all->cors && strcmp(x->method, "OPTIONS") == 0;
    const char *only = route_only(x->route);
    bool post = x->route->takes_post && strcmp(x->method, "POST") == 0;
    bool taken = only ? strcmp(x->method, only) == 0 : is_get(x) || post;
    return taken || asks_first ||
           refuse(&x->why, 405, "%s takes %s, not %s", x->route->path,
                  only                   ? only
                  : x->route->takes_post ? "GET and POST"
                                         : "GET",
                  x->method);
}

static uint64_t announced_size(const exchange *x)
{
    return strtoull(exchange_header(x, MHD_HTTP_HEADER_CONTENT_LENGTH), NULL, 10);
}

/* Treebanks are larger than texts. */
static size_t most_bytes(const exchange *x)
{
    size_t most = x->route && route_is_annotation(x->route) ? annotate_body(x->all->annotator) : 0;
    return most > x->all->limits.body ? most : x->all->limits.body;
}

static bool refuse_size(exchange *x)
{
    return refuse(&x->why, 413, "the request has more than %zu bytes; send the text in parts",
                  most_bytes(x));
}

struct lines {
    head all;
    refusal *why;
};

static enum MHD_Result add_line(void *user, enum MHD_ValueKind kind, const char *name,
                                size_t name_size, const char *value, size_t size)
{
    struct lines *lines = user;
    (void)kind;
    (void)size;
    bool added = head_add(&lines->all, (dd_text){name, name_size}, value ? value : "", lines->why);
    return added ? MHD_YES : MHD_NO;
}

static bool check_head(exchange *x, const char *version)
{
    struct lines lines = {.all.old = strcmp(version, "HTTP/1.0") == 0, .why = &x->why};
    MHD_get_connection_values_n(x->connection, MHD_HEADER_KIND, add_line, &lines);
    return x->why.status == 0 && head_check(&lines.all, &x->all->hosts, &x->why);
}

static void check_request(exchange *x)
{
    const server *all = x->all;
    if (!x->route)
        refuse(&x->why, 404, "there is no such path; /openapi.json lists those that there are");
    else if (check_method(x) && all->token && !x->route->is_public &&
             strcmp(x->method, "OPTIONS") != 0 &&
             !token_fits(all->token, exchange_header(x, MHD_HTTP_HEADER_AUTHORIZATION)))
        refuse(&x->why, 401, "the token is missing or wrong: Authorization: Bearer TOKEN");
    else if (announced_size(x) > most_bytes(x))
        refuse_size(x);
}

exchange *exchange_new(server *all, struct MHD_Connection *connection, const char *query)
{
    exchange *x = calloc(1, sizeof *x);
    if (!x) return NULL;
    x->all = all;
    x->connection = connection;
    x->start = number_seconds_now();
    if (query && !(x->query = strdup(query))) refuse_memory(&x->why);
    return x;
}

void exchange_begin(exchange *x, const char *url, const char *method, const char *version)
{
    x->begun = true;
    snprintf(x->method, sizeof x->method, "%s", method);
    snprintf(x->path, sizeof x->path, "%s", url);
    x->route = route_find(url);
    x->closes = !check_head(x, version);
    if (!x->closes) check_request(x);
    watch_body(&x->all->connections, exchange_watched(x));
}

bool exchange_is_hopeless(const exchange *x)
{
    return x->why.status != 0 && (x->closes || *exchange_header(x, MHD_HTTP_HEADER_EXPECT) ||
                                  announced_size(x) > DRAINED * most_bytes(x));
}

/* ---- its body ----------------------------------------------------------------------------- */

/* One byte more than is needed, for a NUL. */
static bool make_room(exchange *x, size_t more)
{
    if (x->room - x->size > more) return true;
    size_t room = 2 * (x->size + more) + 1;
    if (room > most_bytes(x) + 1) room = most_bytes(x) + 1;
    size_t held = atomic_fetch_add(&x->all->held, room - x->room) + room - x->room;
    char *grown = held <= HELD_BODIES * x->all->limits.body ? realloc(x->body, room) : NULL;
    if (!grown) {
        atomic_fetch_sub(&x->all->held, room - x->room);
        return refuse(&x->why, 503, "too many large requests at a time");
    }
    x->body = grown;
    x->room = room;
    return true;
}

/* What is refused is read on, so that the client comes to read why; but not without end. */
bool exchange_take(exchange *x, const char *data, size_t size)
{
    x->received += size;
    if (x->received > most_bytes(x)) refuse_size(x);
    if (x->why.status == 0 && make_room(x, size)) {
        memcpy(x->body + x->size, data, size);
        x->size += size;
        x->body[x->size] = '\0';
    }
    return x->received <= DRAINED * most_bytes(x);
}

/* ---- its end ------------------------------------------------------------------------------ */

static void name_client(const exchange *x, char out[48])
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(x->connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    snprintf(out, 48, "?");
    if (!info || !info->client_addr) return;
    socklen_t size = info->client_addr->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6)
                                                              : sizeof(struct sockaddr_in);
    getnameinfo(info->client_addr, size, out, 48, NULL, 0, NI_NUMERICHOST);
}

static void tell_log(const exchange *x, double seconds)
{
    char client[48];
    const job *work = x->work;
    const refusal *why = x->why.status ? &x->why : work && work->why.status ? &work->why : NULL;
    log_line line = {.client = client,
                     .method = x->method,
                     .path = x->path,
                     .status = x->status,
                     .bytes_in = x->received,
                     .bytes_out = x->bytes_out,
                     .seconds = seconds};
    name_client(x, client);
    if (work) {
        line.model = work->plan.model ? work->plan.model->names[0] : NULL;
        line.sentences = work->passed;
        line.words = work->words;
        line.waited = work->begun > 0 ? work->begun - work->arrived : 0;
    }
    if (x->all->log_text && why) line.reason = why->reason;
    if (x->all->log_text && work) line.text = work->text;
    log_request(&line);
}

/* While a worker still has the job, its numbers are not known. */
static bool is_settled(job *work)
{
    pthread_mutex_lock(&work->lock);
    bool settled = work->state == JOB_FINISHED || work->state == JOB_BROKEN;
    pthread_mutex_unlock(&work->lock);
    return settled;
}

static void tell(exchange *x)
{
    double seconds = number_seconds_now() - x->start;
    if (x->work && !is_settled(x->work)) {
        job_drop(x->work);
        x->work = NULL;
    }
    metric_request one = {.path = route_number(x->route),
                          .status = x->status,
                          .seconds = seconds,
                          .bytes_in = x->received,
                          .sentences = x->work ? x->work->passed : 0,
                          .words = x->work ? x->work->words : 0};
    metrics_add(&x->all->counts, &one);
    if (!x->all->quiet) tell_log(x, seconds);
}

void exchange_end(exchange *x)
{
    server *all = x->all;
    if (x->work) pending_remove(&all->waiting, x->work);
    if (x->work) job_cancel(x->work);
    if (x->begun) tell(x);
    watch_idle(&all->connections, exchange_watched(x));
    atomic_fetch_sub(&all->held, x->room);
    if (x->whole) atomic_fetch_sub(&all->open_requests, 1);
    if (x->work) job_drop(x->work);
    free(x->body);
    free(x->query);
    free(x);
}
