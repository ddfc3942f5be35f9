/* tag_loss.h - probabilities of tags from the scores of their parts, and derivatives of the parts
 */
#ifndef DODONA_LEARN_NEURAL_TAG_LOSS_H
#define DODONA_LEARN_NEURAL_TAG_LOSS_H

#include "learn/neural/real.h"
#include "tag/tagset.h"

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

#endif
