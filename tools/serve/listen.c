#include "serve/listen.h"

#include "cmd.h"
#include "message.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

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

static int open_socket(const struct addrinfo *at)
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

int listen_at(const char *where, int *socket)
{
    char copy[256];
    const char *address;
    struct addrinfo *found;
    const struct addrinfo wanted = {.ai_socktype = SOCK_STREAM,
                                    .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE};
    snprintf(copy, sizeof copy, "%s", where);
    const char *port = split(copy, &address);
    if (getaddrinfo(address, port, &wanted, &found) != 0)
        return say_usage("serve",
                         "option '--listen': '%s' is not ADDRESS:PORT, such as "
                         "127.0.0.1:8000",
                         where);
    *socket = open_socket(found);
    if (*socket < 0) say("%s: %s", where, strerror(errno));
    freeaddrinfo(found);
    return *socket < 0 ? STATUS_PROBLEM : STATUS_OK;
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
        say("$LISTEN_FDS: %ld sockets were handed over, and one is served", count);
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
