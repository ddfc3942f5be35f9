/* request.h - a request of an annotation tool: its fields and its answers */
#ifndef SERVE_ANNOTATE_REQUEST_H
#define SERVE_ANNOTATE_REQUEST_H

#include "serve/annotate/store.h"

/* Its strings are those of the JSON. */
typedef struct request {
    annotator *all;
    job *work;
    dd_value root;
    refusal *why;
} request;

typedef struct model_names {
    const char *project, *id; /* "": a model that is served, whose name is the project's */
} model_names;

/* Each returns false, with a reason, if the request is refused. */
bool request_read(request *own);
bool request_string(const request *own, const dd_value *object, const char *key, const char **out);
bool request_name(const request *own, const char *key, const char *name);
bool request_model(const request *own, const dd_value *info, const char *key, model_names *out);
bool request_refuse_model(const request *own, const model_names *names);
/* Texts by name; NULL, with a reason: there are none. */
const dd_value *request_samples(const request *own, const char *key);
/* Calls `see`, unless it is NULL, for each sentence, none of which may be malformed, until it is
 * false. */
bool request_sentences(const request *own, const dd_value *sample,
                       bool (*see)(void *user, const dd_sentence *sentence), void *user);

void request_begin_success(output *out);
/* The request was understood, and what was asked for has failed. */
void request_write_failure(output *out, const char *reason);
void request_write_model(output *out, const char *project, const char *id);

/* What is asked for. */
bool request_train(request *own);
bool request_trained(request *own);
bool request_parse(request *own);
bool request_parsed(request *own);

#endif
