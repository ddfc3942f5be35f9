#include "text/io.h"

#include "core/memory.h"
#include "text/encoding.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

struct dd_source {
    char *name;
    int file;               /* descriptor, -1 for memory and functions */
    bool close_file;        /* standard input stays open */
    dd_read_function *read; /* NULL: from the file or memory */
    void *user;
    bool regular; /* a file, which always has bytes or is at its end */
    bool wait;    /* this call may wait for bytes */
    bool dry;     /* and this one, which may not, found none */
    bool started; /* the first bytes were looked at */
    bool input_end;
    bool inside; /* in the middle of a gzip member or Zstandard frame */
    bool full;   /* of which more could be unpacked without further input */
    dd_packing packing;
    dd_text memory;           /* not handed out yet */
    dd_source_function *give; /* NULL: no function gives chunks */
    char *buffer;             /* [DD_IO_CHUNK] what was read; NULL for memory and chunks */
    dd_text input;            /* in buffer, memory or a chunk, not consumed yet */
    char *unpacked;           /* [DD_IO_CHUNK] */
    z_stream gzip;
    bool gzip_ready;
    ZSTD_DStream *zstd;
    bool seen;      /* the first bytes, unpacked, were looked at */
    char first;     /* if it was the only one of its chunk, and may begin a byte order mark */
    dd_text behind; /* the chunk after it */
    dd_encoding *encoding; /* NULL: the bytes are UTF-8, or what a reader makes of them */
};

bool dd_path_is_standard(const char *path)
{
    return !path || strcmp(path, "-") == 0;
}

void dd_source_close(dd_source *source)
{
    if (!source) return;
    if (source->gzip_ready) inflateEnd(&source->gzip);
    ZSTD_freeDStream(source->zstd);
    dd_encoding_free(source->encoding);
    if (source->close_file) close(source->file);
    free(source->unpacked);
    free(source->buffer);
    free(source->name);
    free(source);
}

static dd_status make(dd_source **out, const char *name, bool buffered, dd_error *error)
{
    dd_source *source = dd_calloc(1, sizeof *source);
    if (!source) return dd_fail_memory(error);
    source->file = -1;
    source->name = dd_copy_text(name, strlen(name));
    if (buffered) source->buffer = malloc(DD_IO_CHUNK);
    if (!source->name || (buffered && !source->buffer)) {
        dd_source_close(source);
        return dd_fail_memory(error);
    }
    *out = source;
    return DD_OK;
}

dd_status dd_source_open_fd(dd_source **out, const char *name, int file, dd_error *error)
{
    struct stat facts;
    name = name ? name : "<file>";
    if (fstat(file, &facts) != 0) return dd_fail_io(error, name, errno);
    dd_status status = make(out, name, true, error);
    if (status != DD_OK) return status;
    (*out)->file = file;
    (*out)->regular = S_ISREG(facts.st_mode);
    return DD_OK;
}

dd_status dd_source_open(dd_source **out, const char *path, dd_error *error)
{
    if (dd_path_is_standard(path)) return dd_source_open_fd(out, "<stdin>", STDIN_FILENO, error);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return dd_fail_io(error, path, errno);
    dd_status status = dd_source_open_fd(out, path, file, error);
    if (status == DD_OK)
        (*out)->close_file = true;
    else
        close(file);
    return status;
}

dd_status dd_source_open_memory(dd_source **out, const char *name, dd_text bytes, dd_error *error)
{
    dd_status status = make(out, name ? name : "<memory>", false, error);
    if (status == DD_OK) (*out)->memory = bytes;
    return status;
}

dd_status dd_source_open_from(dd_source **out, const char *name, dd_read_function *read, void *user,
                              dd_error *error)
{
    dd_status status = make(out, name ? name : "<function>", true, error);
    if (status != DD_OK) return status;
    (*out)->read = read;
    (*out)->user = user;
    return DD_OK;
}

dd_status dd_source_open_chunks(dd_source **out, const char *name, dd_source_function *give,
                                void *user, dd_error *error)
{
    dd_status status = make(out, name, false, error);
    if (status != DD_OK) return status;
    (*out)->give = give;
    (*out)->user = user;
    (*out)->started = (*out)->seen = true;
    return DD_OK;
}

const char *dd_source_name(const dd_source *source)
{
    return source->name;
}

bool dd_source_may_run_dry(const dd_source *source)
{
    return source->file >= 0 && !source->regular;
}

