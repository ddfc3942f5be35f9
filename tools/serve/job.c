#include "serve/job.h"

#include "number.h"
#include "serve/limits.h"

#include <stdlib.h>
#include <string.h>

enum {
    FULL = 1 << 20,        /* bytes that wait to be read, from which on a job is parked */
    LOW = 1 << 18,         /* and below which it continues */
    SLICE_BYTES = 1 << 20, /* about what the next step of an answer makes */
};

job *job_new(const job_reader *calls, void *user)
{
    job *one = calloc(1, sizeof *one);
    if (!one) return NULL;
    if (pthread_mutex_init(&one->lock, NULL) != 0) {
        free(one);
        return NULL;
    }
    dd_input_options_init(&one->plan.input);
    dd_parse_options_init(&one->plan.how);
    dd_oracle_options_init(&one->plan.oracle);
    dd_trace_options_init(&one->plan.trace);
    one->holders = 1;
    one->reader_calls = calls;
    one->user = user;
    output_keep(&one->made);
    output_keep(&one->ready);
    return one;
}

void job_hold(job *one)
{
    pthread_mutex_lock(&one->lock);
    one->holders++;
    pthread_mutex_unlock(&one->lock);
}

static void free_job(job *one)
{
    if (one->unread) atomic_fetch_sub(one->unread, one->counted);
    dd_reader_close(one->reader);
    for (size_t i = 0; i < one->room; i++) dd_sentence_free(one->sentences[i]);
    free(one->sentences);
    fields_free(&one->asked);
    free(one->body);
    free(one->converted);
    free(one->made.data);
    free(one->ready.data);
    pthread_mutex_destroy(&one->lock);
    free(one);
}

void job_drop(job *one)
{
    pthread_mutex_lock(&one->lock);
    bool last = --one->holders == 0;
    pthread_mutex_unlock(&one->lock);
    if (last) free_job(one);
}

/* ---- the worker's side -------------------------------------------------------------------- */

/* Under the lock, so that the connection cannot go away between. */
static void wake_reader(job *one)
{
    if (!one->sleeps || one->cancelled) return;
    one->sleeps = false;
    one->reader_calls->wake(one->user);
}

/* Under the lock, whenever what is ready has changed. */
static void count_unread(job *one)
{
    if (!one->unread) return;
    size_t now = one->ready.size - one->read;
    atomic_fetch_add(one->unread, now - one->counted);
    one->counted = now;
}

bool job_attach(job *one, dd_cancel *cancel)
{
    pthread_mutex_lock(&one->lock);
    bool wanted = !one->cancelled && one->state != JOB_LATE;
    one->worker = wanted ? cancel : NULL;
    pthread_mutex_unlock(&one->lock);
    return wanted;
}

void job_detach(job *one)
{
    pthread_mutex_lock(&one->lock);
    one->worker = NULL;
    pthread_mutex_unlock(&one->lock);
}

bool job_has_room(const job *one, size_t bytes)
{
    return !one->unread || bytes <= SMALL_ANSWER || atomic_load(one->unread) + bytes <= MOST_UNREAD;
}

bool job_stall(job *one)
{
    pthread_mutex_lock(&one->lock);
    bool stalls = one->state == JOB_OPEN && !one->cancelled && !job_has_room(one, SLICE_BYTES);
    if (stalls) {
        one->parked = true;
        one->stalled = number_seconds_now();
    }
    pthread_mutex_unlock(&one->lock);
    return stalls;
}

static void hand_on(job *one)
{
    if (one->ready.size == 0) {
        output empty = one->ready;
        one->ready = one->made;
        one->made = empty;
    } else {
        output_bytes(&one->ready, one->made.data, one->made.size);
    }
    one->made.size = 0;
}

