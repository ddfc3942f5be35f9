#include "parse/ring.h"

#include "core/memory.h"
#include "core/status.h"
#include "text/reader.h"

#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum {
    BATCHES_PER_THREAD = 4,
    ASK_AFTER = 50 * 1000 * 1000, /* nanoseconds */
    SECOND = 1000 * 1000 * 1000,
};

/* ---- parsing a batch ---------------------------------------------------------------------- */

static bool pass_through(dd_batch *b, int at)
{
    size_t need = (size_t)b->n_refused + 1;
    if (!DD_RESERVE(&b->refused, &b->refused_capacity, need)) return false;
    b->refused[b->n_refused++] = b->error;
    return b->bad[at] = true;
}

/* Parses the sentences up to the next one that is passed through or that fails; advances `parsed`
 * to it. */
static void parse_run(dd_parser *parser, dd_batch *b, const dd_parse_options *options)
{
    int end = b->parsed;
    size_t done;
    while (end < b->count && !b->bad[end]) end++;
    b->status = dd_parser_parse_batch(parser, b->sentences + b->parsed, (size_t)(end - b->parsed),
                                      options, &done, &b->error);
    b->parsed += (int)done;
    if (b->status == DD_ERROR_DATA && options->skip_bad)
        b->status = pass_through(b, b->parsed) ? DD_OK : dd_fail_memory(&b->error);
}

static void parse_batch(dd_parser *parser, dd_batch *b, const dd_parse_options *options)
{
    b->n_refused = 0;
    b->status = DD_OK;
    for (b->parsed = 0; b->parsed < b->count && b->status == DD_OK;) {
        if (b->bad[b->parsed])
            b->parsed++;
        else
            parse_run(parser, b, options);
    }
}

void dd_ring_parse(dd_ring *ring, dd_batch *batch)
{
    parse_batch(ring->workers[0].parser, batch, ring->options);
}

/* ---- workers ------------------------------------------------------------------------------ */

/* The oldest waiting batch, or NULL when there will be none. */
static dd_batch *take_batch(dd_ring *ring)
{
    dd_batch *b = NULL;
    pthread_mutex_lock(&ring->lock);
    while (ring->taken == ring->filled && !ring->closed)
        pthread_cond_wait(&ring->work, &ring->lock);
    if (ring->taken < ring->filled) b = &ring->batches[ring->taken++ % ring->size];
    pthread_mutex_unlock(&ring->lock);
    return b;
}

/* At most one byte is in the pipe, so that writing never blocks. */
static void wake_caller(dd_ring *ring)
{
    if (!ring->calling) return;
    ring->calling = false;
    ring->called = write(ring->wake[1], "", 1) == 1;
}

static void *work(void *argument)
{
    dd_worker *self = argument;
    dd_ring *ring = self->ring;
    for (dd_batch *b; (b = take_batch(ring));) {
        parse_batch(self->parser, b, ring->options);
        pthread_mutex_lock(&ring->lock);
        b->state = DD_BATCH_PARSED;
        pthread_cond_signal(&ring->done);
        wake_caller(ring);
        pthread_mutex_unlock(&ring->lock);
    }
    return NULL;
}

/* ---- the calling thread ------------------------------------------------------------------- */

void dd_ring_hand_over(dd_ring *ring)
{
    dd_batch *b = dd_ring_next(ring);
    pthread_mutex_lock(&ring->lock);
    b->state = DD_BATCH_FILLED;
    ring->filled++;
    pthread_cond_signal(&ring->work);
    pthread_mutex_unlock(&ring->lock);
}

static dd_batch *oldest(const dd_ring *ring)
{
    return &ring->batches[ring->written % ring->size];
}

bool dd_ring_has_parsed(dd_ring *ring)
{
    pthread_mutex_lock(&ring->lock);
    bool parsed = oldest(ring)->state == DD_BATCH_PARSED;
    pthread_mutex_unlock(&ring->lock);
    return parsed;
}

/* Workers check `cancel` themselves, but only this thread calls its function. */
static void await_parsed(dd_ring *ring)
{
    dd_cancel *cancel = ring->options->cancel;
    if (!cancel) {
        pthread_cond_wait(&ring->done, &ring->lock);
        return;
    }
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += ASK_AFTER;
    until.tv_sec += until.tv_nsec / SECOND;
    until.tv_nsec %= SECOND;
    if (pthread_cond_timedwait(&ring->done, &ring->lock, &until) == 0) return;
    pthread_mutex_unlock(&ring->lock);
    (void)dd_cancel_is_due(cancel);
    pthread_mutex_lock(&ring->lock);
}

