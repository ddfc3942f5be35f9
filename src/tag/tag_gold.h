/* tag_gold.h - the tags of the training data, as a tagger knows them */
#ifndef DODONA_TAG_TAG_GOLD_H
#define DODONA_TAG_TAG_GOLD_H

#include "core/vocab.h"
#include "tag/tagger_parts.h"

typedef struct dd_tag_gold {
    dd_sentence *const *sentences;
    size_t count;
    dd_vocab names; /* tags as lines of the tagset */
    dd_buffer name;
    dd_buffer head;   /* the section up to the lexicon */
    uint16_t **tags;  /* [count] of the words */
    uint16_t *all;    /* what they point into */
    dd_tagger tagger; /* of head */
} dd_tag_gold;        /* {0} is empty and valid */

void dd_tag_gold_free(dd_tag_gold *gold);
/* The number of the tag that a word of any sentence has, or DD_NO_TAG if the training data does not
 * show it. DD_TAG_NO_MEMORY if allocation fails. */
enum { DD_TAG_NO_MEMORY = DD_NO_TAG - 1 };
int dd_tag_gold_find(dd_tag_gold *gold, const dd_sentence *sentence, int word);
/* endings: whether the endings of rarer forms tell which tags they may have. */
dd_status dd_tag_gold_set(dd_tag_gold *gold, dd_sentence *const *sentences, size_t count,
                          bool endings, dd_error *error);

#endif