job_next job_publish(job *one, bool last)
{
    pthread_mutex_lock(&one->lock);
    if (one->state == JOB_LATE) {
        pthread_mutex_unlock(&one->lock);
        return JOB_STOP;
    }
    bool failed = one->made.status != DD_OK;
    hand_on(one);
    failed = failed || one->ready.status != DD_OK;
    count_unread(one);
    one->state = failed ? JOB_BROKEN : last ? JOB_FINISHED : JOB_OPEN;
    bool stop = one->state != JOB_OPEN || one->cancelled;
    one->parked = !stop && one->ready.size - one->read >= FULL;
    job_next next = stop ? JOB_STOP : one->parked ? JOB_PARK : JOB_GO_ON;
    wake_reader(one);
    pthread_mutex_unlock(&one->lock);
    return next;
}

void job_refuse(job *one)
{
    pthread_mutex_lock(&one->lock);
    if (one->state != JOB_LATE) one->state = one->state == JOB_WAITS ? JOB_FINISHED : JOB_BROKEN;
    wake_reader(one);
    pthread_mutex_unlock(&one->lock);
}

bool job_is_cancelled(job *one)
{
    pthread_mutex_lock(&one->lock);
    bool cancelled = one->cancelled;
    pthread_mutex_unlock(&one->lock);
    return cancelled;
}

bool job_is_unread(job *one)
{
    pthread_mutex_lock(&one->lock);
    bool unread = one->whole || one->state == JOB_WAITS;
    pthread_mutex_unlock(&one->lock);
    return unread;
}

/* ---- the connection's side ---------------------------------------------------------------- */

static void put_to_sleep(job *one)
{
    one->sleeps = true;
    one->reader_calls->sleep(one->user);
}

job_state job_await(job *one)
{
    pthread_mutex_lock(&one->lock);
    job_state state = one->state;
    if (state == JOB_WAITS) put_to_sleep(one);
    pthread_mutex_unlock(&one->lock);
    return state;
}

char *job_take(job *one, size_t *size)
{
    pthread_mutex_lock(&one->lock);
    char *data = one->ready.data;
    *size = one->ready.size;
    output_keep(&one->ready);
    one->read = 0;
    pthread_mutex_unlock(&one->lock);
    return data;
}

static long take_bytes(job *one, char *out, size_t most)
{
    size_t left = one->ready.size - one->read;
    if (left > most) left = most;
    memcpy(out, one->ready.data + one->read, left);
    one->read += left;
    if (one->read == one->ready.size) one->read = one->ready.size = 0;
    count_unread(one);
    return (long)left;
}

long job_read(job *one, char *out, size_t most, bool *again)
{
    pthread_mutex_lock(&one->lock);
    long got = JOB_READ_WAIT;
    if (one->ready.size > one->read)
        got = take_bytes(one, out, most);
    else if (one->state == JOB_FINISHED)
        got = JOB_READ_END;
    else if (one->state == JOB_BROKEN)
        got = JOB_READ_BROKEN;
    else
        put_to_sleep(one);
    *again = one->parked && one->stalled == 0 && one->ready.size - one->read < LOW;
    if (*again) one->parked = false;
    pthread_mutex_unlock(&one->lock);
    return got;
}

void job_cancel(job *one)
{
    pthread_mutex_lock(&one->lock);
    one->cancelled = true;
    if (one->worker) dd_cancel_now(one->worker);
    pthread_mutex_unlock(&one->lock);
}

bool job_unstall(job *one, double seconds)
{
    pthread_mutex_lock(&one->lock);
    bool stalled = one->stalled > 0 && !one->cancelled;
    bool goes_on = stalled && job_has_room(one, SLICE_BYTES);
    if (goes_on) {
        one->parked = false;
        one->stalled = 0;
    } else if (stalled && number_seconds_now() - one->stalled > seconds) {
        one->stalled = 0;
        one->state = JOB_BROKEN;
        wake_reader(one);
    }
    pthread_mutex_unlock(&one->lock);
    return goes_on;
}

void job_abandon(job *one)
{
    pthread_mutex_lock(&one->lock);
    if (one->worker) dd_cancel_now(one->worker);
    pthread_mutex_unlock(&one->lock);
}

void job_expire(job *one)
{
    pthread_mutex_lock(&one->lock);
    if (one->state == JOB_WAITS) {
        one->state = JOB_LATE;
        if (one->worker) dd_cancel_now(one->worker);
        wake_reader(one);
    }
    pthread_mutex_unlock(&one->lock);
}
