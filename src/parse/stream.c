/* stream.c - from reader to writer, in order, with any number of threads
 *
 *     reader -> batch -> queue of batches -> workers -> batches in order -> writer
 *
 * The calling thread reads and writes; workers take the oldest batch that waits. The batches stand
 * in a ring and give back what a long sentence took. A batch ends after the sentence that makes it
 * large, and none is filled while those in the ring together are larger than so many should be, so
 * memory is bounded by the longest sentence and the number of threads. */
#include "core/memory.h"
#include "core/options.h"
#include "core/status.h"
#include "parse/parser.h"
#include "text/sentence.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

enum {
    BATCH_SENTENCES = 64,
    BATCH_WORDS = 2000,       /* a batch ends after the sentence that reaches this */
    BATCH_BYTES = 512 * 1024, /* or this */
    BATCHES_PER_THREAD = 4,
    LARGE_SENTENCE = 32 * 1024, /* bytes of text */
};

typedef enum batch_state { EMPTY = 0, FILLED, TAKEN, PARSED } batch_state;

typedef struct batch {
    batch_state state;
    int count;                               /* sentences in it */
    dd_sentence *sentences[BATCH_SENTENCES]; /* made when first needed */
    bool bad[BATCH_SENTENCES];               /* passed through */
    size_t bytes;                            /* of the text to be written */
    int parsed;                              /* sentences before the one that failed, or all */
    dd_status status;                        /* of parsing it */
    dd_error error;
    dd_error *refused; /* [n_refused] constraints that cannot hold, of sentences passed through */
    int n_refused;
    size_t refused_capacity;
} batch;

struct stream;

/* A thread and what it parses with. */
typedef struct worker {
    struct stream *stream;
    dd_parser *parser;
    pthread_t thread;
} worker;

typedef struct stream {
    const dd_model *model;
    dd_reader *reader;
    dd_writer *writer;
    const dd_parse_options *options;
    dd_parse_report *report;
    int max_words; /* of a sentence that is parsed at once */
    batch *ring;   /* [ring_size] */
    size_t ring_size;
    /* Batches are numbered from 0; batch b stands at ring[b % ring_size]. */
    uint64_t filled, taken, written;
    size_t bytes; /* in batches that are filled and not written */
    bool closed;  /* nothing more will be filled */
    pthread_mutex_t lock;
    pthread_cond_t work, done;
} stream;

static bool pass_through(batch *b, int at)
{
    size_t need = (size_t)b->n_refused + 1;
    if (!DD_RESERVE(&b->refused, &b->refused_capacity, need)) return false;
    b->refused[b->n_refused++] = b->error;
    return b->bad[at] = true;
}

/* Parses what stands between sentences that are passed through; `parsed` goes on to the first that
 * is, or that fails. */
static void parse_run(dd_parser *parser, batch *b, const dd_parse_options *options)
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

static void parse_batch(dd_parser *parser, batch *b, const dd_parse_options *options)
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

/* The oldest waiting batch, or NULL when there will be none. */
static batch *take_batch(stream *s)
{
    batch *b = NULL;
    pthread_mutex_lock(&s->lock);
    while (s->taken == s->filled && !s->closed) pthread_cond_wait(&s->work, &s->lock);
    if (s->taken < s->filled) {
        b = &s->ring[s->taken++ % s->ring_size];
        b->state = TAKEN;
    }
    pthread_mutex_unlock(&s->lock);
    return b;
}

static void *work(void *argument)
{
    worker *self = argument;
    stream *s = self->stream;
    for (batch *b; (b = take_batch(s));) {
        parse_batch(self->parser, b, s->options);
        pthread_mutex_lock(&s->lock);
        b->state = PARSED;
        pthread_cond_signal(&s->done);
        pthread_mutex_unlock(&s->lock);
    }
    return NULL;
}

/* Reads one sentence into the batch. DD_END at the end; any other failure stops the stream. */
static dd_status read_sentence(stream *s, batch *b, dd_error *error)
{
    dd_sentence **place = &b->sentences[b->count];
    dd_status status = *place ? DD_OK : dd_sentence_new(place, error);
    if (status != DD_OK) return status;
    dd_error why;
    status = dd_reader_next(s->reader, *place, &why);
    bool bad = status == DD_ERROR_FORMAT && s->options->skip_bad;
    if (status != DD_OK && !bad) {
        if (error) *error = why;
        return status;
    }
    b->bad[b->count++] = bad;
    if (!bad) return DD_OK;
    s->report->bad++;
    if (s->options->bad) s->options->bad(s->options->user, &why);
    return DD_OK;
}

