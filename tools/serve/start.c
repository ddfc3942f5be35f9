#include "serve/start.h"

#include "cmd.h"
#include "message.h"
#include "serve/head.h"
#include "serve/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

/* ---- the socket ------------------------------------------------------------------------------ */

enum { BACKLOG = 1024, FIRST_INHERITED = 3 /* SD_LISTEN_FDS_START */ };

/* The parts of "ADDRESS:PORT", in place. */
static const char *split(char *where, const char **address)
{
    char *colon = strrchr(where, ':');
    *address = "127.0.0.1";
    if (!colon) return where;
    *colon = '\0';
    size_t size = (size_t)(colon - where);
    bool brackets = size > 1 && where[0] == '[' && where[size - 1] == ']';
    if (brackets) where[size - 1] = '\0';
    if (size > 0) *address = where + (brackets ? 1 : 0);
    return colon + 1;
}

static int bind_socket(const struct addrinfo *at)
{
    int yes = 1;
    int made = socket(at->ai_family, at->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (made < 0) return -1;
    setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(made, at->ai_addr, at->ai_addrlen) == 0 && listen(made, BACKLOG) == 0) return made;
    int kept = errno;
    close(made);
    errno = kept;
    return -1;
}

static int resolve(const char *where, struct addrinfo **found)
{
    char copy[256];
    const char *address;
    const struct addrinfo wanted = {.ai_socktype = SOCK_STREAM,
                                    .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE};
    snprintf(copy, sizeof copy, "%s", where);
    const char *port = split(copy, &address);
    if (getaddrinfo(address, port, &wanted, found) == 0) return STATUS_OK;
    return say_usage("serve",
                     "option '--listen': '%s' is not ADDRESS:PORT, such as "
                     "127.0.0.1:8000",
                     where);
}

int listen_at(const char *where, int *socket)
{
    struct addrinfo *found;
    int status = resolve(where, &found);
    if (status != STATUS_OK) return status;
    *socket = bind_socket(found);
    if (*socket < 0) say("%s: %s", where, strerror(errno));
    freeaddrinfo(found);
    return *socket < 0 ? STATUS_PROBLEM : STATUS_OK;
}

/* A server that listens on all addresses is asked on the loopback address. */
static void aim(struct sockaddr *at)
{
    struct sockaddr_in *four = (struct sockaddr_in *)at;
    struct sockaddr_in6 *six = (struct sockaddr_in6 *)at;
    if (at->sa_family == AF_INET && four->sin_addr.s_addr == htonl(INADDR_ANY))
        four->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (at->sa_family == AF_INET6 && IN6_IS_ADDR_UNSPECIFIED(&six->sin6_addr))
        six->sin6_addr = in6addr_loopback;
}

static bool send_all(int to, const char *data, size_t size)
{
    for (ssize_t sent; size > 0; data += sent, size -= (size_t)sent)
        if ((sent = send(to, data, size, MSG_NOSIGNAL)) < 0) return false;
    return true;
}

/* As many bytes as there is room for, but for the zero at the end; fewer if no more come. */
static bool receive(int from, char *out, size_t room)
{
    size_t size = 0;
    ssize_t got = 1;
    while (size + 1 < room && (got = recv(from, out + size, room - 1 - size, 0)) > 0)
        size += (size_t)got;
    out[size] = '\0';
    return got >= 0;
}

