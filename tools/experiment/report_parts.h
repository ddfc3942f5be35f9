/* report_parts.h - the parts of the report; report.c puts them together */
#ifndef EXPERIMENT_REPORT_PARTS_H
#define EXPERIMENT_REPORT_PARTS_H

#include "experiment/summary.h"
#include "output.h"

/* ---- Markdown ---- */
void report_treebanks(output *out, const summary *s);
void report_means(output *out, const summary *s);
void report_gains(output *out, const summary *s);
void report_covington(output *out, const summary *s);
void report_best(output *out, const summary *s);
void report_by_treebank(output *out, const summary *s);
void report_lengths(output *out, const summary *s);
void report_projectivity(output *out, const summary *s);
void report_breaks(output *out, const summary *s);
void report_sizes(output *out, const summary *s);
void report_costs(output *out, const summary *s);

/* ---- files; each says what goes wrong and returns the exit status ---- */
int report_csv(const summary *s, const char *folder);
int report_plots(const summary *s, const char *folder);

/* FOLDER/NAME, opened; to be closed in any case. */
void report_open(output *out, const char *folder, const char *name);

/* ---- shared ---- */

/* With so many digits behind the point; an en dash for NAN. */
void report_number(output *out, double value, int digits);
/* "| system | oracle " as a row begins. */
void report_row(output *out, const plan_setup *how);
/* The first setup of its system. */
bool report_begins_system(const plan *p, size_t how);

/* Classes of arcs by length. */
typedef struct length_class {
    const char *name;
    size_t first, last;
} length_class;

enum { LENGTH_CLASSES = 6 };
extern const length_class length_classes[LENGTH_CLASSES];
extern const length_class long_arcs; /* of nonmonotonic-covington-2017, section 6.3 */

/* Mean over treebanks of precision or recall of a class; NAN: there are none. */
typedef dd_arc_count (*arc_class)(const dd_arc_counts *arcs, const void *which);
double report_precision(const summary *s, size_t how, arc_class class, const void *which);
double report_recall(const summary *s, size_t how, arc_class class, const void *which);
dd_arc_count class_of_lengths(const dd_arc_counts *arcs, const void *which); /* a length_class */

/* Mean over treebanks of the curve of dev LAS at an iteration, from 1; NAN beyond the end of one.
 */
double report_curve(const summary *s, size_t how, size_t iteration);

#endif
