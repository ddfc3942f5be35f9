#include "text/io.h"

#include "core/memory.h"
#include "core/newfile.h"
#include "core/strings.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

struct dd_sink {
    char *name;
    bool open;    /* the file was so before, and stays so: standard output */
    bool dropped; /* the file is not to take its place */
    dd_newfile target;
    dd_write_function *write; /* NULL: to the target */
    void *user;
    dd_packing packing;
    char *pending; /* [DD_IO_CHUNK] taken but not yet packed or written */
    size_t pending_size;
    bool held;    /* something was taken since it was last flushed */
    char *packed; /* [DD_IO_CHUNK] */
    z_stream gzip;
    bool gzip_ready;
    ZSTD_CStream *zstd;
    dd_error failure; /* the first one; status DD_OK: none */
};

static const char *const endings[] = {[DD_PLAIN] = "", [DD_GZIP] = ".gz", [DD_ZSTD] = ".zst"};

dd_packing dd_packing_by_name(const char *path)
{
    if (dd_path_is_standard(path)) return DD_PLAIN;
    if (dd_ends_with(path, endings[DD_GZIP])) return DD_GZIP;
    return dd_ends_with(path, endings[DD_ZSTD]) ? DD_ZSTD : DD_PLAIN;
}

const char *dd_packing_ending(dd_packing packing)
{
    return endings[packing];
}

static bool prepare_packing(dd_sink *sink)
{
    if (sink->packing == DD_PLAIN) return true;
    sink->packed = malloc(DD_IO_CHUNK);
    if (!sink->packed) return false;
    if (sink->packing == DD_ZSTD) return (sink->zstd = ZSTD_createCStream()) != NULL;
    sink->gzip_ready = deflateInit2(&sink->gzip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16,
                                    8, Z_DEFAULT_STRATEGY) == Z_OK;
    return sink->gzip_ready;
}

static void free_sink(dd_sink *sink)
{
    if (sink->gzip_ready) deflateEnd(&sink->gzip);
    ZSTD_freeCStream(sink->zstd);
    free(sink->packed);
    free(sink->pending);
    free(sink->name);
    free(sink);
}

/* Makes a sink without its target; the name may be NULL. */
static dd_status make(dd_sink **out, const char *name, dd_packing packing, dd_error *error)
{
    dd_sink *sink = dd_calloc(1, sizeof *sink);
    if (!sink) return dd_fail_memory(error);
    sink->packing = packing;
    sink->name = name ? dd_copy_text(name, strlen(name)) : NULL;
    sink->pending = malloc(DD_IO_CHUNK);
    if ((name && !sink->name) || !sink->pending || !prepare_packing(sink)) {
        free_sink(sink);
        return dd_fail_memory(error);
    }
    *out = sink;
    return DD_OK;
}

dd_status dd_sink_open_fd(dd_sink **out, const char *name, int file, dd_error *error)
{
    dd_status status = make(out, name ? name : "<file>", dd_packing_by_name(name), error);
    if (status != DD_OK) return status;
    (*out)->open = true;
    (*out)->target.file = file;
    return DD_OK;
}

static dd_status open_file(dd_sink **out, const char *path, dd_packing packing, dd_error *error)
{
    dd_sink *sink;
    if (dd_path_is_standard(path)) return dd_sink_open_fd(out, "<stdout>", STDOUT_FILENO, error);
    dd_status status = make(&sink, path, packing, error);
    if (status != DD_OK) return status;
    /* Opened last, so that a failure before leaves no empty file behind. */
    if (!dd_newfile_open(&sink->target, path)) {
        dd_fail_io(error, path, errno);
        free_sink(sink);
        return DD_ERROR_IO;
    }
    *out = sink;
    return DD_OK;
}

dd_status dd_sink_open(dd_sink **out, const char *path, dd_error *error)
{
    return open_file(out, path, dd_packing_by_name(path), error);
}

dd_status dd_sink_open_plain(dd_sink **out, const char *path, dd_error *error)
{
    return open_file(out, path, DD_PLAIN, error);
}

dd_status dd_sink_open_to(dd_sink **out, dd_packing packing, dd_write_function *write, void *user,
                          dd_error *error)
{
    dd_status status = make(out, NULL, packing, error);
    if (status != DD_OK) return status;
    (*out)->write = write;
    (*out)->user = user;
    return DD_OK;
}

static dd_status call(dd_sink *sink, dd_text bytes)
{
    dd_error error = {.status = DD_OK};
    dd_status status = bytes.size > 0 ? sink->write(sink->user, bytes, &error) : DD_OK;
    if (status == DD_OK) return DD_OK;
    if (!error.message[0]) return dd_fail(&sink->failure, status, "cannot be written");
    sink->failure = error;
    sink->failure.status = status;
    return status;
}

