/* published.h - averages that the papers print, or that follow from their tables */
#ifndef EXPERIMENT_PUBLISHED_H
#define EXPERIMENT_PUBLISHED_H

#include "experiment/plan.h"

typedef struct published {
    const char *system;
    int oracle;
    const char *loss; /* NULL: the system's own choice */
    double uas, las;
    const char *source; /* short */
} published;

/* Whether a report may set its means beside those of the papers: some setup has one, and the plan has
 * a treebank of each language of the CoNLL 2007 shared task, which all the papers have. Means over
 * other treebanks would invite a comparison that says nothing. */
bool published_fits(const plan *p);
/* The i-th one for a setup; NULL beyond the last. */
const published *published_at(const plan_setup *how, size_t index);
/* What the sources are, in Markdown. */
extern const char published_notes[];

#endif
