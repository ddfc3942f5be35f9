/* treebank.h - where the three files of a treebank are */
#ifndef EXPERIMENT_TREEBANK_H
#define EXPERIMENT_TREEBANK_H

#include "experiment/plan.h"

/* Fills in the files of FOLDER/CODE. Returns which of train, dev and test is missing, or NULL. */
const char *treebank_find(plan_treebank *t, const char *folder);
void treebank_free(plan_treebank *t);

#endif
