#include "neural/slots.h"

#include "core/strings.h"

#include <string.h>

void dd_slots_free(dd_slots *slots)
{
    dd_templates_free(slots->templates);
    *slots = (dd_slots){0};
}

/* A template of one slot's form for each. */
static bool write_templates(dd_text names, dd_buffer *out, int *count)
{
    *count = 0;
    while (names.size > 0) {
        const char *gap = memchr(names.data, ' ', names.size);
        size_t size = gap ? (size_t)(gap - names.data) : names.size, used = size + (gap != NULL);
        if (!dd_buffer_append(out, names.data, size) || !dd_buffer_text(out, ".form\n"))
            return false;
        names = (dd_text){names.data + used, names.size - used};
        ++*count;
    }
    return true;
}

dd_status dd_slots_read(dd_slots *slots, dd_text names, dd_error *error)
{
    dd_buffer text = {0};
    dd_status status = DD_ERROR_MEMORY;
    if (write_templates(names, &text, &slots->count))
        status =
            dd_templates_parse(&slots->templates, "slots", (dd_text){text.data, text.size}, error);
    else
        dd_fail_memory(error);
    dd_buffer_free(&text);
    if (status != DD_OK) return status;
    const dd_templates *set = slots->templates;
    bool fits = slots->count <= DD_MAX_SLOTS && set->n_values == slots->count;
    for (int i = 0; fits && i < slots->count; i++) {
        slots->node[i] = set->values[i].node;
        slots->heads += set->values[i].moving;
        fits = !set->values[i].moving || set->nodes[slots->node[i]].step == DD_STEP_MOVE_HEAD;
    }
    return fits ? DD_OK : dd_fail(error, DD_ERROR_MODEL, "the list of slots is damaged");
}

void dd_slots_find(const dd_slots *slots, const dd_config *config, int *nodes)
{
    int found[DD_MAX_NODES];
    dd_find_nodes(slots->templates, config, found);
    for (int i = 0; i < slots->count; i++)
        nodes[i] = i < slots->count - slots->heads ? found[slots->node[i]] : DD_NONE;
}
