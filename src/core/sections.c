#include "core/sections.h"

#include <assert.h>
#include <string.h>

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
