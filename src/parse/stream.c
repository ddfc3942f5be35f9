/* stream.c - from reader to writer, in order, with any number of threads
 *
 *     reader -> batch -> ring of batches -> workers -> batches in order -> writer
 *
 * Batches free the memory that a long sentence took. A batch ends after the sentence that makes it
 * large, and no batch is filled while those in the ring are too large together, so memory is
 * bounded by the longest sentence and the number of threads.
 *
 * Where a terminal or pipe has run dry, a batch ends early, and whatever was read is parsed,
 * written and flushed before the stream waits for more. So a program that writes one sentence to a
 * pipe gets its tree without having to write another, and a full pipe is read in batches like a
 * file. */
#include "core/options.h"
#include "core/status.h"
#include "parse/option_rows.h"
#include "parse/ring.h"
#include "text/reader.h"
#include "text/sentence.h"

#include <limits.h>

enum {
    BATCH_WORDS = 2000,         /* a batch ends after the sentence that reaches this */
    BATCH_BYTES = 512 * 1024,   /* or this */
    LARGE_SENTENCE = 32 * 1024, /* bytes of text */
};

typedef struct stream {
    dd_reader *reader;
    dd_writer *writer;
    const dd_parse_options *options;
    dd_parse_report *report;
    int max_words; /* of a sentence that is parsed at once */
    dd_ring ring;
    size_t bytes; /* in batches that are filled and not written */
    bool dry;     /* there is nothing to read now */
} stream;

/* ---- reading ------------------------------------------------------------------------------ */

/* Reads one sentence into the batch. DD_END at the end; any other failure stops the stream. */
static dd_status read_sentence(stream *s, dd_batch *b, dd_error *error)
{
    dd_sentence **place = &b->sentences[b->count];
    dd_status status = *place ? DD_OK : dd_sentence_new(place, error);
    if (status != DD_OK) return status;
    dd_error why;
    status = dd_reader_next_now(s->reader, *place, &s->dry, &why);
    bool bad = status == DD_ERROR_FORMAT && s->options->skip_bad;
    if (status != DD_OK && !bad) {
        if (error) *error = why;
        return status;
    }
    if (s->dry) return DD_OK;
    b->bad[b->count++] = bad;
    if (!bad) return DD_OK;
    s->report->bad++;
    if (s->options->bad) s->options->bad(s->options->user, &why);
    return DD_OK;
}

/* Fills a batch; what was read before a failure is kept, so that it is still written. */
static dd_status fill_batch(stream *s, dd_batch *b, dd_error *error)
{
    dd_status status = DD_OK;
    size_t trees = s->options->nbest > 0 ? (size_t)s->options->nbest : 1;
    int words = 0, most = s->options->unbuffered ? 1 : DD_BATCH_SENTENCES;
    b->count = 0;
    b->bytes = 0;
    while (b->count < most && words < BATCH_WORDS && b->bytes < BATCH_BYTES) {
        status = read_sentence(s, b, error);
        if (status != DD_OK || s->dry) break;
        const dd_sentence *last = b->sentences[b->count - 1];
        words += last->n;
        b->bytes += dd_sentence_raw(last).size * trees + last->document.members.size;
    }
    return status;
}

/* ---- writing ------------------------------------------------------------------------------ */

/* Sentences are reused, but each would sooner or later have held a very long one and keep its
 * memory; so large ones are freed. */
static void release_if_large(dd_sentence **place)
{
    if (dd_sentence_room(*place) <= LARGE_SENTENCE) return;
    dd_sentence_free(*place);
    *place = NULL;
}

static void tell_refused(stream *s, const dd_batch *b)
{
    s->report->bad += (uint64_t)b->n_refused;
    s->report->refused += (uint64_t)b->n_refused;
    for (int i = 0; i < b->n_refused && s->options->bad; i++)
        s->options->bad(s->options->user, &b->refused[i]);
}

/* A sentence that could not be parsed stops the stream; what stands before it is written. */
static dd_status write_sentences(stream *s, dd_batch *b, dd_error *error)
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

static dd_status write_batch(stream *s, dd_batch *b, dd_error *error)
{
    dd_status status = write_sentences(s, b, error);
    bool flushed = s->dry || s->options->unbuffered;
    return status == DD_OK && flushed ? dd_writer_flush(s->writer, error) : status;
}

/* ---- with threads ------------------------------------------------------------------------- */

/* Reads no more while the batches in the ring are large enough. */
static bool has_room(const stream *s)
{
    return !dd_ring_is_full(&s->ring) && s->bytes < s->ring.size * BATCH_BYTES;
}

static dd_status fill_next(stream *s, dd_error *error)
{
    dd_batch *b = dd_ring_next(&s->ring);
    dd_status status = fill_batch(s, b, error);
    if (b->count == 0) return status;
    s->bytes += b->bytes;
    dd_ring_hand_over(&s->ring);
    return status;
}

static dd_status write_oldest(stream *s, dd_error *error)
{
    dd_batch *b = dd_ring_await_oldest(&s->ring);
    dd_status status = write_batch(s, b, error);
    s->bytes -= b->bytes;
    dd_ring_free_oldest(&s->ring);
    return status;
}