static dd_status write_file(dd_sink *sink, const char *data, size_t size)
{
    if (sink->write) return call(sink, (dd_text){data, size});
    if (dd_write_all(sink->target.file, data, size)) return DD_OK;
    return dd_fail_io(&sink->failure, sink->name, errno);
}

/* What a packer does with bytes that it holds back to pack them better. */
typedef enum passing { GOES_ON, FLUSHED, ENDED } passing;

static dd_status write_gzip(dd_sink *sink, const char *data, size_t size, passing how)
{
    static const int flushes[] = {Z_NO_FLUSH, Z_SYNC_FLUSH, Z_FINISH};
    z_stream *gzip = &sink->gzip;
    gzip->next_in = (Bytef *)data; /* zlib's older interface lacks the const */
    gzip->avail_in = (uInt)size;
    do {
        gzip->next_out = (Bytef *)sink->packed;
        gzip->avail_out = DD_IO_CHUNK;
        deflate(gzip, flushes[how]);
        dd_status status = write_file(sink, sink->packed, DD_IO_CHUNK - gzip->avail_out);
        if (status != DD_OK) return status;
    } while (gzip->avail_out == 0);
    return DD_OK;
}

static dd_status write_zstd(dd_sink *sink, const char *data, size_t size, passing how)
{
    static const ZSTD_EndDirective flushes[] = {ZSTD_e_continue, ZSTD_e_flush, ZSTD_e_end};
    ZSTD_inBuffer in = {data, size, 0};
    size_t left;
    do {
        ZSTD_outBuffer out = {sink->packed, DD_IO_CHUNK, 0};
        left = ZSTD_compressStream2(sink->zstd, &out, &in, flushes[how]);
        if (ZSTD_isError(left))
            return dd_fail(&sink->failure, DD_ERROR_IO, "%.300s: %s",
                           sink->name ? sink->name : "zstd", ZSTD_getErrorName(left));
        dd_status status = write_file(sink, sink->packed, out.pos);
        if (status != DD_OK) return status;
    } while (how == GOES_ON ? in.pos < in.size : left > 0);
    return DD_OK;
}

static dd_status pass_on(dd_sink *sink, const char *data, size_t size, passing how)
{
    switch (sink->packing) {
    case DD_GZIP: return write_gzip(sink, data, size, how);
    case DD_ZSTD: return write_zstd(sink, data, size, how);
    default: return write_file(sink, data, size);
    }
}

static dd_status report(const dd_sink *sink, dd_error *error)
{
    if (error && sink->failure.status != DD_OK) *error = sink->failure;
    return sink->failure.status;
}

dd_status dd_sink_write(dd_sink *sink, dd_text bytes, dd_error *error)
{
    sink->held = sink->held || bytes.size > 0;
    while (bytes.size > 0 && sink->failure.status == DD_OK) {
        size_t room = DD_IO_CHUNK - sink->pending_size;
        size_t take = bytes.size < room ? bytes.size : room;
        memcpy(sink->pending + sink->pending_size, bytes.data, take);
        sink->pending_size += take;
        bytes.data += take;
        bytes.size -= take;
        if (sink->pending_size < DD_IO_CHUNK) break;
        sink->pending_size = 0;
        pass_on(sink, sink->pending, DD_IO_CHUNK, GOES_ON);
    }
    return report(sink, error);
}

/* Whether the output can be seen before the sink is closed. */
static bool is_seen(const dd_sink *sink)
{
    return sink->open || sink->write || sink->target.folder < 0;
}

dd_status dd_sink_flush(dd_sink *sink, dd_error *error)
{
    if (sink->failure.status == DD_OK && sink->held && is_seen(sink)) {
        size_t size = sink->pending_size;
        sink->pending_size = 0;
        sink->held = false;
        pass_on(sink, sink->pending, size, FLUSHED);
    }
    return report(sink, error);
}

/* If a write has failed, the target stays as it was, rather than becoming incomplete. */
static void finish(dd_sink *sink)
{
    if (sink->open || sink->write) return;
    if (sink->failure.status != DD_OK || sink->dropped)
        dd_newfile_drop(&sink->target);
    else if (!dd_newfile_finish(&sink->target))
        dd_fail_io(&sink->failure, sink->name, errno);
}

dd_status dd_sink_close(dd_sink *sink, dd_error *error)
{
    if (!sink) return DD_OK;
    if (sink->failure.status == DD_OK) pass_on(sink, sink->pending, sink->pending_size, ENDED);
    finish(sink);
    dd_status status = report(sink, error);
    free_sink(sink);
    return status;
}

void dd_sink_drop(dd_sink *sink)
{
    if (!sink) return;
    sink->dropped = true;
    dd_sink_close(sink, NULL);
}
