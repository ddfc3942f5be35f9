#include "core/sections.h"

#include <assert.h>
#include <string.h>

/* ---- sections by name --------------------------------------------------------------------- */

void dd_sections_add(dd_sections *sections, const char *name, dd_text content)
{
    assert(sections->count < DD_MAX_SECTIONS);
    sections->names[sections->count] = name;
    sections->contents[sections->count++] = content;
}

bool dd_sections_find(const dd_sections *sections, const char *name, dd_text *content)
{
    for (int i = 0; i < sections->count; i++) {
        if (strncmp(sections->names[i], name, DD_SECTION_NAME) != 0) continue;
        *content = sections->contents[i];
        return true;
    }
    return false;
}

void dd_draft_free(dd_draft *draft)
{
    for (int i = 0; i < draft->count; i++) dd_buffer_free(&draft->contents[i]);
    *draft = (dd_draft){0};
}

dd_buffer *dd_draft_add(dd_draft *draft, const char *name)
{
    assert(draft->count < DD_MAX_DRAFT);
    draft->names[draft->count] = name;
    return &draft->contents[draft->count++];
}

void dd_draft_list(const dd_draft *draft, dd_sections *sections)
{
    dd_text there;
    for (int i = 0; i < draft->count; i++)
        if (!dd_sections_find(sections, draft->names[i], &there))
            dd_sections_add(sections, draft->names[i],
                            (dd_text){draft->contents[i].data, draft->contents[i].size});
}

/* ---- blocks ------------------------------------------------------------------------------- */

static size_t fill_for(size_t size, size_t alignment)
{
    return (alignment - size % alignment) % alignment;
}

static bool put_filled(dd_buffer *section, size_t alignment, const void *data, size_t size)
{
    size_t fill = fill_for(size, alignment);
    if (!dd_buffer_reserve(section, size + fill) || !dd_buffer_append(section, data, size))
        return false;
    memset(section->data + section->size, 0, fill);
    section->size += fill;
    return true;
}

bool dd_block_put(dd_buffer *section, size_t alignment, const void *block, size_t size)
{
    const uint64_t bytes = size;
    return put_filled(section, alignment, &bytes, sizeof bytes) &&
           put_filled(section, alignment, block, size);
}

static bool is_aligned(const void *at, size_t alignment)
{
    return (uintptr_t)at % alignment == 0;
}

static void *fail(dd_cursor *cursor)
{
    *cursor = (dd_cursor){.alignment = cursor->alignment, .failed = true};
    return NULL;
}

const void *dd_cursor_items(dd_cursor *cursor, size_t count, size_t item)
{
    const char *items = cursor->rest.data;
    size_t largest_number = item & -item; /* that the items can be made of */
    if (largest_number > DD_ALIGN_NUMBERS) largest_number = DD_ALIGN_NUMBERS;
    if (cursor->failed || count > cursor->rest.size / item || !is_aligned(items, largest_number))
        return fail(cursor);
    cursor->rest = (dd_text){items + count * item, cursor->rest.size - count * item};
    return items;
}

const void *dd_cursor_block(dd_cursor *cursor, size_t item, size_t *count)
{
    *count = 0;
    if (!is_aligned(cursor->rest.data, cursor->alignment)) return fail(cursor);
    const uint64_t *size = dd_cursor_items(cursor, 1, sizeof *size);
    dd_cursor_items(cursor, fill_for(sizeof *size, cursor->alignment), 1);
    if (cursor->failed || *size > cursor->rest.size || *size % item) return fail(cursor);
    const void *block = dd_cursor_items(cursor, (size_t)*size / item, item);
    dd_cursor_items(cursor, fill_for((size_t)*size, cursor->alignment), 1);
    if (cursor->failed) return NULL;
    *count = (size_t)*size / item;
    return block;
}

dd_text dd_cursor_text(dd_cursor *cursor)
{
    dd_text text;
    text.data = dd_cursor_block(cursor, 1, &text.size);
    return text;
}

bool dd_cursor_ended(const dd_cursor *cursor)
{
    return !cursor->failed && cursor->rest.size == 0;
}

bool dd_offsets_ascend(const uint32_t *offsets, size_t count, size_t last)
{
    if (count == 0 || offsets[0] != 0 || offsets[count - 1] != last) return false;
    for (size_t i = 1; i < count; i++)
        if (offsets[i] < offsets[i - 1]) return false;
    return true;
}