/* Whether a parsed batch must be written before anything else, because somebody waits for it. */
static bool is_due(stream *s)
{
    bool prompt = s->dry || s->options->unbuffered;
    return prompt && !dd_ring_is_empty(&s->ring) && dd_ring_has_parsed(&s->ring);
}

/* Waits for input, unless the oldest batch is parsed before. */
static void await_input(stream *s)
{
    if (dd_ring_is_empty(&s->ring))
        s->dry = !dd_reader_wait(s->reader, -1);
    else
        s->dry = !dd_ring_await_any(&s->ring, s->reader);
}

/* Fills while there is room, writes the oldest batch when there is none or nothing left to read. */
static dd_status pump(stream *s, dd_error *error)
{
    dd_status reading = DD_OK, writing = DD_OK;
    while (writing == DD_OK && (reading == DD_OK || !dd_ring_is_empty(&s->ring))) {
        if (is_due(s) || reading != DD_OK || !has_room(s))
            writing = write_oldest(s, error);
        else if (s->dry)
            await_input(s);
        else
            reading = fill_next(s, error);
    }
    return writing != DD_OK ? writing : reading;
}

static dd_status run_threads(stream *s, dd_error *error)
{
    bool wakes = dd_reader_may_run_dry(s->reader);
    dd_status status = dd_ring_start(&s->ring, wakes, error);
    if (status == DD_OK) status = pump(s, error);
    dd_ring_stop(&s->ring);
    return status;
}

/* ---- alone -------------------------------------------------------------------------------- */

/* One thread needs no queue: read, parse and write batch by batch. */
static dd_status run_alone(stream *s, dd_error *error)
{
    dd_batch *b = &s->ring.batches[0];
    dd_status status = DD_OK;
    while (status == DD_OK) {
        status = fill_batch(s, b, error);
        dd_ring_parse(&s->ring, b);
        dd_status written = write_batch(s, b, error);
        if (written != DD_OK) status = written;
        if (status == DD_OK && s->dry) dd_reader_wait(s->reader, -1);
    }
    return status;
}

static dd_status run(stream *s, const dd_model *model, dd_error *error)
{
    dd_status status = dd_ring_open(&s->ring, model, s->options, error);
    if (status == DD_OK)
        status = s->options->threads == 1 ? run_alone(s, error) : run_threads(s, error);
    for (int i = 0; i < s->ring.n_workers; i++)
        s->report->missing_columns &= ~s->ring.workers[i].parser->present;
    dd_ring_close(&s->ring);
    return status == DD_END ? DD_OK : status;
}

/* ---- options ------------------------------------------------------------------------------ */

void dd_parse_options_init_size(dd_parse_options *options, size_t size)
{
    const dd_parse_options defaults = {.threads = 1};
    dd_options_init(options, size, &defaults, sizeof defaults);
}

dd_status dd_parse_options_take(dd_parse_options *how, const dd_parse_options *options,
                                dd_error *error)
{
    dd_parse_options_init(how);
    dd_status status = DD_OPTIONS_TAKE(how, options, cancel, "options were", error);
    return status == DD_OK ? dd_parse_options_check(how, error) : status;
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
    int beam = options->beam == 0 ? model->beam : options->beam;
    if (options->nbest > beam)
        return dd_fail(error, DD_ERROR_ARGUMENT, "a beam of %d cannot give %d trees", beam,
                       options->nbest);
    stream s = {.reader = reader,
                .writer = writer,
                .options = options,
                .report = report,
                .max_words = dd_model_max_words(model, options->max_words)};
    report->max_words = s.max_words == INT_MAX ? 0 : s.max_words;
    return run(&s, model, error);
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
    if (how.threads == 0) how.threads = dd_available_threads();
    status = parse_stream(model, reader, writer, &how, &counts, error);
    dd_options_give(report, &counts, sizeof counts);
    return status;
}

/* ---- a text at once ----------------------------------------------------------------------- */

static dd_status append(void *user, dd_text bytes, dd_error *error)
{
    return dd_buffer_append(user, bytes.data, bytes.size) ? DD_OK : dd_fail_memory(error);
}

dd_status dd_parse(const dd_model *model, dd_text text, dd_buffer *out, dd_error *error)
{
    const dd_input from = {.kind = DD_INPUT_BYTES, .bytes = text};
    dd_reader *reader = NULL;
    dd_writer *writer = NULL;
    dd_parse_report report;
    size_t before = out->size;
    dd_parse_report_init(&report, model);
    dd_status status = dd_reader_open_input(&reader, model, &from, NULL, error);
    if (status == DD_OK) status = dd_writer_open_to(&writer, append, out, error);
    if (status == DD_OK) status = dd_parse_stream(model, reader, writer, NULL, &report, error);
    if (status == DD_OK) {
        status = dd_writer_close(writer, error);
        writer = NULL;
    }
    dd_writer_drop(writer);
    dd_reader_close(reader);
    if (status != DD_OK) out->size = before;
    return status;
}
