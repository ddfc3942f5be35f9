/* entry.h - what is known of a model, of one that is here or of one that an index offers
 *
 *     model file -> entry -> table, JSON, index
 *     index.json -> entry -> table, JSON, file that is installed
 */
#ifndef MODELS_ENTRY_H
#define MODELS_ENTRY_H

#include "dodona_tools.h"
#include "output.h"
#include "sha256.h"

typedef struct model_entry {
    char *name;
    uint64_t size; /* bytes of the file */
    /* NULL: not known. */
    char *file; /* its name beside the index */
    char *path, *folder;
    char *language, *treebank, *licence, *version;
    char *problem;            /* why it cannot be used; nothing else is known of it then */
    char sha256[SHA256_TEXT]; /* "": not known */
    double dev_uas, dev_las;  /* NAN: not known */
} model_entry;

typedef struct model_list {
    model_entry *items; /* [count] */
    size_t count, capacity;
} model_list; /* {0} is empty */

/* An empty entry at the end; it moves when another is added. */
model_entry *model_list_add(model_list *list);
void model_list_free(model_list *list);

/* What can be the name of a model in an index and of a file there: it can stand in a URL and leads
 * to no other folder. */
bool entry_is_name(const char *name);

/* Adds what the file at the path says of itself, or why it cannot be used. */
model_entry *entry_of_file(model_list *list, const char *name, const char *path);
/* Adds all models that are here. */
void entries_of_catalogue(model_list *list, const dd_catalogue *catalogue);

/* One object: all that is known, null for what is not. */
void entry_write(output *out, const model_entry *entry);

#endif
