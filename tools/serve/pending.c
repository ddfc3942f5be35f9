#define _GNU_SOURCE /* POLLRDHUP */
#include "serve/pending.h"

#include "number.h"

#include <poll.h>

#ifndef POLLRDHUP
#define POLLRDHUP 0
#endif

void pending_add(pending *all, job *one, int socket)
{
    pthread_mutex_lock(&all->lock);
    one->pending = (job_link){.next = all->first, .socket = socket, .listed = true};
    if (all->first) all->first->pending.before = one;
    all->first = one;
    pthread_mutex_unlock(&all->lock);
}

void pending_remove(pending *all, job *one)
{
    pthread_mutex_lock(&all->lock);
    job_link *link = &one->pending;
    if (link->listed) {
        if (link->before)
            link->before->pending.next = link->next;
        else
            all->first = link->next;
        if (link->next) link->next->pending.before = link->before;
    }
    *link = (job_link){0};
    pthread_mutex_unlock(&all->lock);
}

static bool has_gone(int socket)
{
    struct pollfd client = {.fd = socket, .events = POLLRDHUP};
    return socket >= 0 && poll(&client, 1, 0) > 0;
}

void pending_look(pending *all, pool *workers, double seconds)
{
    double now = number_seconds_now();
    pthread_mutex_lock(&all->lock);
    for (job *one = all->first; one; one = one->pending.next) {
        if (now > one->deadline) job_expire(one);
        if (has_gone(one->pending.socket)) job_abandon(one);
        if (job_unstall(one, seconds)) pool_resume(workers, one);
    }
    pthread_mutex_unlock(&all->lock);
}
