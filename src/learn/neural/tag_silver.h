/* tag_silver.h - words that a tagger has tagged, for another to learn from beside the treebank
 *
 *     file -> tags here, words as symbols among the treebank's -> some sentences behind each of it
 *
 * A word whose tags the treebank does not show, or that has none, is there for its neighbours only:
 * so a file may leave out the tags on which several taggers do not agree. */
#ifndef DODONA_LEARN_NEURAL_TAG_SILVER_H
#define DODONA_LEARN_NEURAL_TAG_SILVER_H

#include "learn/draws.h"
#include "score/neural/coder.h"
#include "tag/tagger_parts.h"

/* Of a word that teaches nothing. */
enum { DD_NOT_TAUGHT = DD_MAX_TAGS };

typedef struct dd_tag_silver {
    uint16_t *tags; /* of all words, or DD_NOT_TAUGHT */
    size_t *starts; /* [count + 1] of each sentence's */
    size_t count, tags_capacity, starts_capacity;
    uint64_t taught; /* words */
    uint64_t drawn;  /* likewise, taught or not */
    dd_draws draws;
} dd_tag_silver; /* {0} is empty and valid */

void dd_tag_silver_free(dd_tag_silver *silver);
/* Reads options->silver, if there is one, and adds its sentences to the codes. */
dd_status dd_tag_silver_read(dd_tag_silver *silver, const dd_tagger_options *options,
                             dd_tag_gold *gold, const dd_coder *coder, dd_codes *codes,
                             dd_error *error);
/* The next sentence; there must be one. */
uint32_t dd_tag_silver_next(dd_tag_silver *silver);

#endif
