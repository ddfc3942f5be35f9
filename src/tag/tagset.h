/* tagset.h - the tags that a tagger knows and the parts that their scores are made of
 *
 *     "NOUN NNS Number=Plur|Case=Nom"
 *      head:   UPOS "NOUN", UPOS and XPOS "NOUN NNS"
 *      bundle: FEATS "Number=Plur|Case=Nom", each of them: "Number=Plur", "Case=Nom"
 *
 * A tag is UPOS, XPOS and FEATS together, one that was seen in training, so what is predicted is
 * always consistent. Weights belong to parts: tags learn from each other what they share, and
 * thousands of tags need no more weights than their parts. */
#ifndef DODONA_TAG_TAGSET_H
#define DODONA_TAG_TAGSET_H

#include "core/status.h"
#include "core/strings.h"

typedef struct dd_tag {
    dd_text cells[3];      /* UPOS, XPOS, FEATS; in the text that the tagset was made of */
    uint32_t head, bundle; /* which are made of parts */
} dd_tag;

enum { DD_HEAD_PARTS = 2 };

typedef struct dd_tagset {
    dd_tag *tags; /* [count] */
    int count;
    int parts;            /* how many there are, over all tags */
    uint32_t *head_parts; /* [heads * DD_HEAD_PARTS] */
    int heads;
    uint32_t *bundle_starts; /* [bundles + 1] in bundle_parts */
    uint32_t *bundle_parts;
    int bundles;
    size_t tags_capacity, head_parts_capacity, bundle_starts_capacity, bundle_parts_capacity;
} dd_tagset; /* {0} is empty and valid */

/* More features than any language has could make sums of scores overflow. */
enum { DD_MAX_TAGS = 65535, DD_MAX_FEATURES = 500 };

/* Features in FEATS; 1 for `_`. */
int dd_tagset_features(dd_text feats);

void dd_tagset_free(dd_tagset *tagset);
/* From lines "UPOS\tXPOS\tFEATS\n", which must outlive the tagset. DD_ERROR_MODEL: they are not of
 * that form, or a reader of that format would refuse a value. */
dd_status dd_tagset_make(dd_tagset *tagset, dd_text lines, dd_format format, dd_error *error);

static inline int32_t dd_head_score(const dd_tagset *tagset, uint32_t head, const int32_t *scores)
{
    const uint32_t *part = tagset->head_parts + (size_t)head * DD_HEAD_PARTS;
    return scores[part[0]] + scores[part[1]];
}

static inline int32_t dd_bundle_score(const dd_tagset *tagset, uint32_t bundle,
                                      const int32_t *scores)
{
    int32_t score = 0;
    for (uint32_t i = tagset->bundle_starts[bundle]; i < tagset->bundle_starts[bundle + 1]; i++)
        score += scores[tagset->bundle_parts[i]];
    return score;
}

#endif
