/* range.h - some bytes of a file, or of what it holds packed by Zstandard in several frames, each
 * of which can be unpacked without those before it */
#ifndef DODONA_PLAN_RANGE_H
#define DODONA_PLAN_RANGE_H

#include "core/status.h"

typedef struct dd_range_place {
    uint64_t offset, bytes; /* unpacked; at most so many bytes */
    bool packed;
    uint64_t frame; /* if packed: where in the file a frame begins, at or before the first byte, */
    uint64_t skip;  /* and so many bytes before it */
} dd_range_place;

typedef struct dd_range dd_range;

dd_status dd_range_open(dd_range **out, const char *path, const dd_range_place *place,
                        dd_error *error);
/* The next bytes, at least one, valid until the next call; DD_END behind the last. */
dd_status dd_range_next(dd_range *range, dd_text *chunk, dd_error *error);
/* Where in the file the frame begins that the next byte belongs to, if the last one ended one. */
bool dd_range_between_frames(const dd_range *range, uint64_t *frame);
void dd_range_close(dd_range *range);

#endif
