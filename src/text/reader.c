#include "text/reader.h"

#include "core/memory.h"
#include "core/strings.h"
#include "text/conll.h"
#include "text/io.h"

#include <stdlib.h>
#include <string.h>

struct dd_reader {
    dd_feed feed;
    dd_format format;        /* not AUTO */
    dd_sentence_maker maker; /* next NULL: the file is CoNLL */
    uint64_t line;           /* of the next byte, 1-based */
    uint64_t position;       /* sentences so far */
    size_t limit;            /* bytes of a sentence */
    dd_error failure;        /* why reading cannot continue; status DD_OK: it can */
    dd_buffer ahead;         /* bytes that were read ahead */
    dd_buffer begun;         /* what there is of a sentence of CoNLL whose end is not there yet */
    uint64_t begun_line;
    bool begun_white;   /* nothing but white space in its last line so far */
    dd_buffer document; /* the id of the document that the next sentence begins; empty: none */
};

dd_format dd_format_of(const char *path)
{
    static const char *const ends[] = {".conll",     ".conllx",    ".conll.gz",
                                       ".conllx.gz", ".conll.zst", ".conllx.zst"};
    for (size_t i = 0; path && i < sizeof ends / sizeof *ends; i++)
        if (dd_ends_with(path, ends[i])) return DD_FORMAT_CONLLX;
    return DD_FORMAT_CONLLU;
}

static dd_status check_format(dd_format format, dd_error *error)
{
    if ((unsigned)format <= DD_FORMAT_CONLLX) return DD_OK;
    return dd_fail(error, DD_ERROR_ARGUMENT, "this format cannot be read");
}

/* Takes ownership of the source, also on failure. */
static dd_status make(dd_reader **out, dd_source *source, const char *path, dd_format format,
                      dd_error *error)
{
    dd_reader *reader = dd_calloc(1, sizeof *reader);
    if (!reader) {
        dd_source_close(source);
        return dd_fail_memory(error);
    }
    reader->feed.source = source;
    reader->format = format == DD_FORMAT_AUTO ? dd_format_of(path) : format;
    reader->line = 1;
    reader->limit = DD_MAX_SENTENCE_BYTES;
    *out = reader;
    return DD_OK;
}

dd_status dd_reader_open(dd_reader **out, const char *path, dd_format format, dd_error *error)
{
    dd_source *source = NULL;
    dd_status status = check_format(format, error);
    if (status == DD_OK) status = dd_source_open(&source, path, error);
    return status == DD_OK ? make(out, source, path, format, error) : status;
}

dd_status dd_reader_open_memory(dd_reader **out, const char *name, dd_text bytes, dd_format format,
                                dd_error *error)
{
    dd_source *source = NULL;
    dd_status status = check_format(format, error);
    if (status == DD_OK) status = dd_source_open_memory(&source, name, bytes, error);
    return status == DD_OK ? make(out, source, name, format, error) : status;
}

dd_status dd_reader_open_chunks(dd_reader **out, const char *name, dd_source_function *give,
                                void *user, dd_format format, dd_error *error)
{
    dd_source *source = NULL;
    dd_status status = dd_source_open_chunks(&source, name, give, user, error);
    return status == DD_OK ? make(out, source, name, format, error) : status;
}

dd_status dd_reader_open_fd(dd_reader **out, const char *name, int file, dd_format format,
                            dd_error *error)
{
    dd_source *source = NULL;
    dd_status status = check_format(format, error);
    if (status == DD_OK) status = dd_source_open_fd(&source, name, file, error);
    return status == DD_OK ? make(out, source, name, format, error) : status;
}

dd_status dd_reader_open_from(dd_reader **out, const char *name, dd_read_function *read, void *user,
                              dd_format format, dd_error *error)
{
    dd_source *source = NULL;
    dd_status status = check_format(format, error);
    if (status == DD_OK) status = dd_source_open_from(&source, name, read, user, error);
    return status == DD_OK ? make(out, source, name, format, error) : status;
}

const char *dd_reader_name(const dd_reader *reader)
{
    return dd_source_name(reader->feed.source);
}

