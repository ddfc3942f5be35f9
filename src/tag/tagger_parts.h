/* tagger_parts.h - what the tagger and its trainer share */
#ifndef DODONA_TAG_TAGGER_PARTS_H
#define DODONA_TAG_TAGGER_PARTS_H

#include "score/neural/encoder.h"
#include "tag/tagger.h"
#include "tag/weights.h"
#include "tag/words.h"

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
    dd_encoder encoder;
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

/* Chooses the tags of space->words, by weights, and leaves the sentence as it is. */
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