dd_batch *dd_ring_await_oldest(dd_ring *ring)
{
    dd_batch *b = oldest(ring);
    pthread_mutex_lock(&ring->lock);
    while (b->state != DD_BATCH_PARSED) await_parsed(ring);
    pthread_mutex_unlock(&ring->lock);
    return b;
}

void dd_ring_free_oldest(dd_ring *ring)
{
    oldest(ring)->state = DD_BATCH_FREE;
    ring->written++;
}

/* Takes the byte that a worker may have written. */
static void end_calling(dd_ring *ring)
{
    char byte;
    pthread_mutex_lock(&ring->lock);
    ring->calling = false;
    if (ring->called) ring->called = read(ring->wake[0], &byte, 1) != 1;
    pthread_mutex_unlock(&ring->lock);
}

bool dd_ring_await_any(dd_ring *ring, dd_reader *reader)
{
    if (ring->wake[0] < 0) {
        dd_ring_await_oldest(ring);
        return false;
    }
    pthread_mutex_lock(&ring->lock);
    bool parsed = oldest(ring)->state == DD_BATCH_PARSED;
    ring->calling = !parsed;
    pthread_mutex_unlock(&ring->lock);
    if (parsed) return false;
    bool has_bytes = dd_reader_wait(reader, ring->wake[0]);
    end_calling(ring);
    return has_bytes;
}

/* ---- opening and closing ------------------------------------------------------------------ */

dd_status dd_ring_open(dd_ring *ring, const dd_model *model, const dd_parse_options *options,
                       dd_error *error)
{
    *ring = (dd_ring){.options = options,
                      .size = (size_t)options->threads * BATCHES_PER_THREAD,
                      .wake = {-1, -1},
                      .lock = PTHREAD_MUTEX_INITIALIZER,
                      .work = PTHREAD_COND_INITIALIZER,
                      .done = PTHREAD_COND_INITIALIZER};
    ring->batches = dd_calloc(ring->size, sizeof *ring->batches);
    ring->workers = dd_calloc((size_t)options->threads, sizeof *ring->workers);
    if (!ring->batches || !ring->workers) return dd_fail_memory(error);
    for (; ring->n_workers < options->threads; ring->n_workers++) {
        dd_worker *worker = &ring->workers[ring->n_workers];
        dd_status status = dd_parser_new(&worker->parser, model, error);
        if (status != DD_OK) return status;
        dd_parser_set_cancel(worker->parser, options->cancel);
        worker->ring = ring;
    }
    return DD_OK;
}

static void free_batch(dd_batch *b)
{
    for (int i = 0; i < DD_BATCH_SENTENCES; i++) dd_sentence_free(b->sentences[i]);
    free(b->refused);
}

void dd_ring_close(dd_ring *ring)
{
    for (int i = 0; i < 2; i++)
        if (ring->wake[i] >= 0) close(ring->wake[i]);
    for (size_t i = 0; ring->batches && i < ring->size; i++) free_batch(&ring->batches[i]);
    for (int i = 0; i < ring->n_workers; i++) dd_parser_free(ring->workers[i].parser);
    free(ring->workers);
    free(ring->batches);
}

/* Without the pipe the calling thread waits for batches and input in turn, which is slower but
 * gives the same output. */
static void open_wake(dd_ring *ring)
{
    if (pipe(ring->wake) != 0) {
        ring->wake[0] = ring->wake[1] = -1;
        return;
    }
    for (int i = 0; i < 2; i++) fcntl(ring->wake[i], F_SETFD, FD_CLOEXEC);
}

static int start_threads(dd_ring *ring)
{
    int started = 0;
    for (; started < ring->n_workers; started++) {
        dd_worker *worker = &ring->workers[started];
        if (pthread_create(&worker->thread, NULL, work, worker) != 0) break;
    }
    return started;
}

dd_status dd_ring_start(dd_ring *ring, bool wakes, dd_error *error)
{
    if (wakes) open_wake(ring);
    ring->started = start_threads(ring);
    if (ring->started > 0) return DD_OK;
    return dd_fail(error, DD_ERROR_MEMORY, "cannot start a thread");
}

void dd_ring_stop(dd_ring *ring)
{
    pthread_mutex_lock(&ring->lock);
    ring->closed = true;
    pthread_cond_broadcast(&ring->work);
    pthread_mutex_unlock(&ring->lock);
    for (int i = 0; i < ring->started; i++) pthread_join(ring->workers[i].thread, NULL);
}
