#include "serve/watch.h"

#include "number.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/* Seconds in which a connection is not shut for another: its request may be on its way. */
static const double GRACE = 0.1;

/* libmicrohttpd takes events 128 at a time, and if there are just as many, waits for another one
 * before it handles them (0.9.75, 1.0). So fewer are shut at once. */
enum { AT_ONCE = 100 };

/* ---- lists, under the lock ---------------------------------------------------------------- */

static void append(watch *all, watched *one, watch_state state)
{
    watch_list *list = &all->lists[state];
    one->state = state;
    one->before = list->last;
    one->next = NULL;
    if (list->last)
        list->last->next = one;
    else
        list->first = one;
    list->last = one;
    if (state == WATCH_SHUT) all->shut++;
}

static void take_out(watch *all, watched *one)
{
    watch_list *list = &all->lists[one->state];
    if (one->before)
        one->before->next = one->next;
    else
        list->first = one->next;
    if (one->next)
        one->next->before = one->before;
    else
        list->last = one->before;
    if (one->state == WATCH_SHUT) all->shut--;
}

/* ---- shutting, under the lock ------------------------------------------------------------- */

static const char late[] = "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n"
                           "Content-Type: text/plain; charset=utf-8\r\nContent-Length: 37\r\n\r\n"
                           "the request took too long to come in\n";
static const char busy[] = "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n"
                           "Content-Type: text/plain; charset=utf-8\r\nContent-Length: 21\r\n"
                           "Retry-After: 1\r\n\r\n"
                           "too many connections\n";

/* Nothing else is sent while a body comes, so the answer cannot mix with another. */
static void shut(watch *all, watched *one, const char *answer)
{
    if (one->state == WATCH_BODY)
        (void)!send(one->socket, answer, strlen(answer), MSG_DONTWAIT | MSG_NOSIGNAL);
    shutdown(one->socket, SHUT_RDWR);
    take_out(all, one);
    append(all, one, WATCH_SHUT);
}

static bool shut_oldest(watch *all, watch_state state, double now)
{
    watched *one = all->lists[state].first;
    if (!one || now - one->since < GRACE) return false;
    shut(all, one, busy);
    return true;
}

static void shut_surplus(watch *all, int most)
{
    double now = number_seconds_now();
    for (int i = 0; i < most && all->count - all->shut > all->most; i++)
        if (!shut_oldest(all, WATCH_IDLE, now) && !shut_oldest(all, WATCH_BODY, now)) return;
}

/* Returns how many more may be shut. */
static int shut_slow(watch *all, watch_state state, double start, int most)
{
    for (watched *one = all->lists[state].first, *next; one && most > 0; one = next) {
        next = one->next;
        if (one->since < start) {
            shut(all, one, late);
            most--;
        } else if (state == WATCH_IDLE) {
            break; /* they are in the order of their times */
        }
    }
    return most;
}

/* ---- what happens to a connection --------------------------------------------------------- */

watched *watch_begin(watch *all, int socket)
{
    watched *one = calloc(1, sizeof *one);
    if (one) *one = (watched){.socket = socket, .since = number_seconds_now()};
    pthread_mutex_lock(&all->lock);
    all->count++;
    if (one) append(all, one, WATCH_IDLE);
    shut_surplus(all, 2);
    pthread_mutex_unlock(&all->lock);
    return one;
}

void watch_end(watch *all, watched *one)
{
    pthread_mutex_lock(&all->lock);
    all->count--;
    if (one) take_out(all, one);
    pthread_mutex_unlock(&all->lock);
    free(one);
}

/* One that is shut stays so, whatever had come before. */
static void set(watch *all, watched *one, watch_state state)
{
    if (!one) return;
    pthread_mutex_lock(&all->lock);
    if (one->state != WATCH_SHUT) {
        take_out(all, one);
        append(all, one, state);
        if (state == WATCH_IDLE) one->since = number_seconds_now();
    }
    pthread_mutex_unlock(&all->lock);
}

void watch_body(watch *all, watched *one)
{
    set(all, one, WATCH_BODY);
}

void watch_whole(watch *all, watched *one)
{
    set(all, one, WATCH_ANSWER);
}

void watch_idle(watch *all, watched *one)
{
    set(all, one, WATCH_IDLE);
}

size_t watch_count(watch *all)
{
    pthread_mutex_lock(&all->lock);
    size_t count = all->count;
    pthread_mutex_unlock(&all->lock);
    return count;
}

void watch_shut_some(watch *all, double seconds)
{
    double start = number_seconds_now() - seconds;
    pthread_mutex_lock(&all->lock);
    int left = shut_slow(all, WATCH_IDLE, start, AT_ONCE);
    left = shut_slow(all, WATCH_BODY, start, left);
    shut_surplus(all, left);
    pthread_mutex_unlock(&all->lock);
}
