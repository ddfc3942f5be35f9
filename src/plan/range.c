#include "plan/range.h"

#include "core/memory.h"
#include "text/io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

struct dd_range {
    char *name;
    int file;
    uint64_t at;         /* of the file: the byte to be read next */
    uint64_t skip, left; /* bytes, unpacked, to be passed over and then to be given */
    char *buffer;        /* [DD_IO_CHUNK] of the file */
    dd_text input;       /* in buffer, not unpacked yet */
    ZSTD_DStream *zstd;  /* NULL: nothing is packed */
    char *unpacked;      /* [DD_IO_CHUNK] */
    bool inside;         /* a frame */
    bool full;           /* more may come without further input */
};

void dd_range_close(dd_range *range)
{
    if (!range) return;
    if (range->file >= 0) close(range->file);
    ZSTD_freeDStream(range->zstd);
    free(range->unpacked);
    free(range->buffer);
    free(range->name);
    free(range);
}

static bool make_room(dd_range *range, const char *path, bool packed)
{
    range->name = dd_copy_text(path, strlen(path));
    range->buffer = malloc(DD_IO_CHUNK);
    if (packed) range->unpacked = malloc(DD_IO_CHUNK);
    if (packed) range->zstd = ZSTD_createDStream();
    return range->name && range->buffer && (!packed || (range->unpacked && range->zstd));
}

dd_status dd_range_open(dd_range **out, const char *path, const dd_range_place *place,
                        dd_error *error)
{
    dd_range *range = dd_calloc(1, sizeof *range);
    if (!range) return dd_fail_memory(error);
    range->file = -1;
    range->at = place->packed ? place->frame : place->offset;
    range->skip = place->packed ? place->skip : 0;
    range->left = place->bytes;
    dd_status status = make_room(range, path, place->packed) ? DD_OK : dd_fail_memory(error);
    if (status == DD_OK) range->file = open(path, O_RDONLY | O_CLOEXEC);
    if (status == DD_OK && range->file < 0) status = dd_fail_io(error, path, errno);
    if (status == DD_OK)
        *out = range;
    else
        dd_range_close(range);
    return status;
}

static dd_status read_more(dd_range *range, dd_error *error)
{
    ssize_t got;
    do got = pread(range->file, range->buffer, DD_IO_CHUNK, (off_t)range->at);
    while (got < 0 && errno == EINTR);
    if (got < 0) return dd_fail_io(error, range->name, errno);
    range->at += (uint64_t)got;
    range->input = (dd_text){range->buffer, (size_t)got};
    return got > 0 ? DD_OK : DD_END;
}

/* What the next input holds, perhaps nothing. */
static dd_status unpack(dd_range *range, dd_text *chunk, dd_error *error)
{
    dd_status status = range->input.size == 0 && !range->full ? read_more(range, error) : DD_OK;
    if (status == DD_END && range->inside)
        return dd_fail(error, DD_ERROR_IO, "%.300s: truncated zstd data", range->name);
    if (status != DD_OK) return status;
    ZSTD_inBuffer in = {range->input.data, range->input.size, 0};
    ZSTD_outBuffer out = {range->unpacked, DD_IO_CHUNK, 0};
    size_t result = ZSTD_decompressStream(range->zstd, &out, &in);
    if (ZSTD_isError(result))
        return dd_fail(error, DD_ERROR_IO, "%.300s: damaged zstd data (%s)", range->name,
                       ZSTD_getErrorName(result));
    range->input = (dd_text){range->input.data + in.pos, range->input.size - in.pos};
    range->inside = result != 0;
    range->full = out.pos == DD_IO_CHUNK && range->inside;
    *chunk = (dd_text){range->unpacked, out.pos};
    return DD_OK;
}

static dd_status next_piece(dd_range *range, dd_text *chunk, dd_error *error)
{
    if (range->zstd) return unpack(range, chunk, error);
    dd_status status = read_more(range, error);
    *chunk = range->input;
    return status;
}

dd_status dd_range_next(dd_range *range, dd_text *chunk, dd_error *error)
{
    *chunk = (dd_text){"", 0};
    while (range->left > 0 && chunk->size == 0) {
        dd_status status = next_piece(range, chunk, error);
        if (status != DD_OK) return status;
        size_t passed = range->skip < chunk->size ? (size_t)range->skip : chunk->size;
        range->skip -= passed;
        *chunk = (dd_text){chunk->data + passed, chunk->size - passed};
    }
    if (chunk->size > range->left) chunk->size = (size_t)range->left;
    range->left -= chunk->size;
    return chunk->size > 0 ? DD_OK : DD_END;
}

bool dd_range_between_frames(const dd_range *range, uint64_t *frame)
{
    *frame = range->at - range->input.size;
    return !range->inside;
}