/* Fills a batch; what was read before a failure is kept, so that it is still written. */
static dd_status fill_batch(stream *s, batch *b, dd_error *error)
{
    dd_status status = DD_OK;
    size_t trees = s->options->nbest > 0 ? (size_t)s->options->nbest : 1;
    int words = 0;
    b->count = 0;
    b->bytes = 0;
    while (b->count < BATCH_SENTENCES && words < BATCH_WORDS && b->bytes < BATCH_BYTES) {
        status = read_sentence(s, b, error);
        if (status != DD_OK) break;
        words += b->sentences[b->count - 1]->n;
        b->bytes += b->sentences[b->count - 1]->raw.size * trees;
    }
    return status;
}

/* Sentences are kept for the next round, but each would sooner or later have held a very long one
 * and keep that much memory for good. */
static void release_if_large(dd_sentence **place)
{
    if ((*place)->raw.capacity <= LARGE_SENTENCE && (*place)->list.capacity <= LARGE_SENTENCE)
        return;
    dd_sentence_free(*place);
    *place = NULL;
}

static void tell_refused(stream *s, const batch *b)
{
    s->report->bad += (uint64_t)b->n_refused;
    s->report->refused += (uint64_t)b->n_refused;
    for (int i = 0; i < b->n_refused && s->options->bad; i++)
        s->options->bad(s->options->user, &b->refused[i]);
}

/* A sentence that could not be parsed stops the stream; what stands before it is written. */
static dd_status write_batch(stream *s, batch *b, dd_error *error)
{
    tell_refused(s, b);
    for (int i = 0; i < b->parsed; i++) {
        dd_status status = dd_writer_sentence(s->writer, b->sentences[i], error);
        if (status != DD_OK) return status;
        s->report->sentences++;
        s->report->words += (uint64_t)b->sentences[i]->n;
        s->report->cut += !b->bad[i] && b->sentences[i]->n > s->max_words;
        release_if_large(&b->sentences[i]);
    }
    if (b->status != DD_OK && error) *error = b->error;
    return b->status;
}

static void hand_over(stream *s, batch *b)
{
    pthread_mutex_lock(&s->lock);
    b->state = FILLED;
    s->filled++;
    pthread_cond_signal(&s->work);
    pthread_mutex_unlock(&s->lock);
}

static batch *wait_for_oldest(stream *s)
{
    batch *b = &s->ring[s->written % s->ring_size];
    pthread_mutex_lock(&s->lock);
    while (b->state != PARSED) pthread_cond_wait(&s->done, &s->lock);
    b->state = EMPTY;
    pthread_mutex_unlock(&s->lock);
    return b;
}

/* Nothing is read while what has been read is more than enough. */
static bool has_room(const stream *s)
{
    return s->filled - s->written < s->ring_size && s->bytes < s->ring_size * BATCH_BYTES;
}

/* Fills while there is room, writes the oldest batch when there is none or nothing left to read. */
static dd_status pump(stream *s, dd_error *error)
{
    dd_status reading = DD_OK, writing = DD_OK;
    while (writing == DD_OK && (reading == DD_OK || s->written < s->filled)) {
        if (reading == DD_OK && has_room(s)) {
            batch *b = &s->ring[s->filled % s->ring_size];
            reading = fill_batch(s, b, error);
            s->bytes += b->bytes;
            hand_over(s, b);
        } else {
            batch *b = wait_for_oldest(s);
            writing = write_batch(s, b, error);
            s->bytes -= b->bytes;
            s->written++;
        }
    }
    return writing != DD_OK ? writing : reading;
}

static void close_queue(stream *s)
{
    pthread_mutex_lock(&s->lock);
    s->closed = true;
    pthread_cond_broadcast(&s->work);
    pthread_mutex_unlock(&s->lock);
}

static dd_status run_threads(stream *s, worker *workers, int count, dd_error *error)
{
    int started = 0;
    while (started < count &&
           pthread_create(&workers[started].thread, NULL, work, &workers[started]) == 0)
        started++;
    dd_status status =
        started ? pump(s, error) : dd_fail(error, DD_ERROR_MEMORY, "cannot start a thread");
    close_queue(s);
    for (int i = 0; i < started; i++) pthread_join(workers[i].thread, NULL);
    return status;
}

