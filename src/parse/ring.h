/* ring.h - batches of sentences between the thread that reads and writes and those that parse
 *
 *     filled -> taken by the worker that is free -> parsed -> written, in the order of filling
 *
 * The calling thread fills and writes; workers take the oldest batch that waits. The batches stand
 * in a ring, and are used again. */
#ifndef DODONA_PARSE_RING_H
#define DODONA_PARSE_RING_H

#include "parse/parser.h"

#include <pthread.h>

enum { DD_BATCH_SENTENCES = 64 };

typedef enum dd_batch_state { DD_BATCH_FREE = 0, DD_BATCH_FILLED, DD_BATCH_PARSED } dd_batch_state;

typedef struct dd_batch {
    dd_batch_state state;
    int count;                                  /* sentences in it */
    dd_sentence *sentences[DD_BATCH_SENTENCES]; /* made when first needed */
    bool bad[DD_BATCH_SENTENCES];               /* passed through */
    size_t bytes;                               /* of the text to be written */
    int parsed;                                 /* sentences before the one that failed, or all */
    dd_status status;                           /* of parsing it */
    dd_error error;
    dd_error *refused; /* [n_refused] constraints that cannot hold, of sentences passed through */
    int n_refused;
    size_t refused_capacity;
} dd_batch;

struct dd_ring;

/* A thread and what it parses with. */
typedef struct dd_worker {
    struct dd_ring *ring;
    dd_parser *parser;
    pthread_t thread;
} dd_worker;

typedef struct dd_ring {
    const dd_parse_options *options;
    dd_worker *workers; /* [n_workers] */
    int n_workers;
    int started;       /* threads */
    dd_batch *batches; /* [size] */
    size_t size;
    /* Batches are numbered from 0; batch b stands at batches[b % size]. */
    uint64_t filled, taken, written;
    bool closed;  /* nothing more will be filled */
    int wake[2];  /* a pipe with which a worker wakes the thread that waits for input; -1: none */
    bool calling; /* it waits, and is to be woken */
    bool called;  /* it was */
    pthread_mutex_t lock;
    pthread_cond_t work, done;
} dd_ring;

/* A parser for each worker, of which one alone starts no thread. The options must outlive the ring,
 * which must be closed also after a failure. */
dd_status dd_ring_open(dd_ring *ring, const dd_model *model, const dd_parse_options *options,
                       dd_error *error);
void dd_ring_close(dd_ring *ring);
/* Starts the threads, at least one, and afterwards ends them. With `wakes` dd_ring_await_any can be
 * told of parsed batches while it waits for input. */
dd_status dd_ring_start(dd_ring *ring, bool wakes, dd_error *error);
void dd_ring_stop(dd_ring *ring);

/* Parses the batch with the first worker's parser. */
void dd_ring_parse(dd_ring *ring, dd_batch *batch);

/* The one to fill next; some place must be free. */
static inline dd_batch *dd_ring_next(const dd_ring *ring)
{
    return &ring->batches[ring->filled % ring->size];
}

static inline bool dd_ring_is_full(const dd_ring *ring)
{
    return ring->filled - ring->written == ring->size;
}

static inline bool dd_ring_is_empty(const dd_ring *ring)
{
    return ring->filled == ring->written;
}

/* Leaves the batch that was filled to the workers. */
void dd_ring_hand_over(dd_ring *ring);
/* Whether the oldest batch is parsed; the ring is not empty. */
bool dd_ring_has_parsed(dd_ring *ring);
/* The oldest batch, once it is parsed; to be freed when it is written. */
dd_batch *dd_ring_await_oldest(dd_ring *ring);
void dd_ring_free_oldest(dd_ring *ring);
/* Waits until the reader has bytes or a batch is parsed; if workers cannot wake this thread, it
 * waits for the oldest batch alone. Returns whether the reader has bytes. */
bool dd_ring_await_any(dd_ring *ring, dd_reader *reader);

#endif