bool dd_source_is_terminal(const dd_source *source)
{
    return source->file >= 0 && isatty(source->file);
}

/* Whether a call of read() would return at once, also with an error or at the end. */
static bool has_bytes(const dd_source *source, int wake, int milliseconds)
{
    struct pollfd files[] = {{.fd = source->file, .events = POLLIN},
                             {.fd = wake, .events = POLLIN}};
    if (!dd_source_may_run_dry(source)) return true;
    int found = poll(files, 2, milliseconds);
    bool failed = found < 0 && errno != EINTR;
    return failed || (found > 0 && files[0].revents);
}

bool dd_source_wait(const dd_source *source, int wake)
{
    return has_bytes(source, wake, -1);
}

/* As read(), also for non-blocking files. */
static ssize_t read_some(dd_source *source, size_t held)
{
    for (;;) {
        ssize_t got = read(source->file, source->buffer + held, DD_IO_CHUNK - held);
        if (got >= 0 || (errno != EINTR && errno != EAGAIN)) return got;
        if (errno == EAGAIN) has_bytes(source, -1, -1);
    }
}

static dd_status read_file(dd_source *source, size_t held, size_t *got, dd_error *error)
{
    source->dry = !source->wait && !has_bytes(source, -1, 0);
    ssize_t size = source->dry ? 0 : read_some(source, held);
    if (size < 0) return dd_fail_io(error, source->name, errno);
    *got = (size_t)size;
    return DD_OK;
}

/* Calls the caller's function and checks what it returns. */
static dd_status call(dd_source *source, size_t held, size_t *got, dd_error *error)
{
    dd_error cause = {.status = DD_OK};
    size_t room = DD_IO_CHUNK - held;
    dd_status status = source->read(source->user, source->buffer + held, room, got, &cause);
    if (status == DD_OK && *got > room)
        return dd_fail(error, DD_ERROR_ARGUMENT, "%.300s: more bytes were read than asked for",
                       source->name);
    if (status == DD_OK || status == DD_END) return DD_OK;
    if (!cause.message[0]) return dd_fail(error, status, "%.300s: cannot be read", source->name);
    cause.status = status;
    if (error) *error = cause;
    return status;
}

/* Reads behind the bytes already in the buffer; at the end of the input sets input_end. */
static dd_status read_behind(dd_source *source, size_t held, dd_error *error)
{
    size_t got = 0;
    dd_status status =
        source->read ? call(source, held, &got, error) : read_file(source, held, &got, error);
    if (status != DD_OK || source->dry) return status;
    source->input_end = got == 0;
    source->input = (dd_text){source->buffer, held + got};
    return DD_OK;
}

static dd_status ask(dd_source *source, dd_error *error)
{
    source->input = (dd_text){"", 0};
    dd_status status = source->give(source->user, &source->input, error);
    source->input_end = status == DD_END;
    return status == DD_END ? DD_OK : status;
}

/* Gets new input when the old one is consumed. */
static dd_status refill(dd_source *source, dd_error *error)
{
    if (source->input_end) return DD_OK;
    if (source->buffer) return read_behind(source, 0, error);
    if (source->give) return ask(source, error);
    source->input = source->memory;
    source->input_end = source->memory.size == 0;
    source->memory.size = 0;
    return DD_OK;
}

enum { MAGICS = 3 };

/* What packed data starts with; only the bits of the mask count in its first byte. */
static const struct magic {
    dd_packing packing;
    size_t size;
    unsigned char mask, bytes[4];
} magics[MAGICS] = {
    {DD_GZIP, 2, 0xFF, {0x1F, 0x8B}},
    {DD_ZSTD, 4, 0xFF, {0x28, 0xB5, 0x2F, 0xFD}},
    /* A skippable frame, as parallel compressors write it first: 0x184D2A50 .. 0x184D2A5F. */
    {DD_ZSTD, 4, 0xF0, {0x50, 0x2A, 0x4D, 0x18}},
};

/* How many of the first bytes match the magic. */
static size_t count_fitting(const struct magic *magic, dd_text start)
{
    const unsigned char *at = (const unsigned char *)start.data;
    size_t most = start.size < magic->size ? start.size : magic->size;
    if (most == 0 || (at[0] & magic->mask) != magic->bytes[0]) return 0;
    size_t size = 1;
    while (size < most && at[size] == magic->bytes[size]) size++;
    return size;
}

dd_packing dd_packing_of(dd_text start)
{
    for (int i = 0; i < MAGICS; i++)
        if (count_fitting(&magics[i], start) == magics[i].size) return magics[i].packing;
    return DD_PLAIN;
}

