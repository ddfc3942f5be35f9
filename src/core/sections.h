/* sections.h - the named sections of a model file, as the parts of a model read and write them */
#ifndef DODONA_CORE_SECTIONS_H
#define DODONA_CORE_SECTIONS_H

#include "core/buffer.h"

enum { DD_MAX_SECTIONS = 64, DD_SECTION_NAME = 16 /* bytes, filled up with NUL */ };

/* Views of bytes that somebody else holds. */
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
/* Those that are not there yet: what two parts share has one name. */
void dd_draft_list(const dd_draft *draft, dd_sections *sections);

#endif
