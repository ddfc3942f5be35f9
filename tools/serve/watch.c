#include "serve/watch.h"

#include "number.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

watched *watch_begin(watch *all, int socket)
{
    watched *one = calloc(1, sizeof *one);
    pthread_mutex_lock(&all->lock);
    all->count++;
    if (one) {
        *one = (watched){.next = all->first, .socket = socket, .since = number_seconds_now()};
        if (all->first) all->first->before = one;
        all->first = one;
    }
    pthread_mutex_unlock(&all->lock);
    return one;
}

void watch_end(watch *all, watched *one)
{
    pthread_mutex_lock(&all->lock);
    all->count--;
    if (one && one->before)
        one->before->next = one->next;
    else if (one)
        all->first = one->next;
    if (one && one->next) one->next->before = one->before;
    pthread_mutex_unlock(&all->lock);
    free(one);
}

static void set(watch *all, watched *one, double since, bool in_body)
{
    if (!one) return;
    pthread_mutex_lock(&all->lock);
    if (since >= 0) one->since = since;
    one->in_body = in_body;
    pthread_mutex_unlock(&all->lock);
}

void watch_body(watch *all, watched *one)
{
    set(all, one, -1, true);
}

void watch_whole(watch *all, watched *one)
{
    set(all, one, 0, false);
}

void watch_idle(watch *all, watched *one)
{
    set(all, one, number_seconds_now(), false);
}

size_t watch_count(watch *all)
{
    pthread_mutex_lock(&all->lock);
    size_t count = all->count;
    pthread_mutex_unlock(&all->lock);
    return count;
}

/* Nothing else is sent while a body comes, so the answer cannot mix with another. */
static void shut(watched *one)
{
    static const char late[] =
        "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n"
        "Content-Type: text/plain; charset=utf-8\r\nContent-Length: 37\r\n\r\n"
        "the request took too long to come in\n";
    if (one->in_body) (void)!send(one->socket, late, strlen(late), MSG_DONTWAIT | MSG_NOSIGNAL);
    shutdown(one->socket, SHUT_RDWR);
    one->shut_down = true;
}

void watch_shut_slow(watch *all, double seconds)
{
    double now = number_seconds_now();
    pthread_mutex_lock(&all->lock);
    for (watched *one = all->first; one; one = one->next)
        if (one->since > 0 && !one->shut_down && now - one->since > seconds) shut(one);
    pthread_mutex_unlock(&all->lock);
}