/* Whether more bytes are needed to see whether it is packed. A text of two bytes may be all that
 * somebody sends before waiting for an answer. */
static bool is_undecided(dd_text start)
{
    for (int i = 0; i < MAGICS; i++)
        if (start.size < magics[i].size && count_fitting(&magics[i], start) == start.size)
            return true;
    return false;
}

static dd_status prepare_unpacking(dd_source *source, dd_error *error)
{
    if (source->packing == DD_PLAIN) return DD_OK;
    source->unpacked = malloc(DD_IO_CHUNK);
    if (!source->unpacked) return dd_fail_memory(error);
    if (source->packing == DD_GZIP) {
        source->gzip_ready = inflateInit2(&source->gzip, MAX_WBITS + 16) == Z_OK;
        if (!source->gzip_ready) return dd_fail_memory(error);
    } else {
        source->zstd = ZSTD_createDStream();
        if (!source->zstd) return dd_fail_memory(error);
    }
    return DD_OK;
}

/* Looks at the first bytes, which a pipe may deliver one at a time. */
static dd_status start(dd_source *source, dd_error *error)
{
    dd_status status = source->buffer ? DD_OK : refill(source, error);
    while (status == DD_OK && source->buffer && is_undecided(source->input) && !source->input_end &&
           !source->dry)
        status = read_behind(source, source->input.size, error);
    if (status != DD_OK || source->dry) return status;
    source->packing = dd_packing_of(source->input);
    source->started = true;
    return prepare_unpacking(source, error);
}

dd_status dd_source_open_packed(dd_source **out, const char *name, dd_packing packing,
                                dd_source_function *give, void *user, dd_error *error)
{
    dd_source *source = NULL;
    dd_status status = dd_source_open_chunks(&source, name, give, user, error);
    if (status != DD_OK) return status;
    source->packing = packing;
    status = prepare_unpacking(source, error);
    if (status == DD_OK)
        *out = source;
    else
        dd_source_close(source);
    return status;
}

static void consume(dd_source *source, size_t size)
{
    source->input.data += size;
    source->input.size -= size;
}

static dd_status fail_truncated(const dd_source *source, const char *kind, dd_error *error)
{
    return dd_fail(error, DD_ERROR_IO, "%.300s: truncated %s data", source->name, kind);
}

static dd_status gunzip(dd_source *source, size_t *made, dd_error *error)
{
    z_stream *gzip = &source->gzip;
    size_t given = source->input.size < UINT_MAX ? source->input.size : UINT_MAX;
    gzip->next_in = (Bytef *)source->input.data; /* zlib's older interface lacks the const */
    gzip->avail_in = (uInt)given;
    gzip->next_out = (Bytef *)source->unpacked;
    gzip->avail_out = DD_IO_CHUNK;
    int result = inflate(gzip, Z_NO_FLUSH);
    consume(source, given - gzip->avail_in);
    *made = DD_IO_CHUNK - gzip->avail_out;
    source->inside = result != Z_STREAM_END;
    if (result == Z_STREAM_END) inflateReset(gzip);
    if (result == Z_MEM_ERROR) return dd_fail_memory(error);
    /* Without input it may still give output, but at some point it must end. */
    if (source->input_end && given == 0 && *made == 0 && source->inside)
        return fail_truncated(source, "gzip", error);
    if (result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR) return DD_OK;
    return dd_fail(error, DD_ERROR_IO, "%.300s: damaged gzip data (%s)", source->name,
                   gzip->msg ? gzip->msg : "unknown error");
}

static dd_status unzstd(dd_source *source, size_t *made, dd_error *error)
{
    ZSTD_inBuffer in = {source->input.data, source->input.size, 0};
    ZSTD_outBuffer out = {source->unpacked, DD_IO_CHUNK, 0};
    size_t result = ZSTD_decompressStream(source->zstd, &out, &in);
    if (ZSTD_isError(result)) {
        if (ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation) return dd_fail_memory(error);
        return dd_fail(error, DD_ERROR_IO, "%.300s: damaged zstd data (%s)", source->name,
                       ZSTD_getErrorName(result));
    }
    if (source->input_end && in.size == 0 && out.pos == 0)
        return fail_truncated(source, "zstd", error);
    consume(source, in.pos);
    *made = out.pos;
    source->inside = result != 0;
    return DD_OK;
}

