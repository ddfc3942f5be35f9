/* tagger_parts.h - what the tagger and its trainers share */
#ifndef DODONA_TAG_TAGGER_PARTS_H
#define DODONA_TAG_TAGGER_PARTS_H

#include "core/strings.h"
#include "neural/run.h"
#include "tag/lexicon.h"
#include "tag/tagger.h"
#include "tag/weights.h"

enum { DD_TAGGER_VERSION = 1 };

struct dd_tagger {
    dd_format format; /* of the data it was trained on: which rules its tags keep */
    dd_tagset tagset;
    dd_lexicon lexicon;
    /* one of these, not while it is trained */
    dd_tag_weights weights;
    struct dd_tag_network *network; /* NULL: weights */
};

/* Scores of parts by a BiLSTM network over the words of a sentence. */
typedef struct dd_tag_network {
    dd_frozen frozen; /* one slot, the word; its outputs are the parts */
    dd_coder coder;
    const dd_kernels *kernels;
} dd_tag_network;

dd_status dd_tag_network_find(dd_tag_network **out, const dd_sections *sections, int parts,
                              dd_error *error);
void dd_tag_network_free(dd_tag_network *network);

/* What one thread needs for that. */
typedef struct dd_tag_network_space {
    dd_codes codes;
    dd_network_run run;
    int16_t *units; /* [hidden] */
} dd_tag_network_space;

bool dd_tag_network_space_new(dd_tag_network_space **out, const dd_tag_network *network);
void dd_tag_network_space_free(dd_tag_network_space *space);
/* Encodes sentences; then scores[parts] of their words, bounded so that no sum overflows. */
bool dd_tag_network_read(const dd_tag_network *network, dd_tag_network_space *space,
                         const dd_sentence *const *sentences, size_t count);
void dd_tag_network_score(dd_tag_network_space *space, int sentence, int word, int32_t *scores);

/* Frequent words whose scores without context a thread remembers; a power of two. */
enum { DD_TAGGER_CACHE = 256 };

struct dd_tagger_space {
    dd_tag_words words;
    dd_tag_network_space *network; /* NULL: what stands below is used */
    uint64_t *cached;              /* [DD_TAGGER_CACHE] word in each place, 0: none */
    int32_t *cache;                /* [DD_TAGGER_CACHE * parts] its parts' scores */
    int32_t *scores;               /* [parts] */
    int32_t *heads;                /* [heads] scores */
    int32_t *bundles;              /* [bundles] scores */
};

/* Takes the blocks of tags and lexicon. */
dd_status dd_tagger_map_tags(dd_tagger *tagger, dd_cursor *section, dd_error *error);

enum { DD_NO_TAG = -1 };

/* The best of the tags that the word may have, but not `except` (DD_NO_TAG: any), from the parts'
 * scores; of equal ones the first. DD_NO_TAG if there is none. */
int dd_tagger_best(const dd_tagger *tagger, dd_tagger_space *space, const dd_tag_word *word,
                   int except, int32_t *score);

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

/* ---- the tags of the training data -------------------------------------------------------- */

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
