#include "tag/section.h"

#include <string.h>

enum { ALIGNMENT = 8 };

bool dd_section_put(dd_buffer *section, const void *block, size_t size)
{
    static const char fill[ALIGNMENT];
    uint64_t bytes = size;
    size_t padding = (ALIGNMENT - size % ALIGNMENT) % ALIGNMENT;
    return dd_buffer_append(section, &bytes, sizeof bytes) &&
           (size == 0 || dd_buffer_append(section, block, size)) &&
           (padding == 0 || dd_buffer_append(section, fill, padding));
}

bool dd_section_take(dd_text *section, size_t item, dd_text *block)
{
    uint64_t size;
    if ((uintptr_t)section->data % ALIGNMENT || section->size < sizeof size) return false;
    memcpy(&size, section->data, sizeof size);
    size_t room = section->size - sizeof size;
    if (size > room || size % item) return false;
    size_t padding = (ALIGNMENT - size % ALIGNMENT) % ALIGNMENT;
    if (padding > room - size) return false;
    size_t used = sizeof size + size + padding;
    *block = (dd_text){section->data + sizeof size, size};
    *section = (dd_text){section->data + used, section->size - used};
    return true;
}

bool dd_section_items(dd_text *section, size_t item, const void **items, size_t *count)
{
    dd_text block;
    if (!dd_section_take(section, item, &block)) return false;
    *items = block.data;
    *count = block.size / item;
    return true;
}

bool dd_section_ascends(const uint32_t *offsets, size_t count, size_t last)
{
    if (count == 0 || offsets[0] != 0 || offsets[count - 1] != last) return false;
    for (size_t i = 1; i < count; i++)
        if (offsets[i] < offsets[i - 1]) return false;
    return true;
}
