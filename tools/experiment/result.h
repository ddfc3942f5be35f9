/* result.h - what is known of one run, and how it stands in the file of results: one JSON object a
 * line, as docs/experiments.md describes it */
#ifndef EXPERIMENT_RESULT_H
#define EXPERIMENT_RESULT_H

#include "experiment/plan.h"
#include "output.h"

/* Per cent; CoNLL 2018, or CoNLL-X, which has no CLAS: NAN. */
typedef struct scores {
    double uas, las, clas;
} scores;

typedef struct curve_point {
    double uas, las; /* on dev, as training measures them */
} curve_point;

/* Arc transitions on the test set (nonmonotonic-covington-2017, section 6.3). */
typedef struct breaks {
    uint64_t arcs;     /* all */
    uint64_t breaking; /* of them, those that removed an arc built before */
    uint64_t gold;     /* of these, those that built a gold arc */
    uint64_t harmful;  /* of these, those that removed a gold arc for a wrong one */
} breaks;

/* The training file, and what training made of it. */
typedef struct training_data {
    uint64_t sentences, words;                            /* trained on */
    uint64_t skipped;                                     /* trees that the system cannot build */
    uint64_t nonprojective_sentences, nonprojective_arcs; /* in the file */
    uint64_t all_sentences, all_words;                    /* in the file */
    char hash[32];
} training_data;

/* What depends on the machine and its other work. */
typedef struct expense {
    double seconds, cpu_seconds; /* all that the run took, by the clock and of the processor */
    double train_seconds, train_speed, parse_speed; /* of the processor; words a second of it */
    double peak_mib;
} expense;

typedef struct result {
    char *failed; /* the reason; NULL: all else holds */
    char version[32];
    int best_iteration;
    training_data data;
    scores dev, test;
    curve_point *curve; /* [n_curve] */
    size_t n_curve;
    dd_arc_counts arcs; /* on the test set */
    bool has_breaks;
    breaks breaks;
    dd_sentence_score *sentences; /* [n_sentences] of the test set */
    size_t n_sentences;
    expense expense;
} result;

void result_free(result *r);
/* One line, its end included. */
void result_write(output *out, const plan *p, run_key key, const result *r);

typedef enum result_fit {
    RESULT_BAD = 0, /* see the reason */
    RESULT_OF_PLAN,
    RESULT_OTHER, /* of a run that the plan does not have */
} result_fit;

enum { RESULT_REASON_SIZE = 200 };

/* One line without its end. */
result_fit result_read(result *out, run_key *key, const plan *p, const char *line, size_t size,
                       char reason[RESULT_REASON_SIZE]);

#endif
