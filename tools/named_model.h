/* named_model.h - models by name, those that came with the program among them. */
#ifndef TOOLS_NAMED_MODEL_H
#define TOOLS_NAMED_MODEL_H

#include "dodona_tools.h"

/* What there is in the folders where models are looked for. Says what is wrong; returns the exit
 * status. */
int named_models(dd_catalogue **out);

/* The path, to be freed, of the model that the user calls by a path or a name. Where none is
 * wanted (NULL) it is what $DODONA_MODEL calls so, else the English model. Says what is wrong;
 * returns the exit status. `who` is the subcommand. */
int named_model_path(const char *who, const char *wanted, char **path);

#endif
