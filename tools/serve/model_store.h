/* model_store.h - the models that are served, each in memory once, and the names by which clients
 * ask for them.
 *
 * As in UDPipe's server, a model has a name and any number of others, and what stands before a
 * hyphen of one of these is a name too, of the first model that could have it: english-ewt is also
 * english. Further names, where no model has them so far, are its language and the beginning of a
 * name. */
#ifndef SERVE_MODEL_STORE_H
#define SERVE_MODEL_STORE_H

#include "output.h"
#include "serve/refusal.h"

typedef struct served_model {
    size_t index; /* in the store */
    char **names; /* [n_names] the first is what answers say */
    size_t n_names, names_capacity;
    char *path;
    dd_model *model;
    uint32_t components;
    bool batches; /* sentences are parsed faster together */
} served_model;

typedef struct model_store {
    served_model *models; /* [count] the first is the default */
    size_t count, capacity;
} model_store;

/* "NAME=MODEL", "NAME:ALIAS:ALIAS=MODEL" or "MODEL", as for -m of other subcommands; NULL: the
 * default model. Says what is wrong; returns the exit status. */
int model_store_add(model_store *all, const char *wanted);
/* From the bytes of a model file, which stay where they are, as for dd_model_load_memory. */
dd_status model_store_add_bytes(model_store *all, const char *name, dd_text bytes, dd_error *error);
void model_store_free(model_store *all);

/* NULL and "": the default. NULL, with the reason: there is none of that name. */
const served_model *model_store_find(const model_store *all, const char *name, refusal *why);
/* The same, where "auto", unless a model has that name, is the model of the text's language. */
const served_model *model_store_pick(const model_store *all, const char *name, dd_text text,
                                     refusal *why);
/* As UDPipe's /models answers. */
void model_store_list(const model_store *all, output *out);
/* With all facts and labels. */
void model_store_describe(const model_store *all, output *out);

/* The value of a fact of the model, an empty text if it has none. */
dd_text model_fact(const dd_model *model, const char *key);

#endif
