/* running_text.h - the text that the sentences of a treebank were taken from */
#ifndef DODONA_SEGMENT_RUNNING_TEXT_H
#define DODONA_SEGMENT_RUNNING_TEXT_H

#include "core/strings.h"
#include "segment/layout.h"

typedef struct dd_running_text {
    dd_buffer text;
    dd_text_layout layout;
    bool known;    /* some sentence tells how its words are spaced */
    bool space;    /* follows what is there */
} dd_running_text; /* {0} is empty and valid */

void dd_running_text_free(dd_running_text *text);
/* Appends a sentence: `# text` if it has one, else its tokens as MISC tells to space them. A new
 * paragraph or document begins after an empty line. False if allocation fails. */
bool dd_running_text_add(dd_running_text *text, const dd_sentence *sentence);

/* Whether it has `# text`, or a token with SpaceAfter=No. */
bool dd_text_layout_tells_spaces(const dd_text_layout *layout);

#endif