/* One thread needs no queue: read, parse and write batch by batch. */
static dd_status run_alone(stream *s, dd_parser *parser, dd_error *error)
{
    batch *b = &s->ring[0];
    dd_status status = DD_OK;
    while (status == DD_OK) {
        status = fill_batch(s, b, error);
        parse_batch(parser, b, s->options);
        dd_status written = write_batch(s, b, error);
        if (written != DD_OK) status = written;
    }
    return status;
}

static dd_status run(stream *s, worker *workers, int count, dd_error *error)
{
    dd_status status = DD_OK;
    for (int i = 0; i < count && status == DD_OK; i++) {
        workers[i].stream = s;
        status = dd_parser_new(&workers[i].parser, s->model, error);
    }
    if (status == DD_OK)
        status = count == 1 ? run_alone(s, workers[0].parser, error)
                            : run_threads(s, workers, count, error);
    for (int i = 0; i < count; i++) {
        if (workers[i].parser) s->report->missing_columns &= ~workers[i].parser->present;
        dd_parser_free(workers[i].parser);
    }
    return status == DD_END ? DD_OK : status;
}

static void free_ring(stream *s)
{
    for (size_t i = 0; s->ring && i < s->ring_size; i++) {
        for (int k = 0; k < BATCH_SENTENCES; k++) dd_sentence_free(s->ring[i].sentences[k]);
        free(s->ring[i].refused);
    }
    free(s->ring);
}

void dd_parse_options_init_size(dd_parse_options *options, size_t size)
{
    const dd_parse_options defaults = {.threads = 1};
    dd_options_init(options, size, &defaults, sizeof defaults);
}

dd_status dd_parse_options_take(dd_parse_options *how, const dd_parse_options *options,
                                dd_error *error)
{
    dd_parse_options_init(how);
    return DD_OPTIONS_TAKE(how, options, tidy, "options were", error);
}

void dd_parse_report_init_size(dd_parse_report *report, size_t size, const dd_model *model)
{
    const dd_parse_report empty = {.missing_columns = model->columns};
    dd_options_init(report, size, &empty, sizeof empty);
}

static dd_status parse_stream(const dd_model *model, dd_reader *reader, dd_writer *writer,
                              const dd_parse_options *options, dd_parse_report *report,
                              dd_error *error)
{
    if (options->threads < 1 || options->threads > DD_MAX_THREADS)
        return dd_fail(error, DD_ERROR_ARGUMENT, "threads must lie between 1 and %d",
                       DD_MAX_THREADS);
    int beam = options->beam == 0 ? model->beam : options->beam;
    if (beam < 1 || beam > DD_MAX_BEAM)
        return dd_fail(error, DD_ERROR_ARGUMENT, "the beam must lie between 1 and %d", DD_MAX_BEAM);
    if (options->nbest < 0 || options->nbest > beam)
        return dd_fail(error, DD_ERROR_ARGUMENT, "a beam of %d cannot give %d trees", beam,
                       options->nbest);
    if (options->max_words < 0)
        return dd_fail(error, DD_ERROR_ARGUMENT, "the most words to parse at once are at least 1");
    stream s = {.model = model,
                .reader = reader,
                .writer = writer,
                .options = options,
                .report = report,
                .max_words = dd_model_max_words(model, options->max_words),
                .ring_size = (size_t)options->threads * BATCHES_PER_THREAD,
                .lock = PTHREAD_MUTEX_INITIALIZER,
                .work = PTHREAD_COND_INITIALIZER,
                .done = PTHREAD_COND_INITIALIZER};
    report->max_words = s.max_words == INT_MAX ? 0 : s.max_words;
    s.ring = dd_calloc(s.ring_size, sizeof *s.ring);
    worker *workers = dd_calloc((size_t)options->threads, sizeof *workers);
    dd_status status =
        s.ring && workers ? run(&s, workers, options->threads, error) : dd_fail_memory(error);
    free(workers);
    free_ring(&s);
    return status;
}

dd_status dd_parse_stream(const dd_model *model, dd_reader *reader, dd_writer *writer,
                          const dd_parse_options *options, dd_parse_report *report, dd_error *error)
{
    dd_parse_options how;
    dd_parse_report counts;
    dd_parse_report_init(&counts, model);
    dd_status status = dd_parse_options_take(&how, options, error);
    if (status == DD_OK)
        status = DD_OPTIONS_TAKE(&counts, report, max_words, "the report was", error);
    if (status != DD_OK) return status;
    status = parse_stream(model, reader, writer, &how, &counts, error);
    dd_options_give(report, &counts, sizeof counts);
    return status;
}
