/* tagger_parts.h - what the tagger and its trainer share */
#ifndef DODONA_TAG_TAGGER_PARTS_H
#define DODONA_TAG_TAGGER_PARTS_H

#include "tag/tagger.h"
#include "tag/weights.h"
#include "tag/words.h"

enum { DD_TAGGER_VERSION = 1 };

struct dd_tagger {
    dd_format format; /* of the data it was trained on: which rules its tags keep */
    dd_tagset tagset;
    dd_lexicon lexicon;
    dd_tag_weights weights; /* not while it is trained */
};

/* Frequent words whose scores without context a thread remembers; a power of two. */
enum { DD_TAGGER_CACHE = 256 };

struct dd_tagger_space {
    dd_tag_words words;
    uint64_t *cached; /* [DD_TAGGER_CACHE] word in each place, 0: none */
    int32_t *cache;   /* [DD_TAGGER_CACHE * parts] its parts' scores */
    int32_t *scores;  /* [parts] */
    int32_t *heads;   /* [heads] scores */
    int32_t *bundles; /* [bundles] scores */
};

/* Takes the blocks of tags and lexicon. */
dd_status dd_tagger_map_tags(dd_tagger *tagger, dd_cursor *section, dd_error *error);

enum { DD_NO_TAG = -1 };

/* The best of the tags that the word may have, but not `except` (DD_NO_TAG: any), from the parts'
 * scores; of equal ones the first. DD_NO_TAG if there is none. */
int dd_tagger_best(const dd_tagger *tagger, dd_tagger_space *space, const dd_tag_word *word,
                   int except, int32_t *score);

/* Chooses the tags of space->words and leaves the sentence as it is. */
dd_status dd_tagger_choose(const dd_tagger *tagger, dd_tagger_space *space,
                           const dd_sentence *sentence, dd_error *error);

static inline int32_t dd_tag_score(const dd_tagset *tagset, const dd_tag *tag,
                                   const int32_t *scores)
{
    return dd_head_score(tagset, tag->head, scores) + dd_bundle_score(tagset, tag->bundle, scores);
}

static inline void dd_choose_tag(const dd_tagger *tagger, dd_tag_word *word, int tag)
{
    word->tag = (uint32_t)tag;
    word->head = tagger->tagset.tags[tag].head;
}

#endif
