/* confidence.h - how probable it is that head and label of a word are right, by its margin
 *
 *     probability                     .--- points, measured on dev data: the share of right words
 *          |                   .------'    among those with about that margin
 *          |        .----------'
 *          '--------------------------- margin
 *
 * Straight lines lead from point to point. Margins say which of two attachments is the safer one,
 * but not how safe it is: that depends on the model and on the data. */
#ifndef DODONA_CORE_CONFIDENCE_H
#define DODONA_CORE_CONFIDENCE_H

#include "core/strings.h"

enum { DD_CONFIDENCE_POINTS = 24 };

/* The section `confidence` of a model file, little-endian. */
typedef struct dd_confidence {
    uint32_t count; /* points; 0: the model has none */
    float forced;   /* probability of words whose margin is infinite: there was no choice */
    float margins[DD_CONFIDENCE_POINTS]; /* finite, never descending; 0 beyond the last point */
    float probabilities[DD_CONFIDENCE_POINTS]; /* between 0 and 1, never descending; 0 beyond the
                                                  last point */
} dd_confidence;

/* A word that was parsed. */
typedef struct dd_verdict {
    float margin;
    bool right;
} dd_verdict;

/* Fits the points to the verdicts, which it sorts. */
void dd_confidence_fit(dd_confidence *confidence, dd_verdict *verdicts, size_t count);
/* The probability at that margin; NAN if the model has no points. */
float dd_confidence_of(const dd_confidence *confidence, float margin);
/* False if the section is damaged. */
bool dd_confidence_read(dd_confidence *confidence, dd_text section);

#endif
