/* get.h - installing and removing models */
#ifndef MODELS_GET_H
#define MODELS_GET_H

#include "dodona_tools.h"

#include <stdbool.h>
#include <stddef.h>

/* Each says what is wrong and returns the exit status. */

/* The models of these names, from a folder or URL with an index into a folder. */
int models_get(const char *const *names, size_t count, const char *from, const char *folder,
               bool quiet);
/* From the user's own folder only. */
int models_remove(const char *const *names, size_t count, bool quiet);

#endif
