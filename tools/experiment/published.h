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

/* The i-th one for a setup; NULL beyond the last. */
const published *published_at(const plan_setup *how, size_t index);
/* What the sources are, in Markdown. */
extern const char published_notes[];

#endif