/* Asks for /health; false with errno if that cannot be done. */
static bool ask_health(const struct addrinfo *at, char *answer, size_t room)
{
    static const char request[] = "GET /health HTTP/1.0\r\n\r\n";
    const struct timeval patience = {.tv_sec = 5};
    int made = socket(at->ai_family, at->ai_socktype | SOCK_CLOEXEC, 0);
    if (made < 0) return false;
    setsockopt(made, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(made, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    bool asked = connect(made, at->ai_addr, at->ai_addrlen) == 0 &&
                 send_all(made, request, sizeof request - 1) && receive(made, answer, room);
    int kept = errno;
    close(made);
    errno = kept;
    return asked;
}

int listen_check(const char *where)
{
    char answer[sizeof "HTTP/1.1 200 "] = "";
    struct addrinfo *found;
    int status = resolve(where, &found);
    if (status != STATUS_OK) return status;
    aim(found->ai_addr);
    int problem = ask_health(found, answer, sizeof answer) ? 0 : errno;
    freeaddrinfo(found);
    if (strncmp(answer, "HTTP/1.", 7) == 0 && strcmp(answer + 8, " 200 ") == 0) return STATUS_OK;
    bool late = problem == EAGAIN || problem == EINPROGRESS;
    say("%s: %s", where,
        late      ? "no answer for 5 seconds"
        : problem ? strerror(problem)
                  : "what answers there is not a healthy server");
    return STATUS_PROBLEM;
}

/* They are for this process only: children must not take them for theirs. */
static long inherited_count(void)
{
    const char *pid = getenv("LISTEN_PID"), *count = getenv("LISTEN_FDS");
    long found = 0;
    if (pid && count && strtol(pid, NULL, 10) == (long)getpid()) found = strtol(count, NULL, 10);
    unsetenv("LISTEN_PID");
    unsetenv("LISTEN_FDS");
    unsetenv("LISTEN_FDNAMES");
    return found;
}

int listen_inherited(void)
{
    int listens = 0;
    socklen_t size = sizeof listens;
    long count = inherited_count();
    if (count <= 0) return -1;
    if (count > 1) {
        say("$LISTEN_FDS: %ld sockets were handed over, but only one can be served", count);
        return -2;
    }
    if (getsockopt(FIRST_INHERITED, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0 || !listens) {
        say("$LISTEN_FDS: the file descriptor %d is not a socket that listens", FIRST_INHERITED);
        return -2;
    }
    fcntl(FIRST_INHERITED, F_SETFD, FD_CLOEXEC);
    fcntl(FIRST_INHERITED, F_SETFL, fcntl(FIRST_INHERITED, F_GETFL) | O_NONBLOCK);
    return FIRST_INHERITED;
}

void listen_name(int socket, char out[LISTEN_NAME])
{
    struct sockaddr_storage at = {0};
    socklen_t size = sizeof at;
    char host[48] = "?", port[8] = "?";
    if (getsockname(socket, (struct sockaddr *)&at, &size) == 0)
        getnameinfo((struct sockaddr *)&at, size, host, sizeof host, port, sizeof port,
                    NI_NUMERICHOST | NI_NUMERICSERV);
    snprintf(out, LISTEN_NAME, at.ss_family == AF_INET6 ? "[%s]:%s" : "%s:%s", host, port);
}

/* ---- the server ------------------------------------------------------------------------------ */

static serve_limits limits_of(const serve_options *options)
{
    return (serve_limits){.body = (size_t)options->max_body << 10,
                          .sentence = (int)options->max_sentence,
                          .seconds = (double)options->timeout,
                          .queue = (size_t)options->queue,
                          .connections = (int)options->connections,
                          .beam = (int)options->max_beam,
                          .batch_wait = (double)options->batch_wait / 1e6};
}

/* Signals that end the server come to the thread that waits for them, and to no other. */
static void block_signals(void)
{
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGINT);
    pthread_sigmask(SIG_BLOCK, &ends, NULL);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error of writing */
}

/* A connection is a file, and there are others. Returns how many connections there may be: those
 * that are wanted, if there may be as many files. */
static int raise_file_limit(int connections)
{
    enum { OTHERS = 64 + WATCH_SPARE };
    struct rlimit files;
    rlim_t wanted = (rlim_t)connections + OTHERS;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= wanted) return connections;
    files.rlim_cur = files.rlim_max < wanted ? files.rlim_max : wanted;
    setrlimit(RLIMIT_NOFILE, &files);
    if (files.rlim_cur >= wanted) return connections;
    return files.rlim_cur > OTHERS ? (int)(files.rlim_cur - OTHERS) : 1;
}

static int load_models(server *all, const option_list *wanted)
{
    int status = wanted->count == 0 ? model_store_add(&all->models, NULL) : STATUS_OK;
    for (size_t i = 0; i < wanted->count && status == STATUS_OK; i++)
        status = model_store_add(&all->models, wanted->at[i]);
    return status;
}

static size_t count_connections(void *user)
{
    return watch_count(&((server *)user)->connections);
}

static int run_workers(server *all, int socket)
{
    const pool_options how = {.workers = all->n_workers,
                              .limits = &all->limits,
                              .models = all->models.count,
                              .counts = &all->counts,
                              .connections = count_connections,
                              .user = all};
    all->workers = pool_start(&how);
    if (!all->workers) {
        say("%d threads cannot be started", all->n_workers);
        close(socket);
        return STATUS_PROBLEM;
    }
    int status = http_serve(all, socket);
    pool_stop(all->workers);
    return status;
}

static int start_annotator(server *all, const serve_options *options)
{
    const annotate_options how = {.folder = options->train,
                                  .scorer = options->train_scorer,
                                  .jobs = (int)options->train_jobs,
                                  .most_bytes = (size_t)options->train_body << 20,
                                  .most_seconds = 60 * (double)options->train_time,
                                  .most_disk = (uint64_t)options->train_disk << 20,
                                  .stops = &all->stops,
                                  .served = &all->models,
                                  .limits = &all->limits};
    return options->train ? annotate_start(&all->annotator, &how) : STATUS_OK;
}

/* Before the models, which can take their time: what is wrong with it should show at once. */
static int open_socket(const serve_options *options, int *socket)
{
    *socket = listen_inherited();
    if (*socket == -1) return listen_at(options->listen, socket);
    return *socket >= 0 ? STATUS_OK : STATUS_PROBLEM;
}

static int check_hosts(const option_list *hosts)
{
    for (size_t i = 0; i < hosts->count; i++)
        if (!head_is_name(hosts->at[i]))
            return say_usage("serve",
                             "option '--host': '%s' is not the name of a host, such as "
                             "parser.example.org, or '*'",
                             hosts->at[i]);
    return STATUS_OK;
}

int serve_start(const serve_options *options)
{
    static server all; /* its table of counts is large */
    int socket = -1;
    if (options->check) return listen_check(options->listen);
    all.limits = limits_of(options);
    all.cors = options->cors;
    all.hosts = options->hosts;
    all.log_text = options->log_text;
    all.quiet = options->quiet;
    all.n_workers = options->threads > 0 ? (int)options->threads : dd_available_threads();
    pthread_mutex_init(&all.counts.lock, NULL);
    pthread_mutex_init(&all.connections.lock, NULL);
    pthread_mutex_init(&all.waiting.lock, NULL);
    block_signals();
    all.limits.connections = raise_file_limit(all.limits.connections);
    all.connections.most = (size_t)all.limits.connections;
    int status = check_hosts(&all.hosts);
    if (status == STATUS_OK) status = token_read(options->token_file, &all.token);
    if (status == STATUS_OK) status = open_socket(options, &socket);
    if (status == STATUS_OK) status = load_models(&all, &options->models);
    if (status == STATUS_OK) status = start_annotator(&all, options);
    if (status == STATUS_OK)
        status = run_workers(&all, socket);
    else if (socket >= 0)
        close(socket);
    annotate_stop(all.annotator);
    model_store_free(&all.models);
    free(all.token);
    return status;
}
