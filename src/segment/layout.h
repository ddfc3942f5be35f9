/* layout.h - the tokens of a CoNLL-U sentence, as they stand in running text */
#ifndef DODONA_SEGMENT_LAYOUT_H
#define DODONA_SEGMENT_LAYOUT_H

#include "text/sentence.h"

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

#endif
