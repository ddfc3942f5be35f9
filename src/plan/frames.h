/* frames.h - the frames of a file that Zstandard packed */
#ifndef DODONA_PLAN_FRAMES_H
#define DODONA_PLAN_FRAMES_H

#include "plan/range.h"

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

#endif
