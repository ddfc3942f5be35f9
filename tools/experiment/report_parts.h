/* report_parts.h - the parts of the report; report.c puts them together */
#ifndef EXPERIMENT_REPORT_PARTS_H
#define EXPERIMENT_REPORT_PARTS_H

#include "experiment/summary.h"
#include "output.h"

/* ---- Markdown -------------------------------------------------------------------------------- */
void report_means(output *out, const summary *s);
void report_gains(output *out, const summary *s);
void report_covington(output *out, const summary *s);
void report_best(output *out, const summary *s);
void report_lengths(output *out, const summary *s);
void report_projectivity(output *out, const summary *s);
void report_breaks(output *out, const summary *s);
void report_costs(output *out, const summary *s);

/* ---- files; each says what goes wrong and returns the exit status ---------------------------- */
int report_csv(const summary *s, const char *folder);
int report_csv_means(const summary *s, const char *folder);
int report_csv_treebanks(const summary *s, const char *folder);
int report_plots(const summary *s, const char *folder);

/* FOLDER/NAME, opened; to be closed in any case. */
void report_open(output *out, const char *folder, const char *name);

/* ---- shared ---------------------------------------------------------------------------------- */

/* With this many digits after the point; an en dash for NAN. */
void report_number(output *out, double value, int digits);
/* The same for CSV, with a comma before it; nothing for NAN. */
void report_csv_number(output *out, double value, int digits);
void report_csv_count(output *out, uint64_t value);
/* "| system | oracle " as a row begins. */
void report_row(output *out, const plan_setup *how);
/* The first setup of its system. */
bool report_begins_system(const plan *p, size_t how);
/* The setup of its system with the best mean LAS on dev; the first of several as good. */
bool report_leads_system(const summary *s, size_t how);

/* How many treebanks can be compared with the static oracle of the same system, and on how many
 * the difference of LAS is significant. */
typedef struct significant {
    size_t all, better, worse;
} significant;
significant report_significant(const summary *s, size_t how);
/* Mean gain of LAS on dev over the static oracle; NAN: it cannot be compared. */
double report_dev_gain(const summary *s, size_t how);

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
dd_arc_count class_of_projectivity(const dd_arc_counts *arcs, const void *nonprojective); /* bool */

/* Mean over treebanks of the curve of dev LAS at an iteration, from 1; NAN beyond the end of one.
 */
double report_curve(const summary *s, size_t how, size_t iteration);

#endif
