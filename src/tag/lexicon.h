/* lexicon.h - the lexicon: what the training data says about a form; and the tagger's view of the
 * words of a sentence
 *
 *     form -> slot: class, list        class: which heads (UPOS and XPOS) it is seen with
 *     words:  [before] [before] [word 0] [word 1] .. [behind] [behind]
 *
 * A form is looked up as it stands and then folded. A frequent form may have only the tags that it
 * was seen with. Any other form may have the tags that frequent forms with the same ending were
 * seen with, if these were seen often enough, or else those of list 0, the tags of all frequent
 * forms. Class 0 is that of rare forms; training sees it too, and so learns to tag unknown forms.
 *
 * Tags are chosen from left to right: features see the tags of the two words before, and forms and
 * classes on both sides. */
#ifndef DODONA_TAG_LEXICON_H
#define DODONA_TAG_LEXICON_H

#include "tag/form.h"
#include "tag/tagset.h"
#include "text/sentence.h"

/* ---- the lexicon -------------------------------------------------------------------------- */

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

/* ---- words and their features ------------------------------------------------------------- */

enum { DD_WORDS_AROUND = 2, DD_MAX_TAG_FEATURES = 48 };

typedef struct dd_tag_word {
    dd_form form;   /* its folded hash is 0 if the lexicon does not have it */
    uint64_t looks; /* hash of the class, or of the end of an unknown form */
    uint32_t list;  /* of the lexicon: tags to choose from */
    bool frequent;  /* that list is the form's own */
    bool picture;   /* an emoji or emoticon that the lexicon does not have: a symbol */
    uint32_t tag;   /* chosen; the number of tags for words before the first */
    uint32_t head;  /* of that tag */
} dd_tag_word;

typedef struct dd_tag_words {
    dd_tag_word *words; /* [n + 2 * DD_WORDS_AROUND] */
    size_t capacity;
    int n;
} dd_tag_words; /* {0} is empty and valid */

void dd_tag_words_free(dd_tag_words *words);
/* False: allocation failed. */
bool dd_tag_words_read(dd_tag_words *words, const dd_sentence *sentence, const dd_lexicon *lexicon,
                       const dd_tagset *tagset);

/* Word 0..n-1. */
static inline dd_tag_word *dd_tag_word_at(const dd_tag_words *words, int at)
{
    return words->words + DD_WORDS_AROUND + at;
}

/* Those of the word alone, which depend on its form and on whether it is the first, and those of
 * its surroundings. Each returns how many; together at most DD_MAX_TAG_FEATURES. */
int dd_tag_form_features(const dd_tag_words *words, int at, uint64_t *features);
int dd_tag_context_features(const dd_tag_words *words, int at, uint64_t *features);

#endif
