/* blocks.h - a section of a model file: written block by block, read in place
 *
 *     [size] [block] [size] [block] ..     each filled up with zero bytes to the alignment
 *
 * A cursor takes what comes next: a block, or an array whose length is known from elsewhere. All
 * that it hands out lies in the section whole, at an address where its items may lie. Once
 * something was not there it hands out nothing more, so that a reader need not look before the
 * end. */
#ifndef DODONA_CORE_BLOCKS_H
#define DODONA_CORE_BLOCKS_H

#include "core/buffer.h"

/* Of blocks, in bytes: enough for any number, or for whole cache lines. */
enum { DD_ALIGN_NUMBERS = 8, DD_ALIGN_LINES = 64 };

/* Appends a block; the section begins where the alignment divides the address. False: memory is
 * out. */
bool dd_block_put(dd_buffer *section, size_t alignment, const void *block, size_t size);

typedef struct dd_cursor {
    dd_text rest;     /* not taken yet */
    size_t alignment; /* of blocks; 0: there are none */
    bool failed;      /* something was not there */
} dd_cursor;

/* The next `count` items of `item` bytes; NULL if they are not there. */
const void *dd_cursor_items(dd_cursor *cursor, size_t count, size_t item);
/* The items of the next block; NULL, with none, if it is not there or of another size. */
const void *dd_cursor_block(dd_cursor *cursor, size_t item, size_t *count);
/* The next block as text. */
dd_text dd_cursor_text(dd_cursor *cursor);
/* Whether all was there, and all was taken. */
bool dd_cursor_ended(const dd_cursor *cursor);

/* Whether offsets ascend from 0 to `last`. */
bool dd_offsets_ascend(const uint32_t *offsets, size_t count, size_t last);

#endif
