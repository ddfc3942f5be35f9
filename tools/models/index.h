/* index.h - index.json: the models that a folder offers, there or through a web server */
#ifndef MODELS_INDEX_H
#define MODELS_INDEX_H

#include "models/entry.h"

enum { INDEX_VERSION = 1, INDEX_REASON_SIZE = 300 };

/* Reads all of it or nothing; then `reason` says what is wrong. */
bool index_read(model_list *list, const char *text, size_t size, char reason[INDEX_REASON_SIZE]);

/* Writes the index of a folder's models to the output, which may be NULL: into the folder. Says
 * what is wrong; returns the exit status. */
int index_make(const char *folder, const char *output_path);

/* The model of that name or, if there is none, of that language. NULL: there is none, or there are
 * several, and a message has said so; `where` stands in the message. */
const model_entry *index_find(const model_list *list, const char *name, const char *where);

/* Models as a table of at most 80 columns, where their names allow that, or as JSON. */

/* Models that are here stand below the folder that they are in. */
void show_table(output *out, const model_list *list);
void show_json(output *out, const model_list *list);

#endif