void dd_reader_close(dd_reader *reader)
{
    if (!reader) return;
    if (reader->maker.next) reader->maker.free(reader->maker.state);
    dd_source_close(reader->feed.source);
    dd_buffer_free(&reader->ahead);
    dd_buffer_free(&reader->begun);
    dd_buffer_free(&reader->document);
    free(reader);
}

void dd_reader_use_maker(dd_reader *reader, dd_sentence_maker maker)
{
    reader->maker = maker;
    reader->format = maker.format;
}

dd_format dd_reader_format(const dd_reader *reader)
{
    return reader->format;
}

void dd_reader_continue(dd_reader *reader, uint64_t lines, uint64_t sentences)
{
    reader->line = lines + 1;
    reader->position = sentences;
}

dd_status dd_reader_set_document(dd_reader *reader, const char *id, dd_error *error)
{
    reader->document.size = 0;
    return dd_buffer_text(&reader->document, id) ? DD_OK : dd_fail_memory(error);
}

dd_status dd_reader_set_encoding(dd_reader *reader, const char *encoding, dd_error *error)
{
    return dd_source_set_encoding(reader->feed.source, encoding, error);
}

void dd_reader_set_limit(dd_reader *reader, size_t bytes)
{
    reader->limit = bytes;
}

uint64_t dd_reader_broken(const dd_reader *reader, dd_error *first)
{
    return reader->maker.next ? reader->maker.broken(reader->maker.state, first) : 0;
}

dd_status dd_reader_paragraphs(dd_reader *reader, dd_paragraphs *out, dd_error *error)
{
    *out = DD_PARAGRAPHS_AUTO;
    if (!reader->maker.next) return DD_OK;
    reader->feed.wait = true;
    return reader->maker.paragraphs(reader->maker.state, &reader->feed, out, error);
}

bool dd_reader_may_run_dry(const dd_reader *reader)
{
    return dd_source_may_run_dry(reader->feed.source);
}

bool dd_reader_is_terminal(const dd_reader *reader)
{
    return dd_source_is_terminal(reader->feed.source);
}

bool dd_reader_wait(const dd_reader *reader, int wake)
{
    return dd_source_wait(reader->feed.source, wake);
}

dd_status dd_reader_look_ahead(dd_reader *reader, dd_text *seen, bool *ended, dd_error *error)
{
    dd_text chunk;
    dd_buffer *ahead = &reader->ahead;
    dd_status status = dd_source_next(reader->feed.source, &chunk, error);
    if (status == DD_OK && !dd_buffer_append(ahead, chunk.data, chunk.size))
        return dd_fail_memory(error);
    *ended = status == DD_END;
    *seen = reader->feed.chunk = (dd_text){ahead->data ? ahead->data : "", ahead->size};
    return *ended ? DD_OK : status;
}

/* ---- the lines of a sentence of CoNLL ----------------------------------------------------- */

static bool is_white(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r')) at++;
    return at == end;
}

/* The bytes of the chunk up to the end of the block, or all bytes if the block continues. A line of
 * white space ends a block too: it is an error, but surely meant as an empty line. */
static size_t scan_block(dd_reader *reader, bool *white, bool *complete)
{
    const char *start = reader->feed.chunk.data, *at = start, *end = at + reader->feed.chunk.size;
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        *white = *white && is_white(at, newline ? newline : end);
        if (!newline) break;
        reader->line++;
        at = newline + 1;
        if (*white) {
            *complete = true;
            return (size_t)(at - start);
        }
        *white = true;
    }
    return (size_t)(end - start);
}

static dd_status take(dd_reader *reader, dd_sentence *sentence, size_t size, dd_error *error)
{
    if (size > reader->limit - sentence->origin.raw.size)
        return dd_fail_at(error, DD_ERROR_DATA, dd_reader_name(reader), sentence->origin.line, 0,
                          "the sentence that starts here is larger than %zu MiB",
                          reader->limit >> 20);
    if (!dd_buffer_append(&sentence->origin.raw, reader->feed.chunk.data, size))
        return dd_fail_memory(error);
    dd_feed_consume(&reader->feed, size);
    return DD_OK;
}

dd_status dd_feed_refill(dd_feed *feed, dd_error *error)
{
    dd_text more;
    dd_status status = feed->wait ? dd_source_next(feed->source, &more, error)
                                  : dd_source_next_now(feed->source, &more, error);
    feed->dry = status == DD_OK && more.size == 0;
    if (status == DD_OK && !feed->dry) feed->chunk = more;
    return status;
}

