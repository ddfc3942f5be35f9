/* named_model.h - the model that a user names, or the one that serves where none is named. */
#ifndef TOOLS_NAMED_MODEL_H
#define TOOLS_NAMED_MODEL_H

/* The path, to be freed, of the model that is wanted; where none is (NULL), of the default model.
 * Says what is wrong; returns the exit status. `who` is the subcommand. */
int named_model_path(const char *who, const char *wanted, char **path);

#endif