static dd_status unpack(dd_source *source, dd_text *chunk, dd_error *error)
{
    size_t made = 0;
    while (made == 0) {
        bool needs_input = source->input.size == 0 && !source->full;
        dd_status status = needs_input ? refill(source, error) : DD_OK;
        if (status != DD_OK || source->dry) return status;
        if (source->input.size == 0 && !source->inside) return DD_END;
        status = source->packing == DD_GZIP ? gunzip(source, &made, error)
                                            : unzstd(source, &made, error);
        if (status != DD_OK) return status;
        source->full = made == DD_IO_CHUNK && source->inside;
    }
    *chunk = (dd_text){source->unpacked, made};
    return DD_OK;
}

static dd_status next_bytes(dd_source *source, dd_text *chunk, dd_error *error)
{
    source->dry = false;
    dd_status status = source->started ? DD_OK : start(source, error);
    if (status != DD_OK || source->dry) return status;
    if (source->packing != DD_PLAIN) return unpack(source, chunk, error);
    if (source->input.size == 0) status = refill(source, error);
    if (status != DD_OK || source->dry) return status;
    if (source->input.size == 0) return DD_END;
    *chunk = source->input;
    consume(source, source->input.size);
    return DD_OK;
}

/* ---- encodings ---------------------------------------------------------------------------- */

dd_status dd_source_set_encoding(dd_source *source, const char *encoding, dd_error *error)
{
    if (!encoding) return DD_OK;
    source->seen = true;
    if (dd_is_utf8_name(encoding)) return DD_OK;
    return dd_encoding_new(&source->encoding, encoding, source->name, error);
}

/* Looks at the first bytes. A single one that may begin a byte order mark is kept until there are
 * more. */
static dd_status look(dd_source *source, dd_text *chunk, dd_error *error)
{
    char start[2] = {source->first};
    bool waits = source->first != '\0';
    if (!waits && chunk->size == 1 && ((unsigned char)chunk->data[0] >= 0xFE)) {
        source->first = chunk->data[0];
        *chunk = (dd_text){"", 0};
        return DD_OK;
    }
    source->seen = true;
    start[waits ? 1 : 0] = chunk->data[0];
    if (!waits && chunk->size > 1) start[1] = chunk->data[1];
    if (waits) {
        source->behind = *chunk;
        *chunk = (dd_text){&source->first, 1};
    }
    if (!dd_is_utf16((dd_text){start, 2})) return DD_OK;
    dd_status status = dd_encoding_new(&source->encoding, "UTF-16", source->name, error);
    if (status == DD_OK) dd_encoding_give(source->encoding, *chunk);
    return status;
}

/* The next bytes, unpacked, as they are. */
static dd_status next_raw(dd_source *source, dd_text *chunk, dd_error *error)
{
    if (source->behind.size == 0) return next_bytes(source, chunk, error);
    *chunk = source->behind;
    source->behind.size = 0;
    source->dry = false;
    return DD_OK;
}

static dd_status next_decoded(dd_source *source, dd_text *chunk, dd_error *error)
{
    for (;;) {
        dd_text bytes;
        dd_status status = dd_encoding_next(source->encoding, chunk, error);
        if (status != DD_OK || chunk->size > 0) return status;
        status = next_raw(source, &bytes, error);
        if (status == DD_END && dd_encoding_end(source->encoding, error) != DD_OK)
            return DD_ERROR_DATA;
        if (status != DD_OK || source->dry) return status;
        dd_encoding_give(source->encoding, bytes);
    }
}

static dd_status next(dd_source *source, dd_text *chunk, dd_error *error)
{
    source->dry = false;
    while (!source->seen) {
        dd_status status = next_bytes(source, chunk, error);
        if (status == DD_END && source->first) { /* which was all there is */
            source->seen = true;
            *chunk = (dd_text){&source->first, 1};
            return DD_OK;
        }
        if (status != DD_OK || source->dry) return status;
        status = look(source, chunk, error);
        if (status != DD_OK) return status;
        if (source->seen && !source->encoding) return DD_OK;
    }
    return source->encoding ? next_decoded(source, chunk, error) : next_raw(source, chunk, error);
}

dd_status dd_source_next(dd_source *source, dd_text *chunk, dd_error *error)
{
    source->wait = true;
    return next(source, chunk, error);
}

dd_status dd_source_next_now(dd_source *source, dd_text *chunk, dd_error *error)
{
    source->wait = false;
    *chunk = (dd_text){"", 0};
    return next(source, chunk, error);
}