/* Sets an incomplete sentence aside, or takes it up again. */
static void exchange_begun(dd_reader *reader, dd_sentence *sentence)
{
    dd_buffer begun = reader->begun;
    reader->begun = sentence->origin.raw;
    sentence->origin.raw = begun;
}

/* The lines of one sentence, through its empty line or the end of the file. */
static dd_status collect(dd_reader *reader, dd_sentence *sentence, dd_error *error)
{
    bool complete = false;
    while (!complete) {
        dd_status status =
            reader->feed.chunk.size == 0 ? dd_feed_refill(&reader->feed, error) : DD_OK;
        if (status == DD_END) break;
        if (status == DD_OK && reader->feed.dry) return DD_OK;
        if (status == DD_OK)
            status =
                take(reader, sentence, scan_block(reader, &reader->begun_white, &complete), error);
        if (status != DD_OK) return status;
    }
    return sentence->origin.raw.size ? DD_OK : DD_END;
}

/* The same, also over several calls where input runs dry. */
static dd_status collect_more(dd_reader *reader, dd_sentence *sentence, dd_error *error)
{
    if (reader->begun.size > 0) {
        exchange_begun(reader, sentence);
    } else {
        reader->begun_line = reader->line;
        reader->begun_white = true;
    }
    sentence->origin.line = reader->begun_line;
    dd_status status = collect(reader, sentence, error);
    if (status == DD_OK && reader->feed.dry) exchange_begun(reader, sentence);
    return status;
}

/* Whether the comments of the sentence begin a document. */
static bool has_newdoc(const dd_sentence *sentence)
{
    dd_text id, text = {sentence->origin.raw.data, sentence->origin.raw.size};
    return dd_conll_newdoc(dd_has_bom(sentence) ? dd_text_skip(text, DD_BOM_SIZE) : text, &id);
}

/* The first sentence that is well-formed begins the document, if one was set. */
static bool begin_document(dd_reader *reader, dd_sentence *sentence)
{
    dd_buffer *id = &reader->document, *lead = &sentence->edits.lead;
    bool due = id->size > 0 && reader->format == DD_FORMAT_CONLLU && !has_newdoc(sentence);
    bool made = !due || (dd_buffer_text(lead, "# newdoc id = ") &&
                         dd_buffer_append(lead, id->data, id->size));
    sentence->edits.changed = sentence->edits.changed || due;
    id->size = 0;
    return made;
}

static dd_status read_sentence(dd_reader *reader, dd_sentence *sentence, dd_error *error)
{
    dd_sentence_maker *maker = &reader->maker;
    if (maker->next) return maker->next(maker->state, &reader->feed, sentence, error);
    dd_status status = collect_more(reader, sentence, error);
    if (status != DD_OK || reader->feed.dry) return status;
    reader->position++;
    dd_sentence_set_position(sentence, reader->position);
    status = dd_block_parse(sentence, reader->format, dd_reader_name(reader), error);
    if (status == DD_OK && !begin_document(reader, sentence)) return dd_fail_memory(error);
    return status;
}

static dd_status next(dd_reader *reader, dd_sentence *sentence, dd_error *error)
{
    dd_error own;
    if (!error) error = &own;
    reader->feed.dry = false;
    dd_sentence_clear(sentence);
    if (reader->failure.status != DD_OK) {
        *error = reader->failure;
        return error->status;
    }
    dd_status status = read_sentence(reader, sentence, error);
    if (status == DD_OK || status == DD_ERROR_FORMAT) return status;
    dd_sentence_clear(sentence);
    /* The first bytes of the sentence are lost, so a later call could only read nonsense. */
    if (status != DD_END) reader->failure = *error;
    return status;
}

dd_status dd_reader_next(dd_reader *reader, dd_sentence *sentence, dd_error *error)
{
    reader->feed.wait = true;
    return next(reader, sentence, error);
}

dd_status dd_reader_next_now(dd_reader *reader, dd_sentence *sentence, bool *dry, dd_error *error)
{
    reader->feed.wait = false;
    dd_status status = next(reader, sentence, error);
    *dry = reader->feed.dry;
    return status;
}
