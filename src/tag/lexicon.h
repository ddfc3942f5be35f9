/* lexicon.h - what the training data tells of a form: its class and the tags it may have
 *
 *     form -> slot: class, list        class: which heads (UPOS and XPOS) it is seen with
 *
 * A form is looked up as it stands and then folded. A form seen often may have only the tags it was
 * seen with; others those that such forms with the same ending were seen with, if that was often
 * enough, or else list 0: those of all such forms. Class 0 is that of forms too rare to tell, which
 * training sees too, so that it learns what to do with unknown ones. */
#ifndef DODONA_TAG_LEXICON_H
#define DODONA_TAG_LEXICON_H

#include "tag/form.h"
#include "tag/slots.h"
#include "tag/tagset.h"
#include "text/sentence.h"

typedef struct dd_lexicon {
    dd_tag_slots forms;     /* and endings */
    const uint32_t *starts; /* [lists + 1] in items */
    size_t lists;
    const uint16_t *items; /* tags */
} dd_lexicon;

/* tags[sentence][word - 1] are the tags of the sentences' words. Without endings, forms that are
 * not seen often all have list 0. */
dd_status dd_lexicon_write(dd_sentence *const *sentences, size_t count, uint16_t *const *tags,
                           const dd_tagset *tagset, bool endings, dd_buffer *section,
                           dd_error *error);
/* Takes its blocks and checks them. */
bool dd_lexicon_map(dd_lexicon *lexicon, dd_cursor *section, int tags);

/* The tags to choose from; the slot is that of the form as it stands, or NULL. */
uint16_t dd_lexicon_list(const dd_lexicon *lexicon, const dd_tag_slot *slot, const dd_form *form);

#endif
