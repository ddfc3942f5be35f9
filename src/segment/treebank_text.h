/* treebank_text.h - the text of a treebank, as segmenters learn from it
 *
 *     sentences -> paragraphs of characters, with marks where tokens and sentences end
 *               -> rules for multiword tokens, and tags of forms */
#ifndef DODONA_SEGMENT_TREEBANK_TEXT_H
#define DODONA_SEGMENT_TREEBANK_TEXT_H

#include "segment/multiword.h"
#include "segment/running_text.h"
#include "segment/segmenter.h"

enum { DD_TOKEN_END = 1, DD_SENTENCE_END = 2 };

typedef struct dd_marked_paragraph {
    dd_chars chars;
    uint8_t *marks; /* [chars.count] what ends behind the character */
    size_t capacity;
    bool open; /* the last sentence was not followed by white space */
} dd_marked_paragraph;

typedef struct dd_treebank_text {
    dd_marked_paragraph *paragraphs; /* [count] */
    size_t count, capacity;
    dd_text_layout layout;
    dd_multiword_learner *multiword;
    uint32_t *tags; /* [DD_LEXICON_SIZE][DD_LEXICON_TAGS] tokens of forms with each tag */
    dd_chars form;  /* the current form */
    bool spaced;    /* some `# text` or SpaceAfter=No was seen */
    /* Text comes with and without marks of paragraphs, so each sentence is learnt from twice: in
     * its paragraph, and in a stretch of several. Numbers in `paragraphs`. */
    size_t alone, joined;
    int joined_count; /* paragraphs in stretches so far */
    uint64_t sentences;
} dd_treebank_text; /* {0} is valid to free */

/* The text of sentences in the order of their file. DD_ERROR_DATA: no sentence shows how words are
 * spaced. To be freed, also on failure. */
dd_status dd_treebank_text_set(dd_treebank_text *text, struct dd_sentence *const *sentences,
                               size_t count, dd_error *error);
void dd_treebank_text_free(dd_treebank_text *text);

/* The tag that each form most often has, 0 for rare ones. */
void dd_treebank_text_lexicon(const dd_treebank_text *text, uint8_t lexicon[DD_LEXICON_SIZE]);
/* Finds the pairs of classes between which tokens can end. Returns how many places between
 * characters have such a pair. */
uint64_t dd_treebank_text_pairs(const dd_treebank_text *text, uint8_t pairs[DD_SEGMENTER_PAIRS]);

#endif
