/* range.h - some bytes of a file, or of what it holds packed by Zstandard in several frames, each
 * of which can be unpacked without those before it; where the frames begin; and checksums of bytes
 */
#ifndef DODONA_PLAN_RANGE_H
#define DODONA_PLAN_RANGE_H

#include "core/status.h"

#include <xxhash.h>

/* ---- some bytes of a file ----------------------------------------------------------------- */

typedef struct dd_range_place {
    uint64_t offset, bytes; /* unpacked; at most so many bytes */
    bool packed;
    uint64_t frame; /* if packed: where in the file a frame begins, at or before the first byte, */
    uint64_t skip;  /* and so many bytes before it */
} dd_range_place;

typedef struct dd_range dd_range;

dd_status dd_range_open(dd_range **out, const char *path, const dd_range_place *place,
                        dd_error *error);
/* The next bytes, at least one, valid until the next call; DD_END after the last. */
dd_status dd_range_next(dd_range *range, dd_text *chunk, dd_error *error);
void dd_range_close(dd_range *range);

/* ---- frames ------------------------------------------------------------------------------- */

typedef struct dd_frame {
    uint64_t at;     /* byte of the file */
    uint64_t offset; /* unpacked bytes before it */
} dd_frame;

typedef struct dd_frames {
    dd_frame *list; /* [count] only those that hold bytes; none: the file is not packed so */
    size_t count, capacity;
    uint64_t bytes; /* unpacked, of all */
} dd_frames;        /* {0} is empty and valid */

/* Unpacks the whole file, as frames need not tell their size. */
dd_status dd_frames_find(dd_frames *frames, const char *path, dd_error *error);
void dd_frames_free(dd_frames *frames);
/* Where to begin unpacking for the bytes of the place; a file that is not packed stays as it is. */
void dd_frames_locate(const dd_frames *frames, dd_range_place *place);

/* ---- checksums ---------------------------------------------------------------------------- */

/* XXH128 of bytes that come in pieces, as `xxh128sum` prints it. It detects accidents, not malice.
 */
enum { DD_CHECKSUM_SIZE = 33 /* 32 hexadecimal digits and NUL */ };

typedef struct dd_checksum {
    XXH3_state_t *state;
    uint64_t bytes; /* so far */
} dd_checksum;

/* False: allocation failed. */
bool dd_checksum_start(dd_checksum *sum);
void dd_checksum_add(dd_checksum *sum, dd_text bytes);
/* Frees it; `text` may be NULL. */
void dd_checksum_end(dd_checksum *sum, char text[DD_CHECKSUM_SIZE]);

/* Of a whole file, as it is, and its size. */
dd_status dd_checksum_file(const char *path, uint64_t *bytes, char text[DD_CHECKSUM_SIZE],
                           dd_error *error);

#endif
