#include "plan/range.h"

#include "core/memory.h"
#include "text/io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
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

/* Unpacks the next input, which may give no bytes. */
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

/* Where in the file the frame begins that the next byte belongs to, if the last one ended one. */
static bool is_between_frames(const dd_range *range, uint64_t *frame)
{
    *frame = range->at - range->input.size;
    return !range->inside;
}

/* ---- frames ------------------------------------------------------------------------------- */

void dd_frames_free(dd_frames *frames)
{
    free(frames->list);
    *frames = (dd_frames){0};
}

static bool add_frame(dd_frames *frames, uint64_t at)
{
    if (!DD_RESERVE(&frames->list, &frames->capacity, frames->count + 1)) return false;
    frames->list[frames->count++] = (dd_frame){at, frames->bytes};
    return true;
}

/* Notes where each frame begins. Frames that end within one chunk cannot be told apart, but a chunk
 * ends with its frame. */
static dd_status walk_frames(dd_frames *frames, dd_range *range, dd_error *error)
{
    uint64_t at = 0, next;
    bool fresh = true;
    for (;;) {
        dd_text chunk;
        dd_status status = dd_range_next(range, &chunk, error);
        if (status != DD_OK) return status == DD_END ? DD_OK : status;
        if (fresh && !add_frame(frames, at)) return dd_fail_memory(error);
        frames->bytes += chunk.size;
        fresh = is_between_frames(range, &next);
        if (fresh) at = next;
    }
}

dd_status dd_frames_find(dd_frames *frames, const char *path, dd_error *error)
{
    dd_range *range = NULL;
    dd_range_place all = {.bytes = UINT64_MAX, .packed = true};
    dd_status status = dd_range_open(&range, path, &all, error);
    if (status == DD_OK) status = walk_frames(frames, range, error);
    dd_range_close(range);
    if (status != DD_OK) dd_frames_free(frames);
    return status;
}

void dd_frames_locate(const dd_frames *frames, dd_range_place *place)
{
    size_t low = 0, high = frames->count; /* the frame is at low or behind it, and before high */
    place->packed = frames->count > 0;
    if (!place->packed) return;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (frames->list[middle].offset <= place->offset)
            low = middle;
        else
            high = middle;
    }
    place->frame = frames->list[low].at;
    place->skip = place->offset - frames->list[low].offset;
}

/* ---- checksums ---------------------------------------------------------------------------- */

bool dd_checksum_start(dd_checksum *sum)
{
    *sum = (dd_checksum){.state = XXH3_createState()};
    return sum->state && XXH3_128bits_reset(sum->state) == XXH_OK;
}

void dd_checksum_add(dd_checksum *sum, dd_text bytes)
{
    sum->bytes += bytes.size;
    XXH3_128bits_update(sum->state, bytes.data, bytes.size);
}

void dd_checksum_end(dd_checksum *sum, char text[DD_CHECKSUM_SIZE])
{
    if (sum->state && text) {
        XXH128_hash_t hash = XXH3_128bits_digest(sum->state);
        snprintf(text, DD_CHECKSUM_SIZE, "%016llx%016llx", (unsigned long long)hash.high64,
                 (unsigned long long)hash.low64);
    }
    XXH3_freeState(sum->state);
    sum->state = NULL;
}

static dd_status add_all(dd_checksum *sum, dd_range *range, dd_error *error)
{
    dd_text chunk;
    dd_status status;
    while ((status = dd_range_next(range, &chunk, error)) == DD_OK) dd_checksum_add(sum, chunk);
    return status == DD_END ? DD_OK : status;
}

dd_status dd_checksum_file(const char *path, uint64_t *bytes, char text[DD_CHECKSUM_SIZE],
                           dd_error *error)
{
    dd_checksum sum;
    dd_range *range = NULL;
    dd_status status = dd_range_open(&range, path, &(dd_range_place){.bytes = UINT64_MAX}, error);
    if (status == DD_OK && !dd_checksum_start(&sum)) status = dd_fail_memory(error);
    if (status == DD_OK) {
        status = add_all(&sum, range, error);
        *bytes = sum.bytes;
        dd_checksum_end(&sum, text);
    }
    dd_range_close(range);
    return status;
}
