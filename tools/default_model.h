/* default_model.h - the model that serves where none is named. */
#ifndef TOOLS_DEFAULT_MODEL_H
#define TOOLS_DEFAULT_MODEL_H

/* $DODONA_MODEL; else the English model that came with the program: in the source tree that it was
 * built in, or among the installed files. To be freed; NULL: there is none. */
char *default_model_path(void);

#endif
