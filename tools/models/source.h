/* source.h - where models come from: a folder with an index, or a URL of one */
#ifndef MODELS_SOURCE_H
#define MODELS_SOURCE_H

#include "models/index.h"
#include "models/part.h"

typedef struct source {
    char *index; /* path or URL of the index */
    char *base;  /* what stands before the names of files, with its '/' */
    bool remote;
} source;

/* From what a user says: a folder or its index, of files or by HTTP. Says what is wrong; returns
 * the exit status. */
int source_open(source *s, const char *from);
void source_close(source *s);

/* Each says what is wrong and returns the exit status. */
int source_list(const source *s, model_list *out);
/* Brings what is missing of a part; `progress` is shown. */
int source_fill(const source *s, part *p, bool progress);
/* The path or URL of a file, to be freed. */
char *source_place(const source *s, const char *file);

#endif
