/* shelf.h - the models that are served, each in memory once, and the names by which clients ask for
 * them.
 *
 * As in UDPipe's server, a model has a name and any number of others, and what stands before a
 * hyphen of one of these is a name too, of the first model that could have it: english-ewt is also
 * english. Further names, where no model has them so far, are its language and the beginning of a
 * name. */
#ifndef SERVE_SHELF_H
#define SERVE_SHELF_H

#include "output.h"
#include "serve/refusal.h"

typedef struct served_model {
    size_t index; /* on the shelf */
    char **names; /* [n_names] the first is what answers say */
    size_t n_names, names_capacity;
    char *path;
    dd_model *model;
    uint32_t components;
    bool neural; /* sentences are parsed faster together */
} served_model;

typedef struct shelf {
    served_model *models; /* [count] the first is the default */
    size_t count, capacity;
} shelf;

/* "NAME=MODEL", "NAME:ALIAS:ALIAS=MODEL" or "MODEL", as for -m of other subcommands; NULL: the
 * default model. Says what is wrong; returns the exit status. */
int shelf_add(shelf *all, const char *wanted);
void shelf_free(shelf *all);

/* NULL and "": the default. NULL, with the reason: there is none of that name. */
const served_model *shelf_find(const shelf *all, const char *name, refusal *why);
/* As UDPipe's /models answers. */
void shelf_list(const shelf *all, output *out);
/* With all facts and labels. */
void shelf_describe(const shelf *all, output *out);

/* The value of a fact of the model, an empty text if it has none. */
dd_text model_fact(const dd_model *model, const char *key);

#endif
