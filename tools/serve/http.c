/* http.c - the server's loop: libmicrohttpd's threads wait for connections, this one for signals */
#include "cmd.h"
#include "number.h"
#include "serve/exchange.h"
#include "serve/start.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double TURN = 0.05; /* seconds between looks at the connections */

enum {
    CONNECTION_MEMORY = 1 << 16, /* bytes for the headers of a request, its query among them */
    WORKERS_PER_LISTENER = 16,
    LAST_PATIENCE = 5, /* seconds */
};

/* ---- calls of libmicrohttpd --------------------------------------------------------------- */

/* The first line of a request has come. libmicrohttpd would make a record of each field of the
 * query; where these do not fit into the memory of the connection, versions before 1.0 hang. So the
 * query is cut off here, before it is read. */
static void *open_exchange(void *user, const char *target, struct MHD_Connection *connection)
{
    char *query = target ? strchr(target, '?') : NULL;
    exchange *x = exchange_new(user, connection, query ? query + 1 : NULL);
    if (query) query[1] = '\0';
    return x;
}

static enum MHD_Result handle(void *user, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *upload,
                              size_t *upload_size, void **state)
{
    exchange *x = *state;
    if (!x) return MHD_queue_response(connection, 503, ((server *)user)->no_memory);
    if (!x->begun) {
        exchange_begin(x, url, method, version);
        return exchange_is_hopeless(x) ? exchange_go_on(x) : MHD_YES;
    }
    if (*upload_size == 0) return exchange_go_on(x);
    bool good = exchange_take(x, upload, *upload_size);
    *upload_size = 0;
    return good ? MHD_YES : MHD_NO;
}

static void complete(void *user, struct MHD_Connection *connection, void **state,
                     enum MHD_RequestTerminationCode how)
{
    (void)user;
    (void)connection;
    (void)how;
    if (*state) exchange_end(*state);
    *state = NULL;
}

static void notice(void *user, struct MHD_Connection *connection, void **context,
                   enum MHD_ConnectionNotificationCode what)
{
    server *all = user;
    if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
        watch_end(&all->connections, *context);
        return;
    }
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    *context = watch_begin(&all->connections, info ? info->connect_fd : -1);
}

static struct MHD_Daemon *start(server *all, int socket)
{
    unsigned flags = MHD_ALLOW_SUSPEND_RESUME | MHD_USE_INTERNAL_POLLING_THREAD;
    bool epoll = MHD_is_feature_supported(MHD_FEATURE_EPOLL) == MHD_YES;
    unsigned threads = 1 + (unsigned)all->n_workers / WORKERS_PER_LISTENER;
    struct MHD_OptionItem several[] = {
        {threads > 1 ? MHD_OPTION_THREAD_POOL_SIZE : MHD_OPTION_END, (intptr_t)threads, NULL},
        {MHD_OPTION_END, 0, NULL}};
    return MHD_start_daemon(
        flags | (epoll ? MHD_USE_EPOLL : MHD_USE_AUTO), 0, NULL, NULL, handle, all,
        MHD_OPTION_LISTEN_SOCKET, (MHD_socket)socket, MHD_OPTION_URI_LOG_CALLBACK, open_exchange,
        all, MHD_OPTION_NOTIFY_COMPLETED, complete, all, MHD_OPTION_NOTIFY_CONNECTION, notice, all,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)all->limits.connections + WATCH_SPARE, MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)(all->limits.seconds + 1), MHD_OPTION_ARRAY, several, MHD_OPTION_END);
}

/* ---- the loop ----------------------------------------------------------------------------- */

/* Whether one came within the time. */
static bool wait_for_signal(double seconds)
{
    sigset_t ends;
    struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGINT);
    return sigtimedwait(&ends, NULL, &time) > 0;
}

/* What has come is answered; what is half sent, and connections without a request, are not waited
 * for. A second signal ends it at once. */
static void finish_requests(server *all)
{
    double end = number_seconds_now() + 2 * all->limits.seconds;
    while (atomic_load(&all->open_requests) > 0 && number_seconds_now() < end) {
        if (wait_for_signal(0.01)) break;
        pending_look(&all->waiting, all->workers, all->limits.seconds);
    }
}

static bool is_at_rest(server *all)
{
    pool_state now = pool_look(all->workers);
    return now.waiting == 0 && now.running == 0;
}

/* Connections must be awake when libmicrohttpd ends, and their jobs wake them. Where a worker
 * cannot be waited for, the process ends as it stands. */
static void stop(server *all, struct MHD_Daemon *daemon)
{
    double end = number_seconds_now() + LAST_PATIENCE;
    pool_give_up(all->workers);
    while (!is_at_rest(all) && number_seconds_now() < end) wait_for_signal(0.01);
    if (!is_at_rest(all)) {
        log_event("stopped", "reason", "requests were cut");
        _exit(STATUS_INTERRUPTED);
    }
    MHD_stop_daemon(daemon);
}

/* Made before it is needed. */
static struct MHD_Response *make_refusal(void)
{
    static char reason[] = "out of memory\n";
    struct MHD_Response *made =
        MHD_create_response_from_buffer(sizeof reason - 1, reason, MHD_RESPMEM_PERSISTENT);
    if (made) MHD_add_response_header(made, MHD_HTTP_HEADER_CONTENT_TYPE, "text/plain");
    if (made) MHD_add_response_header(made, MHD_HTTP_HEADER_RETRY_AFTER, "1");
    return made;
}

int http_serve(server *all, int socket)
{
    char name[LISTEN_NAME];
    listen_name(socket, name);
    all->no_memory = make_refusal();
    struct MHD_Daemon *daemon = all->no_memory ? start(all, socket) : NULL;
    if (!daemon) {
        say("%s: the server cannot be started: %s", name, strerror(errno));
        if (all->no_memory) MHD_destroy_response(all->no_memory);
        close(socket);
        return STATUS_PROBLEM;
    }
    log_event("listening", "address", name);
    while (!wait_for_signal(TURN)) {
        pending_look(&all->waiting, all->workers, all->limits.seconds);
        watch_shut_some(&all->connections, all->limits.seconds);
    }
    atomic_store(&all->stops, true);
    log_event("stopping", NULL, NULL);
    MHD_socket left = MHD_quiesce_daemon(daemon);
    if (left != MHD_INVALID_SOCKET) close(left);
    finish_requests(all);
    stop(all, daemon);
    MHD_destroy_response(all->no_memory);
    log_event("stopped", NULL, NULL);
    return STATUS_OK;
}
