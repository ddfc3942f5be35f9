#include "plan/frames.h"

#include "core/memory.h"

#include <stdlib.h>

void dd_frames_free(dd_frames *frames)
{
    free(frames->list);
    *frames = (dd_frames){0};
}

static bool add(dd_frames *frames, uint64_t at)
{
    if (!DD_RESERVE(&frames->list, &frames->capacity, frames->count + 1)) return false;
    frames->list[frames->count++] = (dd_frame){at, frames->bytes};
    return true;
}

/* A frame is noted with its first bytes. One that lies within a chunk with others cannot be told
 * apart from them, as a chunk ends with its frame. */
static dd_status walk(dd_frames *frames, dd_range *range, dd_error *error)
{
    uint64_t at = 0, next;
    bool fresh = true;
    for (;;) {
        dd_text chunk;
        dd_status status = dd_range_next(range, &chunk, error);
        if (status != DD_OK) return status == DD_END ? DD_OK : status;
        if (fresh && !add(frames, at)) return dd_fail_memory(error);
        frames->bytes += chunk.size;
        fresh = dd_range_between_frames(range, &next);
        if (fresh) at = next;
    }
}

dd_status dd_frames_find(dd_frames *frames, const char *path, dd_error *error)
{
    dd_range *range = NULL;
    dd_range_place all = {.bytes = UINT64_MAX, .packed = true};
    dd_status status = dd_range_open(&range, path, &all, error);
    if (status == DD_OK) status = walk(frames, range, error);
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
