/* section.h - blocks of bytes one behind the other in a section of a model file
 *
 *     [size 8 bytes][block, filled up to 8 bytes] [size][block] ..
 *
 * Numbers are read in place, so a section must start at an address that 8 divides. */
#ifndef DODONA_TAG_SECTION_H
#define DODONA_TAG_SECTION_H

#include "core/buffer.h"

/* False: memory is out. */
bool dd_section_put(dd_buffer *section, const void *block, size_t size);
/* Cuts the next block off; false if it is not there whole or not of items of `item` bytes. */
bool dd_section_take(dd_text *section, size_t item, dd_text *block);
/* The same with *count items at *items. */
bool dd_section_items(dd_text *section, size_t item, const void **items, size_t *count);
/* Whether offsets ascend from 0 to `last`. */
bool dd_section_ascends(const uint32_t *offsets, size_t count, size_t last);

#endif
