/* summary.h - the results of all seeds put together: a cell for each treebank and setup */
#ifndef EXPERIMENT_SUMMARY_H
#define EXPERIMENT_SUMMARY_H

#include "experiment/results.h"

/* Against another setup on the same treebank and seeds (Yeh 2000; see summary.c). */
typedef struct contrast {
    bool known;
    double uas, las;     /* this one minus the other */
    double p_uas, p_las; /* chance of a difference as large */
} contrast;

typedef struct cell {
    size_t runs;      /* seeds with a result; 0: nothing else holds */
    scores dev, test; /* means */
    double variance;  /* of LAS on test between seeds; NAN: fewer than two */
    dd_arc_counts arcs;
    breaks breaks;
    expense expense;      /* means */
    const result *any;    /* one of the results, for what does not depend on the seed */
    contrast to_static;   /* against the static oracle of the same system */
    contrast to_opposite; /* covington against covington-nm and the other way round, both dynamic */
} cell;

typedef struct summary {
    const results *results;
    const plan *plan;
    cell *cells; /* [treebanks * setups] */
    size_t made; /* runs */
} summary;

enum { SUMMARY_SHUFFLES = 10000, SUMMARY_SEED = 1 };
static const double SIGNIFICANT = 0.05;
static const size_t NO_SETUP = (size_t)-1;

void summary_make(summary *s, const results *r);
void summary_free(summary *s);

static inline const cell *summary_cell(const summary *s, size_t treebank, size_t setup)
{
    return &s->cells[treebank * s->plan->n_setups + setup];
}

/* The setup with the system's own loss; NO_SETUP: the plan does not have it. */
size_t summary_find(const summary *s, const char *system, int oracle);

/* Only seeds that both setups have count. */
contrast summary_contrast(const summary *s, size_t treebank, size_t one, size_t other);

/* A mean over treebanks, with the half width of its 95 % confidence interval. */
typedef struct interval {
    size_t count; /* treebanks */
    double mean;
    double half; /* by Student's t; NAN: fewer than two */
} interval;

/* Of `value`, which gives NAN where a treebank has none. */
interval summary_mean(const summary *s, size_t setup, double (*value)(const cell *c));
interval interval_of(const double *values, size_t count);

/* Values of cells. */
double cell_dev_uas(const cell *c);
double cell_dev_las(const cell *c);
double cell_test_uas(const cell *c);
double cell_test_las(const cell *c);
double cell_test_clas(const cell *c);
double cell_variance(const cell *c);
double cell_gain_uas(const cell *c); /* over the static oracle */
double cell_gain_las(const cell *c);
double cell_breaking(const cell *c);         /* per cent of the arc transitions */
double cell_breaking_gold(const cell *c);    /* per cent of these */
double cell_breaking_harmful(const cell *c); /* per cent of these */
double cell_train_speed(const cell *c);
double cell_parse_speed(const cell *c);
double cell_peak_memory(const cell *c);
double cell_skipped(const cell *c); /* per cent of the training sentences */

/* Per cent; NAN of nothing. */
double share_of(uint64_t part, uint64_t whole);

#endif
