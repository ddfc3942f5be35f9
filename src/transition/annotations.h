/* annotations.h - weights of all arcs of a sentence from the probabilities of annotators or a
 * teacher
 *
 * One annotation of a word, in MISC or by its HEAD:
 *
 *     HeadProbs=2:70,0:29.5   these heads have these percentages, other heads none
 *     HeadProb=57             HEAD has 57 per cent, other heads none
 *     neither                 HEAD has 100 per cent; if it is `_`, the word is not annotated
 *
 * Several annotators count the same: the probability of a head is the mean over those that
 * annotate the word. */
#ifndef DODONA_TRANSITION_ANNOTATIONS_H
#define DODONA_TRANSITION_ANNOTATIONS_H

#include "text/sentence.h"
#include "transition/soft.h"

typedef struct dd_annotations {
    int n;
    int untold;       /* words that are not annotated */
    int32_t *weights; /* [n + 1][n + 1] as dd_soft.weights */
    int32_t *sums;    /* [n + 1] of one word */
    size_t weights_capacity, sums_capacity;
} dd_annotations; /* {0} is valid */

void dd_annotations_free(dd_annotations *annotations);
/* Whether MISC has a probability of some head. */
bool dd_annotations_has(const dd_sentence *sentence);
/* The sentences have the same words; there is at least one. DD_ERROR_DATA: probabilities are
 * malformed; the message is the reason, with the word, but without the sentence. */
dd_status dd_annotations_set(dd_annotations *annotations, const dd_sentence *const *sentences,
                             size_t count, dd_error *error);
/* The weights that are not 0, which the caller frees. NULL if allocation fails. */
dd_weighed_arc *dd_annotations_list(const dd_annotations *annotations, int *count);

#endif
