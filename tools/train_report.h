/* train_report.h - what train says before it begins and when all is done */
#ifndef TOOLS_TRAIN_REPORT_H
#define TOOLS_TRAIN_REPORT_H

#include "dodona_tools.h"

/* The name of a single component. */
const char *train_component_name(dd_component component);
void train_report_plan(const dd_train_plan *plan);
/* One line of scores of the whole model on the dev file. Says what is wrong, if anything is. */
void train_report_scores(const dd_model *model, const char *dev, int threads);

#endif
