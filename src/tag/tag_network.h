/* tag_network.h - a tagger whose parts of tags are scored by a BiLSTM network over forms,
 * characters and word vectors (tag/tagset.h has the parts)
 *
 * The probability of a tag is the softmax, over all tags, of the sum of its parts' scores. The loss
 * is minus the logarithm of the probability of the right tag. No tag depends on those before it:
 * the encoder has seen the whole sentence. */
#ifndef DODONA_TAG_TAG_NETWORK_H
#define DODONA_TAG_TAG_NETWORK_H

#include "core/learning.h"
#include "neural/coder.h"
#include "neural/real.h"
#include "score/train_options.h"
#include "tag/tagger.h"
#include "tag/tagger_parts.h"
#include "tag/tagset.h"
#include "text/windows.h"

/* A dd_tagger_trainer; options->how is a dd_network_options, of which the inputs are not looked at.
 */
dd_tagger_trainer dd_tagger_train_neural;

/* ---- probabilities of tags ------------------------------------------------------------------- */

typedef struct dd_tag_sums {
    const dd_tagset *set;
    dd_real *parts;          /* [parts] scores, set by the caller; then derivatives */
    double *heads, *bundles; /* [heads], [bundles] */
    double *tags;            /* [tags] probabilities */
} dd_tag_sums;               /* {0} is empty and valid */

bool dd_tag_sums_set(dd_tag_sums *sums, const dd_tagset *set);
void dd_tag_sums_free(dd_tag_sums *sums);

/* Softmax, over all tags, of the sums of their parts' scores. The likeliest tag, of equal ones the
 * first. */
int dd_tag_weigh(dd_tag_sums *sums);
/* After that: derivatives of minus the logarithm of the gold tag's probability, in parts. */
void dd_tag_derivatives(dd_tag_sums *sums, int gold);

/* ---- silver words ---------------------------------------------------------------------------- */

/* Of a word that teaches nothing. */
enum { DD_NOT_TAUGHT = DD_MAX_TAGS };

typedef struct dd_tag_silver {
    dd_windows windows; /* of the file */
    /* the window */
    uint16_t *tags; /* of all words, or DD_NOT_TAUGHT */
    size_t *starts; /* [count + 1] of each sentence's */
    size_t count, tags_capacity, starts_capacity;
    uint64_t drawn_here; /* sentences */
    /* all windows */
    uint64_t taught; /* words; once there is one, only those of windows in memory */
    uint64_t drawn;  /* words drawn so far, taught or not */
    dd_draws draws;
    dd_sentence *sentence; /* while they are read */
} dd_tag_silver;           /* {0} is empty and valid */

/* What the sentences are added to. */
typedef struct dd_tag_lessons {
    const dd_tagger_options *options;
    dd_tag_gold *gold;
    const dd_coder *coder;
    dd_codes *codes; /* behind the treebank's sentences */
} dd_tag_lessons;

void dd_tag_silver_free(dd_tag_silver *silver);
/* Reads options->silver, if there is one, and adds the sentences of its first window. */
dd_status dd_tag_silver_read(dd_tag_silver *silver, const dd_tag_lessons *to, dd_error *error);
/* Puts those of the next window in their place. */
dd_status dd_tag_silver_next_window(dd_tag_silver *silver, const dd_tag_lessons *to,
                                    dd_error *error);
/* The next sentence of the window; there must be one. */
uint32_t dd_tag_silver_next(dd_tag_silver *silver);

/* All sentences of the window have been drawn, and another window is due; a file of one window is
 * drawn from again and again. */
static inline bool dd_tag_silver_is_spent(const dd_tag_silver *silver)
{
    return silver->windows.count > 1 && silver->drawn_here == silver->count;
}

#endif
