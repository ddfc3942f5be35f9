/* report.h - the page of results, with its tables and plots */
#ifndef EXPERIMENT_REPORT_H
#define EXPERIMENT_REPORT_H

#include "experiment/results.h"

/* DIR/results.md and DIR/results/. Returns the exit status. */
int report_write(const results *r, const char *dir);

#endif
