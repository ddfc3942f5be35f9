/* running_text.h - the text that the sentences of a treebank were taken from, and the tokens of a
 * sentence as they stand in it */
#ifndef DODONA_SEGMENT_RUNNING_TEXT_H
#define DODONA_SEGMENT_RUNNING_TEXT_H

#include "core/strings.h"
#include "text/sentence.h"

/* ---- the tokens of a sentence, as they stand in running text ------------------------------ */

typedef struct dd_text_layout_token {
    dd_text form;
    int first, last;  /* words; the same unless it is a multiword token */
    bool space_after; /* no SpaceAfter=No in MISC */
} dd_text_layout_token;

typedef struct dd_text_layout {
    dd_text_layout_token *tokens; /* [count] views of the sentence */
    int count;
    size_t capacity;
    dd_text text;   /* of `# text`; data NULL: none */
    bool paragraph; /* `# newpar` or `# newdoc` */
} dd_text_layout;   /* {0} is empty and valid */

void dd_text_layout_free(dd_text_layout *layout);
/* False if allocation fails. */
bool dd_text_layout_set(dd_text_layout *layout, const dd_sentence *sentence);

/* ---- running text ------------------------------------------------------------------------- */

typedef struct dd_running_text {
    dd_buffer text;
    dd_text_layout layout;
    bool known;    /* some sentence shows how its words are spaced */
    bool space;    /* follows the text so far */
} dd_running_text; /* {0} is empty and valid */

void dd_running_text_free(dd_running_text *text);
/* Appends a sentence: `# text` if it has one, else its tokens as MISC tells to space them. A new
 * paragraph or document begins after an empty line. False if allocation fails. */
bool dd_running_text_add(dd_running_text *text, const dd_sentence *sentence);

/* Whether it has `# text`, or a token with SpaceAfter=No. */
bool dd_text_layout_tells_spaces(const dd_text_layout *layout);

#endif
