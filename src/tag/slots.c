#include "tag/slots.h"

#include "core/memory.h"

#include <stdlib.h>

_Static_assert(sizeof(dd_tag_slot) == 8, "the layout of the file has no padding");

bool dd_tag_slots_write(const dd_buffer *entries, dd_buffer *section)
{
    const dd_slot_entry *all = (const dd_slot_entry *)(const void *)entries->data;
    size_t n_entries = entries->size / sizeof *all, count = 2;
    while (count * 3 / 4 <= n_entries) count *= 2;
    dd_tag_slot *slots = dd_calloc(count, sizeof *slots);
    if (!slots) return false;
    for (size_t i = 0; i < n_entries; i++) {
        dd_tag_slot *slot = &slots[dd_slot_of(slots, count, all[i].hash)];
        if (slot->check) continue;
        *slot = all[i].slot;
        slot->check = dd_slot_check(all[i].hash);
    }
    bool ok = dd_block_put(section, DD_ALIGN_NUMBERS, slots, count * sizeof *slots);
    free(slots);
    return ok;
}

bool dd_tag_slots_map(dd_tag_slots *slots, dd_cursor *section)
{
    slots->slots = dd_cursor_block(section, sizeof *slots->slots, &slots->count);
    size_t free_slots = 0; /* where a search ends */
    for (size_t i = 0; i < slots->count; i++) free_slots += slots->slots[i].check == 0;
    return free_slots > 0 && (slots->count & (slots->count - 1)) == 0;
}
