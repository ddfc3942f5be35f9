/* sections.h - the named sections of a model file, and the blocks within a section
 *
 *     [size] [block] [size] [block] ..     each filled up with zero bytes to the alignment
 *
 * A section is written block by block and read in place. A cursor takes what comes next: a block,
 * or an array whose length is known from elsewhere. Everything it hands out lies wholly in the
 * section and is aligned for its items. Once something is missing it hands out nothing more, so
 * that a reader needs to check only once, at the end. */
#ifndef DODONA_CORE_SECTIONS_H
#define DODONA_CORE_SECTIONS_H

#include "core/strings.h"

/* ---- sections by name --------------------------------------------------------------------- */

enum { DD_MAX_SECTIONS = 64, DD_SECTION_NAME = 16 /* bytes, filled up with NUL */ };

/* Views of bytes that the caller owns. */
typedef struct dd_sections {
    const char *names[DD_MAX_SECTIONS];
    dd_text contents[DD_MAX_SECTIONS];
    int count;
} dd_sections; /* {0} is empty and valid */

/* Nothing is copied; there must be room. */
void dd_sections_add(dd_sections *sections, const char *name, dd_text content);
/* False if there is none of that name. */
bool dd_sections_find(const dd_sections *sections, const char *name, dd_text *content);

enum { DD_MAX_DRAFT = 16 };

/* Sections that are being written. */
typedef struct dd_draft {
    const char *names[DD_MAX_DRAFT];
    dd_buffer contents[DD_MAX_DRAFT];
    int count;
} dd_draft; /* {0} is empty and valid */

void dd_draft_free(dd_draft *draft);
/* An empty section to append to; the name is not copied. There must be room. */
dd_buffer *dd_draft_add(dd_draft *draft, const char *name);
/* Adds the sections that are not listed yet. Two components that share a section write it under the
 * same name. */
void dd_draft_list(const dd_draft *draft, dd_sections *sections);

/* ---- blocks ------------------------------------------------------------------------------- */

/* Of blocks, in bytes: enough for any number, or for whole cache lines. */
enum { DD_ALIGN_NUMBERS = 8, DD_ALIGN_LINES = 64 };

/* Appends a block; the section must begin at an address that the alignment divides. False if
 * allocation fails. */
bool dd_block_put(dd_buffer *section, size_t alignment, const void *block, size_t size);

typedef struct dd_cursor {
    dd_text rest;     /* not taken yet */
    size_t alignment; /* of blocks; 0: there are none */
    bool failed;      /* something was not there */
} dd_cursor;

/* The next `count` items of `item` bytes; NULL if the section ends before. */
const void *dd_cursor_items(dd_cursor *cursor, size_t count, size_t item);
/* The items of the next block; NULL and no items if there is none, or its size is no multiple of
 * `item`. */
const void *dd_cursor_block(dd_cursor *cursor, size_t item, size_t *count);
/* The next block as text. */
dd_text dd_cursor_text(dd_cursor *cursor);
/* Whether nothing was missing and nothing is left. */
bool dd_cursor_ended(const dd_cursor *cursor);

/* Whether offsets ascend from 0 to `last`. */
bool dd_offsets_ascend(const uint32_t *offsets, size_t count, size_t last);

#endif
