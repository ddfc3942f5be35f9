/* show.h - models as a table of at most 80 columns, where their names allow that, or as JSON */
#ifndef MODELS_SHOW_H
#define MODELS_SHOW_H

#include "models/entry.h"

/* Models that are here stand below the folder that they are in. */
void show_table(output *out, const model_list *list);
void show_json(output *out, const model_list *list);

#endif
